"""URLs that become rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from feedward.errors import InvalidInput, Throttled
from feedward.frontier.row import FrontierRow, RowStatus, Submitted
from feedward.frontier.settings import FrontierSettings
from feedward.scheduling.lateness import LEAST_AHEAD_S as AHEAD_S
from feedward.services.collect.submit import Entry, submit
from tests.fakes.collecting import FakeCollecting, run_id
from tests.fakes.directory import NOW
from tests.fakes.dynamodb_faults import FOR_EVER

A = "https://a.example/"
PACED = FrontierSettings(host_pause_s=1.0)


def rows_of(entries: tuple[Entry, ...]) -> list[FrontierRow]:
    assert all(isinstance(entry, Submitted) for entry in entries), entries
    return [entry.row for entry in entries if isinstance(entry, Submitted)]


def test_a_new_url_is_a_pending_row_that_is_sent_at_once_and_due_a_minute_later() -> None:
    world = FakeCollecting({})

    (row,) = rows_of(submit([A], tenant_id=None, ports=world.ports))

    (message,) = world.queue.messages
    assert (row.url, row.host, row.status, row.owner) == (A, "a.example", RowStatus.PENDING, None)
    assert row.next_fetch_at == NOW + AHEAD_S
    assert ([each.row_id for each in message.entries], world.queue.delays) == ([row.row_id], [0])


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("example.com/x", "https://example.com/x"),
        ("htp://example.com/x", "http://example.com/x"),
        ("https://EXAMPLE.com:443/a/../x#part", "https://example.com/x"),
        ("  https://example.com/x  ", "https://example.com/x"),
        ("https://example.com/x?utm_source=y", "https://example.com/x?utm_source=y"),
    ],
)
def test_urls_are_repaired_and_keep_their_parameters(given: str, url: str) -> None:
    (row,) = rows_of(submit([given], tenant_id=None, ports=FakeCollecting({}).ports))

    assert row.url == url


def test_a_bad_url_is_named_and_stops_no_other() -> None:
    bad: list[Any] = [
        "", "mailto:a@example.com", "https://u:p@example.com/", "http://127.0.0.1/", "http://localhost/",
        "https://example.com:22/", "https://example.com/" + "x" * 3000, 7, None, "file:///etc/passwd",
        "https://example.com/caf\udce9",
    ]  # fmt: skip
    world = FakeCollecting({})

    entries = submit([A, *bad, "https://b.example/"], tenant_id=None, ports=world.ports)

    named = [entry.field for entry in entries if isinstance(entry, InvalidInput)]
    assert named == [f"urls[{place}]" for place in range(1, len(bad) + 1)]
    assert {row.url for row in world.rows()} == {A, "https://b.example/"}


def test_urls_that_are_one_by_their_key_are_one_row_made_by_the_first() -> None:
    world = FakeCollecting({})

    entries = submit(["http://a.example/x", "https://a.example/x/", "a.example/x"], tenant_id=None, ports=world.ports)

    assert len({row.row_id for row in rows_of(entries)}) == 1
    assert [entry.created for entry in entries if isinstance(entry, Submitted)] == [True, False, False]
    assert rows_of(entries)[0].url == "http://a.example/x"
    assert len(world.queue.messages) == 1


def test_a_url_that_is_there_returns_its_row_and_sends_nothing() -> None:
    world = FakeCollecting({})
    before = world.add(A)

    (entry,) = submit([A], tenant_id=None, ports=world.ports)

    assert entry == Submitted(row=before, created=False)
    assert world.queue.messages == []


def test_known_urls_are_read_together_and_cost_a_write_only_if_a_run_waits_for_them() -> None:
    world = FakeCollecting({})
    urls = [f"https://a.example/{n}" for n in range(25)]
    submit(urls, tenant_id=None, ports=world.ports)
    calls = world.feeds.faults.calls

    calls.clear()
    submit(urls, tenant_id=None, ports=world.ports)
    assert calls == ["batch_get_item"] * 2

    calls.clear()
    submit(urls, tenant_id=None, runs=frozenset({run_id("r")}), ports=world.ports)
    assert Counter(calls) == {"batch_get_item": 2, "update_item": 25}


def test_urls_are_submitted_one_by_one_where_the_store_cannot_read_them_together() -> None:
    world = FakeCollecting({})
    before = world.add(A)
    world.feeds.faults.unprocessed = FOR_EVER

    known, new = rows_of(submit([A, "https://b.example/"], tenant_id=None, ports=world.ports))

    assert (known, new.status) == (before, RowStatus.PENDING)


def test_a_run_asks_for_a_row_that_was_fetched_again() -> None:
    world = FakeCollecting({A: {"body": "x"}})
    submit([A], tenant_id=None, ports=world.ports)
    world.work()

    (row,) = rows_of(submit([A], tenant_id=None, runs=frozenset({run_id("r")}), ports=world.ports))

    assert row.runs == {run_id("r")}
    assert [each.row_id for message in world.queue.messages for each in message.entries] == [row.row_id]


def test_a_run_joins_a_row_that_is_on_its_way_without_another_message() -> None:
    world = FakeCollecting({})
    submit([A], tenant_id=None, ports=world.ports)
    world.queue.take()
    world.clock.advance(10)

    (row,) = rows_of(submit([A], tenant_id=None, runs=frozenset({run_id("r")}), ports=world.ports))

    assert row.runs == {run_id("r")}
    assert world.queue.messages == []


def test_doing_a_call_again_makes_no_row_twice() -> None:
    world = FakeCollecting({})
    urls = [f"https://a.example/{n}" for n in range(25)]
    runs = frozenset({run_id("r")})

    first = rows_of(submit(urls, tenant_id=None, runs=runs, ports=world.ports))
    second = rows_of(submit(urls, tenant_id=None, runs=runs, ports=world.ports))

    assert [row.row_id for row in first] == [row.row_id for row in second]
    assert len(world.rows()) == 25


def test_rows_of_one_host_travel_together_with_growing_delays_and_are_due_after_their_message() -> None:
    world = FakeCollecting({}, settings=PACED)

    rows_of(submit([f"https://a.example/{n}" for n in range(25)], tenant_id=None, ports=world.ports))

    assert [len(message.entries) for message in world.queue.messages] == [10, 10, 5]
    assert world.queue.delays == [0, 10, 20]
    for message in world.queue.messages:
        for place, row in enumerate(message.entries):
            assert row.next_fetch_at == message.sent_at + AHEAD_S + place


def test_entries_that_no_message_can_delay_are_due_in_their_order() -> None:
    world = FakeCollecting({}, settings=PACED)

    rows = rows_of(submit([f"https://a.example/{n}" for n in range(1000)], tenant_id=None, ports=world.ports))

    sent = {row.row_id for message in world.queue.messages for row in message.entries}
    left = [row for row in rows if row.row_id not in sent]
    assert (len(sent), len(left)) == (850, 150)
    assert [row.next_fetch_at for row in left] == [NOW + 850 + n for n in range(150)]


def test_calls_with_a_common_busy_resource_run_one_after_the_other() -> None:
    world = FakeCollecting({}, settings=PACED)
    busy: dict[str, int] = {}

    for start in (0, 10):
        urls = [f"https://a.example/{start + n}" for n in range(10)]
        submit(urls, tenant_id=None, ports=world.ports, busy=busy)

    assert world.queue.delays == [0, 10]


@pytest.mark.parametrize(("tenant_id", "owner"), [("acme", "acme"), (None, None)])
def test_a_url_with_a_token_is_its_tenants_alone(tenant_id: str | None, owner: str | None) -> None:
    world = FakeCollecting({})
    secret = "https://a.example/feed?token=1f3a"

    (row,) = rows_of(submit([secret], tenant_id=tenant_id, ports=world.ports))

    assert row.owner == owner
    assert bool(world.ports.frontier.find([secret])) is (owner is None)


def test_two_tenants_with_the_same_secret_url_have_a_row_each_and_share_every_other() -> None:
    world = FakeCollecting({})
    urls = ["https://a.example/feed?token=1f3a", A]

    one, other = (rows_of(submit(urls, tenant_id=tenant, ports=world.ports)) for tenant in ("acme", "bmce"))

    assert one[0].row_id != other[0].row_id
    assert one[1].row_id == other[1].row_id


def test_a_message_that_the_queue_does_not_take_is_left_to_the_due_index() -> None:
    world = FakeCollecting({})
    world.queue.sqs.fails = 1000

    (row,) = rows_of(submit([A], tenant_id=None, ports=world.ports))

    assert world.row(row.row_id).next_fetch_at == NOW + AHEAD_S


def test_an_error_of_the_store_is_raised_after_the_others_were_stored_and_sent() -> None:
    world = FakeCollecting({})
    store: Any = world.ports.frontier
    really = store.submit

    def failing(row: FrontierRow, **more: Any) -> Submitted:
        if row.host == "b.example":
            raise Throttled("no")
        answer: Submitted = really(row, **more)
        return answer

    store.submit = failing
    with pytest.raises(Throttled):
        submit(["https://b.example/", A], tenant_id=None, ports=world.ports)

    assert [row.url for row in world.rows()] == [A]
    assert [row.url for message in world.queue.messages for row in message.entries] == [A]
