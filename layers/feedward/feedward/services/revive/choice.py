"""Which candidate may take the place of a feed that was lost: a better one, of the same site (rule H6). Pure.

Discovery chooses for a page; here a feed is there already, that people chose. What takes its place is tied to it: by
its items, by the site link, or by a place on the site's own domain; and it covers what the lost one covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from feedward.discovery.candidate import Candidate, Kind, Source, ValidationStatus
from feedward.discovery.kinds import kind_of
from feedward.discovery.merge import cover_the_same, have_same_items
from feedward.discovery.own_site import belongs
from feedward.discovery.places import Path, directory, is_below, segments, without_feed_words
from feedward.discovery.platforms.table import has_rules, platform_leads
from feedward.discovery.requested import Asked
from feedward.feeds.signature import signature
from feedward.model import Item
from feedward.urls.hosts import registrable_domain
from feedward.urls.key import key_or_text
from feedward.urls.parse import join_url, parse_http_url
from feedward.urls.secrets import has_token

# What is older than what the lost feed had, by more than this, is no successor but a relic.
RELIC_S = 30 * 24 * 3600
_OF_THE_PAGE = frozenset(
    {Source.LINK, Source.LINK_HEADER, Source.LINK_GENERIC, Source.REL_FEED, Source.ANCHOR, Source.WEAK_ANCHOR}
)
_WHOLE = frozenset({Kind.MAIN, Kind.PODCAST})


class Tie(StrEnum):
    """What makes a candidate the same site's, the strongest first."""

    SAME_ITEMS = "same_items"
    SITE_LINK = "site_link"
    DOMAIN = "domain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The feed that is looked for, as it was known.

    `sites` are the URLs of its site: as stored, as imported. `items` are its last ones, `document` the signature of its
    last document. `newest_item_at` is in epoch seconds. `is_there`: its old URL still serves a feed, which is stale.
    `is_private`: it is a tenant's own, and may hold a token (rule T1).
    """

    url: str
    sites: tuple[str, ...] = ()
    title: str | None = None
    items: tuple[Item, ...] = ()
    document: str | None = None
    newest_item_at: int | None = None
    is_there: bool = False
    is_private: bool = False

    @property
    def site(self) -> str:
        """The site's URL, or the feed's own where none is known."""
        return next(iter(self.sites), self.url)

    @property
    def kind(self) -> Kind:
        """What it covered, as far as its URL and title say."""
        return kind_of(self.url, self.title, page_url=self.site)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A candidate, its tie to the lost feed, and why it cannot take its place (empty: it can)."""

    candidate: Candidate
    tie: Tie | None = None
    objection: str = ""


def successors(candidates: Iterable[Candidate], lost: Lost) -> list[Judged]:
    """Return all candidates, judged: those that may take the lost feed's place first, best first.

    Candidates are ranked ones: their kinds and scores are set. One with the same items goes before all others.
    """
    judged = [judge(candidate, lost) for candidate in candidates]
    return sorted(judged, key=lambda each: (bool(each.objection), each.tie is not Tie.SAME_ITEMS))


def judge(candidate: Candidate, lost: Lost) -> Judged:
    """Say whether the candidate may take the lost feed's place."""
    if candidate.status is not ValidationStatus.VALID:
        return Judged(candidate=candidate, objection=candidate.detail or candidate.status.value)
    if key_or_text(lost.url) in {key_or_text(candidate.url), key_or_text(_landing(candidate))}:
        return Judged(candidate=candidate, objection="the old URL")
    if has_token(_landing(candidate)) and not (lost.is_private or has_token(lost.url)):
        return Judged(candidate=candidate, objection="its URL holds somebody's token")
    tie = _tie(candidate, lost)
    objection = _objection(candidate, lost, tie)
    return Judged(candidate=candidate, tie=tie, objection=objection or _not_better(candidate, lost, tie))


def _objection(candidate: Candidate, lost: Lost, tie: Tie | None) -> str:
    if not candidate.item_count:
        return "it has no items"
    if tie is None:
        return "another site's"
    if not (_covers(candidate, lost) or (tie is Tie.SAME_ITEMS and _has_what_it_had(candidate, lost))):
        return f"it covers something else ({candidate.kind.value})"
    return ""


def _covers(candidate: Candidate, lost: Lost) -> bool:
    """A whole site's feed is followed by one of the whole; a part's by one of that part, which has its name."""
    if lost.kind in _WHOLE:
        return candidate.kind is lost.kind or (candidate.kind in _WHOLE and candidate.is_canonical)
    return candidate.kind is lost.kind and bool(lost.title) and candidate.title == lost.title


def _has_what_it_had(candidate: Candidate, lost: Lost) -> bool:
    """Whatever its address says that it covers: its items are the lost one's, and not some of them or many more."""
    items = candidate.feed.items if candidate.feed else ()
    return _is_document(candidate, lost) or cover_the_same(lost.items, items)


def _not_better(candidate: Candidate, lost: Lost, tie: Tie | None) -> str:
    """A feed that is gone is bettered by any but a relic; one that is there, only by one with newer items."""
    newest, known = candidate.newest_item_at, lost.newest_item_at
    if lost.is_there:
        is_newer = newest is not None and (known is None or newest > known)
        return "" if is_newer else "it has nothing newer"
    is_relic = newest is not None and known is not None and known - newest > RELIC_S
    return "its items are older" if is_relic and tie is not Tie.SAME_ITEMS else ""


# --- the same site's ------------------------------------------------------------------------------


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
    """It is the very document that the lost feed had last (rule C8)."""
    if candidate.feed is None or lost.document is None:
        return False
    return signature(candidate.feed, _landing(candidate)) == lost.document


def _is_foreign(candidate: Candidate, lost: Lost) -> bool:
    """Its site link and its items are another site's than any that is known of the feed (rule D5)."""
    views = [Asked(url=site, page_url=lost.url) for site in (lost.sites or (lost.url,))]
    return all(belongs(candidate, view).is_another_sites for view in views)


def _links_to_site(candidate: Candidate, lost: Lost) -> bool:
    """It says that it is the feed of the very page that the lost one said, or of a page of the same domain there.

    On a platform all accounts share a domain: there it has to be the very page.
    """
    base = parse_http_url(_landing(candidate))
    link = join_url(base, candidate.site_url) if base and candidate.site_url else None
    if link is None:
        return False
    if key_or_text(link.href) in {key_or_text(site) for site in lost.sites}:
        return True
    own = [site for site in (*lost.sites, lost.url) if _domain(site) == _domain(link.href)]
    return any(not has_rules(site) and is_below(directory(link.href), _place(lost)) for site in own)


def _is_at_home(candidate: Candidate, lost: Lost) -> bool:
    """It lies on the site's domain, and in its place there; or the site's own page names it; or a rule made it of that.

    Where many share a domain (a platform; a directory of it each), the domain alone says nothing.
    """
    own = (*lost.sites, lost.url)
    made = {key_or_text(lead.url) for url in own for lead in platform_leads(url)}
    if key_or_text(candidate.url) in made:
        return True
    landing = _landing(candidate)
    near = [url for url in own if _domain(url) == _domain(landing) and not has_rules(url)]
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
    """A page is the same under www: most sites redirect one to the other."""
    return key_or_text(url).replace("://www.", "://", 1)


def _place(lost: Lost) -> Path:
    """The directory that is the site's: that of its page, or else of its feed."""
    return directory(lost.site) if lost.sites else without_feed_words(directory(lost.url))


def _landing(candidate: Candidate) -> str:
    return candidate.final_url or candidate.url


def _domain(url: str) -> str:
    parsed = parse_http_url(url)
    return registrable_domain(parsed.hostname) if parsed else ""
