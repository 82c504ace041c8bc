"""Where a URL lies on its site: path segments, and which of them only say "feed" or "document" (rule D8)."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote

from feedward.urls.parse import parse_http_url

Path = tuple[str, ...]

_WORDS = "feed|feeds|rss|rss2|rss1|atom|rdf|xml|json|index|default|syndication|backend"
_FEED_WORD = re.compile(rf"(?:{_WORDS})?(?:\.(?:xml|rss|rss2|atom|rdf|json|php|html?|aspx?))?")
_DOCUMENT = re.compile(r"[^.]+\.(?:html?|php\d?|aspx?|jsp|cgi|xhtml|shtml|txt|xml|rss|atom|rdf|json)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SHORT_NUMBER = re.compile(r"\d{1,2}")
# Directories whose children are posts, whatever the children are called.
_POST_PARENTS = frozenset({"p", "post", "archives", "story", "stories", "permalink", "entry"})
# Directories whose children are posts if their names read like a headline.
_BLOG_WORDS = "blog blogs weblog news posts articles article journal notes writing press magazine updates"
_BLOGS = frozenset(_BLOG_WORDS.split())
_POST_QUERIES = frozenset({"p", "page_id", "postid", "post_id", "attachment_id"})


@lru_cache(maxsize=1024)
def segments(url: str) -> Path:
    """The path's segments, lower case, percent escapes decoded; none for the root or for no URL."""
    parsed = parse_http_url(url)
    return tuple(unquote(part).lower() for part in parsed.pathname.split("/") if part) if parsed else ()


@lru_cache(maxsize=1024)
def query_pairs(url: str) -> tuple[tuple[str, str], ...]:
    """The query's pairs (name, value), lower case, percent escapes decoded, in order."""
    parsed = parse_http_url(url)
    raw = [pair.partition("=") for pair in parsed.search[1:].split("&") if pair] if parsed else []
    return tuple((_decoded(name), _decoded(value)) for name, _, value in raw)


def directory(url: str) -> Path:
    """The segments of the place that a page is: its path without a document's name (`/blog/index.html` -> `blog`)."""
    path = segments(url)
    return path[:-1] if path and is_document(path[-1]) else path


def is_document(segment: str) -> bool:
    """Tell whether a path's last segment names a document, by its ending."""
    return _DOCUMENT.fullmatch(segment) is not None


def says_feed(segment: str) -> bool:
    """Tell whether a segment says no more than that here is a feed: `feed`, `index.xml`, `rss.php`, `.rss`."""
    return _FEED_WORD.fullmatch(segment) is not None


def without_feed_words(path: Path) -> Path:
    """Drop the segments at the end that only say feed: `/notes/index.xml` and `/notes/feed/atom/` -> `notes`."""
    while path and says_feed(path[-1]):
        path = path[:-1]
    return path


def is_below(path: Path, above: Path) -> bool:
    """Tell whether `path` lies in `above`, or is it."""
    return path[: len(above)] == above


def post_parent(path: Path) -> Path | None:
    """The place that a post's path belongs to (`/blog/2026/08/hello/` -> `blog`), or None if it is no post's path."""
    parent = filed_post_parent(path)
    if parent is None and path and _reads_like_headline(path[-1]) and (len(path) == 1 or path[-2] in _BLOGS):
        return path[:-1]
    return parent


def filed_post_parent(path: Path) -> Path | None:
    """The same, where the path says more than a headline does: a date, or a directory of posts."""
    year = next((place for place, segment in enumerate(path) if _YEAR.fullmatch(segment)), None)
    if year is not None and year < len(path) - 1 and not _SHORT_NUMBER.fullmatch(path[-1]):
        has_month = _SHORT_NUMBER.fullmatch(path[year + 1]) is not None
        return path[:year] if has_month or _reads_like_headline(path[-1]) else None
    return path[:-2] if len(path) > 1 and path[-2] in _POST_PARENTS else None


def is_post(url: str) -> bool:
    """Tell whether a page's URL looks like one post's: by date, by its place, by a headline in it, by its query."""
    return is_post_query(url) or post_parent(segments(url)) is not None


def is_post_query(url: str) -> bool:
    """Tell whether the query names one post, as WordPress does (`?p=12`)."""
    return any(name in _POST_QUERIES and value for name, value in query_pairs(url))


def _reads_like_headline(segment: str) -> bool:
    words = segment.partition(".")[0].replace("_", "-").split("-")
    return len(words) >= 4 or (len(words) >= 2 and len(segment) >= 16)


def _decoded(text: str) -> str:
    return unquote(text.replace("+", " ")).lower()
