"""Updates a stored site after a discovery, without losing earlier results (rules R13, D1). Pure.

A candidate that was not found again keeps its data. A candidate found but not tried keeps the result of an earlier
try. A discovery with the stored results changes no candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from feedward.discovery.candidate import Candidate, Kind, ValidationStatus
from feedward.discovery.result import Discovery, DiscoveryOutcome
from feedward.discovery.site import CANDIDATES_KEPT, Site, SiteCandidate, StatusChange, StoredSite
from feedward.discovery.stored_candidate import (
    DETAIL_CHARS,
    LANGUAGE_CHARS,
    NOTE_CHARS,
    TITLE_CHARS,
    cut,
    kept_hubs,
    kept_url,
    stored_candidate,
)
from feedward.errors import InvalidInput
from feedward.urls.hosts import registrable_domain
from feedward.urls.key import url_hash
from feedward.urls.parse import parse_http_url
from feedward.urls.safety import MAX_URL_CHARS

HISTORY_KEPT = 20

_ORDER = {ValidationStatus.VALID: 0, ValidationStatus.UNTESTED: 1, ValidationStatus.INVALID: 2}
# The site was readable: candidates that were not found are missing, and a former choice that lost is dropped.
_LOOKED_AT = frozenset({DiscoveryOutcome.FOUND, DiscoveryOutcome.NO_FEED})


def updated(
    before: StoredSite | None,
    discovery: Discovery,
    *,
    site_id: str,
    now: int,
    feed_id: str | None = None,
    canonical_feed_url: str | None = None,
    job_id: str | None = None,
    scope: str = "",
) -> StoredSite:
    """Return the site to store after `discovery`.

    `before` is the stored site. `feed_id` and `canonical_feed_url` are those of the chosen feed, if it was registered.
    `job_id` is the job that continues this discovery, or that ran it. `now` is in epoch seconds.
    """
    run = _Run(before=before, discovery=discovery, now=now, feed_id=feed_id, scope=scope)
    seen = _seen(run)
    come_upon = {_hash(candidate.url, scope) for candidate in discovery.candidates}
    unseen = [
        each if each.url_hash in come_upon else _unseen(each, run)
        for each in _stored(before)
        if each.url_hash not in seen
    ]
    candidates = in_order([*seen.values(), *unseen])
    left_out = discovery.candidates_left_out + len({*come_upon} - {each.url_hash for each in candidates} - {None})
    site = replace(_site(run, site_id=site_id, job_id=job_id), candidates_left_out=left_out)
    return StoredSite(site=_with_choice(site, run, candidates, canonical_feed_url), candidates=candidates)


def changed(before: StoredSite | None, after: StoredSite) -> list[SiteCandidate]:
    """Return the candidates to write, the site's choice first, since it changes together with the site."""
    stored = {each.url_hash: each for each in _stored(before)}
    news = [each for each in after.candidates if stored.get(each.url_hash) != each]
    chosen = {each.url_hash for each in _stored(before) if each.is_canonical}
    news.sort(key=lambda each: not (each.is_canonical or each.url_hash in chosen))  # both, so there is one choice
    return news


def in_order(candidates: Iterable[SiteCandidate]) -> tuple[SiteCandidate, ...]:
    """Return the candidates in their stable display order: valid ones first, best first, missing ones last."""
    return tuple(sorted(candidates, key=_place))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    before: StoredSite | None
    discovery: Discovery
    now: int
    feed_id: str | None
    scope: str

    @property
    def is_whole(self) -> bool:
        """True if candidates that this discovery did not find are missing."""
        return self.discovery.complete and self.discovery.outcome in _LOOKED_AT

    @property
    def decides(self) -> bool:
        """True if this discovery determines the site's choice, which may be none."""
        return self.is_whole or self.discovery.canonical is not None


def _stored(site: StoredSite | None) -> tuple[SiteCandidate, ...]:
    return site.candidates if site else ()


def _place(candidate: SiteCandidate) -> tuple[bool, int, int, int, str, str]:
    url = candidate.final_url or candidate.candidate_url
    missing = candidate.missing_since is not None
    return (missing, _ORDER[candidate.validation_status], -candidate.score, len(url), url, candidate.candidate_url)


# --- candidates -----------------------------------------------------------------------------------


def _seen(run: _Run) -> dict[str, SiteCandidate]:
    """Return this discovery's candidates by url_hash, as far as there is room; of two spellings of a URL the better.

    Valid candidates are always kept, then those with the highest scores.
    """
    stored = {each.url_hash: each for each in _stored(run.before)}
    room = CANDIDATES_KEPT - len(stored)
    seen: dict[str, SiteCandidate] = {}
    for candidate in sorted(run.discovery.candidates, key=_kept_first):
        hashed = _hash(candidate.url, run.scope)
        if hashed is None or hashed in seen:
            continue
        if hashed not in stored:
            if room <= 0 and candidate.status is not ValidationStatus.VALID:
                continue
            room -= 1
        seen[hashed] = _merged(stored.get(hashed), candidate, hashed, run)
    return seen


def _kept_first(candidate: Candidate) -> tuple[bool, int, bool]:
    is_tried = candidate.status is not ValidationStatus.UNTESTED
    return (candidate.status is not ValidationStatus.VALID, -candidate.score, not is_tried)


def _hash(url: str, scope: str) -> str | None:
    try:
        return url_hash(url, scope) if len(url) <= MAX_URL_CHARS else None
    except InvalidInput:
        return None


def _merged(before: SiteCandidate | None, candidate: Candidate, hashed: str, run: _Run) -> SiteCandidate:
    """Return the stored form of a candidate that was found."""
    is_untested = candidate.status is ValidationStatus.UNTESTED
    if before is not None and is_untested and before.validation_status is not ValidationStatus.UNTESTED:
        return _chosen(replace(before, missing_since=None), candidate.is_canonical, run)
    found = _chosen(stored_candidate(candidate, url_hash=hashed, now=run.now), candidate.is_canonical, run)
    after = _with_history(found, before, run.now)
    if before is not None and candidate.status is not ValidationStatus.VALID and before.last_valid_at is not None:
        after = _with_texts(after, before)
    if candidate.status is not ValidationStatus.VALID:
        return after
    since = before.last_valid_at if before else None
    same = replace(after, last_valid_at=since)
    return same if since is not None and same == before else replace(after, last_valid_at=run.now)


def _chosen(candidate: SiteCandidate, is_canonical: bool, run: _Run) -> SiteCandidate:
    """Mark or unmark the site's choice if this discovery determines it. The choice has its feed's id."""
    if not run.decides:
        stored = {each.url_hash: each.is_canonical for each in _stored(run.before)}
        return replace(candidate, is_canonical=stored.get(candidate.url_hash, False))
    feed_id = run.feed_id if is_canonical and run.feed_id else candidate.feed_id
    return replace(candidate, is_canonical=is_canonical, feed_id=feed_id)


def _with_history(after: SiteCandidate, before: SiteCandidate | None, now: int) -> SiteCandidate:
    """Add the history: when the candidate was first found, its feed, and each change of its status."""
    change = StatusChange(at=now, status=after.validation_status, outcome=after.last_error)
    if before is None:
        return replace(after, history=(change,))
    history = before.history
    if before.validation_status is not after.validation_status:
        history = (*history, change)[-HISTORY_KEPT:]
    return replace(
        after,
        first_seen_at=before.first_seen_at,
        feed_id=after.feed_id or before.feed_id,
        last_valid_at=before.last_valid_at,
        history=history,
    )


def _with_texts(after: SiteCandidate, before: SiteCandidate) -> SiteCandidate:
    """Keep the texts of a feed that no longer exists."""
    return replace(
        after,
        kind=before.kind,
        format=before.format,
        title=before.title,
        description=before.description,
        site_url=before.site_url,
        language=before.language,
        item_count=before.item_count,
        items=before.items,
        newest_item_at=before.newest_item_at,
        aliases=before.aliases,
    )


def _unseen(stored: SiteCandidate, run: _Run) -> SiteCandidate:
    """Return a candidate that was not found: it keeps its data, and is missing after a complete discovery."""
    since = stored.missing_since
    if run.is_whole and since is None:
        since = run.now
    return replace(stored, missing_since=since, is_canonical=stored.is_canonical and not run.decides)


# --- the site -------------------------------------------------------------------------------------


def _site(run: _Run, *, site_id: str, job_id: str | None) -> Site:
    discovery, page = run.discovery, run.discovery.page
    before = run.before.site if run.before else None
    url = page.url if page else before.canonical_url if before else discovery.url
    known = page or before
    parsed = parse_http_url(url)
    return Site(
        site_id=site_id,
        input_url=(before.input_url if before else discovery.input_url)[:MAX_URL_CHARS],
        url=before.url if before else discovery.url,
        canonical_url=url,
        domain=registrable_domain(parsed.hostname) if parsed else "",
        outcome=discovery.outcome,
        complete=discovery.complete,
        intent=discovery.intent,
        last_discovered_at=run.now,
        created_at=before.created_at if before else run.now,
        title=cut(known.title, TITLE_CHARS) if known else None,
        favicon=kept_url(known.favicon) if known else None,
        language=cut(known.language, LANGUAGE_CHARS) if known else None,
        generator=cut(known.generator, NOTE_CHARS) if known else None,
        hub_urls=kept_hubs(known.hub_urls) if known else (),
        canonical_feed_url=before.canonical_feed_url if before else None,
        feed_id=before.feed_id if before else None,
        own_feed_id=before.own_feed_id if before else None,
        page_outcome=discovery.page_outcome,
        http_status=discovery.http_status,
        retry_after_s=discovery.retry_after_s,
        detail=discovery.detail[:DETAIL_CHARS],
        requests=discovery.requests,
        rounds=discovery.rounds,
        job_id=job_id or (before.job_id if before else None),
        scope=run.scope,
        last_input=discovery.input_url[:MAX_URL_CHARS],
        rev=before.rev + 1 if before else 1,
    )


def _with_choice(site: Site, run: _Run, candidates: Sequence[SiteCandidate], canonical_feed_url: str | None) -> Site:
    """Add the feed of the site's choice. If it was not registered this time, the earlier feed is kept."""
    if not run.decides:
        return site
    site = _with_own_feed(site, run)
    choice = next((each for each in candidates if each.is_canonical), None)
    if choice is None:
        return replace(site, feed_id=None, canonical_feed_url=None)
    is_same = choice.feed_id is not None and choice.feed_id == site.feed_id
    return replace(
        site,
        feed_id=choice.feed_id,
        canonical_feed_url=canonical_feed_url or (site.canonical_feed_url if is_same else None),
    )


def _with_own_feed(site: Site, run: _Run) -> Site:
    """Add the site's own feed (rule D5). A discovery for another kind of feed changes nothing about it."""
    if run.discovery.intent is not Kind.MAIN or not run.discovery.is_of_page:
        return site
    if run.discovery.own_feed is None:
        return replace(site, own_feed_id=None)
    return replace(site, own_feed_id=run.feed_id or site.own_feed_id)
