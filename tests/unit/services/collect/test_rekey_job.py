"""The job that re-keys the registry: step by step, by one worker at a time, despite kills
(rule C4).
"""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from feedward.adapters.dynamodb.registry.rekey import DynamoRekeyStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.messages import Job, JobMessage
from feedward.services.collect import rekey_registry as rekey
from feedward.services.collect import run_jobs as drive_jobs
from feedward.services.collect.rekey_registry import RekeyStep
from feedward.services.collect.run_jobs import resume_open_jobs, run_job_step
from feedward.urls.key import KEY_VERSION, key, url_hash
from tests.fakes.collecting import FakeCollecting
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.lifespan import Lifespan, Mortal

NEXT, ROWS, AT_ONCE = "2", 23, 5
URLS = [f"https://h{n}.example/page?session={n}" for n in range(ROWS)]


def next_hash(url: str, scope: str = "") -> str:
    """The hash under a key that drops queries."""
    return hashlib.sha256(f"{scope}\n{key(url).partition('?')[0]}".encode()).hexdigest()


class Moving(FakeCollecting):
    """A registry of the previous key, and a store of the re-keying whose reads take time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, stretch_s: float = 0.0) -> None:
        super().__init__({})
        monkeypatch.setattr(rekey, "STEP_ROWS", AT_ONCE)
        self._stretch_s = stretch_s
        self.row_ids = {url: self.add(url).row_id for url in URLS}
        self.store = self.store_on(self.feeds.faults)

    def store_on(self, client: Any) -> DynamoRekeyStore:
        store = DynamoRekeyStore(Tables(client, self.feeds.contents.names, PATIENT))
        outdated = store.outdated

        def slow(*values: Any, **named: Any) -> Any:
            self.clock.advance(self._stretch_s)
            return outdated(*values, **named)

        store.outdated = slow  # type: ignore[method-assign]
        return store

    def step(self, *, within_s: float = 600.0, store: DynamoRekeyStore | None = None) -> RekeyStep:
        return rekey.rekey(
            store=store or self.store, clock=self.clock, version=NEXT, hash_of=next_hash, within_s=within_s
        )

    def check_moved(self) -> None:
        """Each row has its new hash, and is found by it and by the old one; each was counted once."""
        urls = self.feeds.contents.urls()
        for url, row_id in self.row_ids.items():
            assert self.row(row_id).url_hash == next_hash(url)
            assert urls[next_hash(url)]["row_id"] == urls[url_hash(url)]["row_id"] == row_id
        done = self.store.rekeying(NEXT)
        assert (done.done, done.claimed, done.duplicate, done.unusable) == (True, ROWS, 0, 0)


def test_the_registry_is_moved_in_one_step_where_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Moving(monkeypatch)

    assert world.step().done
    world.check_moved()
    before = world.feeds.contents.urls()
    assert world.step().done
    assert world.feeds.contents.urls() == before


def test_a_step_that_has_no_time_left_hands_the_job_to_the_next_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Moving(monkeypatch, stretch_s=15.0)
    steps = [world.step(within_s=30.0)]
    while not steps[-1].done:
        steps.append(world.step(within_s=30.0))

    assert not any(step.leased for step in steps)
    assert len(steps) > 2
    world.check_moved()


def test_a_job_that_another_has_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Moving(monkeypatch)
    now = world.clock.now()
    assert world.store.take(NEXT, holder="other", now=now, lease_until=now + 60) is not None

    assert (world.step().leased, world.step().done) == (True, True)
    world.clock.advance(60)
    assert not world.step().leased
    world.check_moved()


@pytest.mark.parametrize("makes_last", [False, True])
def test_after_a_kill_at_any_call_the_next_worker_continues(monkeypatch: pytest.MonkeyPatch, makes_last: bool) -> None:
    world = Moving(monkeypatch)
    killed, call = 0, 0
    while not world.store.rekeying(NEXT).done:
        lifespan = Lifespan()
        lifespan.end_at(call, makes_last=makes_last)
        try:
            world.step(within_s=60.0, store=world.store_on(Mortal(world.feeds.faults, lifespan)))
        except Died:
            killed += 1
        call += 1
        world.clock.advance(71)

    assert killed > 10
    world.check_moved()


def test_the_job_goes_from_message_to_message_and_is_sent_for_where_it_was_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Moving(monkeypatch, stretch_s=15.0)
    monkeypatch.setattr(drive_jobs, "KEY_VERSION", NEXT)
    monkeypatch.setattr(
        drive_jobs, "rekey", lambda *, store, clock, within_s: world.step(within_s=within_s, store=store)
    )

    assert resume_open_jobs(ports=world.ports, rekeys=world.store).rekey
    assert [(each.job, each.job_id) for each in world.queue.jobs] == [(Job.REKEY, NEXT)]
    steps = 0
    while jobs := world.queue.jobs:
        world.queue.take()
        run_job_step(jobs[0], ports=world.ports, rekeys=world.store, within_s=30.0)
        steps += 1

    assert steps > 2
    world.check_moved()
    assert not resume_open_jobs(ports=world.ports, rekeys=world.store).rekey


def test_a_registry_of_the_current_key_is_gone_through_once_and_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Moving(monkeypatch)
    before = world.feeds.contents.urls()
    message = JobMessage(sent_at=world.clock.now(), job=Job.REKEY, job_id=KEY_VERSION)

    run_job_step(message, ports=world.ports, rekeys=world.store, within_s=600.0)

    assert world.feeds.contents.urls() == before
    assert not resume_open_jobs(ports=world.ports, rekeys=world.store).rekey
