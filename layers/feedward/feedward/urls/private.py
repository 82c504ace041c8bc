"""URLs that hold a secret: whoever has one reads what is meant for one person alone (spec T1). Pure."""

from __future__ import annotations

import re

from feedward.urls.resolve import resolve_parsed

# As a word of the name, or at its end: feed_token, accessToken, auth, api-key, apikey.
_SECRET = re.compile(
    r"(?:^|[-_.])(?:auth|jwt|pwd|passwd)(?:$|[-_.])|(?:token|secret|password)$"
    r"|(?:api|access|auth|feed|rss|user|private|secret)[-_.]?key$"
)
# These may be anything, such as a word that is searched for; what is long, in one piece and has digits is no word.
_PERHAPS = frozenset({"key", "sig", "signature"})
_MADE_UP = re.compile(r"(?=[^0-9]*[0-9])[a-z0-9_.~-]{16,}")


def has_token(url: str) -> bool:
    """True if a parameter of the URL's query is a token, by its name, or by its name and its value: `?token=1f3a`."""
    parsed = resolve_parsed(url)
    pairs = (pair.lower().partition("=") for pair in parsed.search[1:].split("&")) if parsed else ()
    return any(value and _is_token(name, value) for name, _, value in pairs)


def _is_token(name: str, value: str) -> bool:
    return _SECRET.search(name) is not None or (name in _PERHAPS and _MADE_UP.fullmatch(value) is not None)
