"""The news that a hub announces, over all its feeds: a fall of its rate, and how late it usually is (rule W22). Pure.

Times are epoch seconds. Each check that finds announced news adds to two counters. The pass of each minute notes them
each five minutes, so that their rate is known for the last two hours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from feedward.scheduling.jitter import stable_hash

NOTED_EVERY_S: Final = 5 * 60
NOTED_S: Final = 2 * 3600
"""The notes of this time fit into one write unit, together with the rest of the item of a hub without doubt."""
COUNTED_A_MINUTE: Final = 10
"""Of a hub with more news, about so many pieces a minute are counted: its item gets no more writes than that."""
BEFORE_S: Final = 3600
"""The usual rate is that of this time before a fall."""
KNOWN_S: Final = 40 * 60
"""It is known after this time."""
FALL_S: Final = (8 * 60, 14 * 60)
"""The times that are compared with the usual rate. In a shorter one, a jump of the clock looks like a fall."""
FALL_SHARE: Final = 0.8
FALL_PIECES: Final = 15
"""With less usual news in that time, there is too little to miss."""
FALL_CHANCE: Final = 0.01
LATE_SHARE: Final = 3
HONEST_CHANCE: Final = 0.01
RECENT_S: Final = 15 * 60
"""Lateness in this time may be part of the fall, and is not the usual one."""
_LATE_S: Final = 30


class Told(NamedTuple):
    """The counters at a time."""

    at: int
    told: int
    slow: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HubNews:
    """The counters since a hub is watched. told: pieces of announced news; slow: those that a poll could have found.

    noted: the counters of the last two hours, one each five minutes.
    """

    told: int = 0
    slow: int = 0
    noted: tuple[Told, ...] = ()

    def at(self, now: int) -> Told:
        """Return the counters now."""
        return Told(now, self.told, self.slow)


def counted(feed_id: str, now: int, each: int) -> int:
    """Return for how many pieces the announcement of a feed's news counts: one of `each` counts for all of them."""
    return each if stable_hash(f"told\n{feed_id}\n{now}") % each == 0 else 0


def with_note(news: HubNews, now: int) -> HubNews:
    """Note the counters, if the last note is five minutes old. Notes of the future are dropped: the clock was wrong."""
    kept = tuple(each for each in news.noted if now - NOTED_S <= each.at <= now)
    if kept and now - kept[-1].at < NOTED_EVERY_S - _LATE_S:
        return news if kept[-1] == news.noted[-1] else replace(news, noted=kept)
    return replace(news, noted=(*kept, news.at(now)))


def has_fallen(news: HubNews, now: int, *, each: int) -> bool:
    """Return whether the hub announced significantly less in the last 8 to 14 minutes than before.

    Its usual rate is the median of the five minutes of the hour before, so that bursts do not raise it. Less means a
    fifth less at least; so much less that chance explains it in one case of a hundred; and less than in any ten minutes
    of the hours before, so that a pattern that repeats raises no doubt, and a fall that lasts raises it for a while
    only. If 30 pieces are usual, 17 are significant, and a hub that withholds half of them announces 15.

    A hub of whose last news more than a third came late is becoming slow: that too makes its news less for a while.
    `each`: the number of pieces for which one was counted.
    """
    if _is_late(news, now):
        return False
    begins = (note for note in news.noted if FALL_S[0] <= now - note.at <= FALL_S[1] + _LATE_S)
    return any(_is_less(news, begin, now, each) for begin in begins)


def _is_late(news: HubNews, now: int) -> bool:
    since = max((note for note in news.noted if note.at <= now - NOTED_EVERY_S), default=Told(now, 0, 0))
    return (news.slow - since.slow) * LATE_SHARE > news.told - since.told


def _is_less(news: HubNews, begin: Told, now: int, each: int) -> bool:
    before = [note for note in news.noted if note.at <= begin.at]
    of_hour = [note for note in before if note.at >= begin.at - BEFORE_S - _LATE_S]
    if begin.at - of_hour[0].at < KNOWN_S:
        return False
    passed_s = now - begin.at
    told, usual = (news.told - begin.told) / each, _middle(_rates(of_hour, 1)) * passed_s / each
    least = min(_rates(before, 2), default=0) * passed_s / each
    is_clear = usual >= FALL_PIECES and told <= FALL_SHARE * usual and told < least
    return is_clear and _at_most(math.ceil(told), usual) <= FALL_CHANCE


def _rates(notes: Sequence[Told], steps: int) -> list[float]:
    """Return the pieces of news a second between notes that lie so many steps apart."""
    return [(end.told - begin.told) / (end.at - begin.at) for begin, end in zip(notes, notes[steps:], strict=False)]


def _middle(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def shown_by_chance(news: HubNews, now: int, *, checked: int, each: int) -> int | None:
    """Return how many of `checked` feeds of an honest hub show late news, in all but one case of a hundred.

    A check shows it if the feed's last item is late. The share of late items is at most that of its usual news, with
    the upper limit of a count (x + 2 sqrt(x) + 3, exceeded in one case of forty). None: its usual news is not known.

    With 180 pieces in the hours before and none late, that is 50 x 3/180 = 0.8 feeds, so four at most in all but one
    case of a hundred; with 3 late ones of 180 it is 2.6 feeds, so seven. From 4 feeds on, the ten of any hub are fewer.
    """
    usual = [note for note in news.noted if note.at <= now - RECENT_S]
    pieces = (usual[-1].told - usual[0].told) / each if usual else 0
    if not pieces:
        return None
    slow = (usual[-1].slow - usual[0].slow) / each
    return _quantile(checked * min((slow + 2 * math.sqrt(slow) + 3) / pieces, 1), 1 - HONEST_CHANCE)


def _at_most(number: int, usual: float) -> float:
    """Return the probability of at most `number` events where `usual` are expected (Poisson)."""
    return sum(math.exp(each * math.log(usual) - usual - math.lgamma(each + 1)) for each in range(number + 1))


def _quantile(usual: float, share: float) -> int:
    """Return the number of events that is not exceeded with this probability where `usual` are expected."""
    number, term = 0, math.exp(-usual)
    total = term
    while total < share and term > 0:
        number += 1
        term *= usual / number
        total += term
    return number
