"""Recognizes URLs that are never feeds, by URL and type alone, before any fetch (rule D11)."""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

from feedward.pages.media_types import bare_type, is_entry_type
from feedward.urls.parse import Url, parse_url

_NEVER_SEGMENTS = frozenset(("wp-json", "wp-admin", "wp-includes", "oembed", "xmlrpc.php", "xmlrpc", "wp-login.php"))
_NEVER_FILES = frozenset(
    (
        *("browserconfig.xml", "crossdomain.xml", "clientaccesspolicy.xml", "wlwmanifest.xml", "opensearch.xml"),
        *("opensearchdescription.xml", "osd.xml", "robots.txt", "humans.txt", "manifest.json", "site.webmanifest"),
    )
)
_SITEMAP = re.compile(r"(?:[^/]*[-_.])?sitemaps?(?:[-_.0-9][^/]*)?\.xml(?:\.gz)?")
_ENDINGS = """
    opml jpg jpeg png gif svg svgz ico webp avif bmp tif tiff heic css js mjs map woff woff2 ttf otf eot pdf ps epub
    mobi doc docx xls xlsx ppt pptx odt ods odp zip rar 7z tgz bz2 xz dmg exe msi apk deb rpm iso mp3 m4a m4b aac ogg
    oga opus flac wav mp4 m4v mov avi mkv webm wmv mpg mpeg swf torrent ics vcf webmanifest xsl xslt xsd dtd
"""
# Networks without feeds, whose pages may still be called `feed`, such as Facebook's dialog/feed.
_NETWORK_DOMAINS = "facebook.com fb.com linkedin.com twitter.com x.com instagram.com threads.net threads.com tiktok.com"
_NETWORKS = frozenset(_NETWORK_DOMAINS.split())
_NETWORK_PAGES = re.compile(r"(?:vk\.com|tumblr\.com|quora\.com|youtube\.com|weibo\.com)/feed(?:/.*)?")
_NEVER_FAMILIES = ("image/", "audio/", "video/", "font/")
_TYPES = """
    text/html application/xhtml+xml text/css text/javascript application/javascript application/pdf text/calendar
    application/zip text/x-opml text/opml application/opml+xml application/rsd+xml application/wlwmanifest+xml
    application/opensearchdescription+xml application/manifest+json application/ld+json application/activity+json
"""
_NEVER_ENDINGS = frozenset(_ENDINGS.split())
_NEVER_TYPES = frozenset(_TYPES.split())


def is_never_a_feed(url: str, type: str | None = None) -> bool:  # noqa: A002 - the attribute's name
    """Return True for oEmbed, WordPress's API and internals, XML-RPC, OPML, sitemaps, entries, images and other files,
    and for networks without feeds.

    `url` is absolute, `type` is the type attribute of a link. For an unknown URL the fetch decides.
    """
    if type and _is_never_by_type(type):
        return True
    parsed = parse_url(url)
    return parsed is None or _is_of_network(parsed) or _is_never_by_path(parsed) or _is_never_by_query(parsed)


def _is_never_by_type(text: str) -> bool:
    bare = bare_type(text)
    return "oembed" in bare or bare in _NEVER_TYPES or bare.startswith(_NEVER_FAMILIES) or is_entry_type(text)


def _is_of_network(url: Url) -> bool:
    host = url.hostname.removesuffix(".")
    domain = ".".join(host.split(".")[-2:])
    return domain in _NETWORKS or _NETWORK_PAGES.fullmatch(host.removeprefix("www.") + url.pathname) is not None


def _is_never_by_path(url: Url) -> bool:
    segments = url.pathname.lower().split("/")
    last = segments[-1]
    return (
        not _NEVER_SEGMENTS.isdisjoint(segments)
        or last in _NEVER_FILES
        or last.startswith("oembed.")
        or ("." in last and last.rpartition(".")[2] in _NEVER_ENDINGS)
        or _SITEMAP.fullmatch(last) is not None
    )


def _is_never_by_query(url: Url) -> bool:
    """Detect a route of WordPress's API in the query, where it is without pretty URLs."""
    query = unquote_plus(url.search[1:500]).lower()
    return any(pair.startswith("rest_route=/") for pair in query.split("&"))
