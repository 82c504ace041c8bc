"""Decides which candidate may replace a lost feed: a better one of the same site (rule H6). Pure.

Discovery chooses a feed for a page; revival replaces a feed that people chose. The replacement must be tied to the lost
feed by its items, its site link, or its place on the site's own domain, and it must cover the same content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from feedward.discovery.candidate import Candidate, Kind, Source, ValidationStatus
from feedward.discovery.kinds import kind_of
from feedward.discovery.merge_candidates import cover_the_same, have_same_items
from feedward.discovery.own_site import belongs
from feedward.discovery.places import Path, directory, is_below, segments, without_feed_words
from feedward.discovery.platforms.index import has_rules, platform_leads
from feedward.discovery.requested_part import Asked
from feedward.feeds.signature import signature
from feedward.model import Item
from feedward.urls.hosts import domain_of_url
from feedward.urls.key import key_or_text
from feedward.urls.parse import join_url, parse_http_url
from feedward.urls.secrets import has_token

# A candidate whose newest item is older than the lost feed's by more than this is a relic, not a successor.
RELIC_S = 30 * 24 * 3600
_OF_THE_PAGE = frozenset(
    {
        *(Source.LINK, Source.LINK_HEADER, Source.LINK_GENERIC, Source.REL_FEED, Source.ANCHOR, Source.WEAK_ANCHOR),
        Source.PAGE_DATA,
    }
)
_WHOLE = frozenset({Kind.MAIN, Kind.PODCAST})


class Tie(StrEnum):
    """Why a candidate belongs to the same site, strongest first."""

    SPELLING = "spelling"
    """It is at another spelling of the lost feed's URL, which is proof enough (rule H6)."""
    SAME_ITEMS = "same_items"
    SITE_LINK = "site_link"
    DOMAIN = "domain"


# The certainty of ties; the others follow.
_SURE: Mapping[Tie | None, int] = {Tie.SPELLING: 0, Tie.SAME_ITEMS: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The lost feed, as stored.

    `sites` are the stored and imported URLs of its site. `items` are its last items, `document` is the signature of its
    last document. `newest_item_at` is in epoch seconds. `is_there` is true if its old URL still serves a stale feed.
    `is_private` is true for a tenant's own feed, whose URL may contain a token (rule T1). `owned_urls` are all its URLs
    in the registry.
    """

    url: str
    owned_urls: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    title: str | None = None
    items: tuple[Item, ...] = ()
    document: str | None = None
    newest_item_at: int | None = None
    is_there: bool = False
    is_private: bool = False

    @property
    def site(self) -> str:
        """The site's URL, or the feed's own URL if no site is known."""
        return next(iter(self.sites), self.url)

    @property
    def kind(self) -> Kind:
        """The kind of feed that its URL and title suggest."""
        return kind_of(self.url, self.title, page_url=self.site)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A candidate, its tie to the lost feed, and why it cannot replace the feed (empty if it can)."""

    candidate: Candidate
    tie: Tie | None = None
    objection: str = ""


def successors(candidates: Iterable[Candidate], lost: Lost) -> list[Judged]:
    """Return all candidates with their verdicts: possible successors first, best first.

    `candidates` must be ranked: their kinds and scores are set. Another spelling of the URL precedes all others, then
    one with the same items.
    """
    judged = [judge(candidate, lost) for candidate in candidates]
    return sorted(judged, key=lambda each: (bool(each.objection), _SURE.get(each.tie, len(_SURE))))


def judge(candidate: Candidate, lost: Lost) -> Judged:
    """Decide whether the candidate may replace the lost feed."""
    if candidate.status is not ValidationStatus.VALID:
        return Judged(candidate=candidate, objection=candidate.detail or candidate.status.value)
    if _is_the_old_url(candidate, lost):
        return Judged(candidate=candidate, objection="the old URL")
    if _is_spelling(_landing(candidate), lost):
        return Judged(candidate=candidate, tie=Tie.SPELLING)
    if has_token(_landing(candidate)) and not (lost.is_private or has_token(lost.url)):
        return Judged(candidate=candidate, objection="its URL has a private token")
    tie = _tie(candidate, lost)
    objection = _objection(candidate, lost, tie)
    return Judged(candidate=candidate, tie=tie, objection=objection or _not_better(candidate, lost, tie))


def _is_the_old_url(candidate: Candidate, lost: Lost) -> bool:
    """True if it is the lost URL itself, or its spelling while the URL still serves the feed, or a spelling without
    https."""
    urls = (candidate.url, _landing(candidate))
    is_no_better = lost.is_there or (lost.url.startswith("https:") and not _landing(candidate).startswith("https:"))
    return lost.url in urls or (is_no_better and any(_is_spelling(url, lost) for url in urls))


def _is_spelling(url: str, lost: Lost) -> bool:
    return key_or_text(url) == key_or_text(lost.url)


def _objection(candidate: Candidate, lost: Lost, tie: Tie | None) -> str:
    if not candidate.item_count:
        return "it has no items"
    if tie is None:
        return "another site's"
    if not (_covers(candidate, lost) or (tie is Tie.SAME_ITEMS and _has_what_it_had(candidate, lost))):
        return f"it covers other content ({candidate.kind.value})"
    return ""


def _covers(candidate: Candidate, lost: Lost) -> bool:
    """True if both are feeds of the whole site, or feeds of the same part with the same title."""
    if lost.kind in _WHOLE:
        return candidate.kind is lost.kind or (candidate.kind in _WHOLE and candidate.is_canonical)
    return candidate.kind is lost.kind and bool(lost.title) and candidate.title == lost.title


def _has_what_it_had(candidate: Candidate, lost: Lost) -> bool:
    """True if its items are those of the lost feed, not a part of them or many more, even if its URL suggests
    otherwise."""
    items = candidate.feed.items if candidate.feed else ()
    return _is_document(candidate, lost) or cover_the_same(lost.items, items)


def _not_better(candidate: Candidate, lost: Lost, tie: Tie | None) -> str:
    """The objection if the candidate is no improvement: a relic, or, if the lost feed still answers, not newer."""
    newest, known = candidate.newest_item_at, lost.newest_item_at
    if lost.is_there:
        is_newer = newest is not None and (known is None or newest > known)
        return "" if is_newer else "it has nothing newer"
    is_relic = newest is not None and known is not None and known - newest > RELIC_S
    return "its items are older" if is_relic and tie is not Tie.SAME_ITEMS else ""


# --- the tie to the same site ------------------------------------------------------------------------------


def _tie(candidate: Candidate, lost: Lost) -> Tie | None:
    if _has_its_items(candidate, lost):
        return Tie.SAME_ITEMS
    if _is_foreign(candidate, lost):
        return None
    if _links_to_site(candidate, lost):
        return Tie.SITE_LINK
    return Tie.DOMAIN if _is_at_home(candidate, lost) else None


def _has_its_items(candidate: Candidate, lost: Lost) -> bool:
    feed = candidate.feed
    if feed is None or not feed.items:
        return False
    return _is_document(candidate, lost) or (bool(lost.items) and have_same_items(lost.items, feed.items))


def _is_document(candidate: Candidate, lost: Lost) -> bool:
    """True if it is the lost feed's last document (rule C8)."""
    if candidate.feed is None or lost.document is None:
        return False
    return signature(candidate.feed, _landing(candidate)) == lost.document


def _is_foreign(candidate: Candidate, lost: Lost) -> bool:
    """True if its site link and items belong to a site other than all known sites of the feed (rule D5)."""
    views = [Asked(url=site, page_url=lost.url) for site in (lost.sites or (lost.url,))]
    return all(belongs(candidate, view).is_another_sites for view in views)


def _links_to_site(candidate: Candidate, lost: Lost) -> bool:
    """True if its site link is the lost feed's site, or a page in the site's directory on the same domain.

    On a platform all accounts share a domain, so there it must be the same page.
    """
    base = parse_http_url(_landing(candidate))
    link = join_url(base, candidate.site_url) if base and candidate.site_url else None
    if link is None:
        return False
    if key_or_text(link.href) in {key_or_text(site) for site in lost.sites}:
        return True
    own = [site for site in (*lost.sites, lost.url) if domain_of_url(site) == domain_of_url(link.href)]
    return any(not has_rules(site) and is_below(directory(link.href), _place(lost)) for site in own)


def _is_at_home(candidate: Candidate, lost: Lost) -> bool:
    """True if it is in the site's directory on the site's domain, the site's page names it, or a platform rule gives
    it.

    The domain alone proves nothing, since many sites may share it (a platform with a directory for each).
    """
    own = (*lost.sites, lost.url)
    made = {key_or_text(lead.url) for url in own for lead in platform_leads(url)}
    if key_or_text(candidate.url) in made:
        return True
    landing = _landing(candidate)
    near = [url for url in own if domain_of_url(url) == domain_of_url(landing) and not has_rules(url)]
    if not near:
        return False
    return is_below(segments(landing), _place(lost)) or _is_named_by(candidate, lost.sites)


def _is_named_by(candidate: Candidate, sites: Sequence[str]) -> bool:
    pages = set(map(_page_key, sites))
    return any(
        lead.source in _OF_THE_PAGE and lead.page_url is not None and _page_key(lead.page_url) in pages
        for lead in candidate.leads
    )


def _page_key(url: str) -> str:
    """The key of a page, the same with and without www: most sites redirect one to the other."""
    return key_or_text(url).replace("://www.", "://", 1)


def _place(lost: Lost) -> Path:
    """The site's directory: that of its page, or of its feed if no page is known."""
    return directory(lost.site) if lost.sites else without_feed_words(directory(lost.url))


def _landing(candidate: Candidate) -> str:
    return candidate.final_url or candidate.url
