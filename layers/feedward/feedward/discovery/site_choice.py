"""Decides which site a feed belongs to, and whether it is the site's own feed (rule D5). Pure.

The first site that chooses a feed keeps it while it chooses it. Another site gets the feed only after that. A feed
that no site chose belongs to the first site whose page leads to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the store of the marks needs no discovery
    from feedward.discovery.result import Discovery


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteChoice:
    """The site that is stored with a feed.

    `is_canonical` is true if the site chose the feed, with this score. Otherwise any site may choose it.
    """

    site_id: str | None = None
    is_canonical: bool = False
    score: int | None = None


def choice_of(discovery: Discovery, site_id: str) -> SiteChoice:
    """Return the choice to store with the feed that a discovery chose. A feed's own URL is not a site."""
    if not discovery.is_of_page:
        return SiteChoice()
    own = discovery.own_feed
    return SiteChoice(site_id=site_id, is_canonical=own is not None, score=own.score if own else None)


def found_at(stored: SiteChoice, site_id: str) -> SiteChoice | None:
    """Return the choice to store after a site's page led to the feed, or None if it already belongs to a site."""
    return SiteChoice(site_id=site_id) if stored.site_id is None else None


def chosen_by(stored: SiteChoice, site_id: str, score: int | None) -> SiteChoice | None:
    """Return the choice to store after a site chose the feed, or None if nothing changes.

    With `score` None the site no longer chooses the feed: its newer choice takes the site, the mark and the score.
    """
    if score is None:
        is_its_own = stored.is_canonical and stored.site_id == site_id
        return SiteChoice() if is_its_own else None
    if stored.is_canonical and stored.site_id != site_id:
        return None
    choice = SiteChoice(site_id=site_id, is_canonical=True, score=score)
    return choice if choice != stored else None


def passed_on(merged: SiteChoice, stays: SiteChoice) -> SiteChoice | None:
    """Return the choice that the surviving feed takes over from the merged one, or None if it keeps its own."""
    return merged if merged.is_canonical and not stays.is_canonical else None
