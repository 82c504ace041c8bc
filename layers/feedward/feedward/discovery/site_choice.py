"""Which site's choice wins, where several sites choose one feed as their canonical one. Pure.

The first site that chooses a feed keeps it for as long as it does; another one gets it only when it is free.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteChoice:
    """What a feed's texts say of the site that it belongs to.

    `is_canonical`: the site chose it, with this score. Else the site only had it, and any site may choose it.
    """

    site_id: str | None = None
    is_canonical: bool = False
    score: int | None = None


def chosen_by(stored: SiteChoice, site_id: str, score: int | None) -> SiteChoice | None:
    """Return what is to be stored when a site says that it chose the feed; None: nothing changes.

    `score` None: the site does not choose it any more.
    """
    if score is None:
        is_its_own = stored.is_canonical and stored.site_id == site_id
        return SiteChoice(site_id=site_id) if is_its_own else None
    if stored.is_canonical and stored.site_id != site_id:
        return None
    choice = SiteChoice(site_id=site_id, is_canonical=True, score=score)
    return choice if choice != stored else None


def passed_on(merged: SiteChoice, stays: SiteChoice) -> SiteChoice | None:
    """Return what the feed that stays takes over from the one that was merged into it; None: its own choice stays."""
    return merged if merged.is_canonical and not stays.is_canonical else None
