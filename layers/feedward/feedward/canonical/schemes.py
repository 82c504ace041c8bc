"""When http and https stand in for each other (rules C5, C7.5, C7.8)."""

from __future__ import annotations

from feedward.model import FetchResult, Outcome
from feedward.urls.compare import with_scheme

# A name that does not resolve is dead under both schemes, so it is not among them.
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
    """True if the URL that was asked gave no answer at all: no status and no redirect that led elsewhere."""
    return fetch.outcome in _CONNECTION_FAILURES and fetch.status is None and not fetch.hops


def first_twin(url: str, *, may_be_http: bool) -> str | None:
    """The URL to fetch instead when the connection for the input fails, or None (rule C7.8).

    `may_be_http`: https was taken for a feed-like or a missing scheme.
    """
    if url.startswith("http:"):
        return with_scheme(url, "https")
    return with_scheme(url, "http") if may_be_http else None
