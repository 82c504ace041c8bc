"""Charges a tenant for the URLs that have to be asked for: the others are refused, or known, and are free (rule QT3).

Only requests with a key load this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any, NoReturn

from feedward.access.caller import Caller
from feedward.canonical.options import CanonicalizeOptions
from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.ports import Exists
from feedward.ports.quotas import Charges
from feedward.services.canonicalize.canonicalize import canonicalize


class _WouldAsk(Exception):
    """The canonicalization would send a request."""


class _NoFetcher:
    """Stands for the fetch."""

    def fetch(self, url: str, **_options: Any) -> NoReturn:
        raise _WouldAsk(url)


def charged(
    caller: Caller,
    urls: Sequence[str],
    *,
    options: CanonicalizeOptions,
    exists: Callable[[str], Exists],
    deadline: Deadline,
    charges: Charges,
) -> AbstractContextManager[object]:
    """Take a place and charge the tenant for the URLs that ask; without any, all is free.

    `exists` returns what looks up the forms of a URL. Raises QuotaExceeded, TooManyAtOnce, and what the counters raise.
    """
    weight = sum(
        asks_a_site(url, options=options, exists=exists(url), deadline=deadline) for url in dict.fromkeys(urls)
    )
    with ExitStack() as working:
        if weight:
            working.enter_context(charges.place(caller, "canonicalize", within_s=deadline.left_s()))
            working.enter_context(charges.charged(caller, "canonicalizations", weight))
        return working.pop_all()


def asks_a_site(url: str, *, options: CanonicalizeOptions, exists: Exists, deadline: Deadline) -> bool:
    """Return whether the canonicalization of a URL would send a request, of which it sends none.

    A URL that cannot be looked up counts as one that asks.
    """
    try:
        canonicalize(url, fetcher=_NoFetcher(), options=options, exists=exists, deadline=deadline)
    except (_WouldAsk, FeedwardError):
        return True
    return False
