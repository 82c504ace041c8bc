"""Reads the links that a page advertises: elements with rel, and Link headers (rules D2, D5).

They give leads, hubs and rel=canonical. rel is a list of tokens in any case; types are hints. Misspelt ones count too,
since each candidate is fetched. Each URL counts once, with its best source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from feedward.discovery.anchor_words import PathHint, label_word, path_hint
from feedward.discovery.candidate import Lead, Source
from feedward.discovery.rejects import is_never_a_feed
from feedward.feeds.language import language_tag
from feedward.feeds.text import plain
from feedward.pages.elements import LinkElement, rel_tokens
from feedward.pages.link_header import parse_link_header
from feedward.pages.media_types import TypeHint, bare_type, is_entry_type, type_hint
from feedward.pages.page_urls import PageUrls

MAX_LINKS = 1000
MAX_HUBS = 10
MAX_TITLE = 200
# Resolving is expensive, so further links of a page are ignored.
_MAX_RESOLVED = 2000
_ALTERNATE = frozenset(("alternate", "alternative", "alternativ", "alternat"))
_FEED_RELS = frozenset(("feed", "rss", "atom", "service.feed"))
_TYPES_OF_PAGES = frozenset(("text/html", "text/plain", "application/octet-stream"))
_BEST_FIRST = (Source.LINK, Source.LINK_HEADER, Source.REL_FEED, Source.LINK_GENERIC)


def header_links(header: str | None, urls: PageUrls) -> list[LinkElement]:
    """Return the links of a Link header, without those of another document (`anchor`)."""
    return [
        LinkElement(
            said_by="Link header",
            href=link.target,
            rel=rel_tokens(link.parameters.get("rel")),
            type=link.parameters.get("type"),
            title=link.parameters.get("title"),
            language=link.parameters.get("hreflang"),
            media=link.parameters.get("media"),
        )
        for link in parse_link_header(header or "")
        if urls.elsewhere(link.parameters.get("anchor")) is None
    ]


def link_leads(links: Iterable[LinkElement], urls: PageUrls) -> list[Lead]:
    """Return the feeds that the links advertise, in order and without duplicates, at most 1000."""
    found: dict[str, Lead] = {}
    for lead in _resolved(links, urls):
        known = found.get(lead.url)
        if known is not None:
            found[lead.url] = _best_of(known, lead)
        elif len(found) < MAX_LINKS:
            found[lead.url] = lead
    return [replace(lead, position=position) for position, lead in enumerate(found.values())]


def advertises_itself(links: Iterable[LinkElement], urls: PageUrls) -> bool:
    """Return whether a link says that the page's own URL, perhaps as an empty href, is a feed: it may negotiate."""
    named = (link for link in links if _source(link) is not None and type_hint(link.type) is TypeHint.FEED)
    return any(
        urls.is_itself(link.href) and not is_entry_type(link.type or "")
        for link, _ in zip(named, range(20), strict=False)
    )


def hub_urls(links: Iterable[LinkElement], urls: PageUrls) -> tuple[str, ...]:
    """Return the WebSub hubs of the links, at most 10."""
    hubs = (urls.elsewhere(link.href) for link in links if "hub" in link.rel)
    return tuple(dict.fromkeys(hub for _, hub in zip(range(_MAX_RESOLVED), hubs, strict=False) if hub))[:MAX_HUBS]


def canonical_url(links: Iterable[LinkElement], urls: PageUrls) -> str | None:
    """Return the first rel=canonical that can be fetched, or None."""
    found = (urls.resolve(link.href) for link in links if "canonical" in link.rel)
    return next((url for _, url in zip(range(_MAX_RESOLVED), found, strict=False) if url), None)


def _resolved(links: Iterable[LinkElement], urls: PageUrls) -> Iterator[Lead]:
    tried = 0
    for link in links:
        source = _source(link)
        if source is None:
            continue
        tried += 1
        if tried > _MAX_RESOLVED:
            return
        url = urls.candidate(link.href)
        if url and _is_credible(link, url):
            yield _lead(link, source, url, urls.page_url)


def _source(link: LinkElement) -> Source | None:
    """Return the source of the link's type (rule D5), or None."""
    hint = type_hint(link.type)
    is_alternate = not _ALTERNATE.isdisjoint(link.rel) and "stylesheet" not in link.rel
    if hint is TypeHint.FEED and (is_alternate or (link.said_by == "link" and not link.rel)):
        return _in_header(link, Source.LINK)
    if not _FEED_RELS.isdisjoint(link.rel):
        return _in_header(link, Source.REL_FEED)
    if hint is TypeHint.GENERIC and link.said_by == "link" and not link.rel and label_word(link.title or ""):
        return Source.LINK_GENERIC
    if is_alternate and (hint is TypeHint.GENERIC or _is_untyped(link) or _is_said_to_be_a_page(link)):
        return _in_header(link, Source.LINK_GENERIC)
    return None


def _in_header(link: LinkElement, source: Source) -> Source:
    return Source.LINK_HEADER if link.said_by == "Link header" else source


def _is_untyped(link: LinkElement) -> bool:
    """Return True for an alternate without type, other language or other medium."""
    is_bare = type_hint(link.type) is TypeHint.NONE and not link.language and not link.media
    return is_bare and link.said_by in ("link", "Link header")


def _is_said_to_be_a_page(link: LinkElement) -> bool:
    """Return True for the type of a page or of plain text, which some sites give their feeds too."""
    return bare_type(link.type or "") in _TYPES_OF_PAGES and not link.media


def _is_credible(link: LinkElement, url: str) -> bool:
    """Return False for a URL that is never a feed, and for an alternate without a feed's type and path."""
    is_page = _is_said_to_be_a_page(link)
    if is_never_a_feed(url, None if is_page else link.type):
        return False
    is_sure = not _FEED_RELS.isdisjoint(link.rel) or not _is_untyped(link)
    return (is_sure and not is_page) or path_hint(url) is PathHint.ENDS_LIKE_FEED


def _lead(link: LinkElement, source: Source, url: str, page_url: str) -> Lead:
    return Lead(
        url=url,
        source=source,
        title=plain(link.title or "", MAX_TITLE),
        language=language_tag(link.language),
        why=_why(link),
        page_url=page_url,
    )


def _why(link: LinkElement) -> str:
    rel = f" rel={' '.join(link.rel)}" if link.rel else ""
    kind = f" type={bare_type(link.type)}" if link.type and link.type.strip() else ""
    return plain(f"{link.said_by}{rel}{kind}", MAX_TITLE) or link.said_by


def _best_of(known: Lead, other: Lead) -> Lead:
    """Return the better lead at the position of the first, with the fields that only the other has."""
    best = min(known, other, key=lambda lead: _BEST_FIRST.index(lead.source))
    return replace(best, title=known.title or other.title, language=known.language or other.language)
