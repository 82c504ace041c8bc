"""Blog hosts with the same feed path for every blog: Hashnode, Bear, Svbtle, LiveJournal, Qiita, Zenn and more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import (
    account_label,
    as_query_value,
    has_ending,
    names,
    origin_of,
    query_value,
    segments,
)
from feedward.urls.parse import Url

_NO_BLOGS = names("admin api app assets blog cdn docs help images img mail media my static status support www")
_FEED_ENDINGS = (".json", ".xml", ".rss", ".atom", ".rdf")
_FEED_WORDS = names("feed rss atom rdf posts_feed data")

# The domain whose subdomains are the blogs, and the feeds of a blog, best first.
_BLOGS: Mapping[str, tuple[str, ...]] = {
    "blog.fc2.com": ("/?xml",),
    "dreamwidth.org": ("/data/rss", "/data/atom"),
    "exblog.jp": ("/index.xml", "/atom.xml"),
    "hashnode.dev": ("/rss.xml",),
    "livedoor.blog": ("/index.rdf", "/atom.xml"),
    "livejournal.com": ("/data/rss", "/data/atom"),
    "mataroa.blog": ("/rss/",),
    "micro.blog": ("/feed.xml", "/feed.json"),
    "over-blog.com": ("/rss",),
    "posthaven.com": ("/posts.atom",),
    "prose.sh": ("/rss",),
    "svbtle.com": ("/feed",),
    "tistory.com": ("/rss",),
    "weblog.lol": ("/rss.xml",),
    "write.as": ("/feed/",),
}


def _is_feed(path: list[str]) -> bool:
    return bool(path) and (path[0] in _FEED_WORDS or has_ending(path[-1], *_FEED_ENDINGS))


def _blog_of(domain: str) -> Callable[[Url], Sequence[Proposal]]:
    feeds = _BLOGS[domain]

    def blog(url: Url) -> Sequence[Proposal]:
        label = account_label(url, domain)
        if not label or label in _NO_BLOGS or _is_feed(segments(url)) or url.search == "?xml":
            return ()
        return [Proposal(url=f"https://{label}.{domain}{feed}", what="posts") for feed in feeds]

    return blog


_HATENA_DOMAINS = (
    "hatenablog.com",
    "hatenablog.jp",
    "hateblo.jp",
    "hatenadiary.com",
    "hatenadiary.jp",
    "hatenadiary.org",
)


def _hatena(url: Url) -> Sequence[Proposal]:
    label = next((label for domain in _HATENA_DOMAINS if (label := account_label(url, domain))), "")
    path = segments(url)
    if not label or label in _NO_BLOGS or path[:1] == ["feed"] or path == ["rss"]:
        return ()
    root = origin_of(url)
    posts = Proposal(url=f"{root}/feed", what="posts")
    if path[:2] == ["archive", "category"] and len(path) == 3:
        return (Proposal(url=f"{root}/feed/category/{path[2]}", kind=Kind.CATEGORY, what="category"), posts)
    return (posts,)


def _bear(url: Url) -> Sequence[Proposal]:
    label = account_label(url, "bearblog.dev")
    if not label or label in _NO_BLOGS or _is_feed(segments(url)):
        return ()
    return _bear_at(f"https://{label}.bearblog.dev", url)


def _bear_at(root: str, url: Url) -> Sequence[Proposal]:
    posts = Proposal(url=f"{root}/feed/", what="posts")
    tag = query_value(url, "q")
    if tag:
        return (Proposal(url=f"{root}/feed/?q={tag}", kind=Kind.TAG, what="tag"), posts)
    return (posts, Proposal(url=f"{root}/feed/?type=rss", what="posts as RSS"))


def _bear_discover(url: Url) -> Sequence[Proposal]:
    if segments(url) != ["discover"]:
        return ()
    return (Proposal(url="https://bearblog.dev/discover/feed/", what="trending posts"),)


def _is_bear(page: Page) -> bool:
    return "Powered by" in page.html and 'href="https://bearblog.dev"' in page.html


def _bear_page(url: Url, _page: Page) -> Sequence[Proposal]:
    return () if _is_feed(segments(url)) else _bear_at(origin_of(url), url)


def _is_hashnode(page: Page) -> bool:
    return "cdn.hashnode.com" in page.html and "/_next/" in page.html


def _hashnode_page(url: Url, _page: Page) -> Sequence[Proposal]:
    return () if _is_feed(segments(url)) else (Proposal(url=f"{origin_of(url)}/rss.xml", what="posts"),)


# --- Hosts where a blog is a path

_QIITA_RESERVED = names(
    """
    about ads advent-calendar announcements api badges constructor drafts events feed login logout milestones
    notifications official-columns official-events opportunities organizations popular-items privacy question-feed
    questions release-notes search settings signup stockmap stocks tags terms timeline trend users
    """
)


def _qiita(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path or path[-1] in ("feed", "feed.atom") or has_ending(path[-1], *_FEED_ENDINGS):
        return ()
    if path[0] in ("tags", "organizations") and len(path) > 1:
        if path[0] == "organizations":
            return (Proposal(url=f"https://qiita.com/organizations/{path[1]}/activities.atom", what="articles"),)
        return (Proposal(url=f"https://qiita.com/tags/{path[1]}/feed", kind=Kind.TAG, what="tag"),)
    if path[0].lower() in _QIITA_RESERVED:
        return ()
    return (Proposal(url=f"https://qiita.com/{path[0]}/feed", what="articles"),)


_ZENN_RESERVED = names(
    """
    about api articles books dashboard enter events explore faq feed login manifest.json notifications p privacy
    publications scraps search settings support tech-or-idea terms topics
    """
)


def _zenn(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path or path[-1] == "feed":
        return ()
    if path[0] == "topics" and len(path) > 1:
        return (Proposal(url=f"https://zenn.dev/topics/{path[1]}/feed", kind=Kind.TAG, what="topic"),)
    if path[0] == "p" and len(path) > 1:
        return (Proposal(url=f"https://zenn.dev/p/{path[1]}/feed", what="articles"),)
    if path[0].lower() in _ZENN_RESERVED:
        return ()
    return (Proposal(url=f"https://zenn.dev/{path[0]}/feed", what="articles"),)


def _velog(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path or not path[0].startswith("@") or len(path[0]) == 1:
        return ()
    return (Proposal(url=f"https://v2.velog.io/rss/{path[0]}", what="posts"),)


def _campaign_archive(url: Url) -> Sequence[Proposal]:
    """Propose the feed of a Mailchimp archive of one list; a single campaign does not name its list."""
    account, audience = query_value(url, "u"), query_value(url, "id")
    if not account or not audience or segments(url)[:1] not in ([], ["home"]):
        return ()
    return (
        Proposal(url=f"{origin_of(url)}/feed?u={as_query_value(account)}&id={as_query_value(audience)}", what="issues"),
    )


RULES: tuple[Platform, ...] = (
    *(Platform(name=domain, hosts=(f".{domain}",), feeds=_blog_of(domain)) for domain in _BLOGS),
    Platform(name="hashnode", page_feeds=_hashnode_page, recognizes=_is_hashnode, generators=("hashnode",)),
    Platform(name="bear", hosts=(".bearblog.dev",), feeds=_bear),
    Platform(name="bear", hosts=("bearblog.dev",), feeds=_bear_discover),
    Platform(name="bear", page_feeds=_bear_page, recognizes=_is_bear, generators=("bear blog",)),
    Platform(name="hatena", hosts=tuple(f".{domain}" for domain in _HATENA_DOMAINS), feeds=_hatena),
    Platform(name="qiita", hosts=("qiita.com",), feeds=_qiita),
    Platform(name="zenn", hosts=("zenn.dev",), feeds=_zenn),
    Platform(name="velog", hosts=("velog.io",), feeds=_velog),
    Platform(name="mailchimp", hosts=(".campaign-archive.com", ".campaign-archive1.com"), feeds=_campaign_archive),
)
