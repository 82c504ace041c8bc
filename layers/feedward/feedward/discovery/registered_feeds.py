"""The registered feeds among a stored site's candidates, and those that belong to the site (rule D5). Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from feedward.discovery.candidate import Source, ValidationStatus
from feedward.discovery.site import SiteCandidate, StoredSite
from feedward.model import Outcome
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_http_url
from feedward.urls.secrets import has_token


def with_feed_ids(site: StoredSite, owner_of: Callable[[Sequence[str]], Mapping[str, str]]) -> StoredSite:
    """Add the registered feeds of the valid candidates, from any registration (rule D5).

    `owner_of` returns the ids of the feeds that own the URLs.
    """
    unknown = [each for each in site.candidates if each.feed_id is None and each.last_valid_at is not None]
    if not unknown:
        return site
    owners = owner_of(list(dict.fromkeys(url for each in unknown for url in _urls(each))))
    found = {each.url_hash: feed_id for each in unknown for url in _urls(each) if (feed_id := owners.get(url))}
    candidates = (replace(each, feed_id=each.feed_id or found.get(each.url_hash)) for each in site.candidates)
    return replace(site, candidates=tuple(candidates)) if found else site


def shown_to(tenant_id: str | None, site: StoredSite) -> StoredSite:
    """Return a site as a tenant sees it: without the ids of private feeds of other tenants (rules I8, TN10)."""
    if tenant_id is None or site.site.scope:
        return site
    own: set[str | None] = {
        each.feed_id for each in site.candidates if each.feed_id and any(map(has_token, _urls(each)))
    }
    if has_token(site.site.canonical_feed_url or ""):
        own.add(site.site.feed_id)
    candidates = tuple(replace(each, feed_id=None) if each.feed_id in own else each for each in site.candidates)
    feed_id = None if site.site.feed_id in own else site.site.feed_id
    return StoredSite(site=replace(site.site, feed_id=feed_id), candidates=candidates)


def _urls(candidate: SiteCandidate) -> tuple[str, ...]:
    return (candidate.candidate_url, *([candidate.final_url] if candidate.final_url else []))


def newly_found(before: StoredSite | None, after: StoredSite) -> Iterator[str]:
    """Yield the registered feeds that a page of their own site leads to now and did not before."""
    known = {each.url_hash: each.feed_id for each in (before.candidates if before else ())}
    for each in after.candidates:
        if each.feed_id and known.get(each.url_hash) != each.feed_id and _is_of(each, after.site.domain):
            yield each.feed_id


def _is_of(candidate: SiteCandidate, domain: str) -> bool:
    link = parse_http_url(candidate.site_url or "")
    is_own = link is not None and registrable_domain(link.hostname) == domain
    return is_own and candidate.validation_status is ValidationStatus.VALID and candidate.source is not Source.DIRECT


def was_looked_at(site: StoredSite) -> bool:
    """Return whether the stored site is a page that was read, and not a feed's own URL."""
    is_feed = any(each.is_canonical and each.source is Source.DIRECT for each in site.candidates)
    return site.site.page_outcome is Outcome.OK and not is_feed
