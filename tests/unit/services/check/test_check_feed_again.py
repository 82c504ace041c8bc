"""The same check twice, late, in another order, or while others write: it ends as one check does (rule I6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import pytest

from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable, Throttled
from feedward.health.decision import FeedUpdate, Stored
from feedward.health.due_feed import DueFeed
from feedward.model import FetchResult
from feedward.services.check.answer import CheckAnswer, CheckDisposition
from feedward.services.check.check_feed import check_feed
from tests.fakes.directory import NOW
from tests.fakes.dynamodb_faults import FOR_EVER, Died
from tests.unit.services.check.checked import HOUR, URL, Checked, page, rss, status

OLD = rss(f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
NEWS = rss(f"c@{NOW}", f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
PAGES = {"unchanged": page(OLD), "news": page(NEWS), "failure": status(500), "gone": status(410)}


def contents(checked: Checked) -> Any:
    return checked.directory.contents.under(checked.feed_id, "")


@pytest.mark.parametrize("found", PAGES)
def test_a_message_that_comes_twice_changes_nothing(found: str) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(PAGES[found])
    due = checked.due()
    checked.check_when_due()
    before, told = contents(checked), list(checked.directory.bus.events.entries)
    checked.check(due, after=100)
    assert contents(checked) == before
    assert checked.directory.bus.events.entries == told


@pytest.mark.parametrize("found", PAGES)
def test_an_answer_that_got_lost_is_one_that_came(found: str) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(PAGES[found])
    checked.directory.faults.lost_answers = 1
    answer = checked.check_when_due()
    assert answer.disposition is CheckDisposition.APPLIED
    assert checked.feed["rev"] == (1 if found == "unchanged" else 2)
    assert checked.directory.outbox.outbox_entries(checked.feed_id) == []


def other_writer(checked: Checked, *writes: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A store in which another writer writes FEED before each write."""
    left = list(writes)
    real = checked.ports.store.write

    def write(update: FeedUpdate) -> Stored | None:
        if left:
            feed = checked.feed
            changed = {**feed, "rev": feed["rev"] + 1, **left.pop(0)(feed)}
            present = {name: value for name, value in changed.items() if value is not None}
            checked.directory.contents.put_feed_item(**present)
        return real(update)

    class Store:
        def within(self, _: Deadline) -> Self:
            return self

        def __getattr__(self, name: str) -> Any:
            return write if name == "write" else getattr(checked.ports.store, name)

    return replace(checked.ports, store=Store())


def check(checked: Checked, ports: Any) -> CheckAnswer:
    due = checked.due()
    checked.wait(checked.due_at(due) - checked.directory.clock.now())
    return check_feed(due, ports=ports)


def test_a_feed_that_was_written_is_decided_on_again() -> None:
    checked = Checked({URL: page(NEWS)})
    checked.serve(status(500))
    ports = other_writer(checked, lambda _: {"state": "degraded", "consecutive_failures": 4})
    answer = check(checked, ports)
    assert (answer.disposition, checked.feed["consecutive_failures"]) == (CheckDisposition.APPLIED, 5)
    assert checked.told("FeedStateChanged") == []


@pytest.mark.parametrize(
    "write",
    [
        lambda feed: {"state": "paused", "slot": None, "slot_from": None},
        lambda feed: {"merged_into": "0", "slot": None, "slot_from": None},
        lambda feed: {"slot_from": feed["slot_from"] + 60},
        lambda feed: {"url": "https://example.com/moved.xml"},
        lambda feed: {"last_attempt_at": NOW + 24 * HOUR},
    ],
    ids=["paused", "merged", "another slot", "another URL", "a later check"],
)
def test_a_result_that_is_not_wanted_any_more_is_dropped(write: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(NEWS))
    ports = other_writer(checked, write)
    answer = check(checked, ports)
    assert answer.disposition is CheckDisposition.DROPPED
    assert len(checked.item("RECENT")["items"]) == 2
    assert (checked.feed["rev"], checked.told("ItemsPublished")) == (2, [])


@pytest.mark.parametrize(("others", "disposition"), [(3, CheckDisposition.APPLIED), (4, CheckDisposition.DROPPED)])
def test_it_is_decided_again_three_times_at_most(others: int, disposition: CheckDisposition) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(NEWS))
    answer = check(checked, other_writer(checked, *[lambda _: {}] * others))
    assert answer.disposition is disposition


def test_a_feed_that_is_not_there_is_no_error() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(status(500))
    unknown = replace(checked.due(), feed_id="01M3250V00SABR24PA3EYWNYP3")
    assert checked.check(unknown).disposition is CheckDisposition.DROPPED
    assert list(checked.directory.contents.feeds()) == [checked.feed_id]


@pytest.mark.parametrize(("knob", "error"), [("throttles", Throttled)])
def test_a_store_that_fails_is_told_of_and_the_check_can_be_made_again(knob: str, error: type[Exception]) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(NEWS))
    due = checked.due()
    setattr(checked.directory.faults, knob, FOR_EVER)
    with pytest.raises((error, StoreUnavailable)):
        checked.check_when_due()
    setattr(checked.directory.faults, knob, 0)
    assert checked.check(due).disposition is CheckDisposition.APPLIED


@pytest.mark.parametrize("found", PAGES)
@pytest.mark.parametrize("makes_last", [False, True])
def test_another_worker_completes_the_check_of_a_worker_that_died_at_any_call(found: str, makes_last: bool) -> None:
    calls = _calls_of_a_check(found)
    for call in range(calls):
        checked = Checked({URL: page(OLD)})
        checked.serve(PAGES[found])
        due = checked.due()
        checked.directory.lifespan.end_at(call, makes_last=makes_last)
        with pytest.raises(Died):
            checked.check_when_due()
        checked.directory.lifespan.live_on()
        checked.check(due)
        assert _is_ended(checked), (found, call)


def _calls_of_a_check(found: str) -> int:
    checked = Checked({URL: page(OLD)})
    checked.serve(PAGES[found])
    checked.directory.lifespan.live_on()
    checked.check_when_due()
    return len(checked.directory.lifespan.calls)


def _is_ended(checked: Checked) -> bool:
    """The slot is used once, and every event was sent or is in the outbox."""
    undelivered = {each.entry_id for each in checked.directory.outbox.outbox_entries(checked.feed_id)}
    told = {each["id"] for each in checked.directory.bus.details}
    expected = 1 if checked.feed["last_outcome"] in ("server_error",) else 0
    news = len(checked.item("RECENT")["items"]) == 3
    gone = 2 if checked.feed["last_outcome"] == "gone" else 0
    return checked.feed["rev"] == 2 and len(undelivered | told) == max(expected, int(news), gone)


def test_an_older_result_never_undoes_a_later_one() -> None:
    checked = Checked({URL: page(OLD)})
    slow = checked.due()

    class Slow:
        """The first worker's fetch takes so long that another one checks the feed meanwhile."""

        def fetch(self, url: str, **options: Any) -> FetchResult:
            result = checked.directory.fetcher.fetch(url, **options)
            checked.serve(page(NEWS))
            assert checked.check(slow).disposition is CheckDisposition.APPLIED
            return result

    check_feed(slow, ports=replace(checked.ports, fetcher=Slow()))
    assert checked.item("RECENT")["items"][0]["id"] == "urn:c"


def test_the_due_feed_is_read_for_a_requested_check() -> None:
    checked = Checked({URL: page(OLD)})
    due: DueFeed | None = checked.ports.store.due_feed(checked.feed_id)
    assert due is not None
    assert checked.check(due, after=1).disposition is CheckDisposition.APPLIED
    assert checked.ports.store.due_feed("01M3250V00SABR24PA3EYWNYP3") is None


# --- clocks that differ ----------------------------------------------------------------------------


@pytest.mark.parametrize("skew_s", [-90, -60, -1, 1, 90])
def test_a_worker_whose_clock_differs_from_the_sweeps_leaves_the_slot_and_writes_no_more(skew_s: int) -> None:
    checked = Checked({URL: page(rss(*(f"{n}@{NOW - n * 200 * HOUR}" for n in range(5))), etag='"1"')})
    place = checked.due().place
    assert place.slot is not None
    writes = []
    for _ in range(4):  # of these days one or two have a heartbeat
        checked.directory.faults.calls.clear()
        due = checked.due_in_its_slot()
        assert due.minute is not None
        checked.check(due, after=due.minute * 60 + skew_s - checked.directory.clock.now())
        checked.wait(100 - skew_s)
        writes.append(checked.directory.faults.calls.count("update_item"))
        assert (checked.due().place, checked.feed["rev"]) == (place, 1)
        assert checked.due_at() == due.minute * 60 + place.slot.every_s

    assert sum(writes) == 2
