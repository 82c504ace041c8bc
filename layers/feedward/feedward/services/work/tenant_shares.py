"""The order in which a worker processes the hosts of a batch: a tenant's share is limited while others wait.

Work of all tenants together has no owner and no limit (rule QT7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Final

Call = Callable[[], None]

# A tenant uses at most a quarter of a worker's threads, and at least one.
SHARE: Final = 4


@dataclass(slots=True)
class TenantShares:
    """Calls by their tenants, in order; None has no owner. Threads share it."""

    calls: Iterable[tuple[str | None, Call]]
    places: int
    _waiting: list[tuple[str | None, Call]] = field(init=False)
    _running: Counter[str] = field(default_factory=Counter)
    _failed: list[BaseException] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._waiting = list(self.calls)

    def run(self, name: str) -> None:
        """Make all calls, here and in threads of this name. Raises the first error, after the other calls."""
        more: list[Thread] = []
        for _ in self._waiting[1 : self.places]:
            thread = Thread(target=self._work, name=name)
            thread.start()
            more.append(thread)
        self._work()
        for thread in more:
            thread.join()
        if self._failed:
            raise self._failed[0]

    def _work(self) -> None:
        while (taken := self._next()) is not None:
            tenant, call = taken
            try:
                call()
            except BaseException as error:  # noqa: BLE001 - the other calls continue; `run` raises it
                self._failed.append(error)
            finally:
                with self._lock:
                    self._running[tenant or ""] -= 1

    def _next(self) -> tuple[str | None, Call] | None:
        """Take the first call of a tenant below its share; if none waits, the first of all."""
        with self._lock:
            if not self._waiting:
                return None
            share = max(self.places // SHARE, 1)
            below = (
                place
                for place, (tenant, _) in enumerate(self._waiting)
                if tenant is None or self._running[tenant] < share
            )
            taken = self._waiting.pop(next(below, 0))
            self._running[taken[0] or ""] += 1
            return taken
