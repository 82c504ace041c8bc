"""Platforms of pictures: photographs, drawings, portfolios."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import account_label, find, names
from feedward.urls.parse import Url

_FLICKR = "https://api.flickr.com/services/feeds"
_NSID = "[0-9]+(?:@|%40)N[0-9]+"
_FLICKR_PAGES = names("all friends public search tags upload organize map recent popular interesting")
_photos = Proposal(url=_FLICKR + "/photos_public.gne?id={id}", what="photos")
_flickr = by_path(
    at("/photos/tags/{tag}/*", Proposal(url=_FLICKR + "/photos_public.gne?tags={tag}", kind=Kind.TAG, what="tag")),
    at(
        f"/photos/{{id:{_NSID}}}/favorites/*",
        Proposal(url=_FLICKR + "/photos_faves.gne?id={id}", what="favorites"),
        _photos,
    ),
    at(
        f"/photos/{{id:{_NSID}}}/{{place:sets|albums}}/{{set:[0-9]+}}/*",
        Proposal(url=_FLICKR + "/photoset.gne?nsid={id}&set={set}", what="album"),
        _photos,
    ),
    at(f"/{{place:photos|people}}/{{id:{_NSID}}}/*", _photos),
    at(
        f"/groups/{{id:{_NSID}}}/discuss/*",
        Proposal(url=_FLICKR + "/groups_discuss.gne?id={id}", what="discussions"),
        Proposal(url=_FLICKR + "/groups_pool.gne?id={id}", what="group pool"),
    ),
    at(f"/groups/{{id:{_NSID}}}/*", Proposal(url=_FLICKR + "/groups_pool.gne?id={id}", what="group pool")),
)
# The places where a page has the number of its owner, best first.
_FLICKR_NSID = (
    re.compile(r"flickr://flickr\.com/(?:photos|people|groups)/([0-9]{1,15}@N[0-9]{1,3})"),
    re.compile(r"services/feeds/(?:photos_public|groups_pool)\.gne\?id=([0-9]{1,15}@N[0-9]{1,3})"),
    re.compile(r'"(?:owner)?[nN]sid"\s?:\s?"([0-9]{1,15}@N[0-9]{1,3})"'),
)

_BEHANCE_FEED = "https://www.behance.net/feeds"
_appreciated = Proposal(url=_BEHANCE_FEED + "/user?username={user}&content=appreciated", what="appreciated")
BEHANCE_PAGES = names(
    "about activity adobe api apps assets assistant auth blog business careers challenge collection collections "
    "contact dev discover explore faq features feed feeds foryou for_you galleries gallery help hire hiring inbox "
    "invite job joblist jobs legal live login logout messages misc notifications onboarding portfolio press privacy "
    "pro projects search settings signup subscriptions talent team terms v2 videos"
)

_DEVIANTART = "https://backend.deviantart.com/rss.xml?type=deviation&q="
_DEVIANTART_PAGES = names(
    "_api about account admin api art artists b_roll core-membership daily-deviations developers deviation download "
    "dreamup embed forum group groups help join journal journals jobs latest legal login logout mail morelikethis "
    "notifications popular posts preferences print privacy prints search settings shop sitemap sta status-update "
    "stash studio submit tag terms today topic topics tos trending undiscovered users watch whats-hot"
)
_works = Proposal(url=_DEVIANTART + "by%3A{user}%20sort%3Atime%20meta%3Aall", what="works")
_favourites = Proposal(url=_DEVIANTART + "favby%3A{user}", what="favourites")
_deviantart_paths = by_path(
    at("/tag/{tag}/*", Proposal(url=_DEVIANTART + "tag%3A{tag}", kind=Kind.TAG, what="tag")),
    at("/{user}/gallery/{id:[0-9]+}/*", Proposal(url=_DEVIANTART + "gallery%3A{user}%2F{id}", what="gallery")),
    at(
        "/{user}/favourites/{id:[0-9]+}/*",
        Proposal(url=_DEVIANTART + "favby%3A{user}%2F{id}", what="favourites"),
    ),
    at("/{user}/favourites/*", _favourites),
    at("/{user:[A-Za-z0-9_-]+}/*", _works),
    reserved=_DEVIANTART_PAGES,
)
_DEVIANTART_SERVICES = names(
    "about api backend chat fc forum groups help mail news search shop sta st status today www"
)

ARTSTATION_PAGES = names(
    "about api artwork artworks blogs careers challenges channels community contests guides help jobs learning legal "
    "magazine marketplace notifications podcast podcasts premium pricing prints privacy projects search settings "
    "shop signin signup store studios subscribe tos users"
)


def _flickr_page_feeds(url: Url, page: Page) -> Sequence[Proposal]:
    """Propose the feeds of a person or group. Most URLs have a name, and the page has the number for it."""
    found = find("/{place:photos|people|groups}/{name}/*", url)
    if found is None or found["name"].lower() in _FLICKR_PAGES or _flickr(url):
        return ()
    named = next(filter(None, (pattern.search(page.html) for pattern in _FLICKR_NSID)), None)
    if named is None:
        return ()
    if found["place"].lower() == "groups":
        return (Proposal(url=f"{_FLICKR}/groups_pool.gne?id={named[1]}", what="group pool"),)
    return (Proposal(url=f"{_FLICKR}/photos_public.gne?id={named[1]}", what="photos"),)


def _deviantart(url: Url) -> Sequence[Proposal]:
    user = account_label(url, "deviantart.com")
    if not user:
        return _deviantart_paths(url)
    if user in _DEVIANTART_SERVICES:
        return ()
    return (Proposal(url=_works.url.replace("{user}", user), what=_works.what),)


def _artstation(url: Url) -> Sequence[Proposal]:
    user = account_label(url, "artstation.com")
    if user:
        feed = Proposal(url=f"https://www.artstation.com/{user}.rss", what="portfolio")
        return () if user in ARTSTATION_PAGES else (feed,)
    return _artstation_paths(url)


_artstation_paths = by_path(
    at("/artist/{user}/*", Proposal(url="https://www.artstation.com/{user}.rss", what="portfolio")),
    at("/{user:[A-Za-z0-9_-]+}/*", Proposal(url="https://www.artstation.com/{user}.rss", what="portfolio")),
    reserved=ARTSTATION_PAGES,
)

RULES: tuple[Platform, ...] = (
    Platform(
        name="flickr",
        hosts=("flickr.com", "m.flickr.com", "secure.flickr.com"),
        feeds=_flickr,
        page_feeds=_flickr_page_feeds,
    ),
    Platform(
        name="behance",
        hosts=("behance.net",),
        feeds=by_path(
            at("/{user:[A-Za-z0-9_-]+}/appreciated/*", _appreciated),
            at("/{user:[A-Za-z0-9_-]+}/*", Proposal(url=_BEHANCE_FEED + "/user?username={user}", what="projects")),
            reserved=BEHANCE_PAGES,
        ),
    ),
    Platform(name="deviantart", hosts=("deviantart.com", ".deviantart.com"), feeds=_deviantart),
    Platform(name="artstation", hosts=("artstation.com", ".artstation.com"), feeds=_artstation),
)
