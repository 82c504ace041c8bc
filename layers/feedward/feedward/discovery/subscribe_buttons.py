"""Reads the feed's URL out of a subscribe button: a link to a feed reader or a podcast app with the feed in it.

Apps have their own schemes, with the feed's URL after the scheme or in a parameter. Readers on the web have the whole
URL in the path, the query or the fragment.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

_APP_SCHEMES = """
    feed feeds rss web+feed web+rss web+podcast pcast itpc podcast podcasts overcast pktc castro castros downcast
    antennapod-subscribe antennapod icatcher instacast podcastaddict podcastrepublic podcat podgrasp podkicker podscout
    procast rssradio beyondpod gpodder grover newsblur netnewswire reeder fiery-feeds inoreader feedly
"""
_APPS = frozenset(_APP_SCHEMES.split())
_READERS = (
    *("feedly.com/", "inoreader.com/", "newsblur.com/", "theoldreader.com/", "netvibes.com/", "bloglovin.com/"),
    *("feedbin.com/", "subtome.com/", "newsgator.com/", "bloglines.com/", "my.msn.com/", "my.yahoo.com/"),
    *("google.com/reader/", "google.com/ig/add", "fusion.google.com/", "gpodder.net/subscribe", "player.fm/subscribe"),
    *("overcast.fm/", "pca.st/", "blogtrottr.com/", "feedrabbit.com/", "follow.it/", "feeder.co/", "reader.qq.com/"),
    *("validator.w3.org/feed/", "feedvalidator.org/", "antennapod.org/deeplink/", "podcastaddict.com/feed/"),
    *("podcastguru.io/podcast/", "commafeed.com/", "bazqux.com/", "miniflux.app/", "podnews.net/podcast"),
    *("castbox.fm/", "fountain.fm/", "podverse.fm/", "podcastrepublic.net/podcast", "rssow.com/", "freshrss.org/"),
)
_SUBSCRIBERS = ("subscribeonandroid.com/", "castro.fm/subscribe/")
"""Readers on the web whose links end with the feed's URL without its scheme."""

_SCHEME = re.compile(r"([a-z][a-z+-]{2,30}):", re.IGNORECASE)
_INNER = re.compile(r"https?(?::|%3a)(?:/|%2f){2}", re.IGNORECASE)
_NAMED = re.compile(r"[?&#](?:add_feed|feed_?url|url|feeds?|rss|uri)=([^&#]+)", re.IGNORECASE)
# Parameters whose value is a feed on any host.
_SAYS_FEED = re.compile(
    r"[?&#](?:(?:add_)?feeds?(?:_?ur[li])?|(?:rss|xml|podcast|subscribe)_?(?:feed)?(?:_?ur[li])?)="
    r"(?=https?(?::|%3a)(?:/|%2f){2})",
    re.IGNORECASE,
)
_SUBSCRIBES = re.compile(r"/subscribe[/?#]", re.IGNORECASE)
# Google Podcasts had the URL in base64.
_OF_GOOGLE = re.compile(
    r"https://(?:podcasts\.google\.com/(?:feed/|\?feed=)|www\.google\.com/podcasts\?feed=)(aHR0c[\w+/-]{8,1000}={0,2})"
)
_BEFORE_HOST = re.compile(r"\A(?:x-callback-url/)?(?:(?:subscribe|add|feed)/)?", re.IGNORECASE)


def button_feed(href: str) -> str | None:
    """Return the feed's URL, or `feed:` and the URL without scheme, in a subscribe button. None for other links."""
    href = href.strip()
    if href[:1] in "/#.?":  # most links of a page
        return None
    if href[:4].lower() != "http":
        scheme = _SCHEME.match(href)
        return _of_app(href[scheme.end() :].lstrip("/")) if scheme and scheme[1].lower() in _APPS else None
    if "http" in href[8:] and (start := _start_of_feed(href)) is not None:
        return _whole(href, start)
    if encoded := _OF_GOOGLE.match(href):
        return _decoded(encoded[1])
    place = _behind(href, _SUBSCRIBERS) if "subscribe" in href else None
    return f"feed://{place}" if place and "." in place else None


def _start_of_feed(href: str) -> int | None:
    """Return where the feed's URL begins: after a parameter for feeds, else the inner URL in a reader's link."""
    said = _SAYS_FEED.search(href, 8)
    if said is not None:
        return said.end()
    inner = _INNER.search(href, 8)
    is_button = inner is not None and (_is_of_reader(href) or _SUBSCRIBES.search(href, 8, inner.start()) is not None)
    return inner.start() if inner is not None and is_button else None


def _decoded(text: str) -> str | None:
    from base64 import urlsafe_b64decode  # noqa: PLC0415 - few links

    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)).decode("ascii")
    except ValueError:
        return None


def _of_app(rest: str) -> str | None:
    """Return the feed in the parameter of an app's link, else the URL after its scheme."""
    named = _NAMED.search(rest)
    value = unquote(named[1]) if named else ""
    address = value if "." in value else _BEFORE_HOST.sub("", rest)
    if _INNER.match(address):
        return unquote(address) if "%" in address[:9] else address
    return f"feed://{address}" if "." in address.partition("/")[0] else None


def _is_of_reader(href: str) -> bool:
    return _behind(href, _READERS) is not None


def _behind(href: str, places: tuple[str, ...]) -> str | None:
    """Return the text after one of these places, at its host or at a subdomain."""
    address = href.partition("://")[2].removeprefix("www.")
    host = address.partition("/")[0].lower()
    for place in places:
        domain, _, path = place.partition("/")
        if (host == domain or host.endswith(f".{domain}")) and address[len(host) + 1 :].startswith(path):
            return address[len(host) + 1 + len(path) :]
    return None


def _whole(href: str, start: int) -> str:
    """Return the URL that begins here: a query value ends at the next `&`, and may be escaped."""
    text = href[start:]
    if href[start - 1] == "=":
        text = text.partition("&")[0]
    return unquote(text) if "%" in text[:9] else text
