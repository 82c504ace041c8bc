"""A page as a discovery reads it: all the data of an HTML page that it needs, from one parse (rule D2).

No page raises an error. Every list is bounded and every step takes linear time: 2 MB of hostile markup or 100,000 links
take a fraction of a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from feedward.discovery.anchors import anchor_leads
from feedward.discovery.candidate import Lead, Source
from feedward.discovery.links import advertises_itself, canonical_url, header_links, hub_urls, link_leads
from feedward.discovery.page_data import data_leads
from feedward.feeds.language import language_tag
from feedward.feeds.text import plain
from feedward.model import FetchResult
from feedward.pages import charset as html_text
from feedward.pages.elements import PageElements, page_elements
from feedward.pages.next_pages import frame_urls, next_urls
from feedward.pages.page_urls import PageUrls
from feedward.pages.script_redirect import script_reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """An HTML page. All its URLs are resolved against `base_url` and fetchable; others were dropped.

    `links` are the advertised links (link elements, Link headers, a and area with rel) in document order; `anchors` are
    the feed-like anchors, best first, with the feeds that the page's data names if there are no links.
    `advertises_itself`: a link says that the page's own URL is a feed. `refresh_url` is the target of an immediate
    refresh, of the only frame, or of a script that only goes elsewhere.
    `next_urls` are at most 3 other pages that may name its feeds: its frames, its site's blog or news.
    `meta` maps the lower-case name, property or itemprop of each meta element to its first content.
    `generator` is meta["generator"]. `html` is the text that was read (at most MAX_CHARS), for rules that search its
    scripts.
    """

    url: str
    base_url: str
    title: str | None = None
    language: str | None = None
    favicon: str | None = None
    generator: str | None = None
    canonical_url: str | None = None
    refresh_url: str | None = None
    hub_urls: tuple[str, ...] = ()
    links: tuple[Lead, ...] = ()
    advertises_itself: bool = False
    anchors: tuple[Lead, ...] = ()
    next_urls: tuple[str, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict, repr=False)
    html: str = field(default="", repr=False)


_ORDER = {Source.PAGE_DATA: 1, Source.WEAK_ANCHOR: 2}
_META_NAMES = ("name", "property", "itemprop")
_MAX_METAS = 500
_MAX_META_NAME = 100
_MAX_META = 1000
_MAX_TITLE = 300
_MAX_TRIED = 20
_MAX_REFRESH_S = 10
_REFRESH = re.compile(
    r"""\s*+([0-9]{1,6})(?:\.[0-9.]*+)?[\s;,]++(?>(?:url\s*+=\s*+)?)(?:"([^"]*+)|'([^']*+)|([^"'].*+))""",
    re.IGNORECASE | re.DOTALL,
)


def read_page(body: bytes, *, url: str, headers: Mapping[str, str]) -> Page:
    """Read a page. `url` is its URL after redirects; the names of `headers` are lower case.

    At most 2 MB are read. A body that is not HTML gives a page with the data of its headers only. Targets of a Link
    header are relative to the page's URL, not to its base.
    """
    html = _html(body, headers.get("content-type"))
    found = page_elements(html)
    page_urls = PageUrls(url)
    urls = PageUrls(url, _base_url(found, page_urls))
    in_headers = header_links(headers.get("link"), page_urls)
    links = _each_once(link_leads(found.links, urls), link_leads(in_headers, page_urls))
    meta = _meta(found)
    frames = frame_urls(found.frames, urls)
    anchors = anchor_leads(found.anchors, urls, known={lead.url for lead in links})
    return Page(
        url=urls.page_url,
        base_url=urls.base_url,
        title=_title(found, meta),
        language=_language(found, headers),
        favicon=_favicon(found, urls),
        generator=meta.get("generator"),
        canonical_url=canonical_url(found.links, urls) or canonical_url(in_headers, page_urls),
        refresh_url=_refresh_url(found, headers, urls)
        or (frames[0] if len(frames) == 1 else None)
        or (urls.elsewhere(script_reference(html)) if not found.anchors else None),
        hub_urls=tuple(dict.fromkeys((*hub_urls(in_headers, page_urls), *hub_urls(found.links, urls)))),
        links=tuple(links),
        advertises_itself=advertises_itself(found.links, urls) or advertises_itself(in_headers, page_urls),
        anchors=tuple(anchors if links else _with_data(anchors, html, urls)),
        next_urls=next_urls(frames, found, urls),
        meta=meta,
        html=html,
    )


def header_leads(url: str, headers: Mapping[str, str]) -> list[Lead]:
    """Return the feeds that the Link headers of a response advertise; the names of `headers` are lower case."""
    urls = PageUrls(url)
    return link_leads(header_links(headers.get("link"), urls), urls)


def is_html(fetch: FetchResult) -> bool:
    """Return whether to read a fetch as a page: its type is HTML or missing, or the body begins like a page."""
    return html_text.is_html(fetch.body, fetch.content_type)


def _html(body: bytes, content_type: str | None) -> str:
    return html_text.html_text(body, content_type) if html_text.is_html(body, content_type) else ""


def _base_url(found: PageElements, urls: PageUrls) -> str | None:
    """Return the first fetchable base. A base that was left over from a test server is ignored."""
    return next(filter(None, (urls.resolve(base.get("href")) for base in found.bases[:_MAX_TRIED])), None)


def _each_once(links: list[Lead], others: list[Lead]) -> list[Lead]:
    known = {lead.url for lead in links}
    return [*links, *(lead for lead in others if lead.url not in known)]


def _with_data(anchors: list[Lead], html: str, urls: PageUrls) -> list[Lead]:
    """Add the feeds that only the page's data names, before the anchors where only the words around say feed."""
    named = data_leads(html, urls, known={lead.url for lead in anchors})
    return sorted([*anchors, *named], key=lambda lead: _ORDER.get(lead.source, 0)) if named else anchors


def _meta(found: PageElements) -> dict[str, str]:
    meta: dict[str, str] = {}
    for attributes in found.metas[:_MAX_METAS]:
        content = plain(attributes.get("content") or "", _MAX_META)
        for name in filter(None, map(attributes.get, _META_NAMES)):
            if content and len(name) <= _MAX_META_NAME:
                meta.setdefault(name.strip().lower(), content)
    return meta


def _title(found: PageElements, meta: Mapping[str, str]) -> str | None:
    """Return the title of the head, else a title from other elements."""
    titles = (*found.titles[:_MAX_TRIED], meta.get("og:title", ""), *found.body_titles[:1])
    return next(filter(None, (plain(title, _MAX_TITLE) for title in titles)), None)


def _language(found: PageElements, headers: Mapping[str, str]) -> str | None:
    """Return the language of the html element, else of a meta element, else of the header."""
    said = [found.root.get("lang"), found.root.get("xml:lang"), *_equivalents(found, "content-language")]
    return next(filter(None, map(language_tag, (*said, headers.get("content-language")))), None)


def _favicon(found: PageElements, urls: PageUrls) -> str | None:
    """Return the first fetchable icon, or one for home screens if there is no other. No URL is guessed."""
    for rel in ("icon", "apple-touch-icon", "apple-touch-icon-precomposed"):
        icons = [link.href for link in found.links if link.said_by == "link" and rel in link.rel]
        icon = next(filter(None, map(urls.resolve, icons[:_MAX_TRIED])), None)
        if icon:
            return icon
    return None


def _refresh_url(found: PageElements, headers: Mapping[str, str], urls: PageUrls) -> str | None:
    """Return the target of a refresh within 10 seconds."""
    for text in (headers.get("refresh"), *_equivalents(found, "refresh")):
        refresh = _REFRESH.match(text[: _MAX_META * 4]) if text else None
        if refresh and int(refresh[1]) <= _MAX_REFRESH_S:
            return urls.elsewhere((refresh[2] or refresh[3] or refresh[4] or "").strip())
    return None


def _equivalents(found: PageElements, header: str) -> Iterator[str | None]:
    """Yield the values of meta http-equiv elements for a header."""
    for attributes in found.metas[:_MAX_METAS]:
        if (attributes.get("http-equiv") or "").strip().lower() == header:
            yield attributes.get("content")
