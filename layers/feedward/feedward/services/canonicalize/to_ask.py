"""Which URLs of a request have to be asked for: the others are refused, or known, and are free (rule QT3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from feedward.canonical.options import CanonicalizeOptions
from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.model import Known
from feedward.ports import Exists
from feedward.services.canonicalize.canonicalize import canonicalize


class _WouldAsk(Exception):
    """The canonicalization would send a request."""


class _NoFetcher:
    """Stands for the fetch."""

    def fetch(self, url: str, **_options: Any) -> NoReturn:
        raise _WouldAsk(url)


def asks_a_site(url: str, *, options: CanonicalizeOptions, exists: Exists, deadline: Deadline) -> bool:
    """Return whether the canonicalization of a URL would send a request, of which it sends none.

    A URL that cannot be looked up counts as one that asks.
    """
    try:
        canonicalize(url, fetcher=_NoFetcher(), options=options, exists=exists, deadline=deadline)
    except (_WouldAsk, FeedwardError):
        return True
    return False


class LookUps:
    """What was looked up to tell whether a URL asks, for the canonicalization that follows: no look-up is made twice.

    `find` looks up forms of a URL. Thread-safe as far as no URL is worked on by two threads.
    """

    def __init__(self, find: Callable[[str, Sequence[str]], Known | None]) -> None:
        self._find = find
        self._found: dict[tuple[str, ...], Known | None] = {}

    def first(self, url: str) -> Exists:
        """Return what looks up forms of `url`, and remembers the answers."""

        def exists(urls: Sequence[str]) -> Known | None:
            found = self._found[url, *urls] = self._find(url, urls)
            return found

        return exists

    def again(self, url: str, find: Exists) -> Exists:
        """Return what gives each remembered answer once, and asks `find` for all else."""

        def exists(urls: Sequence[str]) -> Known | None:
            return self._found.pop((url, *urls)) if (url, *urls) in self._found else find(urls)

        return exists
