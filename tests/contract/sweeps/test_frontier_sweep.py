"""The sweep of the frontier: each due row is sent once, at the cost of the due rows (rule M1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSweepStore
from feedward.adapters.dynamodb.frontier.sweep_store import DynamoRowSweepStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.sqs import SqsWorkQueue
from feedward.frontier.messages import CollectMessage, row_pace
from feedward.frontier.row import FrontierRow
from feedward.frontier.settings import DEFAULT_SETTINGS
from feedward.model import Validators
from feedward.scheduling.lateness import LONGEST_DELAY_S
from feedward.scheduling.message_plan import TOO_LARGE_S
from feedward.scheduling.shards import DUE_SHARDS
from feedward.services.sweep.repair import RepairReport, repair
from feedward.services.sweep.sweep import SweepReport, sweep, sweep_due
from tests.contract.benches.due_feeds import feed_item, put_feeds
from tests.contract.benches.frontier import FrontierBench, dead, failed, fetched, new_row
from tests.contract.benches.queues import new_queue, received
from tests.contract.conftest import Bench, frontier_of
from tests.fakes.directory import FakeClock
from tests.fakes.dynamodb_faults import FOR_EVER, Died
from tests.fakes.dynamodb_table import client_error
from tests.fakes.feed_store import PATIENT
from tests.fakes.health_queue import URL as QUEUE_URL
from tests.fakes.health_queue import FakeHealthQueue, InMemorySqs
from tests.fakes.lifespan import Lifespan, Mortal


@dataclass
class RowSweeping:
    """A frontier to sweep: its rows, its queue, a clock, and the lifespan of the sweeper."""

    frontier: FrontierBench
    sqs: Any
    queue_url: str
    bodies: Callable[[], list[str]]
    clock: FakeClock = field(default_factory=FakeClock)
    lifespan: Lifespan = field(default_factory=Lifespan)

    @property
    def now(self) -> int:
        return self.clock.now()

    def store(self) -> DynamoRowSweepStore:
        client: Any = Mortal(self.frontier.faults, self.lifespan)
        return DynamoRowSweepStore(Tables(client, self.frontier.contents.names, PATIENT))

    def sweep(self, **options: Any) -> SweepReport:
        client: Any = Mortal(self.sqs, self.lifespan)
        queue = SqsWorkQueue(client, self.queue_url, PATIENT)
        return sweep_due(row_pace(DEFAULT_SETTINGS), store=self.store(), queue=queue, clock=self.clock, **options)

    def repair(self) -> RepairReport:
        return repair(store=self.store(), clock=self.clock)

    def submit(self, names: Iterable[str], *, ago: int = 30, host: str | None = None, **members: Any) -> list[str]:
        """Write rows that are due since then, each at a host of its own unless one is given; return their ids."""
        rows = [
            new_row(name, f"https://{host or f'{name}.example.com'}/{name}", next_fetch_at=self.now - ago, **members)
            for name in names
        ]
        self.frontier.put(rows)
        return [row.row_id for row in rows]

    def messages(self) -> list[CollectMessage]:
        return [CollectMessage.from_text(body) for body in self.bodies()]

    def sent(self) -> Counter[str]:
        return Counter(row.row_id for message in self.messages() for row in message.entries)

    def state_rows(self) -> list[dict[str, Any]]:
        client: Any = self.frontier.faults
        rows: list[dict[str, Any]] = client.scan(TableName=self.frontier.contents.names.state)["Items"]
        return rows


@pytest.fixture
def fake_rows(fake_bench: Bench) -> RowSweeping:
    sqs = InMemorySqs()
    return RowSweeping(frontier_of(fake_bench), sqs, QUEUE_URL, lambda: [body for body, _ in sqs.sent])


@pytest.fixture
def real_rows(dynamodb_bench: Bench, real_sqs: Any) -> RowSweeping:
    url, bodies = new_queue(real_sqs), list[str]()

    def arrived() -> list[str]:
        bodies.extend(received(real_sqs, url))
        return bodies

    return RowSweeping(frontier_of(dynamodb_bench), real_sqs, url, arrived)


@pytest.fixture(params=["fake", "real"])
def rows(request: pytest.FixtureRequest) -> RowSweeping:
    found: RowSweeping = request.getfixturevalue(f"{request.param}_rows")
    return found


# --- due rows are sent once -------------------------------------------------------------------------


def test_a_row_that_no_message_can_hold_is_postponed_and_the_sweep_goes_on(rows: RowSweeping) -> None:
    runs = frozenset(f"{n:026}" for n in range(9_500))
    [monster] = rows.submit(["monster"], ago=40, host="a.example.com", runs=runs)
    others = rows.submit([f"n{n}" for n in range(5)], host="a.example.com")

    report = rows.sweep()

    assert (report.failures, report.complete, report.postponed) == ((), True, 1)
    assert rows.sent() == Counter(others)
    assert rows.frontier.row(monster).next_fetch_at == rows.now + TOO_LARGE_S
    rows.clock.advance(60)
    later = rows.submit(["later"], ago=10)
    rows.sweep()
    assert rows.sent() == Counter([*others, *later])


def test_rows_that_are_due_are_sent_once_and_others_are_not(rows: RowSweeping) -> None:
    due = rows.submit(["now"], ago=0) + rows.submit(["old"], ago=86_400)
    rows.submit(["later"], ago=-1)
    [done] = rows.submit(["done"])
    rows.frontier.store.update_fetched(rows.frontier.row(done), fetched(rows.frontier.row(done)))
    [given_up] = rows.submit(["dead"])
    rows.frontier.store.update_failed(rows.frontier.row(given_up), dead(rows.frontier.row(given_up)))
    report = rows.sweep()
    assert (report.due, report.sent, report.complete, report.oldest_due_at) == (2, 2, True, rows.now - 86_400)
    assert rows.sent() == Counter(due)
    again = rows.sweep()
    assert (again.due, again.messages) == (0, 0)


def test_a_message_carries_the_whole_row_so_that_a_fetch_reads_nothing(rows: RowSweeping) -> None:
    members: dict[str, Any] = {
        "attempts": 2,
        "last_error": "timeout",
        "http_status": 503,
        "validators": Validators(etag='"1"', last_modified="Tue, 01 Jan 2030 00:00:00 GMT"),
        "final_url": "https://example.org/final",
        "last_fetched_at": rows.now - 9000,
        "created_at": rows.now - 99_000,
        "runs": frozenset({"a", "b"}),
        "content_version": "http_snapshot_url_v1_text_v1",
        "scheme_open": True,
        "item_id": "item",
        "owner": "t1",
    }
    [row_id] = rows.submit(["row"], **members)
    rows.sweep()
    [message] = rows.messages()
    [row] = message.entries
    stored = rows.frontier.row(row_id)
    assert row.sent_at == rows.now
    assert all(getattr(row, name) == getattr(stored, name) for name in stored.__slots__ if name != "sent_at")
    assert all(getattr(row, name) == value for name, value in members.items())


def test_a_failed_row_is_sent_when_its_time_has_come(rows: RowSweeping) -> None:
    [row_id] = rows.submit(["row"])
    rows.sweep()
    row = rows.frontier.row(row_id)
    rows.frontier.store.update_failed(row, failed(row, now=rows.now))
    rows.clock.advance(299)
    assert rows.sweep().due == 0
    rows.clock.advance(1)
    assert rows.sweep().sent == 1
    assert rows.sent() == Counter({row_id: 2})


def test_1000_rows_of_many_hosts_are_each_in_exactly_one_message(fake_rows: RowSweeping) -> None:
    ids = fake_rows.submit((f"r{n}" for n in range(1000)), ago=5)
    fake_rows.frontier.faults._client.page_items = 500
    report = fake_rows.sweep()
    assert (report.due, report.sent, report.complete) == (1000, 1000, True)
    assert fake_rows.sent() == Counter(ids)
    assert report.messages <= 1000 / 10 + DUE_SHARDS


def test_a_row_that_cannot_be_read_delays_no_other(fake_rows: RowSweeping) -> None:
    ids = fake_rows.submit(["fine"], host="a.example.com", ago=20)
    [broken] = fake_rows.submit(["broken"], host="a.example.com", ago=40)
    item = fake_rows.frontier.contents.rows()[broken] | {"status": "lost"}
    fake_rows.frontier.bench.contents.put_row(**item)
    report = fake_rows.sweep()
    assert (report.sent, report.unreadable) == (1, 1)
    assert fake_rows.sent() == Counter(ids)


# --- costs ------------------------------------------------------------------------------------------


def test_nothing_due_writes_nothing_and_reads_each_shard_once(rows: RowSweeping) -> None:
    rows.submit(["later"], ago=-60)
    assert rows.sweep().complete
    assert Counter(rows.lifespan.calls) == Counter(query=1 + DUE_SHARDS)
    assert rows.state_rows() == []


def test_claims_cost_the_due_rows_and_not_all_rows(real_rows: RowSweeping) -> None:
    def cost(of: DynamoRowSweepStore) -> tuple[int, float]:
        pages = [of.due(shard, after=None, until=real_rows.now) for shard in range(DUE_SHARDS)]
        return sum(len(page.due) for page in pages), sum(units)

    units: list[float] = []
    client = real_rows.frontier.faults

    class Counting:
        def query(self, **request: Any) -> Any:
            answer = client.query(**request, ReturnConsumedCapacity="TOTAL")
            units.append(answer["ConsumedCapacity"]["CapacityUnits"])
            return answer

    counting: Any = Counting()
    store = DynamoRowSweepStore(Tables(counting, real_rows.frontier.contents.names, PATIENT))
    real_rows.submit(f"d{n}" for n in range(20))
    due, before = cost(store)
    real_rows.submit((f"l{n}" for n in range(150)), ago=-3600)
    for row_id in real_rows.submit((f"f{n}" for n in range(30)), ago=-60):
        row = real_rows.frontier.row(row_id)
        real_rows.frontier.store.update_fetched(row, fetched(row))
    units.clear()
    assert (due, cost(store)) == (20, (20, before))
    assert before <= DUE_SHARDS + 20 * 0.5


# --- two sweeps, of feeds and of rows -------------------------------------------------------------------


def test_feeds_and_rows_are_swept_side_by_side_with_cursors_apart(fake_rows: RowSweeping) -> None:
    contents, faults = fake_rows.frontier.bench.contents, fake_rows.frontier.faults
    feed_ids = put_feeds(contents, [feed_item("feed", at=fake_rows.now - 30, host="one.example.com")])
    row_ids = fake_rows.submit(["row"], host="one.example.com", ago=90)
    feeds = FakeHealthQueue()
    feed_sweeps = DynamoSweepStore(Tables(faults, contents.names, PATIENT))
    assert sweep(store=feed_sweeps, queue=feeds, clock=fake_rows.clock).sent == 1
    assert fake_rows.sweep().sent == 1, "the cursor of the feeds is past it, that of the rows is not"
    assert (feeds.feed_ids, fake_rows.sent()) == (feed_ids, Counter(row_ids))
    partitions = {row["pk"]["S"] for row in fake_rows.state_rows()}
    assert partitions == {"SWEEP#feeds", "SWEEP#rows"}


def test_a_shard_that_another_sweep_holds_is_left_alone(rows: RowSweeping) -> None:
    rows.submit(["row"])
    store = rows.store()
    for shard in store.shards():
        assert store.take_lease(shard, holder="another", until=rows.now + 60)
    assert (rows.sweep().leased, rows.sweep().sent) == (DUE_SHARDS, 0)
    rows.clock.advance(61)
    assert rows.sweep().sent == 1


@pytest.mark.parametrize("makes_last", [True, False])
def test_a_sweep_that_is_killed_anywhere_loses_no_row(fake_rows: RowSweeping, makes_last: bool) -> None:
    fake_rows.submit(f"r{n}" for n in range(12))
    fake_rows.sweep()
    for call in range(len(fake_rows.lifespan.calls)):
        fake_rows.clock.advance(300)
        ids = fake_rows.submit(f"k{call}-{n}" for n in range(12))
        fake_rows.sqs.sent.clear()
        fake_rows.lifespan.end_at(call, makes_last=makes_last)
        with pytest.raises(Died):
            fake_rows.sweep()
        fake_rows.lifespan.live_on()
        fake_rows.clock.advance(120)
        assert fake_rows.sweep().complete
        assert set(fake_rows.sent()) == set(ids)


# --- politeness -------------------------------------------------------------------------------------


def test_rows_of_a_host_that_no_message_can_wait_for_are_due_at_the_pace_of_the_host(fake_rows: RowSweeping) -> None:
    ids = fake_rows.submit((f"r{n:04d}" for n in range(LONGEST_DELAY_S + 160)), host="big.example.org")
    fake_rows.frontier.faults._client.page_items = 500
    report = fake_rows.sweep()
    assert report.due == len(ids)
    assert report.sent + report.postponed == len(ids)
    assert report.postponed >= 140
    assert (report.complete, fake_rows.sweep().due) == (True, 0)
    sent = set(fake_rows.sent())
    waiting = [fake_rows.frontier.row(row_id) for row_id in ids if row_id not in sent]
    assert len(waiting) == report.postponed
    assert all((row.next_fetch_at or 0) > fake_rows.now + LONGEST_DELAY_S - 60 for row in waiting)
    fake_rows.clock.advance(LONGEST_DELAY_S + 200)
    assert fake_rows.sweep().sent == len(waiting)
    assert fake_rows.sent() == Counter(ids)


def test_entries_that_could_not_be_postponed_are_left_to_the_next_sweep(fake_rows: RowSweeping) -> None:
    fake_rows.submit((f"r{n:04d}" for n in range(LONGEST_DELAY_S + 60)), host="big.example.org")
    fake_rows.frontier.faults._client.page_items = 500
    real, [table] = fake_rows.frontier.faults._client.update_item, [fake_rows.frontier.contents.names.frontier]

    def update_item(**request: Any) -> Any:
        if request["TableName"] == table:
            raise client_error("ThrottlingException", "UpdateItem")
        return real(**request)

    fake_rows.frontier.faults._client.update_item = update_item
    first = fake_rows.sweep()
    assert (first.postponed, first.complete) == (0, False)
    fake_rows.frontier.faults._client.update_item = real
    second = fake_rows.sweep()
    assert second.complete
    assert second.sent + second.postponed == second.due > 0


# --- repair -----------------------------------------------------------------------------------------


def test_a_row_that_was_sent_and_forgotten_is_due_anew_after_20_minutes(rows: RowSweeping) -> None:
    [row_id] = rows.submit(["row"])
    rows.sweep()
    assert rows.repair().overdue == 0
    rows.clock.advance(1201)
    report = rows.repair()
    assert (report.overdue, report.postponed, report.complete) == (1, 1, True)
    row = rows.frontier.row(row_id)
    assert row.next_fetch_at is not None
    assert rows.now + 60 <= row.next_fetch_at <= rows.now + 66
    assert row.rev == 2
    rows.clock.advance(70)
    assert rows.sweep().sent == 1
    assert rows.sent() == Counter({row_id: 2})


def test_repair_leaves_alone_rows_that_were_fetched_or_rescheduled_meanwhile(rows: RowSweeping) -> None:
    store = rows.store()
    done_id, later_id = rows.submit(["done", "later"])
    done = rows.frontier.row(done_id)
    rows.frontier.store.update_fetched(done, fetched(done))
    before = rows.frontier.contents.rows()
    for row_id in (done_id, later_id, "unknown"):
        assert not store.postpone(row_id, seen=rows.now - 2000, to=rows.now + 60)
    assert rows.frontier.contents.rows() == before


def test_repair_reports_its_failures(fake_rows: RowSweeping) -> None:
    fake_rows.submit(["row"], ago=2000)
    fake_rows.frontier.faults.throttles = FOR_EVER
    report = fake_rows.repair()
    assert (report.postponed, report.complete, set(report.failures)) == (0, False, {"throttled"})


def test_a_row_whose_worker_was_slower_than_the_repair_pass_is_decided_again(rows: RowSweeping) -> None:
    [row_id] = rows.submit(["row"], ago=2000)
    rows.sweep()
    seen: FrontierRow = rows.messages()[0].entries[0]
    assert rows.repair().postponed == 1
    now = rows.frontier.store.update_fetched(seen, fetched(seen))
    assert now == rows.frontier.row(row_id)
    assert now is not None
    assert rows.frontier.store.update_fetched(now, fetched(now)) is None
