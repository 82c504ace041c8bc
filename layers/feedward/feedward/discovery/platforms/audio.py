"""Platforms of music and podcasts.

Directories of podcasts have no feeds of their own: Apple's look-up names the publisher's feed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Lookup, Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import account_label, find, has_ending, host_of, names, segments
from feedward.urls.parse import Url, parse_http_url

SOUNDCLOUD_PAGES = names(
    "about apps art charts community-guidelines company-info contact cookies copyright creators discover download "
    "early-access feed for go help imprint jobs library login logout manage messages mobile n notifications oembed "
    "on pages people popular premium press privacy pro profile resolve search settings signin signup stations stream "
    "subscriptions tags terms-of-use tracks transparency-report tv upload uploads w you"
)
# The places where a page of SoundCloud has its owner's number, best first. Numbers of tracks and lists look different.
_SOUNDCLOUD_USER = (
    re.compile(r"soundcloud://users:([0-9]{1,20})"),
    re.compile(r'"user_id"\s?:\s?([0-9]{1,20})'),
    re.compile(r"soundcloud:users:([0-9]{1,20})"),
)

_LOOKUP = "https://itunes.apple.com/lookup?id={id}&entity=podcast"
_OF_MANY_SHOWS = names("artist channel charts collection curator genre room story")
_APPLE_ID = re.compile(r"id([0-9]{1,20})").fullmatch


def _soundcloud_feeds(url: Url, page: Page) -> Sequence[Proposal]:
    if find("/{user}/*", url, SOUNDCLOUD_PAGES) is None:
        return ()
    found = next(filter(None, (pattern.search(page.html) for pattern in _SOUNDCLOUD_USER)), None)
    if found is None:
        return ()
    feed = f"https://feeds.soundcloud.com/users/soundcloud:users:{found[1]}/sounds.rss"
    return (Proposal(url=feed, what="tracks"),)


def _apple_lookup(url: Url) -> Lookup | None:
    """Return the look-up of a show. An episode's page has the show's id in its path and its own in the query."""
    parts = segments(url)
    places = {part.lower() for part in parts}
    if (host_of(url) == "itunes.apple.com" and "podcast" not in places) or not _OF_MANY_SHOWS.isdisjoint(places):
        return None
    ids = [named[1] for named in map(_APPLE_ID, parts) if named]
    return _lookup(ids[-1]) if ids else None


def _lookup(apple_id: str) -> Lookup:
    return Lookup(url=_LOOKUP.replace("{id}", apple_id), read=_read_lookup)


def _lookup_by(*patterns: str) -> Callable[[Url], Lookup | None]:
    """Return the look-up of directories whose URLs have Apple's number."""

    def lookup(url: Url) -> Lookup | None:
        found = next(filter(None, (find(pattern, url) for pattern in patterns)), None)
        return _lookup(found["id"]) if found else None

    return lookup


def _read_lookup(body: bytes) -> Sequence[Proposal]:
    """Return the publisher's feed from Apple's JSON, if it has one."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        return ()
    found = (result.get("feedUrl") for result in results if isinstance(result, dict))
    parsed = (parse_http_url(feed_url) for feed_url in found if isinstance(feed_url, str))
    return tuple(Proposal(url=url.href, what="podcast") for url in parsed if url)


def _podcast(feed_url: str) -> Proposal:
    return Proposal(url=feed_url, what="podcast")


# Hosts that give each show a subdomain, and the path of its feed.
_SHOW_HOSTS = {
    "podbean.com": "https://feed.podbean.com/{show}/feed.xml",
    "transistor.fm": "https://feeds.transistor.fm/{show}",
    "libsyn.com": "https://{show}.libsyn.com/rss",
    "fireside.fm": "https://{show}.fireside.fm/rss",
    "podigee.io": "https://{show}.podigee.io/feed/mp3",
}
_NO_SHOWS = names(
    "admin api app assets blog cdn dashboard docs feed feeds five four help html5-player mcdn media my patron pbcdn1 "
    "play podcast podcasts s signup static status support traffic www"
)


def _show_below(domain: str) -> Platform:
    def feeds(url: Url) -> Sequence[Proposal]:
        show = account_label(url, domain)
        if not show or show in _NO_SHOWS or has_ending(url.pathname, ".xml", ".rss", "/rss", "/feed/mp3"):
            return ()
        return (_podcast(_SHOW_HOSTS[domain].replace("{show}", show)),)

    return Platform(name=domain, hosts=(f".{domain}",), feeds=feeds)


RULES: tuple[Platform, ...] = (
    Platform(name="soundcloud", hosts=("soundcloud.com", "m.soundcloud.com"), page_feeds=_soundcloud_feeds),
    Platform(name="apple podcasts", hosts=("podcasts.apple.com", "itunes.apple.com"), lookup=_apple_lookup),
    Platform(name="overcast", hosts=("overcast.fm",), lookup=_lookup_by("/itunes{id:[0-9]+}/*")),
    Platform(
        name="pocket casts",
        hosts=("pca.st", "pocketcasts.com", "play.pocketcasts.com"),
        lookup=_lookup_by("/itunes/{id:[0-9]+}/*"),
    ),
    Platform(name="castro", hosts=("castro.fm",), lookup=_lookup_by("/itunes/{id:[0-9]+}/*")),
    Platform(
        name="buzzsprout",
        hosts=("buzzsprout.com",),
        feeds=by_path(at("/{id:[0-9]+}/*", _podcast("https://feeds.buzzsprout.com/{id}.rss"))),
    ),
    Platform(
        name="acast",
        hosts=("shows.acast.com", "play.acast.com"),
        feeds=by_path(
            at("/s/{show}/*", _podcast("https://feeds.acast.com/public/shows/{show}")),
            at("/{show}/*", _podcast("https://feeds.acast.com/public/shows/{show}")),
            reserved=names("browse category categories discover login search settings signup static"),
        ),
    ),
    Platform(
        name="art19",
        hosts=("art19.com",),
        feeds=by_path(at("/shows/{show}/*", _podcast("https://rss.art19.com/{show}"))),
    ),
    Platform(
        name="audioboom",
        hosts=("audioboom.com",),
        feeds=by_path(
            at("/{place:channels?}/{id:[0-9]+}{slug:[^/]*}/*", _podcast("https://audioboom.com/channels/{id}.rss"))
        ),
    ),
    Platform(
        name="spreaker",
        hosts=("spreaker.com",),
        feeds=by_path(
            at(
                "/{place:show|podcast}/{slug:[^/]*?--|}{id:[0-9]+}/*",
                _podcast("https://www.spreaker.com/show/{id}/episodes/feed"),
            ),
        ),
    ),
    Platform(
        name="rss.com",
        hosts=("rss.com",),
        feeds=by_path(at("/podcasts/{show}/*", _podcast("https://media.rss.com/{show}/feed.xml"))),
    ),
    Platform(
        name="spotify for creators",
        hosts=("anchor.fm",),
        feeds=by_path(at("/s/{id:[0-9a-f]+}/*", _podcast("https://anchor.fm/s/{id}/podcast/rss"))),
    ),
    Platform(
        name="hearthis",
        hosts=("hearthis.at",),
        feeds=by_path(
            at("/{user}/*", Proposal(url="https://hearthis.at/{user}/podcast/", what="tracks")),
            reserved=names(
                "about api categories charts explore feed genres help imprint livestreams login logout maps mixes new "
                "playlists pricing privacy search set settings signup stream terms tracks upload users"
            ),
        ),
    ),
    Platform(
        name="ximalaya",
        hosts=("ximalaya.com", "m.ximalaya.com"),
        feeds=by_path(
            at("/album/{id:[0-9]+}/*", _podcast("https://www.ximalaya.com/album/{id}.xml")),
            at("/{topic:[a-z]+}/{id:[0-9]+}/*", _podcast("https://www.ximalaya.com/album/{id}.xml")),
            reserved=names("zhubo sound passport"),
        ),
    ),
    *map(_show_below, _SHOW_HOSTS),
)
