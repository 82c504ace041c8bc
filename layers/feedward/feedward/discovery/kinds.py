"""Determines which part of a site a feed covers, and which part a request asks for (rule D8).

The path and the query decide. A title only adds to them, since titles are in all languages. The feed itself (its site
link, comment anchors in its items) decides where no path can.
"""

from __future__ import annotations

import re

from feedward.discovery.candidate import Kind
from feedward.discovery.kind_words import (
    COMMENT_FILLERS,
    COMMENT_TITLE,
    COMMENT_WORDS,
    FILLER_SEGMENTS,
    LANGUAGE,
    PAGE_WORDS,
    PROFILE_SEGMENTS,
    QUERY_KINDS,
    SEARCH_QUERIES,
    SEARCH_WORDS,
    SEGMENT_KINDS,
    TITLE_KINDS,
)
from feedward.discovery.places import (
    Path,
    board_number,
    directory,
    filed_post_parent,
    is_below,
    is_post_query,
    post_parent,
    query_pairs,
    says_feed,
    segments,
    without_feed_words,
)
from feedward.model import Feed, Item
from feedward.urls.parse import join_url, parse_http_url

_TOKENS = re.compile(r"[^\W_]+")
# The paths of a post's comment feed, which WordPress has only below the post.
_BELOW_POST = frozenset((("feed",), *(("feed", name) for name in ("atom", "rss", "rss2", "rdf"))))
_COMMENT_ANCHOR = re.compile(r"#(?:comments?|c|cmt)[-_]?\w{0,20}\d\w{0,20}$", re.IGNORECASE)
_COMMENT_ID = re.compile(r"#comments?[-_]?\d{1,20}$", re.IGNORECASE)
_LOOKED_AT = 30
_FEED_QUERIES = frozenset({"feed", "format", "alt", "type", "output", "view", "page"})


def kind_of(url: str, title: str | None = None, *, page_url: str | None = None, feed: Feed | None = None) -> Kind:
    """Return the kind of a feed.

    `url` is the feed's, `title` that of the feed or of a link to it, `page_url` the page of the request: a profile's
    own feed is MAIN on the profile and AUTHOR elsewhere. `feed` is the parsed document, if it was fetched.
    """
    page = directory(page_url) if page_url else ()
    titles = [text.strip() for text in (title, feed.title if feed else None) if text]
    return (
        _by_url(url, page)
        or _by_title(titles)
        or _by_comment_anchors(feed)
        or _by_headline(segments(url), page, feed)
        or _podcast(segments(url), titles)
        or _by_place(url, page, feed)
        or Kind.MAIN
    )


def intent_of(url: str) -> Kind:
    """Return the kind of feed that the typed URL asks for. A plain page, a post and a profile ask for the MAIN feed."""
    path = segments(url)
    kind = _by_url(url, path)
    if kind is Kind.COMMENTS and not _ends_in_comments(url, path):
        return Kind.MAIN
    if kind is not None:
        return kind
    if any("podcast" in segment for segment in path):
        return Kind.PODCAST
    return Kind.SECTION if _is_plain_directory(url, path) else Kind.MAIN


# --- by the URL alone -----------------------------------------------------------------------------


def _by_url(url: str, page: Path) -> Kind | None:
    path = segments(url)
    if _has_comment_segment(path) or _has_comment_query(url) or _is_below_post(url, path):
        return Kind.COMMENTS
    if _is_search(url, path):
        return Kind.SEARCH
    return _part_in_path(path, page) or _part_in_query(url) or (Kind.SECTION if board_number(url) else None)


def _has_comment_segment(path: Path) -> bool:
    named = (segment for place, segment in enumerate(path) if not place or path[place - 1] not in SEGMENT_KINDS)
    return any(_means_comments(segment) for segment in named)


def _means_comments(text: str) -> bool:
    if text in COMMENT_WORDS:
        return True
    words = set(_TOKENS.findall(text))
    if words & COMMENT_WORDS:
        return words <= COMMENT_WORDS | COMMENT_FILLERS
    return "comment" in words and words <= COMMENT_FILLERS and len(words) > 1


def _has_comment_query(url: str) -> bool:
    return any(
        (name in _FEED_QUERIES and _means_comments(value)) or name in ("comments", "withcomments", "showcomments")
        for name, value in query_pairs(url)
    )


def _is_below_post(url: str, path: Path) -> bool:
    """Return True for the comment feed that WordPress gives every post, below the post or with a parameter."""
    if is_post_query(url):
        return any(name == "feed" for name, _ in query_pairs(url))
    above = without_feed_words(path)
    return _is_feed_below(path, above) and filed_post_parent(above) is not None


def _is_feed_below(path: Path, above: Path) -> bool:
    """Return True if the path is `feed` below `above`, as in WordPress; a section's own feed may have any name."""
    return path[len(above) :] in _BELOW_POST


def _is_search(url: str, path: Path) -> bool:
    if any(segment.partition(".")[0] in SEARCH_WORDS for segment in path):
        return _part_in_path(path, path) is None  # /search/label/x is a label's page
    pairs = query_pairs(url)
    return any(_is_search_pair(name, value) and (value or len(pairs) > 1) for name, value in pairs)


def _is_search_pair(name: str, value: str) -> bool:
    """Return True for a search parameter. Not for a path in the query (`?q=blog/feed`) or a share marker (`s=20`)."""
    if name not in SEARCH_QUERIES or (value and says_feed(value.rpartition("/")[2])):
        return False
    return name != "s" or not value.isdecimal()


def _part_in_path(path: Path, page: Path) -> Kind | None:
    for place, segment in enumerate(path):
        before, after = path[place - 1] if place else "", path[place + 1] if place + 1 < len(path) else ""
        if segment in SEGMENT_KINDS and after:
            return SEGMENT_KINDS[segment]
        if segment == "-" and before in ("default", "summary", "full"):  # Blogger: /feeds/posts/default/-/label
            return Kind.TAG
        if (segment.startswith("@") and len(segment) > 1 and _is_elsewhere(segment, page)) or (
            segment in PROFILE_SEGMENTS and after and _is_elsewhere(after, page)
        ):
            return Kind.AUTHOR
    return None


def _is_elsewhere(name: str, page: Path) -> bool:
    """Return True unless the page belongs to the profile itself, for which the profile's feed is the main one."""
    stem = name[:1] + name[1:].partition(".")[0]
    return name not in page and stem not in page


def _part_in_query(url: str) -> Kind | None:
    return next((QUERY_KINDS[name] for name, value in query_pairs(url) if value and name in QUERY_KINDS), None)


# --- by its titles and items ---------------------------------------------------------


def _by_title(titles: list[str]) -> Kind | None:
    if any(COMMENT_TITLE.search(title) for title in titles):
        return Kind.COMMENTS
    found = (kind for pattern, kind in TITLE_KINDS for title in titles if pattern.search(title))
    return next(found, None)


def _by_comment_anchors(feed: Feed | None) -> Kind | None:
    """Return COMMENTS if most items link to comments or are named so; this works in every language."""
    named = [item for item in feed.items[:_LOOKED_AT] if item.url or item.id] if feed else []
    return Kind.COMMENTS if named and 2 * sum(map(_is_a_comment, named)) > len(named) else None


def _is_a_comment(item: Item) -> bool:
    """Return True if the link or id ends in a comment's anchor; ids use the longer form (`?p=4#comment-12`)."""
    url, id_ = (item.url or "")[-60:], (item.id or "")[-60:]
    return _COMMENT_ANCHOR.search(url) is not None or _COMMENT_ID.search(id_) is not None


def _by_headline(path: Path, page: Path, feed: Feed | None) -> Kind | None:
    """Return COMMENTS for a feed below a path that reads like a headline, if all items are of it, or it is the page."""
    above = without_feed_words(path)
    if not _is_feed_below(path, above) or post_parent(above) is None:
        return None
    linked = _linked_paths(feed)
    return Kind.COMMENTS if linked == {above} or (not linked and page == above) else None


def _linked_paths(feed: Feed | None) -> set[Path]:
    return {segments(item.url) for item in feed.items[:_LOOKED_AT] if item.url} if feed else set()


def _podcast(path: Path, titles: list[str]) -> Kind | None:
    named = any("podcast" in segment for segment in path) or any("podcast" in title.lower() for title in titles)
    return Kind.PODCAST if named else None


# --- by its place ---------------------------------------------------------------------------------


def _by_place(url: str, page: Path, feed: Feed | None) -> Kind | None:
    """Return the kind of a feed in its own directory, if the page or the feed's site link is that directory."""
    path = segments(url)
    if _repeats_page(path, page):
        return Kind.SECTION
    above = without_feed_words(path)
    if above == path or _is_whole_site(above):
        return None
    if page == above:
        return _section_or_comments(path, above, feed)
    if is_below(page, above) or feed is None:
        return None
    return Kind.SECTION if _site_path(url, feed) == above else None


def _repeats_page(path: Path, page: Path) -> bool:
    """Return whether a feed has the path of its page behind the word feed: `/atom/t/tea` for the page `/t/tea`."""
    is_behind = len(path) > len(page) > 0 and path[-len(page) :] == page
    return (
        is_behind and all(map(says_feed, path[: -len(page)])) and not _is_whole_site(page) and post_parent(page) is None
    )


def _is_whole_site(place: Path) -> bool:
    """Return True for the usual places of a site's only blog and for personal pages: they are not sections."""
    if any(segment in PROFILE_SEGMENTS or segment[0] in "@~" for segment in place):
        return True
    return all(segment in FILLER_SEGMENTS or LANGUAGE.fullmatch(segment) for segment in place)


def _section_or_comments(path: Path, above: Path, feed: Feed | None) -> Kind | None:
    """Return the kind of a feed below a page: SECTION, or as in WordPress COMMENTS if all items are of one page."""
    if feed is None:
        return Kind.SECTION
    linked = _linked_paths(feed)
    if linked - {above}:
        return Kind.SECTION
    return Kind.COMMENTS if linked and _is_feed_below(path, above) else None


def _site_path(url: str, feed: Feed) -> Path | None:
    base = parse_http_url(url)
    site = join_url(base, feed.site_url) if base and feed.site_url else None
    return directory(site.href) if base and site and site.host == base.host else None


# --- intent ---------------------------------------------------------------------------------------


def _ends_in_comments(url: str, path: Path) -> bool:
    above = without_feed_words(path)
    return _has_comment_query(url) or above != path or bool(above and _means_comments(above[-1]))


def _is_plain_directory(url: str, path: Path) -> bool:
    """Return True for `/notes/`: one plain word that is neither a usual blog directory nor a usual page."""
    parsed = parse_http_url(url)
    if parsed is None or len(path) != 1 or not parsed.pathname.endswith("/") or parsed.search:
        return False
    word = path[0]
    usual = word in FILLER_SEGMENTS or word in PAGE_WORDS or word in SEGMENT_KINDS or LANGUAGE.fullmatch(word)
    return word.isalpha() and not usual
