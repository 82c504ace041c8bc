"""Shared redirect targets, such as captive portals and parking pages: many unrelated hosts move to one target in a
short time (rule F2). Each target has one row in the StateTable, written only when a feed is observed moving there.
Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from feedward.scheduling.backoff import DAY_S
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_url

SHARED_BY_HOSTS = 5
TARGET_WINDOW_S = 3600
# Longer than the time between the two observations of an unproven move: the second one must still find the mark.
SHARED_LASTS_S = 7 * DAY_S


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTarget:
    """The domains that lately moved to one target: (registrable domain, epoch second), oldest first, at most 5.

    `crowded_at` is the last time that 5 of them moved there within an hour, or None.
    """

    domains: tuple[tuple[str, int], ...] = ()
    crowded_at: int | None = None


def target_key(target: str) -> str:
    """Return the key of a target: host and path. The query is omitted, since portals put the requested URL into it."""
    url = parse_url(target)
    return f"{url.host}{url.pathname}" if url else target


def with_arrival(before: SharedTarget, source_host: str, target: str, now: int) -> SharedTarget:
    """Return the target's row after a feed of `source_host` moved there. Moves within a domain do not count."""
    domain = registrable_domain(source_host)
    url = parse_url(target)
    if url is None or registrable_domain(url.hostname) == domain:
        return before
    others = [each for each in before.domains if each[0] != domain and abs(now - each[1]) <= TARGET_WINDOW_S]
    domains = (*others, (domain, now))[-SHARED_BY_HOSTS:]
    return SharedTarget(domains=domains, crowded_at=now if len(domains) >= SHARED_BY_HOSTS else before.crowded_at)


def is_shared_target(shared_target: SharedTarget, now: int) -> bool:
    """Return whether many unrelated hosts moved to this target within an hour: then no move there may be adopted."""
    return shared_target.crowded_at is not None and now - shared_target.crowded_at <= SHARED_LASTS_S
