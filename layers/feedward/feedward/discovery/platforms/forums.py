"""Forums and link sites: Reddit, Hacker News, Lobsters, and Discourse, which is recognized by its pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import account_label, has_ending, names, origin_of, query_value, segments
from feedward.urls.parse import Url

# --- Reddit

_REDDIT = "https://www.reddit.com"
_SORTS = names("best controversial gilded hot new rising top")
_SUBREDDIT = re.compile(r"[A-Za-z0-9_]{1,50}(?:[+-][A-Za-z0-9_]{1,50}){0,100}").fullmatch
_REDDITOR = re.compile(r"[A-Za-z0-9_-]{1,40}").fullmatch
_POST_ID = re.compile(r"[a-z0-9]{1,12}", re.IGNORECASE).fullmatch
_DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+").fullmatch
_NO_REDDITORS = frozenset(("me",))
# Other subdomains show the same pages, in an older design or another language.
_REDDIT_SERVICES = names(
    "about accounts ads alb api business chat community developers emoji events gateway gql help mod oauth preview "
    "styles support"
)


def _reddit(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if account_label(url, "reddit.com") in _REDDIT_SERVICES or (path and has_ending(path[-1], ".rss", ".xml", ".json")):
        return ()
    if not path or (len(path) == 1 and path[0] in _SORTS):
        return (Proposal(url=_sorted(_REDDIT, path, url), what="front page"),)
    of_section = _REDDIT_SECTIONS.get(path[0].lower())
    return of_section(path[1:], url) if of_section else ()


def _subreddit_path(path: list[str], url: Url) -> Sequence[Proposal]:
    return _subreddit(path[0], path[1:], url) if path and _SUBREDDIT(path[0]) else ()


def _redditor_path(path: list[str], url: Url) -> Sequence[Proposal]:
    known = path and _REDDITOR(path[0]) and path[0].lower() not in _NO_REDDITORS
    return _redditor(path[0], path[1:], url) if known else ()


def _post(path: list[str], _url: Url) -> Sequence[Proposal]:
    if not path or not _POST_ID(path[0]):
        return ()
    return (Proposal(url=f"{_REDDIT}/comments/{path[0]}/.rss", kind=Kind.COMMENTS, what="comments of the post"),)


def _linked_domain(path: list[str], url: Url) -> Sequence[Proposal]:
    if not path or not _DOMAIN(path[0]):
        return ()
    return (Proposal(url=_sorted(f"{_REDDIT}/domain/{path[0]}", path[1:], url), what="links to the domain"),)


def _reddit_search(path: list[str], url: Url) -> Sequence[Proposal]:
    if path or not query_value(url, "q"):
        return ()
    return (Proposal(url=f"{_REDDIT}/search.rss?{_search(url)}", kind=Kind.SEARCH, what="search"),)


_REDDIT_SECTIONS: Mapping[str, Callable[[list[str], Url], Sequence[Proposal]]] = {
    "r": _subreddit_path,
    "u": _redditor_path,
    "user": _redditor_path,
    "comments": _post,
    "gallery": _post,
    "domain": _linked_domain,
    "search": _reddit_search,
}


def _subreddit(name: str, page: list[str], url: Url) -> Sequence[Proposal]:
    if name.lower().startswith("u_"):  # a profile's own subreddit
        return _redditor(name[2:], page, url)
    root = f"{_REDDIT}/r/{name}"
    match page:
        case ["comments", post, *_] if _POST_ID(post):
            thread = Proposal(url=f"{root}/comments/{post}/.rss", kind=Kind.COMMENTS, what="comments of the post")
            return (thread, Proposal(url=f"{root}/.rss", what="posts"))
        case ["search"] if query_value(url, "q"):
            found = f"{root}/search.rss?{_search(url)}&restrict_sr=on"
            return (Proposal(url=found, kind=Kind.SEARCH, what="search"), Proposal(url=f"{root}/.rss", what="posts"))
    posts = Proposal(url=_sorted(root, page, url), what="posts")
    comments = Proposal(url=f"{root}/comments/.rss", kind=Kind.COMMENTS, what="comments")
    return (comments, posts) if page[:1] == ["comments"] else (posts, comments)


def _redditor(name: str, page: list[str], url: Url) -> Sequence[Proposal]:
    root = f"{_REDDIT}/user/{name}"
    match page:
        case ["m", multireddit, *rest] if _REDDITOR(multireddit):
            return (Proposal(url=_sorted(f"{root}/m/{multireddit}", rest, url), what="posts of the collection"),)
        case ["submitted", *_]:
            return (Proposal(url=f"{root}/submitted/.rss", what="posts"),)
        case ["comments"]:
            return (Proposal(url=f"{root}/comments/.rss", kind=Kind.COMMENTS, what="comments"),)
        case ["comments", post, *_] if _POST_ID(post):
            return (Proposal(url=f"{root}/comments/{post}/.rss", kind=Kind.COMMENTS, what="comments of the post"),)
    return (Proposal(url=f"{root}/.rss", what="posts and comments"),)


def _sorted(root: str, page: list[str], url: Url) -> str:
    """Return the feed of a listing in the order and the time range of the page."""
    if not page or page[0] not in _SORTS:
        return f"{root}/.rss"
    time = query_value(url, "t") if page[0] in ("top", "controversial") else ""
    return f"{root}/{page[0]}/.rss" + (f"?t={time}" if time.isalpha() else "")


def _search(url: Url) -> str:
    sort = query_value(url, "sort")
    return f"q={query_value(url, 'q')}" + (f"&sort={sort}" if sort.isalpha() else "")


def _short_reddit(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    return _post(path, url) if len(path) == 1 else ()


# --- Hacker News: only the front page and Show HN have feeds. All other pages are parts of that site.

_FRONT_PAGE = Proposal(url="/rss", what="front page")
_SHOW_HN = Proposal(url="/showrss", what="Show HN")
_HACKER_NEWS = by_path(
    *(at(pattern, _FRONT_PAGE) for pattern in ("/", "/news", "/front")),
    *(at(pattern, _SHOW_HN) for pattern in ("/show", "/shownew")),
)


def _hacker_news_page(url: Url, _page: Page) -> Sequence[Proposal]:
    return () if _HACKER_NEWS(url) else (Proposal(url=f"{url.origin}/rss", what="front page"),)


# --- Lobsters

_DOMAIN_HOLE = r"{domain:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+}"
_USER_HOLE = "{user:[A-Za-z0-9][A-Za-z0-9_-]*}"
_NEWEST = Proposal(url="/newest.rss", what="newest")
_ALL_COMMENTS = Proposal(url="/comments.rss", kind=Kind.COMMENTS, what="comments")
_OF_TAG = Proposal(url="/t/{tags}.rss", kind=Kind.TAG, what="tag")
_OF_DOMAIN = Proposal(url="/domains/{domain}.rss", what="links to the domain")
_LOBSTERS = by_path(
    *(at(pattern, Proposal(url="/rss", what="front page"), _ALL_COMMENTS) for pattern in ("/", "/page/{page}")),
    *(at(pattern, _NEWEST) for pattern in ("/newest", "/newest/page/{page}", "/recent/*")),
    at("/top/*", Proposal(url="/top/rss", what="top")),
    *(at(pattern, _ALL_COMMENTS) for pattern in ("/comments", "/comments/page/{page}")),
    at("/t/{tags}/*", _OF_TAG),
    *(at(f"/{where}/{_DOMAIN_HOLE}/*", _OF_DOMAIN) for where in ("domains", "domain")),
    *(
        at(f"/{mark}{_USER_HOLE}/*", Proposal(url="/~{user}/stories.rss", what="stories"))
        for mark in ("~", "@", "u/", "newest/")
    ),
)

# --- Discourse

# The page names the path where the forum is installed.
_BASE_PATH = re.compile(r"""\bdata-base-uri=["'](/[^"'\s]{1,200})["']""").search
_DIGITS = re.compile(r"[0-9]{1,12}").fullmatch


def _discourse_page(url: Url, page: Page) -> Sequence[Proposal]:
    found = _BASE_PATH(page.html)
    base = [part for part in found[1].split("/") if part] if found else []
    path = segments(url)
    if path[: len(base)] != base or (path and has_ending(path[-1], ".rss")):
        return ()
    root = "/".join([origin_of(url), *base])
    return (*_discourse_asked(root, path[len(base) :]), *_discourse_main(root))


def _discourse_main(root: str) -> Sequence[Proposal]:
    return (
        Proposal(url=f"{root}/latest.rss", what="topics"),
        Proposal(url=f"{root}/posts.rss", kind=Kind.COMMENTS, what="posts"),
    )


def _discourse_asked(root: str, path: list[str]) -> Sequence[Proposal]:
    """Propose the feed of a category, tag, topic, user or group."""
    where, rest = (path[0], path[1:]) if path else ("", [])
    if where == "top":
        return (Proposal(url=f"{root}/top.rss", what="top topics"),)
    if where not in _DISCOURSE_PAGES or not rest:
        return ()
    kind, what, feed = _DISCOURSE_PAGES[where]
    name = _topic(rest) if where == "t" else "/".join(_listing(rest)) if where in ("c", "tag") else rest[0]
    return (Proposal(url=root + feed.format(name), kind=kind, what=what),) if name else ()


_DISCOURSE_PAGES: Mapping[str, tuple[Kind, str, str]] = {
    "c": (Kind.CATEGORY, "category", "/c/{}.rss"),
    "tag": (Kind.TAG, "tag", "/tag/{}.rss"),
    "t": (Kind.TOPIC, "topic", "/t/{}.rss"),
    "u": (Kind.MAIN, "activity", "/u/{}/activity.rss"),
    "users": (Kind.MAIN, "activity", "/u/{}/activity.rss"),
    "g": (Kind.MAIN, "posts of the group", "/g/{}/posts.rss"),
    "groups": (Kind.MAIN, "posts of the group", "/g/{}/posts.rss"),
}


def _topic(path: list[str]) -> str:
    """Return a topic's number with the words before it, without the post's number after it: title/42/7 -> title/42."""
    if _DIGITS(path[0]):
        return path[0]
    return "/".join(path[:2]) if len(path) > 1 and _DIGITS(path[1]) else ""


def _listing(path: list[str]) -> list[str]:
    """Return a category or a tag without the order and the filters that may follow: python/7/l/latest -> python/7."""
    cut = next((at for at, part in enumerate(path) if part in ("l", "none", "all") and at), len(path))
    return path[:cut]


RULES: tuple[Platform, ...] = (
    Platform(name="reddit", hosts=("reddit.com", ".reddit.com"), feeds=_reddit),
    Platform(name="reddit", hosts=("redd.it",), feeds=_short_reddit),
    Platform(name="hacker news", hosts=("news.ycombinator.com",), feeds=_HACKER_NEWS, page_feeds=_hacker_news_page),
    Platform(name="lobsters", hosts=("lobste.rs",), feeds=_LOBSTERS),
    Platform(name="discourse", page_feeds=_discourse_page, generators=("discourse",)),
)
