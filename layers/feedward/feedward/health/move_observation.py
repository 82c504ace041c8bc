"""Captive portals and parking pages: many unrelated hosts that move to one target in a short time (spec F2). Pure.

One row of the StateTable for each target, written only when a feed is seen moving there.
"""

from __future__ import annotations

from dataclasses import dataclass

from feedward.scheduling.backoff import DAY_S
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_url

PORTAL_HOSTS = 5
PORTAL_WINDOW_S = 3600
# Longer than a move without proof has to be seen: nobody's second sighting finds it forgotten.
PORTAL_LASTS_S = 7 * DAY_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """Who moved to one target lately: (registrable domain, epoch second), oldest first; at most PORTAL_HOSTS.

    `portal_at` is when so many came together last, or None.
    """

    domains: tuple[tuple[str, int], ...] = ()
    portal_at: int | None = None


def target_key(target: str) -> str:
    """Return what makes targets one: host and path. A portal puts the URL that was asked for into the query."""
    url = parse_url(target)
    return f"{url.host}{url.pathname}" if url else target


def arrived(before: Arrivals, source_host: str, target: str, now: int) -> Arrivals:
    """Return the arrivals after a feed of `source_host` was seen moving to `target`; within one domain it is none."""
    domain = registrable_domain(source_host)
    url = parse_url(target)
    if url is None or registrable_domain(url.hostname) == domain:
        return before
    others = [each for each in before.domains if each[0] != domain and abs(now - each[1]) <= PORTAL_WINDOW_S]
    domains = (*others, (domain, now))[-PORTAL_HOSTS:]
    return Arrivals(domains=domains, portal_at=now if len(domains) >= PORTAL_HOSTS else before.portal_at)


def is_portal(arrivals: Arrivals, now: int) -> bool:
    """Tell whether nothing that moves to this target may be adopted: many unrelated hosts came within an hour."""
    return arrivals.portal_at is not None and now - arrivals.portal_at <= PORTAL_LASTS_S
