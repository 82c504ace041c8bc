"""Outages of our own network: detects them by the minute, and reverts the failures that they caused (rule H5). Pure.

Minutes are whole epoch minutes. Hosts are unrelated if their registrable domains differ: the outage of one platform
does not count as ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from feedward.health.feed_health import FeedHealth
from feedward.health.outcomes import OUTCOMES
from feedward.model import FeedState, Outcome
from feedward.urls.hosts import registrable_domain

LEAST_HOSTS = 20
# A day, plus the most that jitter and a late message add to a daily check: else its failure could not be reverted.
MEMORY_S = 27 * 3600
# More failures than these occur in that time only if people request checks.
_REMEMBERED = 9
# The failure fields after a success (rule H2).
NO_FAILURES: Mapping[str, Any] = MappingProxyType(
    {
        "state": FeedState.HEALTHY,
        "consecutive_failures": 0,
        "first_failure_at": None,
        "network_failures": (),
        "not_founds": 0,
        "first_gone_at": None,
        "unhealthy_since": None,
        "revival_due": False,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinuteTotals:
    """The number of unrelated hosts that were checked in a minute, and of those with a network failure."""

    hosts: int = 0
    failed: int = 0

    def __add__(self, other: MinuteTotals) -> MinuteTotals:
        return MinuteTotals(hosts=self.hosts + other.hosts, failed=self.failed + other.failed)

    @property
    def is_doubtful(self) -> bool:
        """True if at least half of them failed, but they are too few to decide."""
        return 0 < self.hosts < LEAST_HOSTS and self.failed * 2 >= self.hosts

    @property
    def is_outage(self) -> bool:
        """True if at least half of 20 or more hosts failed."""
        return self.hosts >= LEAST_HOSTS and self.failed * 2 >= self.hosts


@dataclass(frozen=True, slots=True, kw_only=True)
class MinuteDomains:
    """The registrable domains that were checked in a minute, and those that were reached.

    The sets of several invocations are united: adding a domain twice changes nothing, and a domain counts once even if
    several invocations check it.
    """

    checked: frozenset[str] = frozenset()
    reached: frozenset[str] = frozenset()

    @property
    def totals(self) -> MinuteTotals:
        """Return the number of domains, and of failed domains."""
        return MinuteTotals(hosts=len(self.checked), failed=len(self.checked - self.reached))


def minute_of(at: int) -> int:
    """Return the epoch minute of an epoch second."""
    return at // 60


def domains_by_minute(checks: Iterable[tuple[int, str, Outcome]]) -> Mapping[int, MinuteDomains]:
    """Return the domains of each minute, given one invocation's checks as (epoch second, host, outcome)."""
    checked: dict[int, set[str]] = {}
    reached: dict[int, set[str]] = {}
    for at, host, outcome in checks:
        minute, domain = minute_of(at), registrable_domain(host)
        checked.setdefault(minute, set()).add(domain)
        if not OUTCOMES[outcome].network:
            reached.setdefault(minute, set()).add(domain)
    return {
        minute: MinuteDomains(checked=frozenset(domains), reached=frozenset(reached.get(minute, ())))
        for minute, domains in checked.items()
    }


def totals_by_minute(checks: Iterable[tuple[int, str, Outcome]]) -> Mapping[int, MinuteTotals]:
    """Return the totals of checks, given as (epoch second, host, outcome), by minute.

    A domain counts once a minute. It failed only if none of its hosts was reached.
    """
    return {minute: domains.totals for minute, domains in domains_by_minute(checks).items()}


def remembered(network_failures: Iterable[int], now: int) -> tuple[int, ...]:
    """Return the minutes of failures that an outage may still explain: the most recent ones of about the last day."""
    oldest = minute_of(now - MEMORY_S)
    return tuple(minute for minute in network_failures if minute >= oldest)[-_REMEMBERED:]


def may_all_be_ours(health: FeedHealth) -> bool:
    """Return whether an outage may explain every failure of the feed; also true if there is none."""
    return health.consecutive_failures == len(health.network_failures)


def without_ours(health: FeedHealth, outage_minutes: frozenset[int]) -> FeedHealth:
    """Return the health without the failures of our own outages; the same object if there are none.

    A feed without remaining failures is healthy again. It stays unhealthy only if the failure that made it unhealthy
    remains.
    """
    ours = [minute for minute in health.network_failures if minute in outage_minutes]
    if not ours:
        return health
    if len(ours) >= health.consecutive_failures:
        return without_failures(health)
    left = tuple(minute for minute in health.network_failures if minute not in outage_minutes)
    still_unhealthy = health.unhealthy_since is not None and minute_of(health.unhealthy_since) not in ours
    return replace(
        health,
        state=FeedState.UNHEALTHY if still_unhealthy else FeedState.DEGRADED,
        consecutive_failures=health.consecutive_failures - len(ours),
        first_failure_at=_first_left(health, ours, left),
        network_failures=left,
        unhealthy_since=health.unhealthy_since if still_unhealthy else None,
        revival_due=health.revival_due and still_unhealthy,
    )


def without_failures(health: FeedHealth) -> FeedHealth:
    """Return the health after a success: healthy, with the failure fields reset (rule H2)."""
    return replace(health, **NO_FAILURES)


def _first_left(health: FeedHealth, ours: list[int], left: tuple[int, ...]) -> int | None:
    """Return the earliest time of the remaining failures. Only the minutes of network failures are stored."""
    if health.first_failure_at is None or minute_of(health.first_failure_at) not in ours:
        return health.first_failure_at
    return 60 * (left[0] if left else ours[-1])
