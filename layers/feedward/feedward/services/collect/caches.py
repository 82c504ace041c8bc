"""Caches of collecting: runs by id, and the robots.txt of each origin for the length of a batch."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final

from feedward.errors import FeedwardError
from feedward.frontier.robots import BYTES_AT_MOST, KEPT_S, REDIRECTS_AT_MOST, Robots, read_robots, unreachable
from feedward.lineage.run import Run, RunKind
from feedward.lineage.version import CURRENT, CURRENT_VERSION
from feedward.model import FetchResult, Wanted
from feedward.ports import Clock, LineageStore, PageFetcher, RobotsStore
from feedward.ulid import derived_ulid

DAY_S: Final = 24 * 3600
_KEPT_AT_MOST: Final = 500


@dataclass(slots=True)
class RunBook:
    """Cache of runs by id. One object serves all threads; a missing run is read, or created, once."""

    lineage: LineageStore
    _runs: dict[str, Run] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def over(self, lineage: LineageStore) -> RunBook:
        """Return a cache with the same runs that reads missing ones from another store."""
        return replace(self, lineage=lineage)

    def find(self, run_id: str) -> Run | None:
        """Return the run, whose counters may be out of date; None if it does not exist."""
        return self._kept(run_id) or self._keep(self.lineage.run(run_id))

    def standing(self, tenant_id: str | None, now: int) -> Run:
        """Return the day's standing run, for pages without a run. It is created at the day's first page."""
        day = now - now % DAY_S
        run_id = derived_ulid(day, "standing", CURRENT_VERSION, tenant_id or "")
        kept = self._kept(run_id)
        if kept is not None:
            return kept
        run = Run(
            run_id=run_id,
            kind=RunKind.STANDING,
            collector=CURRENT.collector,
            normalization_version=CURRENT_VERSION,
            created_at=day,
            tenant_id=tenant_id,
            started=True,
        )
        return self._keep(self.lineage.create_run(run)) or run

    def _kept(self, run_id: str) -> Run | None:
        with self._lock:
            return self._runs.get(run_id)

    def _keep(self, run: Run | None) -> Run | None:
        with self._lock:
            if run is not None:
                if len(self._runs) >= _KEPT_AT_MOST:
                    self._runs.pop(next(iter(self._runs)))
                self._runs[run.run_id] = run
        return run


@dataclass(slots=True)
class RobotsBook:
    """Cache of robots.txt rules. One object serves all threads; at worst, two of them request the same file."""

    fetcher: PageFetcher
    robots: RobotsStore
    clock: Clock
    product: str
    _known: dict[str, Robots | FetchResult] = field(default_factory=dict)

    def find(self, origin: str) -> Robots | FetchResult | None:
        """Return the origin's rules, or the failed fetch of them in this batch. None: they must be fetched.

        Raises the errors of the store.
        """
        known = self._known.get(origin)
        if known is None and (text := self.robots.robots(origin, now=self.clock.now())) is not None:
            known = self._known[origin] = self._rules(text)
        return known

    def fetch(
        self, origin: str, *, within_s: float | None, may_follow: Callable[[str], bool] | None = None
    ) -> tuple[Robots | FetchResult, int]:
        """Fetch the origin's robots.txt. Its rules are stored for a day; a failure is kept for this batch.

        Returns what `find` returns from now on, and the number of requests sent.
        """
        answer = self.fetcher.fetch(
            f"{origin}/robots.txt",
            within_s=within_s,
            wants=Wanted.RULES,
            max_redirects=REDIRECTS_AT_MOST,
            first_bytes=BYTES_AT_MOST,
            may_follow=may_follow,
        )
        if answer.held_back_until is not None:
            return answer, answer.requests
        if unreachable(answer) is not None:
            self._known[origin] = answer
            return answer, answer.requests
        text = read_robots(answer.body)
        with suppress(FeedwardError):  # the next batch fetches it again
            self.robots.remember_robots(origin, text, until=self.clock.now() + KEPT_S)
        rules = self._known[origin] = self._rules(text)
        return rules, answer.requests

    def _rules(self, text: str) -> Robots:
        return Robots(text=text, product=self.product)
