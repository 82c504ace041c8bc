"""A worker's places go to all tenants: one has its share of them while others wait (rule QT7)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from feedward.services.work.tenant_shares import TenantShares

PLACES = 8
WITHIN_S = 20


def at_once() -> bool:
    return True


class Hosts:
    """Calls that wait for each other, and the running tasks when each began."""

    def __init__(self) -> None:
        self.running: list[str | None] = []
        self.seen: list[list[str | None]] = []
        self.changed = threading.Condition()

    def call(
        self, tenant: str | None, until: Callable[[], bool] = lambda: True
    ) -> tuple[str | None, Callable[[], None]]:
        def work() -> None:
            with self.changed:
                self.running.append(tenant)
                self.seen.append(list(self.running))
                self.changed.notify_all()
                assert self.changed.wait_for(until, WITHIN_S)
                self.running.remove(tenant)
                self.changed.notify_all()

        return tenant, work


def test_a_tenant_with_many_slow_hosts_leaves_the_other_places_to_others() -> None:
    hosts = Hosts()
    others_ended = lambda: sum(seen[-1] == "other" for seen in hosts.seen) == 6  # noqa: E731
    slow = [hosts.call("busy", others_ended) for _ in range(20)]
    quick = [hosts.call("other") for _ in range(6)]

    TenantShares([*slow, *quick], places=PLACES).run("test")

    before = hosts.seen[: next(n for n, seen in enumerate(hosts.seen) if seen[-1] == "other") + 6]
    assert max(seen.count("busy") for seen in before) == PLACES // 4
    assert len(hosts.seen) == 26


def test_a_tenant_that_is_alone_has_all_places() -> None:
    hosts = Hosts()
    all_at_once = lambda: len(hosts.seen) >= PLACES  # noqa: E731

    TenantShares([hosts.call("busy", all_at_once) for _ in range(PLACES)], places=PLACES).run("test")

    assert max(map(len, hosts.seen)) == PLACES


def test_work_without_a_tenant_has_no_limit() -> None:
    hosts = Hosts()
    all_at_once = lambda: len(hosts.seen) >= PLACES  # noqa: E731

    TenantShares([*[hosts.call(None, all_at_once) for _ in range(PLACES)], hosts.call("t1")], places=PLACES).run("test")

    assert hosts.seen[PLACES - 1] == [None] * PLACES


def test_a_call_that_fails_stops_no_other_and_is_raised_in_the_end() -> None:
    done: list[int] = []

    def fail() -> None:
        raise RuntimeError("first")

    calls: list[tuple[str | None, Callable[[], None]]] = [
        (None, fail),
        *((None, partial(done.append, number)) for number in range(5)),
    ]
    with pytest.raises(RuntimeError, match="first"):
        TenantShares(calls, places=1).run("test")

    assert done == list(range(5))


def test_no_call_needs_no_thread() -> None:
    TenantShares([], places=PLACES).run("test")


def test_calls_are_made_in_the_threads_there_are_if_no_more_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    made: list[int] = []
    monkeypatch.setattr(threading.Thread, "start", start)

    TenantShares([(None, partial(made.append, number)) for number in range(5)], PLACES).run("test")

    assert made == [0, 1, 2, 3, 4]


def test_a_single_call_is_made_in_the_thread_of_its_caller() -> None:
    made: list[threading.Thread] = []

    TenantShares([(None, lambda: made.append(threading.current_thread()))], PLACES).run("test")

    assert made == [threading.current_thread()]
