"""Fetches the feed of a check with a conditional GET. Accepts a 304 only if it is credible; parses only new documents.

If the feed's URL fails, its other spellings and its earlier URLs are tried before anything else (rule H6).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from feedward.feeds.read_feed import FetchedFeed, read_feed
from feedward.health.browser_retry import REFUSALS, answered, is_asked_as_browser, learned
from feedward.health.content_hash import content_hash
from feedward.health.due_feed import DueFeed
from feedward.health.outcomes import OUTCOMES
from feedward.health.validators import Question, can_believe_304, question
from feedward.model import Feed, FetchResult, Outcome, RejectionReason, Validators
from feedward.pages.challenge import without_wall
from feedward.ports import BodyRoom, Fetcher
from feedward.scheduling.heartbeat import is_plain_day
from feedward.services.work.memory_budget import MemoryBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """The result of a check's fetch. `feed` is set if a document was parsed; `same_bytes`: a known body, not parsed.

    `asked` is the conditional request that was sent. `requests` counts all requests. `content_hash` is that of a
    complete document that is a feed, or None. `as_browser_at` is the updated record of the host's refusals.
    `elsewhere` is the visit to another URL of the feed, `found_at`, which serves a feed while its own one fails.
    """

    fetch: FetchResult
    outcome: Outcome
    asked: Question
    requests: int
    feed: Feed | None = None
    reason: RejectionReason | None = None
    same_bytes: bool = False
    content_hash: str | None = None
    as_browser_at: int | None = None
    found_at: str | None = None
    elsewhere: Visit | None = None

    @property
    def is_unchanged(self) -> bool:
        """True for a success that brought no new document."""
        return self.same_bytes or self.outcome is Outcome.NOT_MODIFIED


class Connection:
    """The network access of one check: its fetches share a time limit and a memory room, and are counted."""

    def __init__(
        self,
        fetcher: Fetcher,
        within_s: float | None,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        memory: MemoryBudget,
        room: BodyRoom,
    ) -> None:
        self._fetcher = fetcher
        self._memory, self._room = memory, room
        self._monotonic = monotonic
        self._ends_at = None if within_s is None else monotonic() + within_s
        self.requests = 0

    def fetch(self, url: str, validators: Validators | None = None, *, as_browser: bool = False) -> FetchResult:
        """Fetch `url` in the remaining time. Raises MemoryBusy."""
        left_s = None if self._ends_at is None else self._ends_at - self._monotonic()
        result = self._fetcher.fetch(
            url, validators=validators, within_s=left_s, as_browser=as_browser, room=self._room
        )
        self.requests += result.requests
        return without_wall(result)

    def read(self, fetch: FetchResult) -> FetchedFeed:
        """Parse a fetched document. Raises MemoryBusy."""
        with self._memory.parsing(len(fetch.body)):
            return read_feed(fetch)


def visit(due: DueFeed, connection: Connection, now: int, owned_urls: Callable[[], Sequence[str]] = list) -> Visit:
    """Fetch the feed and return the result. Raises MemoryBusy; a server's answer is never an error.

    `owned_urls` looks up all URLs of the feed; it is called only if the feed's own URL fails, and its errors propagate.
    """
    slot = due.place.slot
    may_probe = slot is None or is_plain_day(due.feed_id, slot, due.slot_time(now))
    asked = question(due.validators, now, may_probe=may_probe)
    answer = _ask(due, connection, asked, now)
    fetch = answer.fetch
    if fetch.outcome is Outcome.NOT_MODIFIED and not can_believe_304(due.validators, fetch.url):
        asked = Question()
        fetch = connection.fetch(due.url, as_browser=answer.as_browser)
    seen = replace(read_visit(due, fetch, asked, connection), as_browser_at=answer.as_browser_at)
    if not OUTCOMES[fetch.outcome].is_success:
        from feedward.services.check.fetch_other_urls import find_elsewhere  # noqa: PLC0415 - most feeds have not moved

        found = find_elsewhere(due, seen, connection, owned_urls, as_browser=answer.as_browser)
        seen = replace(seen, elsewhere=found)
    return replace(seen, requests=connection.requests)


def lost_worker(due: DueFeed) -> Visit:
    """Return the substitute for a fetch during which a worker died: a document that is too large."""
    detail = "a worker died while reading this feed"
    fetch = FetchResult(outcome=Outcome.TOO_LARGE, url=due.url, detail=detail)
    return Visit(fetch=fetch, outcome=Outcome.TOO_LARGE, asked=Question(), requests=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """The answer that counts, whether browser headers were used, and the updated record of refusals."""

    fetch: FetchResult
    as_browser: bool
    as_browser_at: int | None


def _ask(due: DueFeed, connection: Connection, asked: Question, now: int) -> _Answer:
    """Fetch in the way that worked before. If refused, retry once in the other way, as discovery does (rule D4)."""
    before = due.health.as_browser_at
    as_browser = is_asked_as_browser(before, now)
    fetch = connection.fetch(due.url, asked.validators, as_browser=as_browser)
    came_to = {as_browser: answered(fetch)}
    if came_to[as_browser] in REFUSALS:
        other = connection.fetch(due.url, asked.validators, as_browser=not as_browser)
        came_to[not as_browser] = answered(other)
        if other.status is not None:
            fetch, as_browser = other, not as_browser
    known = learned(before, plain=came_to.get(False), browser=came_to.get(True), now=now)
    return _Answer(fetch=fetch, as_browser=as_browser, as_browser_at=known)


def read_visit(due: DueFeed, fetch: FetchResult, asked: Question, connection: Connection) -> Visit:
    if fetch.outcome is not Outcome.OK:
        return Visit(fetch=fetch, outcome=fetch.outcome, asked=asked, requests=0)
    body_hash = content_hash(fetch.body)
    if body_hash == due.content_hash:
        return Visit(fetch=fetch, outcome=Outcome.OK, asked=asked, requests=0, same_bytes=True, content_hash=body_hash)
    read = connection.read(fetch)
    return Visit(
        fetch=fetch,
        outcome=read.outcome,
        asked=asked,
        requests=0,
        feed=read.feed,
        reason=read.rejection.reason if read.rejection else None,
        content_hash=body_hash if read.feed else None,
    )
