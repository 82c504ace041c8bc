"""feedward as a library: the functions of `from feedward import ...` (docs/library.md).

They use the guarded fetch unless the caller passes a fetcher, and need neither a directory nor AWS.
"""

from __future__ import annotations

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.settings import FetchSettings
from feedward.canonical.options import DEFAULT_OPTIONS, CanonicalizeOptions
from feedward.canonical.result import CanonicalResult
from feedward.deadline import Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.result import Discovery
from feedward.ports import Exists, Fetcher
from feedward.services.canonicalize.canonicalize import canonicalize as _canonicalize
from feedward.services.discover.discover import discover as _discover
from feedward.services.discover.limits import JOB_LIMITS

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
    `within_s` seconds the best proven URL is returned.
    """
    return _canonicalize(
        url, fetcher=fetcher or _guarded(within_s), options=options, exists=exists, deadline=Deadline.after(within_s)
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
    are returned.
    """
    return _discover(
        url,
        fetcher=fetcher or _guarded(within_s),
        limits=JOB_LIMITS,
        intent=intent,
        rsshub_base=rsshub_base,
        deadline=Deadline.after(within_s),
    )


def _guarded(within_s: float) -> GuardedFetcher:
    return GuardedFetcher(FetchSettings(total_s=within_s, io_s=within_s))
