"""Blog hosts with pages that have feeds of their own: WordPress.com, Blogger, Tumblr, Medium, Dev.to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import account_label, host_of, names, origin_of, query_value, segments
from feedward.urls.parse import Url

# --- WordPress.com

_WORDPRESS_RESERVED = names(
    """
    account api apps atavist cloud dashboard data developer en fonts forums go home hosting i0 i1 i2 jetpack learn
    lobby login mobile my plugins public-api r-login s0 s1 s2 signup stats subscribe support theme themes v0 widgets
    wp
    """
)
_WORDPRESS_ARCHIVES = {"category": Kind.CATEGORY, "tag": Kind.TAG, "author": Kind.AUTHOR}


def _wordpress(url: Url) -> Sequence[Proposal]:
    blog = account_label(url, "wordpress.com")
    path = segments(url)
    if not blog or blog in _WORDPRESS_RESERVED or _is_wordpress_feed(url, path):
        return ()
    root = f"https://{blog}.wordpress.com"
    formats = [Proposal(url=f"{root}/feed/{name}", what=what) for name, what in _WORDPRESS_FORMATS]
    comments = Proposal(url=f"{root}/comments/feed/", kind=Kind.COMMENTS, what="comments")
    return (*_wordpress_archive(root, path), *formats, comments)


_WORDPRESS_FORMATS = (("", "posts"), ("rss2/", "posts as RSS"), ("rdf/", "posts as RDF"), ("atom/", "posts as Atom"))


def _is_wordpress_feed(url: Url, path: list[str]) -> bool:
    return "feed" in path or bool(query_value(url, "feed")) or (bool(path) and path[-1].startswith("wp-"))


def _wordpress_archive(root: str, path: list[str]) -> Sequence[Proposal]:
    """Propose the feed of a category (with its parents), a tag or an author, without the page number at the end."""
    if len(path) < 2 or path[0] not in _WORDPRESS_ARCHIVES:
        return ()
    where = path[: path.index("page", 1)] if "page" in path[2:] else path
    if path[0] != "category":
        where = path[:2]
    return (Proposal(url=f"{root}/{'/'.join(where)}/feed/", kind=_WORDPRESS_ARCHIVES[path[0]], what=path[0]),)


# --- Blogger

# The country domains of the blog host, which respond as blogspot.com does.
_BLOGSPOT_DOMAINS = names(
    """
    ae al am ba be bg bj ca cf ch cl co.at co.id co.il co.ke co.nz co.uk co.za com com.ar com.au com.br com.by com.co
    com.cy com.ee com.eg com.es com.mt com.ng com.tr com.uy cv cz de dk fi fr gr hk hr hu ie in is it jp kr li lt lu
    md mk mr mx my nl no pe pt qa re ro rs ru se sg si sk sn td tw ug vn
    """
)


def _blogger(url: Url) -> Sequence[Proposal]:
    return _blogger_at(f"https://{host_of(url)}", segments(url))


def _blogger_page(url: Url, _page: Page) -> Sequence[Proposal]:
    return _blogger_at(origin_of(url), segments(url))


def _blogger_at(root: str, path: list[str]) -> Sequence[Proposal]:
    if path[:1] == ["feeds"] or path in (["atom.xml"], ["rss.xml"]):
        return ()
    posts = f"{root}/feeds/posts/default"
    main = (Proposal(url=posts, what="posts"), Proposal(url=f"{posts}?alt=rss", what="posts as RSS"))
    if path[:2] == ["search", "label"] and len(path) > 2:
        label = Proposal(url=f"{posts}/-/{'/'.join(path[2:])}", kind=Kind.TAG, what="label")
        return (label, *main)
    return main


# --- Tumblr

_TUMBLR_RESERVED = names(
    """
    about account api ask assets blog communities contact dashboard developers docs domain embed explore following
    help inbox jobs likes login logout new oauth policy press privacy queue reblog register safe-mode search security
    settings share shop signup submit support svc tagged tags terms themes tips tos tumblrmart upload video widgets
    """
)
_TUMBLR_LABELS = names("api assets at t static media engineering-assets px embed help mx secure srvcs va vtt")
_TUMBLR_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})").fullmatch


def _tumblr_blog(url: Url) -> Sequence[Proposal]:
    blog = account_label(url, "tumblr.com").lower()
    if not blog or blog in _TUMBLR_LABELS or re.fullmatch(r"[0-9]+\.?media", blog):
        return ()
    return _tumblr_at(f"https://{blog}.tumblr.com", segments(url))


def _tumblr_at(root: str, path: list[str]) -> Sequence[Proposal]:
    if path and (path[-1] == "rss" and (len(path) != 2 or path[0] != "tagged")):
        return ()
    posts = Proposal(url=f"{root}/rss", what="posts")
    if path[:1] == ["tagged"] and len(path) > 1:
        return (Proposal(url=f"{root}/tagged/{path[1]}/rss", kind=Kind.TAG, what="tag"), posts)
    return (posts,)


def _tumblr(url: Url) -> Sequence[Proposal]:
    """Propose the feeds of blogs at www.tumblr.com: /name, /name/123/title, /blog/name, /blog/view/name."""
    path = segments(url)
    if path[:1] == ["blog"]:
        path = path[2:] if path[1:2] == ["view"] else path[1:]
    elif path and path[0].startswith("@"):
        path = [path[0][1:], *path[1:]]
    if not path or path[0].lower() in _TUMBLR_RESERVED or not _TUMBLR_NAME(path[0]):
        return ()
    return _tumblr_at(f"https://{path[0].lower()}.tumblr.com", path[1:])


def _is_tumblr(page: Page) -> bool:
    return page.meta.get("al:android:package") == "com.tumblr" or page.meta.get("al:ios:app_name") == "Tumblr"


def _tumblr_page(url: Url, _page: Page) -> Sequence[Proposal]:
    return _tumblr_at(origin_of(url), segments(url))


# --- Medium

_MEDIUM_RESERVED = names(
    """
    _ about account api archive business cdn-cgi collections creators earn explore explore-topics feed gift hc help
    home i ivory jobs jobs-at-medium join library list lists logout m me media membership membership-plan
    membership_plan mission mobile new-story notifications oauth p partner-program plans policy press privacy r
    redirect register robots.txt search settings signin signup sitemap sitemaps start stats stories stories-for-you
    subscribe suggestions tag tags team terms topic topics upgrade verify-email wordpress write your-stories
    """
)
_MEDIUM_LABELS = names("api cdn cdn-client cdn-images-1 cdn-static-1 glyph help link miro policy status")
_MEDIUM_USER = re.compile(r"@[A-Za-z0-9._-]+").fullmatch
_MEDIUM_PUBLICATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*").fullmatch


def _medium(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path:
        return ()
    name, page = path[0], path[1:]
    feed = "https://medium.com/feed"
    if name in ("tag", "topic") and page and _MEDIUM_PUBLICATION(page[0]):
        return (Proposal(url=f"{feed}/tag/{page[0]}", kind=Kind.TAG, what="tag"),)
    if _MEDIUM_USER(name):
        return (Proposal(url=f"{feed}/{name}", what="stories of the writer"),)
    if name.lower() in _MEDIUM_RESERVED or not _MEDIUM_PUBLICATION(name):
        return ()
    stories = Proposal(url=f"{feed}/{name}", what="stories of the publication")
    if page[:1] == ["tagged"] and page[1:]:
        return (Proposal(url=f"{feed}/{name}/tagged/{page[1]}", kind=Kind.TAG, what="tag"), stories)
    return (stories,)


def _medium_subdomain(url: Url) -> Sequence[Proposal]:
    """Propose the feed of a subdomain: that of a writer and that of a publication are both at /feed."""
    label = account_label(url, "medium.com")
    path = segments(url)
    if not label or label in _MEDIUM_LABELS or path[:1] == ["feed"] or path == ["rss"]:
        return ()
    return (
        *_medium_at(f"https://{label}.medium.com", path),
        Proposal(url=f"https://medium.com/feed/{label}", what="stories"),
    )


def _medium_at(root: str, path: list[str]) -> Sequence[Proposal]:
    stories = Proposal(url=f"{root}/feed", what="stories")
    if path[:1] == ["tagged"] and path[1:]:
        return (Proposal(url=f"{root}/feed/tagged/{path[1]}", kind=Kind.TAG, what="tag"), stories)
    return (stories,)


def _is_medium(page: Page) -> bool:
    return (
        page.meta.get("al:android:package") == "com.medium.reader"
        or page.meta.get("al:ios:app_name") == "Medium"
        or page.meta.get("twitter:app:name:iphone") == "Medium"
    )


def _medium_page(url: Url, _page: Page) -> Sequence[Proposal]:
    path = segments(url)
    return () if path[:1] == ["feed"] else _medium_at(origin_of(url), path)


# --- Dev.to

_DEVTO_RESERVED = names(
    """
    404 500 about admin api apps async_info badge badges billboards bookmarks challenges checkin code-of-conduct
    comments community community-moderation confirm-email connect contact dashboard deck devcontainer editor-guide
    enter events faq feed follow forem future guidelines help hof hot how-to-write-a-good-article infinity internal
    jobs kudos latest listings live login logout magic_links manifest.json mod moderator modlog new notes
    notifications open-source organizations page pages pod podcasts polls privacy pulses rails reactions readinglist
    report-abuse research robots.txt rss search security series settings shecoded shop signout_confirm sitemap
    sitemap-index.xml social_previews sponsors sponsorships stories subforems survey t tag tags terms timeframe top
    trending trusted user_subscriptions users videos wall_of_fame welcome workshops
    """
)
_DEVTO_NAME = re.compile(r"[A-Za-z0-9_]+").fullmatch
_DEVTO_TAG = re.compile(r"[^./]+").fullmatch


def _devto(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path:
        return (Proposal(url="https://dev.to/feed", what="articles"),)
    if path[0] == "t" and len(path) > 1 and _DEVTO_TAG(path[1]):
        return (Proposal(url=f"https://dev.to/feed/tag/{path[1]}", kind=Kind.TAG, what="tag"),)
    if len(path) > 1 or path[0].lower() in _DEVTO_RESERVED or not _DEVTO_NAME(path[0]):
        return ()
    return (Proposal(url=f"https://dev.to/feed/{path[0]}", what="articles"),)


def _devto_page(url: Url, _page: Page) -> Sequence[Proposal]:
    """Propose the feed of the person or organization for an article or another page below its name."""
    path = segments(url)
    if len(path) < 2 or path[0].lower() in _DEVTO_RESERVED or not _DEVTO_NAME(path[0]):
        return ()
    return (Proposal(url=f"https://dev.to/feed/{path[0]}", what="articles"),)


RULES: tuple[Platform, ...] = (
    Platform(name="wordpress.com", hosts=(".wordpress.com",), feeds=_wordpress),
    Platform(
        name="blogger", hosts=tuple(f".blogspot.{domain}" for domain in sorted(_BLOGSPOT_DOMAINS)), feeds=_blogger
    ),
    Platform(name="blogger", page_feeds=_blogger_page, generators=("blogger",)),
    Platform(name="tumblr", hosts=(".tumblr.com",), feeds=_tumblr_blog),
    Platform(name="tumblr", hosts=("tumblr.com",), feeds=_tumblr),
    Platform(name="tumblr", page_feeds=_tumblr_page, recognizes=_is_tumblr),
    Platform(name="medium", hosts=("medium.com", "m.medium.com"), feeds=_medium),
    Platform(name="medium", hosts=(".medium.com",), feeds=_medium_subdomain),
    Platform(name="medium", page_feeds=_medium_page, recognizes=_is_medium),
    Platform(name="dev.to", hosts=("dev.to",), feeds=_devto, page_feeds=_devto_page),
)
