"""Decides when http and https may replace each other (rules C5, C7.5, C7.8)."""

from __future__ import annotations

from feedward.model import FetchResult, Outcome
from feedward.urls.compare import with_scheme

# Not dns_error: a name that does not resolve fails with both schemes.
_CONNECTION_FAILURES = frozenset(
    {
        Outcome.CONNECT_ERROR,
        Outcome.TIMEOUT,
        Outcome.CONNECTION_RESET,
        Outcome.TLS_ERROR,
        Outcome.BAD_RESPONSE,
    }
)


def connection_failed(fetch: FetchResult) -> bool:
    """Return whether the requested URL gave no response at all: no status and no redirect."""
    return fetch.outcome in _CONNECTION_FAILURES and fetch.status is None and not fetch.hops


def first_twin(url: str, *, may_be_http: bool) -> str | None:
    """Return the URL to fetch instead if the connection for the input fails, or None (rule C7.8).

    `may_be_http` is true if https was assumed for a feed-like or missing scheme.
    """
    if url.startswith("http:"):
        return with_scheme(url, "https")
    return with_scheme(url, "http") if may_be_http else None
