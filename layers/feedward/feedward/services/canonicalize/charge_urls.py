"""Charges a tenant for URLs that need a request; refused and known URLs are free (rule QT3).

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
    """Replaces the fetch."""

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
    """Take a slot, charge the tenant for URLs that need requests, and return the result of `run`, an outcome per URL.

    If no URL needs a request, all are free. Charges are refunded for our failures and for URLs that were not started.
    `exists` returns the look-up for the forms of a URL. Raises QuotaExceeded, TooManyAtOnce, and the errors of the
    counters.
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
    """Return whether the canonicalization of a URL would send a request; sends none itself.

    A URL whose look-up fails counts as one that does.
    """
    try:
        canonicalize(url, fetcher=_NoFetcher(), options=options, exists=exists, deadline=deadline)
    except (_WouldAsk, FeedwardError):
        return True
    return False
