"""The place of a URL on its site: its path segments, without those that only say "feed" or "document" (rule D8)."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

from feedward.urls.parse import parse_http_url

Path = tuple[str, ...]

_WORDS = "feed|feeds|rss|rss2|rss1|atom|rdf|xml|json|index|default|syndication|backend"
_FEED_WORD = re.compile(rf"(?:{_WORDS})?(?:\.(?:xml|rss|rss2|atom|rdf|json|php|html?|aspx?))?")
_DOCUMENT = re.compile(r"[^.]+\.(?:html?|php\d?|aspx?|jsp|cgi|xhtml|shtml|txt|xml|rss|atom|rdf|json)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SHORT_NUMBER = re.compile(r"\d{1,2}")
# Directories whose children are posts, whatever their names.
_POST_PARENTS = frozenset({"p", "post", "archives", "story", "stories", "permalink", "entry"})
# Directories whose children are posts if their names look like a headline.
_BLOG_WORDS = "blog blogs weblog news posts articles article journal notes writing press magazine updates"
_BLOGS = frozenset(_BLOG_WORDS.split())
_BOARD_QUERIES = frozenset({"forumid", "forumids", "forum_id"})
_BOARD_PAGES = frozenset({"viewforum", "forumdisplay"})
_POST_QUERIES = frozenset({"p", "page_id", "postid", "post_id", "attachment_id"})


@lru_cache(maxsize=1024)
def segments(url: str) -> Path:
    """Return the path's segments, in lower case and unescaped; empty for the root or an invalid URL."""
    parsed = parse_http_url(url)
    return tuple(unquote(part).lower() for part in parsed.pathname.split("/") if part) if parsed else ()


@lru_cache(maxsize=1024)
def query_pairs(url: str) -> tuple[tuple[str, str], ...]:
    """Return the query's pairs (name, value), in lower case and unescaped, in order."""
    parsed = parse_http_url(url)
    raw = [pair.partition("=") for pair in parsed.search[1:].split("&") if pair] if parsed else []
    return tuple((_decoded(name), _decoded(value)) for name, _, value in raw)


def directory(url: str) -> Path:
    """Return the segments of a page's directory: its path without a document's name (`/blog/index.html` -> `blog`)."""
    path = segments(url)
    return path[:-1] if path and is_document(path[-1]) else path


def is_document(segment: str) -> bool:
    """Return whether a path's last segment names a document, by its ending."""
    return _DOCUMENT.fullmatch(segment) is not None


def says_feed(segment: str) -> bool:
    """Return whether a segment only says that it is a feed: `feed`, `index.xml`, `rss.php`, `.rss`."""
    return _FEED_WORD.fullmatch(segment) is not None


def without_feed_words(path: Path) -> Path:
    """Drop trailing segments that only say feed: `/notes/index.xml` and `/notes/feed/atom/` -> `notes`."""
    while path and says_feed(path[-1]):
        path = path[:-1]
    return path


def is_below(path: Path, above: Path) -> bool:
    """Return whether `path` is in `above`, or equal to it."""
    return path[: len(above)] == above


def post_parent(path: Path) -> Path | None:
    """Return the directory of a post's path (`/blog/2026/08/hello/` -> `blog`), or None if it is not a post's path."""
    parent = filed_post_parent(path)
    if parent is None and path and _reads_like_headline(path[-1]) and (len(path) == 1 or path[-2] in _BLOGS):
        return path[:-1]
    return parent


def filed_post_parent(path: Path) -> Path | None:
    """Return the same, but only for a path with a date or a directory of posts, not for a headline alone."""
    year = next((place for place, segment in enumerate(path) if _YEAR.fullmatch(segment)), None)
    if year is not None and year < len(path) - 1 and not _SHORT_NUMBER.fullmatch(path[-1]):
        has_month = _SHORT_NUMBER.fullmatch(path[year + 1]) is not None
        return path[:year] if has_month or _reads_like_headline(path[-1]) else None
    return path[:-2] if len(path) > 1 and path[-2] in _POST_PARENTS else None


def is_post(url: str) -> bool:
    """Return whether a page's URL looks like that of a post: by date, directory, headline or query."""
    return is_post_query(url) or post_parent(segments(url)) is not None


def is_post_query(url: str) -> bool:
    """Return whether the query names one post, as WordPress does (`?p=12`)."""
    return any(name in _POST_QUERIES and value for name, value in query_pairs(url))


def _reads_like_headline(segment: str) -> bool:
    words = segment.partition(".")[0].replace("_", "-").split("-")
    return len(words) >= 4 or (len(words) >= 2 and len(segment) >= 16)


def _decoded(text: str) -> str:
    return unquote(text.replace("+", " ")).lower()


def board_number(url: str) -> str | None:
    """Return the number of the board that a forum's page or feed names: `viewforum.php?f=30`, `feed/forum/30`."""
    path, pairs = segments(url), query_pairs(url)
    shows_board = bool(path) and path[-1].partition(".")[0] in _BOARD_PAGES
    named = (value for name, value in pairs if name in _BOARD_QUERIES or (shows_board and name == "f"))
    in_path = (after for before, after in pairwise(path) if before == "forum")
    return next((value for value in (*named, *in_path) if value.isdecimal()), None)
