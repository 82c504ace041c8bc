"""Charges a tenant for the URLs that have to be asked for: the others are refused, or known, and are free (rule QT3).

Only requests with a key load this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

from feedward.access.caller import Caller
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CanonicalResult
from feedward.deadline import Deadline
from feedward.errors import DeadlinePassed, FeedwardError, is_our_failure
from feedward.ports import Exists
from feedward.ports.quotas import Charges
from feedward.services.canonicalize.canonicalize import canonicalize

Outcome: TypeAlias = CanonicalResult | Exception


class _WouldAsk(Exception):
    """The canonicalization would send a request."""


class _NoFetcher:
    """Stands for the fetch."""

    def fetch(self, url: str, **_options: Any) -> NoReturn:
        raise _WouldAsk(url)


def charged(
    caller: Caller,
    urls: Sequence[str],
    run: Callable[[], list[Outcome]],
    *,
    options: CanonicalizeOptions,
    exists: Callable[[str], Exists],
    deadline: Deadline,
    charges: Charges,
) -> list[Outcome]:
    """Take a place, charge the tenant for the URLs that ask, and return what `run` returns, an outcome for each URL.

    Without any that asks, all is free. What we failed at, or had no time to begin, is given back.
    `exists` returns what looks up the forms of a URL. Raises QuotaExceeded, TooManyAtOnce, and what the counters raise.
    """
    asking = {
        url for url in dict.fromkeys(urls) if asks_a_site(url, options=options, exists=exists(url), deadline=deadline)
    }
    if not asking:
        return run()
    with (
        charges.place(caller, "canonicalize", within_s=deadline.left_s()),
        charges.charged(caller, "canonicalizations", len(asking)),
    ):
        outcomes = run()
    undone = {url for url, outcome in zip(urls, outcomes, strict=True) if url in asking and _is_undone(outcome)}
    if undone:
        charges.count(caller.tenant_id, "canonicalizations", -len(undone))
    return outcomes


def _is_undone(outcome: Outcome) -> bool:
    return isinstance(outcome, Exception) and (isinstance(outcome, DeadlinePassed) or is_our_failure(outcome))


def asks_a_site(url: str, *, options: CanonicalizeOptions, exists: Exists, deadline: Deadline) -> bool:
    """Return whether the canonicalization of a URL would send a request, of which it sends none.

    A URL that cannot be looked up counts as one that asks.
    """
    try:
        canonicalize(url, fetcher=_NoFetcher(), options=options, exists=exists, deadline=deadline)
    except (_WouldAsk, FeedwardError):
        return True
    return False
