"""A URL split into parts, with the positions of its tokens (rule T4). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_plus

from feedward.urls.private_paths import TOKEN_BY_FORM, token_segments
from feedward.urls.random_value import looks_random

MASK: Final = "..."
"""Replaces a token in a masked URL."""

# As a word of the name, or at its end (rule T4.1): feed_token, accessToken, auth, api-key, apikey, passkey.
_SECRET = re.compile(
    r"(?:^|[-_.\[])(?:auth|oauth|bearer|jwt|pwd|passwd|sig|signature|hmac|credentials?)(?:$|[-_.\]])"
    r"|(?:token|secret|password|passphrase|passcode|torrent[-_.]?pass|private[-_.]?rss)\]?$"
    r"|(?:api|access|auth|feed|rss|user|member|subscriber|private|secret|pass)[-_.]?key\]?$"
)
# These names may hold any value, such as a search term: only a long value that looks random is a token.
_PERHAPS = re.compile(
    r"(?:^|[-_.])(?:key|pass|sid|sess|session|sso|ticket|hash)$|^(?:user|member|feed|rss|auth)hash$|^feed$"
    r"|sess(?:ion)?[-_.]?id$"
)
_USER = frozenset({"user", "username", "user_id", "userid", "uid", "login", "email"})
_RANDOM_CHARACTERS = 16
_CHARACTERS_BESIDE_USER = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlParts:
    """A URL or any other text, split. `head` is the text before the path; the positions are those of tokens."""

    head: str
    segments: Sequence[str]
    pairs: Sequence[str]
    secret_segments: frozenset[int]
    secret_pairs: frozenset[int]

    @classmethod
    def of(cls, url: str) -> UrlParts:
        rest, _, query = url.partition("#")[0].partition("?")
        scheme, slashes, after = rest.partition("//")
        host, slash, path = after.partition("/") if slashes else ("", "", rest)
        segments, pairs = f"{slash}{path}".split("/"), query.split("&") if query else []
        name = host.rpartition("@")[2].partition(":")[0].rstrip(".").lower()
        return cls(
            head=f"{scheme}{slashes}{host}" if slashes else "",
            segments=segments,
            pairs=pairs,
            secret_segments=token_segments(name, segments) | _with_token_parameters(name, segments),
            secret_pairs=_token_pairs(name, pairs),
        )

    @property
    def has_token(self) -> bool:
        return bool(self.secret_segments or self.secret_pairs)

    @property
    def is_masked(self) -> bool:
        return MASK in self.segments or MASK in (pair.partition("=")[2] for pair in self.pairs)

    def masked_path(self) -> str:
        shown = (MASK if at in self.secret_segments else each for at, each in enumerate(self.segments))
        return self.head + "/".join(shown)

    def masked(self) -> str:
        """Return the URL without fragment, its tokens masked."""
        query = "&".join(
            f"{pair.partition('=')[0]}={MASK}" if at in self.secret_pairs else pair
            for at, pair in enumerate(self.pairs)
        )
        return f"{self.masked_path()}?{query}" if query else self.masked_path()


def _with_token_parameters(host: str, segments: Sequence[str]) -> frozenset[int]:
    """Return the positions of segments with a token in their own parameter (`feed;jsessionid=1f3a`)."""
    return frozenset(at for at, each in enumerate(segments) if ";" in each and _token_pairs(host, each.split(";")[1:]))


def _token_pairs(host: str, pairs: Sequence[str]) -> frozenset[int]:
    """Return the positions of the tokens in a query; a user name next to a token is personal too."""
    split = [pair.partition("=") for pair in pairs]
    named = [(at, unquote_plus(name), value) for at, (name, _, value) in enumerate(split) if value]
    users = {at for at, name, _ in named if name.lower() in _USER}
    tokens = {at for at, name, value in named if _is_token(host, name, value, has_user=bool(users))}
    return frozenset(tokens | users if tokens else ())


def _is_token(host: str, name: str, value: str, *, has_user: bool) -> bool:
    name = name.lower()
    if _SECRET.search(name) or TOKEN_BY_FORM.fullmatch(value):
        return True
    if has_user and (name == "pass" or (name == "feed" and _is_reddit(host))):
        return True
    at_least = _CHARACTERS_BESIDE_USER if has_user else _RANDOM_CHARACTERS
    return _PERHAPS.search(name) is not None and looks_random(value, at_least=at_least)


def _is_reddit(host: str) -> bool:
    return host == "reddit.com" or host.endswith(".reddit.com")
