"""Tokens in URLs, and URLs without tokens for logs, events and lists (rules T4, X11). Pure.

The rules for tokens are in separate modules, which the first URL that may hold a token loads.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from feedward.urls.parse import parse_url
from feedward.urls.resolve import resolve_parsed

if TYPE_CHECKING:
    from feedward.urls.token_parts import UrlParts

# Every URL with a token contains one of these words, in lower case: ignoring case takes four times as long.
_MAY_HOLD_TOKEN = re.compile(
    r"token|secret|pass|auth|bearer|ticket|sso|jwt|pwd|sig|hmac|credential|key|sid|sess|hash|[?&;](?:feed|rss)=|torrent|privaterss|\.\.\."
    r"|private|premium|subscriber|member|patron|patreon|eyj|gh[oprsu]_|github_|gl[a-z]{2,5}-|supercast|acast|supportingcast|passport|starred"
    r"|rss\.plex\.tv|newsblur|instapaper|animebytes|/(?:unread|archive|all|annotated|tags)\b|[0-9a-f]{20}|[a-z0-9]{30}"
    r"|/owa/calendar/|kill-the-newsletter|slurm|[?&;]t=|[?&;](?:pw|otp|pat|magic|hdn\w\w)=|/ical/|teamup|helloaudio|myanonamouse"
)


def has_token(url: str) -> bool:
    """True if a part of the URL is a token, so that the URL is personal: `?token=1f3a`, `/private/9f3a71c2/rss`."""
    parsed = resolve_parsed(url)
    parts = None if parsed is None else _parts(parsed.href)
    return parts is not None and parts.has_token


def mask_tokens(url: str) -> str:
    """Return the URL for events and lists: `?a=1&token=1f3a` -> `?a=1&token=...`. Without a token it is unchanged."""
    parsed = resolve_parsed(url)
    parts = _parts(url if parsed is None else parsed.href)
    return parts.masked() if parts is not None and parts.has_token else url


def is_masked(url: str) -> bool:
    """Return whether `mask_tokens` has removed a token from this URL, which is then useless."""
    parts = _parts(url)
    return parts is not None and parts.is_masked


def _parts(url: str) -> UrlParts | None:
    """Return the parts of a URL or of any text; None if no rule can find a token in it."""
    if not _MAY_HOLD_TOKEN.search(unquote(url).casefold()):
        return None
    from feedward.urls.token_parts import UrlParts  # noqa: PLC0415

    return UrlParts.of(url)


MAX_CHARS = 512
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_USERINFO = re.compile(r"(//)[^/?#]*@")


def redact_url(text: str) -> str:
    """Return the URL for a log line: `https://u:p@a.example/x?token=1#y` -> `https://a.example/x?...`.

    At most 512 characters, one line, no token in the path. Works on any text, so that invalid URLs can be logged too.
    """
    url = parse_url(text)
    shown = _UNSEEN.sub("", text) if url is None else url.href
    head, mark, _ = shown.partition("#")[0].partition("?")
    shown = _USERINFO.sub(r"\1", head.replace("\\", "/"))
    parts = _parts(shown)
    path = shown if parts is None else parts.masked_path()
    return path[: MAX_CHARS - 4] + ("?..." if mark else "")
