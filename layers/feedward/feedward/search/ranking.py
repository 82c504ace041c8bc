"""Ranks hits by tier, by the match with names, and by the feed's own quality (rules Q3, Q4, Q5). Pure.

The score of a hit is a sum of named whole numbers. No number depends on word counts of an index, so that a document has
the same score in every index that holds it. The order is total: score, then feed id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from feedward.model import FeedState
from feedward.search.document import FeedDocument

# Two ways to match are at least 100 points apart, which is more than all of these together except the first: comments
# rank after the feed that they comment on, however they match. Each number is more than all below it together.
NOT_MAIN = -400
CANONICAL = 48
STATES = {FeedState.HEALTHY: 0, FeedState.DEGRADED: -12, FeedState.PAUSED: -24, FeedState.UNHEALTHY: -36}
STALE = -6
_STATE_LIST = tuple(STATES)
A_WORD_MORE = -1
MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Quality:
    """The ranking factors of a feed that do not depend on the query."""

    is_canonical: bool
    is_main: bool
    is_stale: bool
    state: FeedState
    words_more: int

    @property
    def parts(self) -> dict[str, int]:
        """The parts of the score by name."""
        return {
            "canonical": CANONICAL * self.is_canonical,
            "main": NOT_MAIN * (not self.is_main),
            "state": STATES[self.state],
            "fresh": STALE * self.is_stale,
            "brevity": A_WORD_MORE * self.words_more,
        }

    @property
    def points(self) -> int:
        """The sum of the parts."""
        return sum(self.parts.values())


def quality_of(document: FeedDocument, title_tokens: int) -> Quality:
    """Return the quality of a feed. `title_tokens` is the length of its title: words of a short name weigh more."""
    return Quality(
        is_canonical=document.is_canonical,
        is_main=document.is_main,
        is_stale=document.is_stale,
        state=document.state,
        words_more=min(max(title_tokens - 1, 0), MOST_WORDS) if title_tokens else MOST_WORDS,
    )


def packed(quality: Quality) -> int:
    """Return a quality as one small number, for a row of an index."""
    flags = quality.is_canonical + 2 * quality.is_main + 4 * quality.is_stale
    return flags + 8 * _STATE_LIST.index(quality.state) + 32 * quality.words_more


def unpacked(number: int) -> Quality:
    """Return the quality that a packed number encodes."""
    return Quality(
        is_canonical=bool(number & 1),
        is_main=bool(number & 2),
        is_stale=bool(number & 4),
        state=_STATE_LIST[number >> 3 & 3],
        words_more=number >> 5,
    )


@lru_cache(maxsize=4096)
def points_of(number: int) -> int:
    """Return the points of a packed quality."""
    return unpacked(number).points


@lru_cache(maxsize=4096)
def score_parts(tier: int, match: int, number: int) -> tuple[Mapping[str, float], float]:
    """Return the parts of a score by name, for a packed quality, and their sum, the score."""
    parts = {"tier": tier, "match": match, **unpacked(number).parts}
    return MappingProxyType(parts), sum(parts.values())
