"""A feed of the shared directory from a seed file, which was not fetched yet (rule IM8). Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from feedward.scheduling.jitter import stable_hash
from feedward.scheduling.lateness import LEAST_AHEAD_S

SPREAD_S: Final = 3600
# The golden section of an hour: it spreads the feeds of one host, which are often neighbours in a file.
_STEP_S: Final = 2225


@dataclass(frozen=True, slots=True, kw_only=True)
class SeededFeed:
    """A feed as a seed file has it. `category` is its approved topic; `first_check_at` its first fetch."""

    feed_id: str
    url: str
    url_hash: str
    host: str
    now: int
    first_check_at: int
    title: str | None = None
    description: str | None = None
    site_url: str | None = None
    language: str | None = None
    category: str | None = None


def first_seed_check(host: str, number: int, now: int) -> int:
    """Return the time of the first check of the seed with this number: within an hour, spread over hosts and feeds."""
    return now + LEAST_AHEAD_S + (stable_hash(host) + number * _STEP_S) % (SPREAD_S - LEAST_AHEAD_S)
