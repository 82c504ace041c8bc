"""The registered feeds of a site: which candidates are feeds, and which feed is the site's own (rule D5).

All raise the errors of the stores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedward.discovery import registered_feeds
from feedward.discovery.candidate import Candidate
from feedward.discovery.result import Discovery
from feedward.discovery.site import StoredSite
from feedward.ports import FeedStore, SiteStore
from feedward.services.discover.site_run import Request
from feedward.urls.parse import join_url, parse_http_url

if TYPE_CHECKING:  # loaded only if a feed is registered
    from feedward.services.discover.register_canonical import ChosenFeed


def with_feed_ids(site: StoredSite, store: FeedStore) -> StoredSite:
    """Return the site with the ids of its candidates' registered feeds, from any registration."""
    return registered_feeds.with_feed_ids(site, lambda urls: store.owners(urls, scope=site.site.scope))


def mark_feeds(
    discovery: Discovery, feed: ChosenFeed | None, before: StoredSite | None, after: StoredSite, *, sites: SiteStore
) -> None:
    """Mark the site's own feed, and note the site of its other feeds, before the site itself is written.

    `feed` is the stored feed of the chosen candidate; a new one was stored with its mark.
    """
    site_id, own = after.site.site_id, after.site.own_feed_id
    if feed is not None and not feed.created and feed.feed_id == own and discovery.own_feed is not None:
        sites.mark_choice(feed.feed_id, site_id=site_id, score=feed.score)
    former = before.site.own_feed_id if before else None
    if former is not None and former != own:
        sites.mark_choice(former, site_id=site_id, score=None)
    if not discovery.is_of_page:
        _note_site_of_link(discovery.canonical, feed, after, sites)
        return
    for feed_id in registered_feeds.newly_found(before, after):
        if feed_id not in (own, former):
            sites.found_at(feed_id, site_id=site_id)
    if registered_feeds.was_looked_at(after) and not (before and registered_feeds.was_looked_at(before)):
        _note_feeds_that_link_to(after, sites)


def touch_feeds(before: StoredSite | None, after: StoredSite, *, sites: SiteStore) -> None:
    """Let searches find the site's feeds by its new texts, once the site is written."""
    feed_ids = {each.feed_id for each in after.candidates if each.feed_id}
    if before is not None and feed_ids and _texts(before) != _texts(after):
        sites.touch_feeds(feed_ids, site_id=after.site.site_id)


def _texts(of: StoredSite) -> tuple[str | None, ...]:
    return of.site.title, of.site.url, of.site.language


def _note_site_of_link(chosen: Candidate | None, feed: ChosenFeed | None, after: StoredSite, sites: SiteStore) -> None:
    """Note the site of a feed that was added by its own URL: that of its site link, if a page of that site was read."""
    link = _site_link(chosen) if chosen else None
    site_id = Request(url=link, scope=after.site.scope).site_id if link else ""
    if feed is None or site_id in ("", after.site.site_id):
        return
    site = sites.site(site_id)
    if site is not None and registered_feeds.was_looked_at(site):
        sites.found_at(feed.feed_id, site_id=site_id)


def _note_feeds_that_link_to(site: StoredSite, sites: SiteStore) -> None:
    """Note the site of the domain's feeds that were added by their own URLs before a page of it was read."""
    scope = site.site.scope
    for feed in sites.feeds_of_domain(site.site.domain, scope=scope):
        link = feed.texts.site_url
        if feed.site_id is None and link and Request(url=link, scope=scope).site_id == site.site.site_id:
            sites.found_at(feed.feed_id, site_id=site.site.site_id)


def _site_link(candidate: Candidate) -> str | None:
    base = parse_http_url(candidate.final_url or candidate.url)
    link = join_url(base, candidate.site_url) if base and candidate.site_url else None
    return link.href if link else None
