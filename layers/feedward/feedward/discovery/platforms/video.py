"""Platforms of videos. YouTube has a separate file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.platforms.youtube import YOUTUBE
from feedward.discovery.url_patterns import find, names
from feedward.urls.parse import Url

_VIMEO = "https://vimeo.com"
_VIMEO_PAGES = names(
    "about album analytics api apps blog business careers categories channels cookie_policy create dmca enterprise "
    "event events explore features feed for-hire forums groups guidelines help home integrations jobs join library "
    "live log_in log_out login manage musicstore ondemand ott partners plus press pricing privacy pro "
    "professionals record review search settings showcase sign_up signup site_map solutions stats stock store "
    "tag templates terms tools upgrade upload user video videos watch watchlater webinars"
)
_VIMEO_OWNER = re.compile(
    r'"(?:owner|author)"\s?:\s?\{[^{}]{0,400}?"url"\s?:\s?"https?:(?:\\?/){2}vimeo\.com\\?/([A-Za-z][A-Za-z0-9_-]*)"'
)

_DAILYMOTION = "https://www.dailymotion.com/rss"
_DAILYMOTION_PAGES = names(
    "about ads api careers cdn channel channels community contact copyright creator crawler dm dmca embed explore "
    "feedback feed following help history hub legal library live login logout monetize notifications partner partners "
    "playlist playlists premium press privacy products register rss search settings signin signout signup sitemap "
    "studio subscriptions swf tags terms topic topics trending upload user video videos watch widget"
)

# Two letters are a country's home page.
_DAILYMOTION_USER = "{user:[A-Za-z0-9._-][A-Za-z0-9._-][A-Za-z0-9._-]+}"

_peertube = by_path(
    at(
        "/{place:c|video-channels}/{name}/*",
        Proposal(url="/feeds/videos.xml?videoChannelName={name}", what="videos"),
    ),
    at("/{place:a|accounts}/{name}/*", Proposal(url="/feeds/videos.xml?accountName={name}", what="videos")),
    at("/{place:home|videos}/*", Proposal(url="/feeds/videos.xml", what="videos")),
    at("/", Proposal(url="/feeds/videos.xml", what="videos")),
)


def _vimeo_owner(url: Url, page: Page) -> Sequence[Proposal]:
    """Propose the feed of a video's owner: the URL has only the video's number, the page names the owner."""
    if find("/{id:[0-9]+}/*", url) is None and find("/{place:channels|groups}/{name}/*/{id:[0-9]+}", url) is None:
        return ()
    owner = _VIMEO_OWNER.search(page.html)
    if owner is None or owner[1].lower() in _VIMEO_PAGES:
        return ()
    return (Proposal(url=f"{_VIMEO}/{owner[1]}/videos/rss", what="videos"),)


def _is_peertube(page: Page) -> bool:
    return (page.meta.get("og:platform") or page.meta.get("application-name") or "").lower() == "peertube"


RULES: tuple[Platform, ...] = (
    YOUTUBE,
    Platform(
        name="vimeo",
        hosts=("vimeo.com",),
        feeds=by_path(
            at("/channels/{name}/*", Proposal(url=_VIMEO + "/channels/{name}/videos/rss", what="videos")),
            at("/groups/{name}/*", Proposal(url=_VIMEO + "/groups/{name}/videos/rss", what="videos")),
            at("/{place:album|showcase}/{id:[0-9]+}/*", Proposal(url=_VIMEO + "/album/{id}/rss", what="showcase")),
            at("/user/{id:[0-9]+}/*", Proposal(url=_VIMEO + "/user{id}/videos/rss", what="videos")),
            at("/{id:[0-9]+}/*"),
            at("/{user}/{tab:likes|videos}/rss"),
            at(
                "/{user}/likes/*",
                Proposal(url=_VIMEO + "/{user}/likes/rss", what="likes"),
                Proposal(url=_VIMEO + "/{user}/videos/rss", what="videos"),
            ),
            at("/{user:[A-Za-z0-9_-]+}/*", Proposal(url=_VIMEO + "/{user}/videos/rss", what="videos")),
            reserved=_VIMEO_PAGES,
        ),
        page_feeds=_vimeo_owner,
    ),
    Platform(
        name="dailymotion",
        hosts=("dailymotion.com",),
        feeds=by_path(
            at("/playlist/{id:[A-Za-z0-9]+}/*", Proposal(url=_DAILYMOTION + "/playlist/{id}", what="playlist")),
            at("/playlist/{id:[A-Za-z0-9]+}_{slug}/*", Proposal(url=_DAILYMOTION + "/playlist/{id}", what="playlist")),
            at("/user/{user}/*", Proposal(url=_DAILYMOTION + "/user/{user}", what="videos")),
            at("/channel/{name}/*", Proposal(url=_DAILYMOTION + "/channel/{name}", what="channel")),
            at(f"/{_DAILYMOTION_USER}", Proposal(url=_DAILYMOTION + "/{user}", what="videos")),
            at(
                f"/{_DAILYMOTION_USER}/{{tab:videos|playlists|about|home}}",
                Proposal(url=_DAILYMOTION + "/{user}", what="videos"),
            ),
            reserved=_DAILYMOTION_PAGES,
        ),
    ),
    Platform(
        name="odysee",
        hosts=("odysee.com",),
        feeds=by_path(
            at(
                "/@{channel:[^/:]+}:{id:[0-9a-f]+}/*",
                Proposal(url="https://odysee.com/$/rss/@{channel}:{id}", what="videos"),
            ),
            at("/@{channel:[^/:]+}/*", Proposal(url="https://odysee.com/$/rss/@{channel}", what="videos")),
        ),
    ),
    Platform(
        name="bitchute",
        hosts=("bitchute.com",),
        feeds=by_path(
            at("/channel/{name}/*", Proposal(url="https://www.bitchute.com/feeds/rss/channel/{name}", what="videos")),
        ),
    ),
    Platform(
        name="niconico",
        hosts=("nicovideo.jp", "sp.nicovideo.jp"),
        feeds=by_path(
            at(
                "/user/{id:[0-9]+}/mylist/{list:[0-9]+}/*",
                Proposal(url="https://www.nicovideo.jp/user/{id}/mylist/{list}?rss=2.0", what="list"),
            ),
            at(
                "/mylist/{list:[0-9]+}/*",
                Proposal(url="https://www.nicovideo.jp/mylist/{list}?rss=2.0", what="list"),
            ),
            at("/user/{id:[0-9]+}/*", Proposal(url="https://www.nicovideo.jp/user/{id}/video?rss=2.0", what="videos")),
        ),
    ),
    Platform(
        name="peertube",
        hosts=("framatube.org", "tilvids.com", "peertube.tv", "tube.tchncs.de", "makertube.net", "diode.zone"),
        feeds=_peertube,
        page_feeds=lambda url, _page: _peertube(url),
        recognizes=_is_peertube,
    ),
)
