"""YouTube: every channel and playlist has a feed by its id. A name does not show the id, which is read from the page.

A handle or a display name is never used as a user name: `user=` would give the feed of another person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import find, names
from feedward.urls.parse import Url

_FEED = "https://www.youtube.com/feeds/videos.xml"
# Longer than a video's id, which must not be taken for a channel's.
_ID = r"UC[A-Za-z0-9_-]{10,40}"
_CHANNEL_ID = re.compile(_ID).fullmatch
_CHANNEL_URL = re.compile(rf"https?://(?:www\.|m\.)?youtube\.com/channel/({_ID})(?![A-Za-z0-9_-])").match
# Scripts hold JSON, or JSON in a string of JavaScript with its quotes escaped.
_QUOTE = r"(?:\\{0,3}\"|\\x22|&quot;)"
_IN_SCRIPTS = tuple(
    re.compile(rf"{_QUOTE}{name}{_QUOTE}\s?:\s?{_QUOTE}({_ID}){_QUOTE}")
    for name in ("externalId", "externalChannelId", "channelId")
)
# Prefixes of playlists that are generated for a viewer or private.
_NO_PLAYLISTS = ("RD", "WL", "LL", "LM", "HL", "TL")
_RESERVED = names(
    "about account account_notifications ads advertise api attribution_link audiolibrary browse c channel channels "
    "clip copyright create_channel creators dashboard embed error explore feed feeds features gaming gifting hashtag "
    "howyoutubeworks iframe_api intl jobs kids learning library live live_chat login logout movies music news "
    "oembed oops opensearch paid_memberships playables playlist playlists post premium press profile redirect "
    "reporthistory results s search select_site shared shop shorts signin signout source sports storefront "
    "supported_browsers t testtube tv tools trending trends upload user v verify videos vi watch watch_videos yt "
    "youtubei yts"
)
# Pages of one channel, which only the page can name.
_OF_ONE_CHANNEL = (
    *("/@{handle}/*", "/c/{name}/*", "/user/{name}/*", "/watch", "/watch/*", "/shorts/{id}/*", "/live/{id}/*"),
    *("/embed/{id}/*", "/v/{id}/*", "/clip/{id}/*", "/post/{id}/*", "/{name}"),
)


def uploads(channel_id: str) -> tuple[Proposal, ...]:
    """Return the feeds of a channel: all uploads first, then long videos, shorts and streams alone."""
    rest = channel_id.removeprefix("UC")
    return (
        Proposal(url=f"{_FEED}?channel_id={channel_id}", what="uploads"),
        Proposal(url=f"{_FEED}?playlist_id=UULF{rest}", kind=Kind.SECTION, what="videos"),
        Proposal(url=f"{_FEED}?playlist_id=UUSH{rest}", kind=Kind.SECTION, what="shorts"),
        Proposal(url=f"{_FEED}?playlist_id=UULV{rest}", kind=Kind.SECTION, what="live streams"),
    )


_USER = by_path(at("/user/{name}/*", Proposal(url=_FEED + "?user={name}", what="uploads")))


def _feeds(url: Url) -> Sequence[Proposal]:
    return (*_playlist(url), *_channel(url), *_USER(url))


def _playlist(url: Url) -> tuple[Proposal, ...]:
    found = find("/*?list={id:[A-Za-z0-9_-]+}", url)
    if found is None or found["id"].startswith(_NO_PLAYLISTS) or find("/feeds/*", url) is not None:
        return ()
    return (Proposal(url=f"{_FEED}?playlist_id={found['id']}", what="playlist"),)


def _channel(url: Url) -> tuple[Proposal, ...]:
    patterns = ("/channel/{id:UC[A-Za-z0-9_-]+}/*", "/embed/live_stream?channel={id:UC[A-Za-z0-9_-]+}")
    found = next(filter(None, (find(pattern, url) for pattern in patterns)), None)
    return uploads(found["id"]) if found else ()


def _page_feeds(url: Url, page: Page) -> Sequence[Proposal]:
    if not _is_of_one_channel(url):
        return ()
    channel_id = next(_channel_ids(page), None)
    return uploads(channel_id) if channel_id else ()


def _is_of_one_channel(url: Url) -> bool:
    if url.hostname.endswith("youtu.be"):
        return find("/{id}/*", url) is not None
    return any(find(pattern, url, _RESERVED) is not None for pattern in _OF_ONE_CHANNEL)


def _channel_ids(page: Page) -> Iterator[str]:
    """Yield ids in the order of trust: the page's own channel, then the channel that it belongs to."""
    for address in (page.canonical_url, page.meta.get("og:url"), page.meta.get("al:web:url")):
        named = _CHANNEL_URL(address or "")
        if named:
            yield named[1]
    for name in ("identifier", "channelid"):
        if _CHANNEL_ID(page.meta.get(name, "")):
            yield page.meta[name]
    for pattern in _IN_SCRIPTS:
        written = pattern.search(page.html)
        if written:
            yield written[1]


YOUTUBE = Platform(
    name="youtube",
    hosts=(
        "youtube.com",
        "m.youtube.com",
        "music.youtube.com",
        "gaming.youtube.com",
        "youtu.be",
        "youtube-nocookie.com",
    ),
    feeds=_feeds,
    page_feeds=_page_feeds,
)
