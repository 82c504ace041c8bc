"""The words that make an anchor feed-like (rule D5): whole words in its path or in its texts.

A word ends where Latin letters and digits end, so text of another script may follow directly (`RSS订阅`). Digits may
follow (`rss2`), and words may be joined (`rssfeed`).
"""

from __future__ import annotations

import re
from enum import IntEnum
from unicodedata import normalize
from urllib.parse import parse_qsl

from feedward.urls.parse import Url, parse_url

_WORD = r"(?>(?:rss|atom|rdf|xml|feeds?)+)[0-9]*+"
_LATIN = r"0-9A-Za-z\u00c0-\u024f"
_PATH_WORD = re.compile(rf"(?<![0-9a-z]){_WORD}(?![0-9a-z])")
_LABEL_WORD = re.compile(rf"(?<![{_LATIN}])(?:{_WORD}|(?:news|web)feeds?)(?![{_LATIN}])", re.IGNORECASE)
_SUBSCRIBE = re.compile(
    rf"(?<![{_LATIN}])(?:subscribe|subscriptions?|syndicate|syndication)(?![{_LATIN}])", re.IGNORECASE
)
# Words next to `feed`, `atom` or `xml` in the class of a feed's icon or link; words next to `rss` in that of an item.
_BESIDE_FEED = """
    icon icons ico link links url button btn fa fas fab fal far bi ri mdi ti la lab si icofont icomoon genericon
    glyphicon dashicons svg sprite logo badge sign social share follow subscribe subscription site blog page my the
    header footer nav navigation menu top bottom small large big new main a to via in 2x sm lg md xs
"""
_SIGN_WORDS = frozenset(_BESIDE_FEED.split())
# Design systems also call their smallest parts `atom`: `atom-button`, `a-atom-link`.
_BESIDE_ATOM = frozenset(("icon", "icons", "ico", "fa", "fas", "svg", "logo", "badge", "subscribe"))
_OF_ITEMS = """
    item items list lists card cards title titles entry entries post posts story stories article articles headline
    content body text container wrapper grid row block date summary image img photo thumb thumbnail teaser
"""
_ITEM_WORDS = frozenset(_OF_ITEMS.split())
_QUERY_VALUE = re.compile(rf"{_WORD}|[a-z0-9_-]*\.(?:rss|atom|rdf|xml)")
_ABOUT = frozenset(("q", "s", "query", "search", "keyword", "keywords", "tag", "tags", "label", "topic"))
_COMMENTS = re.compile(r"(?<![a-z])(?:comments?|kommentare?|commentaires?|comentarios?)(?![a-z])", re.IGNORECASE)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_ESCAPES = re.compile("%[0-9a-f]{2}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME = re.compile(r"[0-9a-z]+")
_MAX_LABEL = 500
_MAX_WORDS_OF_NAME = 3


class PathHint(IntEnum):
    """How strongly a path suggests a feed, strongest first."""

    ENDS_LIKE_FEED = 0
    HAS_FEED_WORD = 1
    NONE = 2


def path_hint(url: str) -> PathHint:
    """Return the hint of the path and query of an absolute URL. In the query only values count (`?feed=rss2`).

    A path that continues with comments after the word is a feed of comments (`/feed/comments`).
    """
    parsed = parse_url(url)
    return PathHint.NONE if parsed is None else min(_query_hint(parsed), _path_hint(parsed))


def _path_hint(url: Url) -> PathHint:
    segments = [_words(segment) for segment in url.pathname.split("/") if segment]
    found = [place for place, segment in enumerate(segments) if _PATH_WORD.search(segment)]
    if not found or any(_COMMENTS.search(segment) for segment in segments[found[-1] + 1 :]):
        return PathHint.NONE
    is_ending = found[-1] == len(segments) - 1 and _is_feed_name(segments[-1])
    return PathHint.ENDS_LIKE_FEED if is_ending else PathHint.HAS_FEED_WORD


def _is_feed_name(segment: str) -> bool:
    """Return True for `feed`, `my-feed`, `news.rss`, `rss.php`; False for an article's name that contains the word."""
    stem, dot, ending = segment.rpartition(".")
    if dot and _PATH_WORD.fullmatch(ending):
        return True
    words = _NAME.findall(stem if dot else segment)
    return 0 < len(words) <= _MAX_WORDS_OF_NAME and _PATH_WORD.fullmatch(words[-1]) is not None


def _query_hint(url: Url) -> PathHint:
    pairs = parse_qsl(url.search[1:1000].lower())
    says = any(name not in _ABOUT and _QUERY_VALUE.fullmatch(value) for name, value in pairs)
    return PathHint.ENDS_LIKE_FEED if says else PathHint.NONE


def _words(segment: str) -> str:
    """Return a path segment in lower case, split into words at camel-case humps and escapes."""
    segment = _HUMP.sub("-", segment).lower()
    return _ESCAPES.sub(" ", segment) if "%" in segment else segment


def label_word(text: str) -> str | None:
    """Return the first word in the text that says feed, or None. Invisible characters are ignored."""
    found = _LABEL_WORD.search(readable(text))
    return found[0] if found else None


def subscribe_word(text: str) -> str | None:
    """Return the first word in the text that says subscribe, which may mean a feed or a shop. None if there is none."""
    found = _SUBSCRIBE.search(readable(text))
    return found[0] if found else None


def class_word(text: str) -> str | None:
    """Return the class that says feed, in which words may be joined: `rssIcon`, `icon_rss`. None if there is none.

    A class of the items of a list says no feed: `feed-item`, `nd-feed-list-card`, `atom-tag`.
    """
    return next(filter(_is_sign, _HUMP.sub("-", text[:_MAX_LABEL]).lower().split()), None)


def _is_sign(name: str) -> bool:
    words = set(_NAME.findall(name))
    said = {word for word in words if _PATH_WORD.fullmatch(word)}
    if any(word.startswith("rss") for word in said):
        return words.isdisjoint(_ITEM_WORDS)
    beside = _BESIDE_ATOM if said <= {"atom", "xml"} else _SIGN_WORDS
    return bool(said) and words - said <= beside


def says_comments(text: str) -> bool:
    """Return whether the text mentions comments."""
    return _COMMENTS.search(text) is not None


def readable(text: str) -> str:
    """Return the first 500 characters in normalized form, without invisible ones."""
    text = text[:_MAX_LABEL]
    return text if text.isascii() else _INVISIBLE.sub("", normalize("NFKC", text))
