"""Decides which site a feed belongs to if several sites choose it as their canonical feed. Pure.

The first site keeps the feed as long as it chooses it. Another site gets the feed only after that.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteChoice:
    """The site that is stored with a feed.

    `is_canonical` is true if the site chose the feed, with this score. Otherwise any site may choose it.
    """

    site_id: str | None = None
    is_canonical: bool = False
    score: int | None = None


def chosen_by(stored: SiteChoice, site_id: str, score: int | None) -> SiteChoice | None:
    """Return the choice to store after a site chose the feed, or None if nothing changes.

    With `score` None the site no longer chooses the feed.
    """
    if score is None:
        is_its_own = stored.is_canonical and stored.site_id == site_id
        return SiteChoice(site_id=site_id) if is_its_own else None
    if stored.is_canonical and stored.site_id != site_id:
        return None
    choice = SiteChoice(site_id=site_id, is_canonical=True, score=score)
    return choice if choice != stored else None


def passed_on(merged: SiteChoice, stays: SiteChoice) -> SiteChoice | None:
    """Return the choice that the surviving feed takes over from the merged one, or None if it keeps its own."""
    return merged if merged.is_canonical and not stays.is_canonical else None
