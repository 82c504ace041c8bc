"""Redacts URLs for logs and messages: no credentials, no query values (rule X11). Pure."""

from __future__ import annotations

import re

from feedward.urls.parse import parse_url
from feedward.urls.resolve import resolve_parsed

# As a word of the name, or at its end: feed_token, accessToken, auth, api-key, apikey.
_SECRET = re.compile(
    r"(?:^|[-_.])(?:auth|jwt|pwd|passwd)(?:$|[-_.])|(?:token|secret|password)$"
    r"|(?:api|access|auth|feed|rss|user|private|secret)[-_.]?key$"
)
# These names may hold any value, such as a search term. A long value in one piece with digits counts as a token.
_PERHAPS = frozenset({"key", "sig", "signature"})
_MADE_UP = re.compile(r"(?=[^0-9]*[0-9])[a-z0-9_.~-]{16,}")


def has_token(url: str) -> bool:
    """True if a parameter of the URL's query is a token, by its name, or by its name and its value: `?token=1f3a`."""
    parsed = resolve_parsed(url)
    pairs = (pair.lower().partition("=") for pair in parsed.search[1:].split("&")) if parsed else ()
    return any(value and _is_token(name, value) for name, _, value in pairs)


def _is_token(name: str, value: str) -> bool:
    return _SECRET.search(name) is not None or (name in _PERHAPS and _MADE_UP.fullmatch(value) is not None)


MAX_CHARS = 512
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_USERINFO = re.compile(r"(//)[^/?#]*@")


def redact_url(text: str) -> str:
    """`https://u:p@a.example/x?token=1#y` -> `https://a.example/x?...`, at most 512 characters, one line.

    Works on any text, so that invalid URLs can be logged too.
    """
    url = parse_url(text)
    shown = _UNSEEN.sub("", text) if url is None else url.href
    head, mark, _ = shown.partition("#")[0].partition("?")
    return (_USERINFO.sub(r"\1", head.replace("\\", "/"))[: MAX_CHARS - 4]) + ("?..." if mark else "")
