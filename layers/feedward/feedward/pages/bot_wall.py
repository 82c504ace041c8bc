"""Recognizes a bot wall: a page that asks whether the client is a robot, instead of the requested document (rule H1).

Its status is often 200. It is told by what only the wall has, in its tags and scripts and never in its text, together
with the lack of anything else: an article or a feed about such walls is none, and neither is a protected page that was
served. Of a body that cannot be one only the first bytes are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from feedward.pages.media_types import bare_type

MAX_BYTES: Final = 100_000
MAX_TAGS: Final = 400
MAX_TEXT: Final = 2500
MAX_TEXT_OF_A_STUB: Final = 400

# Paths of the site itself: a page about a wall shows those of another host.
_OWN_PATHS = "|".join((
    r"\.within\.website/x/(?:cmd/anubis|xess)/",  # Anubis
    r"cdn-cgi/challenge-platform/(?!scripts/|h/[a-z]/scripts/)",  # Cloudflare; its scripts/ are on served pages too
    r"cdn-cgi/l/chk_",
    r"\.well-known/sgcaptcha/",  # SiteGround
    r"\.well-known/\.[a-z0-9./-]{1,80}/go-away/",
    r"\.well-known/ddos-guard/|\.ddos-guard/|ddos-guard/js-challenge",
    r"\.well-known/vercel/security/",
    r"\.basedflare/|_bot-check",  # haproxy-protection
    r"\.cerberus/",
    r"\.lsrecap/",  # LiteSpeed
    r"_sec/cp_challenge/",  # Akamai
    r"tspd/",  # BIG-IP
))  # fmt: skip
_NAMES = "|".join((
    r"\banubis_(?:challenge|version|base_prefix|public_url)\b",
    r"_cf_chl_(?:opt|ctx)\b|__cf_chl_|jschl[-_]answer",
    r"sucuri_cloudproxy_js",
    r"__goaway_",
    r"captcha-delivery\.com",  # DataDome
    r"px-captcha",  # HUMAN
    r"\bgokuprops\b",  # AWS WAF
    r"\bwsidchk\b",  # Imunify360
    r"acw_sc__v2",  # Alibaba Cloud
    r"\bbobcmn\b",  # BIG-IP
))  # fmt: skip
# These are on served pages too: a wall is a page with nothing else.
_SHARED = re.compile(r"_incapsula_resource|awswafintegration|\.awswaf\.com/")  # Imperva, AWS WAF

_PATH = rf"(?:/[^\"'>\s:]{{0,100}})?/?(?:{_OWN_PATHS})"
_IN_TAG = re.compile(rf"=\s?[\"']?\s?(?:[0-9]{{0,5}};\s?(?:url=)?[\"']?)?{_PATH}|{_NAMES}")
_IN_SCRIPT = re.compile(rf"[\"']{_PATH}|{_NAMES}")
_TOKEN = re.compile(
    r"<(?:(?P<script>script)(?P<of>[^>]{0,2000}+)>?(?P<code>.*?)(?:</script|\Z)"
    r"|(?P<unseen>style|noscript|template|svg|title)(?=[\s/>])(?P<inside>.*?)(?:</(?P=unseen)[\s>]|\Z)"
    r"|!--.*?(?:-->|\Z)|(?P<tag>[a-z][a-z0-9]{0,20})(?P<attributes>[^>]*+)(?:>|\Z)|[/!?][^>]*+(?:>|\Z))",
    re.DOTALL,
)
_FEED = re.compile(rb"<(?:rss|feed|rdf:rdf|channel)[\s>]", re.IGNORECASE)
_FEED_TYPE = re.compile(r"type\s?=\s?[\"']?application/(?:rss|atom|feed)\+(?:xml|json)")
_DATA_TYPE = re.compile(r"type\s?=\s?[\"']?application/(?:ld\+)?json")
_MARKED_TAGS = frozenset(
    ["script", "link", "meta", "img", "iframe", "form", "input", "body", "div", "main", "section", "p"]
)
_NOT_READ = ("text/plain", "image/", "audio/", "video/", "application/json", "application/pdf")


def is_bot_wall(body: bytes, content_type: str | None = None) -> bool:
    """Return whether a body is that of a bot wall. Takes linear time, and for most bodies none."""
    start = body[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith(b"<") or len(body) > MAX_BYTES or _FEED.search(start):
        return False
    if bare_type(content_type or "").startswith(_NOT_READ):
        return False
    return _Page(body.decode("latin-1").lower()).is_wall


class _Page:
    """What a small page consists of, as far as it tells a wall."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._tags = 0
        self._is_marked = self._is_stub = self._has_more = False

    @property
    def is_wall(self) -> bool:
        text = sum(map(len, self._texts()))
        if self._tags > MAX_TAGS or text > MAX_TEXT:
            return False
        return self._is_marked or (self._is_stub and not self._has_more and text <= MAX_TEXT_OF_A_STUB)

    def _texts(self) -> Iterator[str]:
        """Yield the shown text, and note what the tags and scripts say."""
        end = 0
        for token in _TOKEN.finditer(self._html):
            yield from self._html[end : token.start()].split()
            end = token.end()
            self._tags += 1
            if self._tags > MAX_TAGS:
                return
            if token["script"]:
                self._see_tag("script", token["of"])
                self._see_code(token["of"], token["code"])
            elif token["tag"]:
                self._see_tag(token["tag"], token["attributes"])
        yield from self._html[end:].split()

    def _see_tag(self, name: str, attributes: str) -> None:
        if name == "link" and _FEED_TYPE.search(attributes):
            self._tags = MAX_TAGS + 1  # a page that names its feed was served
            return
        is_shared = _SHARED.search(attributes) is not None
        self._is_stub |= is_shared
        self._is_marked |= name in _MARKED_TAGS and _IN_TAG.search(attributes) is not None
        self._is_marked |= name == "iframe" and is_shared
        self._has_more |= not is_shared and (name == "a" or "src=" in attributes or "stylesheet" in attributes)

    def _see_code(self, attributes: str, code: str) -> None:
        if _DATA_TYPE.search(attributes):
            return
        self._is_marked |= _IN_SCRIPT.search(code) is not None or ("tonumbers(" in code and "__test=" in code)
        self._is_stub |= _SHARED.search(code) is not None
