"""Access to a private RSSHub, which requires a code with each route: a digest of the route's path and the access key.

The code is added to requests and removed from results and from documents, whose self link repeats the request. So the
code is never stored, logged or returned, and a feed keeps its URL when the key changes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import md5
from typing import TYPE_CHECKING, Unpack

from feedward.errors import FeedwardError
from feedward.model import FetchResult, Hop, Outcome
from feedward.ports import PageFetcher
from feedward.urls.parse import Url, parse_http_url
from feedward.urls.redirects import redirect_limit

if TYPE_CHECKING:
    from feedward.ports.fetch_options import PageFetchOptions

# RSSHub reads these without a code.
_OPEN = frozenset({"", "/", "/robots.txt", "/metrics"})
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# RSSHub decodes the path with JavaScript's decodeURI before it takes the digest. These and the % stay escaped.
_STAY_ESCAPED = frozenset(b";/?:@&=+$,#%")


class RsshubAccess:
    """ports.PageFetcher that adds the code to URLs below `base_url`. Other URLs are fetched unchanged.

    `access_key` returns the key, or an empty text. It is called for each fetch that needs it. If it raises a
    FeedwardError, nothing is fetched and the outcome is connect_error.
    """

    def __init__(
        self,
        fetcher: PageFetcher,
        *,
        base_url: str,
        access_key: Callable[[], str],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetcher = fetcher
        self._base = parse_http_url(base_url)
        self._access_key = access_key
        self._monotonic = monotonic

    @property
    def max_redirects(self) -> int:
        """The number of redirects that each fetch follows."""
        return redirect_limit(self._fetcher)

    def fetch(self, url: str, **how: Unpack[PageFetchOptions]) -> FetchResult:
        """GET as ports.PageFetcher does. The time limit includes reading the key."""
        parsed = parse_http_url(url)
        route = self._route(parsed)
        if parsed is None or route in _OPEN:
            return self._fetcher.fetch(url, **how)
        started = self._monotonic()
        try:
            key = self._access_key()
        except FeedwardError:
            return FetchResult(outcome=Outcome.CONNECT_ERROR, url=url, detail="RSSHub's access key could not be read")
        if (within_s := how.get("within_s")) is not None:
            how["within_s"] = within_s - (self._monotonic() - started)
        if not key:
            return self._fetcher.fetch(url, **how)
        code = access_code(route, key)
        return _without_code(self._fetcher.fetch(_with_code(parsed, code), **how), code)

    def _route(self, url: Url | None) -> str:
        """Return the path of `url` below the base, such as `/twitter/user/nasa`. Empty if it is not below the base."""
        if url is None or self._base is None or url.origin != self._base.origin:
            return ""
        prefix = self._base.pathname.rstrip("/")
        return url.pathname.removeprefix(prefix) if url.pathname.startswith(f"{prefix}/") else ""


def access_code(route: str, key: str) -> str:
    """Return the code of a route: MD5 in hex of its path, as RSSHub decodes it, and the access key."""
    path = _ESCAPES.sub(_unescaped, route)
    return md5(f"{path}{key}".encode(), usedforsecurity=False).hexdigest()


def _unescaped(escapes: re.Match[str]) -> str:
    run = escapes.group()
    raw = bytes.fromhex(run.replace("%", ""))
    try:
        raw.decode()
    except UnicodeDecodeError:
        return run
    kept = (
        run[3 * at : 3 * at + 3].encode() if byte in _STAY_ESCAPED else bytes([byte]) for at, byte in enumerate(raw)
    )
    return b"".join(kept).decode()


def _with_code(url: Url, code: str) -> str:
    """Put the code first: of two parameters of this name RSSHub reads the first."""
    rest = url.search.removeprefix("?")
    url.search = f"code={code}&{rest}" if rest else f"code={code}"
    return url.href


def _without_code(result: FetchResult, code: str) -> FetchResult:
    return replace(
        result,
        url=_clean(result.url, code),
        hops=tuple(Hop(url=_clean(hop.url, code), status=hop.status) for hop in result.hops),
        headers={name: _clean(value, code) for name, value in result.headers.items()},
        body=_clean_bytes(result.body, code),
        detail=_clean(result.detail, code),
    )


def _clean(text: str, code: str) -> str:
    if code not in text:
        return text
    return _clean_bytes(text.encode("utf-8", "surrogatepass"), code).decode("utf-8", "surrogatepass")


def _clean_bytes(text: bytes, code: str) -> bytes:
    """Remove the parameter from URLs, plain or in markup, and the code wherever else it occurs."""
    written = code.encode()
    if written not in text:
        return text
    first = re.compile(rb"\?code=" + written + rb"(?:&amp;|&#38;|&#x26;|&)")
    other = re.compile(rb"(?:\?|&amp;|&#38;|&#x26;|&)code=" + written)
    return other.sub(b"", first.sub(b"?", text)).replace(written, b"")
