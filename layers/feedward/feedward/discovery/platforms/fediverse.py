"""Servers of the fediverse: they have countless hosts, so most are recognized by their pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import find, names
from feedward.urls.parse import Url, parse_http_url

_MASTODON_HOSTS = (
    *(
        "mastodon.social",
        "mastodon.online",
        "mastodon.world",
        "mastodon.cloud",
        "mastodon.scot",
        "mastodon.gamedev.place",
    ),
    *(
        "mastodon.sdf.org",
        "mastodon.nl",
        "mastodon.uno",
        "mastodon.top",
        "mastodon.art",
        "mastodon.ie",
        "mastodonapp.uk",
    ),
    *("mastodon.green", "mastodontech.de", "mstdn.social", "mstdn.jp", "mstdn.ca", "mstdn.party", "mas.to", "masto.ai"),
    *(
        "fosstodon.org",
        "hachyderm.io",
        "infosec.exchange",
        "techhub.social",
        "chaos.social",
        "ruby.social",
        "floss.social",
    ),
    *("toot.community", "indieweb.social", "phpc.social", "front-end.social", "sigmoid.social", "mathstodon.xyz"),
    *("social.vivaldi.net", "social.coop", "mindly.social", "universeodon.com", "aus.social", "scholar.social"),
    *(
        "kolektiva.social",
        "journa.host",
        "newsie.social",
        "oldbytes.space",
        "merveilles.town",
        "wandering.shop",
        "pawoo.net",
    ),
    *(
        "fediscience.org",
        "genomic.social",
        "tech.lgbt",
        "det.social",
        "norden.social",
        "troet.cafe",
        "social.tchncs.de",
    ),
)
_LEMMY_HOSTS = (
    *("lemmy.world", "lemmy.ml", "lemmy.ca", "lemmy.zip", "lemmy.today", "lemmy.blahaj.zone", "lemmy.dbzer0.com"),
    *("lemmy.sdf.org", "lemmy.nz", "lemmygrad.ml", "lemm.ee", "sh.itjust.works", "beehaw.org", "programming.dev"),
    *("feddit.org", "feddit.de", "feddit.uk", "feddit.dk", "feddit.it", "feddit.nl", "hexbear.net", "sopuli.xyz"),
    *(
        "slrpnk.net",
        "reddthat.com",
        "discuss.tchncs.de",
        "aussie.zone",
        "midwest.social",
        "infosec.pub",
        "ttrpg.network",
    ),
    *("mander.xyz", "startrek.website", "jlai.lu", "szmer.info", "lemmings.world", "discuss.online"),
)
_USER = "{user:[A-Za-z0-9_][A-Za-z0-9_.-]*}"
_REMOTE_USER = _USER.removesuffix("}") + "}@{host:[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+}"

_posts = Proposal(url="/@{user}.rss", what="posts")
_mastodon_paths = by_path(
    at(f"/@{_USER}/tagged/{{tag}}", Proposal(url="/@{user}/tagged/{tag}.rss", kind=Kind.TAG, what="tagged"), _posts),
    at(f"/@{_USER}/with_replies", Proposal(url="/@{user}/with_replies.rss", what="posts and replies"), _posts),
    at(f"/@{_USER}/media", Proposal(url="/@{user}/media.rss", what="media"), _posts),
    at(f"/@{_USER}/*", _posts),
    at(f"/users/{_USER}/*", _posts),
    at(f"/web/@{_USER}/*", _posts),
    at(f"/deck/@{_USER}/*", _posts),
    at("/tags/{tag}/*", Proposal(url="/tags/{tag}.rss", kind=Kind.TAG, what="tag")),
    at("/web/tags/{tag}/*", Proposal(url="/tags/{tag}.rss", kind=Kind.TAG, what="tag")),
)


def _mastodon(url: Url) -> Sequence[Proposal]:
    return _of_another_server(url) or _mastodon_paths(url)


def _of_another_server(url: Url) -> tuple[Proposal, ...]:
    """Propose the feed of an account of another server, `/@user@host`: its feed is on that server."""
    for before in ("/@", "/web/@", "/deck/@"):
        found = find(f"{before}{_REMOTE_USER}/*", url)
        home = parse_http_url(f"https://{found['host']}/@{found['user']}.rss") if found else None
        if home is not None:
            return (Proposal(url=home.href, what="posts"),)
    return ()


_lemmy = by_path(
    at("/c/{name}/*", Proposal(url="/feeds/c/{name}.xml", what="community")),
    at("/u/{name}/*", Proposal(url="/feeds/u/{name}.xml", what="user")),
    at("/?listingType=All", Proposal(url="/feeds/all.xml", what="all posts")),
    at("/", Proposal(url="/feeds/local.xml", what="local posts"), Proposal(url="/feeds/all.xml", what="all posts")),
    at("/home/*", Proposal(url="/feeds/all.xml", what="all posts")),
)
# The first link to a community on a post's page is the community of the post.
_LEMMY_COMMUNITY = re.compile(
    r"""<a\s[^<>]{0,300}?\bhref=["']?/c/([A-Za-z0-9_]{1,60}(?:@[A-Za-z0-9-]{1,60}(?:\.[A-Za-z0-9-]{1,60}){1,5})?)["'\s>]"""
).search


def _lemmy_page(url: Url, page: Page) -> Sequence[Proposal]:
    """Propose the feed of a post's community, which its page names."""
    if find("/{place:post|comment}/{id:[0-9]+}/*", url) is None:
        return _lemmy(url)
    named = _LEMMY_COMMUNITY(page.html)
    return (Proposal(url=f"{url.origin}/feeds/c/{named[1]}.xml", what="community"),) if named else ()


_pixelfed = by_path(
    at("/users/{user:[A-Za-z0-9_.-]+}/*", Proposal(url="/users/{user}.atom", what="posts")),
    at("/p/{user:[A-Za-z0-9_.-]+}/{id:[0-9]+}/*", Proposal(url="/users/{user}.atom", what="posts")),
    at("/@{user:[A-Za-z0-9_.-]+}/*", Proposal(url="/users/{user}.atom", what="posts")),
    at("/{user:[A-Za-z0-9_.-]+}", Proposal(url="/users/{user}.atom", what="posts")),
    reserved=names(
        "about account admin api auth discover i installer kb legal login logout notifications oauth password places "
        "portfolio privacy register search settings site storage stories terms timeline up users web"
    ),
)
_misskey = by_path(at(f"/@{_USER}/*", Proposal(url="/@{user}.atom", what="posts")))
_pleroma = by_path(
    at("/users/{user}/*", Proposal(url="/users/{user}/feed.atom", what="posts")),
    at(f"/@{_USER}/*", Proposal(url="/users/{user}/feed.atom", what="posts")),
)
_gotosocial = by_path(at(f"/@{_USER}/*", Proposal(url="/@{user}/feed.rss", what="posts")))
_friendica = by_path(at("/profile/{user}/*", Proposal(url="/feed/{user}/", what="posts")))
_bookwyrm = by_path(at("/user/{user}/*", Proposal(url="/user/{user}/rss", what="reviews")))


def _on_pages(feeds: Callable[[Url], Sequence[Proposal]]) -> Callable[[Url, Page], Sequence[Proposal]]:
    """Return rules that need the page only to recognize the software."""
    return lambda url, _page: feeds(url)


def _is_mastodon(page: Page) -> bool:
    return 'id="mastodon"' in page.html or "id='mastodon'" in page.html


def _is_lemmy(page: Page) -> bool:
    return 'class="lemmy-site"' in page.html or "window.lemmyConfig" in page.html


def _is_misskey(page: Page) -> bool:
    return page.meta.get("application-name", "").lower() in ("misskey", "sharkey", "foundkey", "firefish", "iceshrimp")


def _is_pixelfed(page: Page) -> bool:
    return page.meta.get("application-name", "").lower() == "pixelfed"


def _is_pleroma(page: Page) -> bool:
    return "/api/pleroma/" in page.html or '"/static/static-fe/' in page.html


RULES: tuple[Platform, ...] = (
    Platform(
        name="mastodon",
        hosts=_MASTODON_HOSTS,
        feeds=_mastodon,
        page_feeds=_on_pages(_mastodon),
        generators=("mastodon",),
        recognizes=_is_mastodon,
    ),
    Platform(
        name="lemmy",
        hosts=_LEMMY_HOSTS,
        feeds=_lemmy,
        page_feeds=_lemmy_page,
        generators=("lemmy",),
        recognizes=_is_lemmy,
    ),
    Platform(
        name="pixelfed",
        hosts=("pixelfed.social", "pixelfed.de", "pixelfed.art", "pixelfed.uno", "pixey.org", "pxlmo.com"),
        feeds=_pixelfed,
        page_feeds=_on_pages(_pixelfed),
        generators=("pixelfed",),
        recognizes=_is_pixelfed,
    ),
    Platform(
        name="misskey",
        hosts=("misskey.io", "misskey.design", "sushi.ski"),
        feeds=_misskey,
        page_feeds=_on_pages(_misskey),
        generators=("misskey", "sharkey"),
        recognizes=_is_misskey,
    ),
    Platform(
        name="pleroma",
        page_feeds=_on_pages(_pleroma),
        generators=("pleroma", "akkoma"),
        recognizes=_is_pleroma,
    ),
    Platform(name="gotosocial", page_feeds=_on_pages(_gotosocial), generators=("gotosocial",)),
    Platform(name="friendica", page_feeds=_on_pages(_friendica), generators=("friendica",)),
    Platform(
        name="bookwyrm",
        hosts=("bookwyrm.social",),
        feeds=_bookwyrm,
        page_feeds=_on_pages(_bookwyrm),
        generators=("bookwyrm",),
    ),
)
