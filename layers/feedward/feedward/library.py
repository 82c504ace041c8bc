"""feedward as a library: the functions of `from feedward import ...` (docs/library.md).

They use the guarded fetch unless the caller passes a fetcher, and need neither a directory nor AWS.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.settings import FetchSettings
from feedward.canonical.options import DEFAULT_OPTIONS, CanonicalizeOptions
from feedward.canonical.result import CanonicalResult
from feedward.deadline import Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.result import Discovery
from feedward.errors import InvalidInput
from feedward.model import FetchResult
from feedward.ports import Exists, Fetcher
from feedward.services.canonicalize.canonicalize import canonicalize as _canonicalize
from feedward.services.discover.discover import discover as _discover
from feedward.services.discover.limits import JOB_LIMITS
from feedward.urls.parse import parse_http_url

WITHIN_S = 15.0


def canonicalize(
    url: str,
    *,
    fetcher: Fetcher | None = None,
    options: CanonicalizeOptions = DEFAULT_OPTIONS,
    exists: Exists | None = None,
    within_s: float = WITHIN_S,
) -> CanonicalResult:
    """Find the clean URL of the feed at `url`, with its proof. No fault of a server or of the URL raises an error.

    `fetcher` replaces the guarded fetch, `exists` looks up the feeds that the caller knows; its errors propagate. After
    `within_s` seconds the best proven URL is returned. Raises InvalidInput for an argument of another type.
    """
    _check(url, fetcher, within_s)
    if not isinstance(options, CanonicalizeOptions):
        raise InvalidInput("options", "options must be a CanonicalizeOptions")
    if exists is not None and not callable(exists):
        raise InvalidInput("exists", "exists must be a function of a list of URLs")
    return _canonicalize(
        url, fetcher=_fetcher(fetcher, within_s), options=options, exists=exists, deadline=Deadline.after(within_s)
    )


def discover(
    url: str,
    *,
    fetcher: Fetcher | None = None,
    intent: Kind | None = None,
    rsshub_base: str | None = None,
    within_s: float = WITHIN_S,
) -> Discovery:
    """Find the feeds of the page at `url`, validated and scored. No fault of a server or of the URL raises an error.

    `fetcher` replaces the guarded fetch. `intent` is the wanted kind of feed; None derives it from the URL.
    `rsshub_base` is the address of an RSSHub to ask last, if any. After `within_s` seconds, the feeds found so far
    are returned. Raises InvalidInput for an argument of another type or form.
    """
    _check(url, fetcher, within_s)
    if rsshub_base is not None and (not isinstance(rsshub_base, str) or parse_http_url(rsshub_base) is None):
        raise InvalidInput("rsshub_base", "rsshub_base must be an http(s) URL, such as https://rsshub.example")
    return _discover(
        url,
        fetcher=_fetcher(fetcher, within_s),
        limits=JOB_LIMITS,
        intent=None if intent is None else _kind(intent),
        rsshub_base=rsshub_base,
        deadline=Deadline.after(within_s),
    )


class _OwnFetcher:
    """A caller's fetcher, whose results are checked and completed."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    def fetch(self, url: str, **options: Any) -> FetchResult:
        """Return the fetcher's result, with its header names in lower case, and counted as a request."""
        result: object = self._fetcher.fetch(url, **options)
        if not isinstance(result, FetchResult) or not isinstance(result.body, bytes):
            given = f"a body of type {type(result.body).__name__}" if isinstance(result, FetchResult) else None
            raise InvalidInput(
                "fetcher", f"fetcher.fetch must return a FetchResult with bytes, not {given or type(result).__name__}"
            )
        headers = {name.lower(): value for name, value in result.headers.items()}
        return replace(result, headers=headers, requests=result.requests or int(result.status is not None))


def _fetcher(own: Fetcher | None, within_s: float) -> Fetcher:
    return _guarded(within_s) if own is None else _OwnFetcher(own)


def _guarded(within_s: float) -> GuardedFetcher:
    return GuardedFetcher(FetchSettings(total_s=within_s, io_s=within_s))


def _check(url: object, fetcher: object, within_s: object) -> None:
    """Raise InvalidInput for arguments that would otherwise fail deep inside, or not at all."""
    if not isinstance(url, str):
        raise InvalidInput("url", f"url must be text, not {type(url).__name__}")
    if not isinstance(within_s, int | float) or not within_s > 0:
        raise InvalidInput("within_s", "within_s must be a number of seconds above 0")
    if fetcher is not None and (isinstance(fetcher, type) or not callable(getattr(fetcher, "fetch", None))):
        raise InvalidInput("fetcher", "fetcher must be an object with a method fetch(url, **options)")


def _kind(intent: str) -> Kind:
    try:
        return Kind(intent)
    except ValueError as unknown:
        raise InvalidInput("intent", f"intent must be one of {', '.join(Kind)}") from unknown
