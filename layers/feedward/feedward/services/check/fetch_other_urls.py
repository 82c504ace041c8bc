"""Fetches the other spellings and the earlier URLs of a feed whose own URL fails (rule H6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from feedward.health.due_feed import DueFeed
from feedward.health.other_urls import SPELLINGS_AT_MOST, earlier_urls, may_be_elsewhere, spellings
from feedward.health.validators import Question
from feedward.services.check.fetch_feed import Connection, Visit, read_visit


def find_elsewhere(
    due: DueFeed, failed: Visit, connection: Connection, owned_urls: Callable[[], Sequence[str]], *, as_browser: bool
) -> Visit | None:
    """Return the document of another spelling of the feed's URL, else of an earlier URL; None if none is a feed."""
    if not may_be_elsewhere(failed.fetch):
        return None
    asked = {due.url, *(hop.url for hop in failed.fetch.hops)}
    waiting = list(spellings(due.url, failed.fetch))

    def each_spelling() -> Iterator[str]:
        while waiting and len(asked) <= SPELLINGS_AT_MOST:
            yield waiting.pop(0)

    def earlier() -> Iterable[str]:
        yield from earlier_urls(due.url, owned_urls())

    for url in chain(each_spelling(), earlier()):
        if url in asked:
            continue
        asked.add(url)
        fetch = connection.fetch(url, as_browser=as_browser)
        found = read_visit(due, fetch, Question(), connection)
        if found.feed is not None or found.same_bytes:
            return replace(found, as_browser_at=failed.as_browser_at, found_at=url)
        waiting += spellings(url, fetch)
    return None
