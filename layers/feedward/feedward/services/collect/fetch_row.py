"""Fetches one row: decide, make its page an item, write the row with optimistic locking on `rev`.

The item is written before the row: if a worker dies in between, repeating the work adds nothing (rule I6). If the
stored row differs from the message, the decision is made again on the stored one, provided that it is still due.
Otherwise the result is dropped (rule R15).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol

from feedward.errors import InvalidInput, NotFound
from feedward.frontier.decide import ROBOTS_DISALLOWED, Decision, Failed, Fetched, decide, failed
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.model import FetchResult, Outcome, Validators
from feedward.ports import BodyRoom
from feedward.reading_budget import TooCostly
from feedward.scheduling.lateness import is_late
from feedward.services.collect.collect_page import PageCollected, collect_page
from feedward.services.collect.fetch_page import Forbidden, Visited, Visitor
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.row_answer import RowAnswer, RowDisposition, unfetched
from feedward.urls.key import url_hash

# Retries after a lost conditional write.
_AGAIN: Final = 3


class Collect(Protocol):
    """Makes a fetched page an item for each run that waits for its row (collect_page)."""

    def __call__(self, row: FrontierRow, fetch: FetchResult, *, ports: CollectPorts, now: int) -> PageCollected:
        """Return the result of collecting the page."""
        ...


def fetch_row(
    row: FrontierRow,
    *,
    ports: CollectPorts,
    visitor: Visitor | None = None,
    collect: Collect = collect_page,
    within_s: float | None = None,
    has_killed: bool = False,
) -> RowAnswer:
    """Fetch a row as its message describes it, and return the result.

    `visitor` caches the robots.txt of a batch. No request continues after `within_s` seconds. `has_killed`: a worker
    died while it processed the row, so the row fails without a fetch.

    Raises HostBusy if a host of the redirect chain has no slot soon, MemoryBusy if other documents occupy the memory,
    and the errors of the stores. Then the call can be repeated.
    """
    now = ports.clock.now()
    if is_late(row, now):
        return unfetched(row, RowDisposition.LATE, now)
    if _is_foreign(row, ports):
        return unfetched(row, RowDisposition.FOREIGN, now)
    with ports.memory.room() as room:
        fetch = _Fetch(row, ports, visitor or Visitor(ports), collect, room=room, within_s=within_s)
        return fetch.fail(lost_worker(row)) if has_killed else fetch.run()


def _is_foreign(row: FrontierRow, ports: CollectPorts) -> bool:
    """Return whether the message names another tenant than the stored row, or a deleted one (rule TN5).

    A row's hash covers its URL and its tenant. Only a hash of another tenant, or of an older key version, needs a read.
    """
    if row.owner is not None and ports.tenants.is_gone(row.owner):
        return True
    if url_hash(row.url, row.owner or "") == row.url_hash:
        return False
    stored = ports.frontier.row(row.row_id)
    return stored is not None and stored.owner != row.owner


def lost_worker(row: FrontierRow) -> Visited:
    """Return the substitute for a fetch during which a worker died: a page that is too large."""
    detail = "a worker died while reading this page"
    return Visited(fetch=FetchResult(outcome=Outcome.TOO_LARGE, url=row.url, detail=detail), requests=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The written decision, and the result of collecting the page."""

    decision: Decision
    collected: PageCollected | None = None


class _Fetch:
    """The fetch of one row, and its number of requests."""

    def __init__(
        self,
        row: FrontierRow,
        ports: CollectPorts,
        visitor: Visitor,
        collect: Collect,
        *,
        room: BodyRoom,
        within_s: float | None,
    ) -> None:
        self._row, self._ports, self._visitor, self._collect, self._room = row, ports, visitor, collect, room
        self._ends_at = None if within_s is None else ports.clock.monotonic() + within_s
        self._requests = 0
        self._too_costly = ""

    def run(self, *, plain: bool = False) -> RowAnswer:
        """Fetch, decide and write; `plain` sends no validators."""
        visit = self._visitor.visit(self._row, room=self._room, within_s=self._left_s(), plain=plain)
        self._requests += visit.requests
        now = self._ports.clock.now()
        try:
            written = self._write(visit, now)
        except _NothingKnown:
            return self.run(plain=True)
        return self._answer(visit, written, now)

    def fail(self, visit: Visited) -> RowAnswer:
        """Write the failure of a fetch that was not attempted."""
        now = self._ports.clock.now()
        return self._answer(visit, self._write(visit, now), now)

    # --- writing ---------------------------------------------------------------------------------

    def _write(self, visit: Visited | Forbidden, now: int) -> _Written | None:
        """Decide and write; after a lost write, decide again on the stored row. None: the result is dropped."""
        current: FrontierRow | None = self._row
        for _ in range(1 + _AGAIN):
            if current is None:
                return None
            written = self._decided(current, visit, now)
            try:
                stored = self._update(current, written.decision)
            except InvalidInput:  # the store accepts fewer URLs than the fetch (rule F4)
                bad = failed(current, Outcome.BAD_REDIRECT.value, self._ports.settings, now)
                written = _Written(decision=bad)
                stored = self._update(current, bad)
            if stored is None:
                return written
            current = _still_waiting(self._row, stored, written.decision)
        return None

    def _decided(self, row: FrontierRow, visit: Visited | Forbidden, now: int) -> _Written:
        settings = self._ports.settings
        if isinstance(visit, Forbidden):
            return _Written(decision=failed(row, ROBOTS_DISALLOWED, settings, now))
        decision = decide(row, visit.fetch, settings, now)
        if isinstance(decision, Failed):
            return _Written(decision=decision)
        try:
            collected = self._collect(row, visit.fetch, ports=self._ports, now=now)
        except TooCostly as costly:
            self._too_costly = costly.detail
            return _Written(
                decision=failed(row, Outcome.TOO_LARGE.value, settings, now, http_status=visit.fetch.status)
            )
        if collected.item_id is None and visit.fetch.outcome is Outcome.NOT_MODIFIED:
            raise _NothingKnown
        return _Written(decision=_served(decision, collected), collected=collected)

    def _update(self, row: FrontierRow, decision: Decision) -> FrontierRow | None:
        """Return None if the decision was written, else the row as it is now."""
        store = self._ports.frontier
        try:
            if isinstance(decision, Failed):
                return store.update_failed(row, decision.params)
            if decision.final_url is None:
                return store.update_fetched(row, decision.params)
            return store.update_fetched_with_final_url(row, decision.final_url, decision.params)
        except NotFound:
            return replace(row, next_fetch_at=None)

    # --- the answer ------------------------------------------------------------------------------

    def _answer(self, visit: Visited | Forbidden, written: _Written | None, now: int) -> RowAnswer:
        answer = unfetched(self._row, RowDisposition.DROPPED, now, requests=self._requests)
        if isinstance(visit, Visited):
            answer = replace(answer, http_status=visit.fetch.status, detail=visit.fetch.detail)
        if written is None:
            return answer
        decision, collected = written.decision, written.collected
        is_failure = isinstance(decision, Failed)
        return replace(
            answer,
            disposition=RowDisposition.APPLIED,
            status=decision.params.status if isinstance(decision, Failed) else RowStatus.FETCHED,
            path=decision.path,
            reason=decision.params.reason if isinstance(decision, Failed) else None,
            detail=(answer.detail or self._too_costly) if is_failure else "",
            item_id=collected.item_id if collected else None,
            new_items=collected.new_items if collected else 0,
            conflicts=collected.conflicts if collected else (),
        )

    def _left_s(self) -> float | None:
        return None if self._ends_at is None else self._ends_at - self._ports.clock.monotonic()


class _NothingKnown(Exception):
    """The server answered 304, but the item of the validators is not available."""


def _served(decision: Fetched, collected: PageCollected) -> Fetched:
    """Add the result of collecting the page. Without an item, drop the validators: the next fetch must be complete."""
    params = replace(
        decision.params,
        runs=collected.runs,
        content_version=collected.content_version,
        item_id=collected.item_id,
    )
    return replace(decision, params=params if collected.item_id else replace(params, validators=Validators()))


def _still_waiting(seen: FrontierRow, stored: FrontierRow, decision: Decision) -> FrontierRow | None:
    """Return the stored row if this fetch still applies to it, or None if its result is too late.

    A fetched page serves all waiting runs. A failure counts once for each time that the row was due.
    """
    if stored.next_fetch_at is None or (stored.url_hash, stored.owner) != (seen.url_hash, seen.owner):
        return None
    is_later = stored.last_fetched_at is not None and stored.last_fetched_at > decision.params.now
    if is_later or (isinstance(decision, Failed) and not _is_same_slot(seen, stored)):
        return None
    return stored


def _is_same_slot(seen: FrontierRow, stored: FrontierRow) -> bool:
    return (stored.next_fetch_at, stored.attempts) == (seen.next_fetch_at, seen.attempts)
