"""The runs that pages are collected for, as far as they never change: looked up once in a process (contract 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from feedward.lineage.run import Run, RunKind
from feedward.lineage.version import CURRENT, CURRENT_VERSION
from feedward.ports import LineageStore
from feedward.ulid import derived_ulid

DAY_S: Final = 24 * 3600
_KEPT_AT_MOST: Final = 500


@dataclass(slots=True)
class RunBook:
    """Runs by their ids. One object serves all threads; what it does not have is read, or made, once."""

    lineage: LineageStore
    _runs: dict[str, Run] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, run_id: str) -> Run | None:
        """The run, without its counters' newest numbers; None if there is none."""
        return self._kept(run_id) or self._keep(self.lineage.run(run_id))

    def standing(self, tenant_id: str | None, now: int) -> Run:
        """The run of the day, which pages belong to that no run asked for; made when the day has its first."""
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
