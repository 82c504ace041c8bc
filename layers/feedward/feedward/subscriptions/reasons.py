"""Why a discovery left a subscription without a feed, for people. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Site
from feedward.subscriptions.subscription import Failure

# One for each outcome but `found`; a test holds that none is missing.
SAYS: Final[Mapping[DiscoveryOutcome, tuple[Failure, str]]] = {
    DiscoveryOutcome.NO_FEED: (Failure.NO_FEED, "no feed was found there"),
    DiscoveryOutcome.REFUSED: (Failure.REFUSED, "the site refuses to be read by us"),
    DiscoveryOutcome.UNREACHABLE: (Failure.UNREACHABLE, "the site could not be reached"),
    DiscoveryOutcome.BLOCKED: (Failure.BLOCKED, "this address may not be fetched"),
    DiscoveryOutcome.BAD_URL: (Failure.BAD_URL, "this is no URL that can be fetched"),
}


def failure_of(site: Site) -> tuple[Failure, str] | None:
    """Return why the site as it was discovered has no feed, by name and in words; None where it has one."""
    if site.outcome is DiscoveryOutcome.FOUND:
        return None
    failure, says = SAYS[site.outcome]
    detail = site.detail.removeprefix("URL refused: ")
    return failure, f"{says}: {detail}" if detail else says
