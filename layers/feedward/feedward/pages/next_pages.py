"""Finds other pages that may name a page's feeds: its frames, and its site's blog or news.

Many home pages do not name the feed that their blog advertises. Links are tested unresolved, since a page may have
100,000; only hits are resolved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from urllib.parse import unquote

from feedward.pages.elements import PageElements
from feedward.pages.page_urls import PageUrls
from feedward.urls.parse import parse_url

MAX_NEXT = 3
_MAX_BLOGS = 2
_MAX_RESOLVED = 50
_MAX_FRAMES = 20
_MAX_LABEL = 60
_MAX_DEPTH = 2
# Likeliest first: on sites with both, the blog has the posts and the news has announcements.
_NAMES = """blog weblog blogs journal articles posts news updates magazine newsroom blogg bitacora blogue
    aktuelles nachrichten neuigkeiten actualites actualités noticias notizie nieuws nyheter novosti aktualnosci
    блог новости 博客 ブログ bitácora aktualności новини post writing writings notes essays stories log devlog
    weeknotes changelog thoughts archive archives"""
_RANKS = {name: rank for rank, name in enumerate(_NAMES.split())}


def frame_urls(frames: Sequence[Mapping[str, str | None]], urls: PageUrls) -> list[str]:
    """The documents of a frameset's frames, in order, each once."""
    shown = (urls.elsewhere(frame.get("src")) for frame in frames[:_MAX_FRAMES])
    return list(dict.fromkeys(url for url in shown if url))


def next_urls(frames: Sequence[str], found: PageElements, urls: PageUrls) -> tuple[str, ...]:
    """The frames, links to pages that are feeds themselves, and the site's blog and news; at most 3."""
    linked = (urls.elsewhere(link.href) for link in found.links if "feed" in link.rel and _is_html(link.type))
    feeds = [url for url in islice(linked, _MAX_RESOLVED) if url and urls.is_own(url)]
    return tuple(dict.fromkeys([*frames, *feeds, *_blogs(found, urls)]))[:MAX_NEXT]


def _is_html(kind: str | None) -> bool:
    return kind is not None and kind.strip().lower().startswith("text/html")


def _blogs(found: PageElements, urls: PageUrls) -> list[str]:
    """Links of the same site whose text or path names a blog or news; the likeliest first."""
    ranks: dict[str, int] = {}
    named = (anchor for anchor in found.anchors if _may_be_blog(anchor.attributes.get("href") or "", anchor.text))
    for anchor in islice(named, _MAX_RESOLVED):
        url = urls.elsewhere(anchor.attributes.get("href"))
        if url and urls.is_own(url):
            ranks.setdefault(url, min(_rank_of_place(url), _rank(anchor.text)))
    return sorted((url for url in ranks if ranks[url] < len(_RANKS)), key=lambda url: ranks[url])[:_MAX_BLOGS]


def _may_be_blog(href: str, text: str) -> bool:
    """A cheap test, so that thousands of links to posts are not resolved."""
    last = href.partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]
    last = unquote(last) if "%" in last else last
    first = last.partition(".")[0]
    return last.lower() in _RANKS or first.lower() in _RANKS or _rank(text) < len(_RANKS)


def _rank(text: str) -> int:
    return _RANKS.get(text.strip().lower(), len(_RANKS)) if len(text) <= _MAX_LABEL else len(_RANKS)


def _rank_of_place(url: str) -> int:
    """`/blog/`, `/en/news`, `blog.example.org`: the last segment of a short path, or the host's first label."""
    parsed = parse_url(url)
    path = [unquote(part) for part in parsed.pathname.split("/") if part] if parsed else []
    if parsed is None or len(path) > _MAX_DEPTH:
        return len(_RANKS)
    name = path[-1].partition(".")[0] if path else parsed.hostname.partition(".")[0]
    return _RANKS.get(name.lower(), len(_RANKS))
