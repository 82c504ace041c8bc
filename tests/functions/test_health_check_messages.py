"""The health check as its queue's worker: batches that are late, doubled, bad, too large, or meet a failing store."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from threading import Condition
from typing import Any, Self

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.scheduling.lateness import is_late
from feedward.scheduling.slots import Slot
from feedward.services.check.answer import CheckDisposition
from feedward.services.check.check_batch import HOST_PAUSE_S, SETTINGS, BatchReport, check_batch
from feedward.services.check.check_feed import check_feed
from feedward.services.directory.act_on_feed import pause_feed
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.functions.conftest import LambdaContext
from tests.functions.health_check import HealthCheck, feed_page, feed_url, pages
from tests.unit.services.check.checked import page, rss, status

HOST = "crowded.example"
FIVE = tuple(feed_url(number) for number in range(5))
CROWD = tuple(feed_url(number, HOST) for number in range(10))


def batch(function: HealthCheck, *texts: str, within_s: float = 58.0) -> BatchReport:
    messages = [HealthMessage.from_text(text) for text in texts]
    return check_batch(messages, ports=function.directory.services().check_batch_ports, within_s=within_s)


# --- twice, late, in reverse ------------------------------------------------------------------------


def test_the_same_messages_again_change_nothing(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    texts = function.swept()
    function.deliver(*texts)
    once = function.stored()

    for again in (texts, texts[::-1]):
        function.wait(5)
        assert function.deliver(*again) == []

    assert function.stored() == once


def in_slots(function: HealthCheck) -> list[str]:
    """The messages of the next minute in which feeds are due in their slots, and all those before."""
    function.deliver(*function.swept())
    function.directory.internet.requests.clear()
    for _ in range(2 * 24 * 60):
        function.wait(60)
        function.do("sweep")
        texts = function.taken()
        if any(feed.minute is not None for text in texts for feed in HealthMessage.from_text(text).entries):
            return texts
        function.deliver(*texts)
    raise AssertionError


def test_a_message_of_a_slot_that_comes_twice_asks_no_host_twice_and_costs_no_call(log: io.StringIO) -> None:
    function = HealthCheck(log)
    texts = in_slots(function)
    function.deliver(*texts)
    asked, calls = list(function.requests), function.directory.faults.calls
    calls.clear()

    function.wait(40)
    assert function.deliver(*texts) == []

    assert function.requests == asked
    assert not [call for call in calls if call in ("update_item", "put_item", "transact_write_items")]


def test_a_slot_whose_check_did_not_end_is_checked_when_its_message_comes_again(log: io.StringIO) -> None:
    function = HealthCheck(log)
    texts = in_slots(function)
    function.network[feed_url(0)] = page(rss("item-0", "news", title="Feed 0"))
    function.directory.internet.requests.clear()
    function.directory.faults.throttles = 1_000_000
    assert function.deliver(*texts) == ["0"]
    function.directory.faults.throttles = 0

    assert function.deliver(*texts) == []

    assert function.requests == [feed_url(0)] * 2


def test_a_slot_that_was_checked_is_due_again_in_its_next_minute(log: io.StringIO) -> None:
    function = HealthCheck(log)
    function.deliver(*in_slots(function))

    texts = in_slots(function)
    function.directory.internet.requests.clear()
    function.deliver(*texts)

    assert function.requests == [feed_url(0)]


def test_a_feed_that_two_messages_of_a_batch_hold_is_asked_once(log: io.StringIO) -> None:
    function = HealthCheck(log)
    text = function.swept()[0]

    assert function.deliver(text, text) == []

    assert function.requests == [feed_url(0)]


def test_of_two_messages_about_a_feed_the_later_one_counts(log: io.StringIO) -> None:
    function = HealthCheck(log)
    (old,) = function.swept()
    function.deliver(old)
    function.let_all_be_due()
    new = function.message()
    function.directory.internet.requests.clear()

    assert function.deliver(new, old) == []

    assert function.requests == [feed_url(0)]
    assert function.slots()[0] > function.directory.clock.now()


def test_a_late_message_is_dropped_without_a_fetch(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    texts = function.swept()
    before = function.stored()
    function.wait(16 * 60)

    assert function.deliver(*texts) == []

    assert (function.requests, function.stored()) == ([], before)


def put_in_slot(function: HealthCheck, every: int) -> DueFeed:
    """Put the feed into a slot of this class, and return it as the sweep sends it in this minute."""
    minute = function.directory.clock.now() // 60
    feed = {name: value for name, value in function.feed.items() if name not in ("next_check_at", "due_shard")}
    slot = Slot(every=every, phase=minute % every)
    function.directory.contents.put_feed_item(**{**feed, "slot": slot.key, "slot_from": 0})
    return replace(function.due(), minute=minute)


@pytest.mark.parametrize("every", [15, 120, 240, 1440])
def test_a_feed_of_a_long_class_whose_message_came_too_late_is_checked_within_the_hour(
    log: io.StringIO, every: int
) -> None:
    function = HealthCheck(log)
    due = put_in_slot(function, every)
    text = HealthMessage(entries=(due,), sent_at=function.directory.clock.now()).to_text()
    function.wait(16 * 60)
    now = function.directory.clock.now()

    assert function.deliver(text) == []

    assert function.requests == []
    place = function.due().place
    if every < 240:
        assert place == due.place
    else:
        assert place.slot is None
        assert now < place.from_s <= now + 3720


@pytest.mark.parametrize(("owner", "said"), [("acme", "zulu"), ("acme", None), ("", "acme")])
def test_a_message_that_names_another_tenant_than_the_feeds_ends_without_a_fetch(
    log: io.StringIO, owner: str, said: str | None
) -> None:
    function = HealthCheck(log, scope=owner)
    forged = replace(function.due(), owner=said)
    before = function.stored()

    assert function.deliver(HealthMessage(entries=(forged,), sent_at=function.directory.clock.now()).to_text()) == []

    assert (function.requests, function.stored()) == ([], before)
    assert [line["others"] for line in function.log_lines if line["message"] == "checked"] == [{"foreign": 1}]


def test_a_feed_whose_hash_is_of_an_older_key_version_is_checked(log: io.StringIO) -> None:
    function = HealthCheck(log, scope="acme")
    old = replace(function.due(), url_hash="0" * 64)

    function.deliver(HealthMessage(entries=(old,), sent_at=function.directory.clock.now()).to_text())

    assert function.requests == [feed_url(0)]


@pytest.mark.parametrize("is_pushed", [True, False])
def test_a_check_that_waits_for_its_host_moves_a_slot_unless_a_push_asked_for_it(
    log: io.StringIO, is_pushed: bool
) -> None:
    function = HealthCheck(log)
    now = function.directory.clock.now()
    due = put_in_slot(function, 240)
    asked = replace(due, pushed_at=now, minute=None) if is_pushed else due
    function.directory.limiter.cool_down(due.host, until=now + 600, now=now)

    assert function.deliver(HealthMessage(entries=(asked,), sent_at=now).to_text()) == []

    assert function.requests == []
    assert (function.due().place == due.place) is is_pushed


def test_an_old_message_after_a_newer_check_changes_nothing(log: io.StringIO) -> None:
    function = HealthCheck(log)
    old = function.message()
    function.deliver(*function.swept())
    after = function.stored()

    assert function.deliver(old) == []

    assert function.stored() == after


# --- bad messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad", ["no JSON", "[]", "{}", json.dumps({"version": 2, "type": "check", "sent_at": 1, "feeds": []})]
)
def test_a_bad_message_fails_alone(log: io.StringIO, bad: str) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()

    assert function.deliver(function.message(0, 1), bad, function.message(2, 3, 4)) == ["1"]

    assert sorted(function.requests) == sorted(FIVE)
    (line,) = [line for line in function.log_lines if line["message"] == "message failed"]
    assert (line["code"], line["message_id"]) == ("invalid_input", "1")


def test_an_entry_that_cannot_be_read_does_not_keep_the_others_from_their_checks(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()
    message = json.loads(function.message())
    del message["feeds"][2]["url"]

    assert function.deliver(json.dumps(message)) == []

    assert sorted(function.requests) == sorted({*FIVE} - {FIVE[2]})


def test_an_empty_message_is_done_with(log: io.StringIO) -> None:
    text = HealthMessage(entries=(), sent_at=1).to_text()

    assert HealthCheck(log).deliver(text) == []


# --- hosts ------------------------------------------------------------------------------------------


def test_a_host_is_asked_one_request_at_a_time_while_others_are_asked_beside_it(log: io.StringIO) -> None:
    others = tuple(feed_url(number) for number in range(10, 14))
    function = HealthCheck(log, *CROWD[:5], *others)
    watched = Watched(function.directory.internet)
    function.directory.fetcher = watched
    function.let_all_be_due()

    assert function.deliver(function.message()) == []

    assert watched.most[HOST] == 1
    assert watched.most_at_all > 1
    assert len(function.requests) == 9


class Watched:
    """A fetcher that holds each answer back until others had time to ask, and counts concurrent requests."""

    def __init__(self, internet: Any) -> None:
        self.internet, self.lock = internet, Condition()
        self.now: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.most_at_all = 0

    def fetch(self, url: str, **options: Any) -> Any:
        from urllib.parse import urlsplit

        host = str(urlsplit(url).hostname)
        with self.lock:
            self.now[host] = self.now.get(host, 0) + 1
            self.most[host] = max(self.most.get(host, 0), self.now[host])
            self.most_at_all = max(self.most_at_all, sum(self.now.values()))
            self.lock.notify_all()
            self.lock.wait_for(lambda: self.most_at_all > 1, 60)
        try:
            return self.internet.fetch(url, **options)
        finally:
            with self.lock:
                self.now[host] -= 1


def test_one_answer_with_a_cooldown_holds_for_all_feeds_of_its_host(log: io.StringIO) -> None:
    function = HealthCheck(log, *CROWD[:4], feed_url(20))
    function.serve(status(429, **{"Retry-After": "7200"}), CROWD[0])
    function.let_all_be_due()

    assert function.deliver(function.message()) == []

    now = function.directory.clock.now()
    assert sorted(function.requests) == sorted([CROWD[0], feed_url(20)])
    assert all(slot >= now + 7200 for slot in function.slots()[:4])
    assert [function.directory.contents.feeds()[each]["state"] for each in function.feed_ids[1:4]] == ["healthy"] * 3


def test_a_cooldown_holds_for_the_next_batch_too(log: io.StringIO) -> None:
    function = HealthCheck(log, *CROWD[:2])
    function.serve(status(429, **{"Retry-After": "7200"}), CROWD[0])
    function.let_all_be_due()
    function.deliver(function.message(0))
    asked = len(function.requests)
    before = function.slots()

    report = batch(function, function.message(1))

    assert (report.postponed, len(function.requests)) == (1, asked)
    assert function.slots()[1] > before[1]


def test_our_own_outage_counts_against_no_feed_and_is_logged(log: io.StringIO) -> None:
    urls = tuple(feed_url(number) for number in range(30))
    function = HealthCheck(log, *urls)
    for url in urls:
        function.serve({"error": "connect"}, url)
    function.let_all_be_due()
    minute = function.directory.clock.now() // 60
    first, second = function.message(*range(25)), function.message(*range(25, 30))

    function.deliver(first)

    services = function.directory.services()
    assert services.outages.marked(now=function.directory.clock.now()) == {minute}
    told = [line["minutes"] for line in function.log_lines if line.get("message") == "our own network was down"]
    assert told == [[minute]]
    function.deliver(second)
    feeds = function.directory.contents.feeds()
    assert [feeds[feed_id]["consecutive_failures"] for feed_id in function.feed_ids[25:]] == [0] * 5


def test_marked_minutes_are_read_once_and_the_totals_added_once_for_all_messages(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()
    ports = function.directory.services().check_batch_ports
    outages = Counting()
    texts = [function.message(0), function.message(1, 2), function.message(3, 4)]

    messages = [HealthMessage.from_text(text) for text in texts]
    check_batch(messages, ports=replace(ports, outages=outages), within_s=58.0)

    assert (outages.read, [len(checks) for checks in outages.added]) == (1, [5])


class Counting:
    """Outages that record their calls."""

    def __init__(self) -> None:
        self.read = 0
        self.added: list[Any] = []

    def within(self, _: Deadline) -> Self:
        return self

    def marked(self, **_: Any) -> frozenset[int]:
        self.read += 1
        return frozenset()

    def add(self, checks: Any, **_: Any) -> frozenset[int]:
        self.added.append(checks)
        return frozenset()

    def doubt(self, minute: int, **_: Any) -> bool:
        return False


def test_failures_of_optional_reads_do_not_prevent_checks(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()
    ports = function.directory.services().check_batch_ports
    message = HealthMessage.from_text(function.message())

    report = check_batch([message], ports=replace(ports, outages=Broken(), limiter=Broken()), within_s=58.0)

    assert report.failures == (None,)
    assert sorted(function.requests) == sorted(FIVE)
    assert set(report.undelivered) == {"store_unavailable"}


class Broken:
    """A store that is unavailable."""

    def within(self, _: Any) -> Broken:
        return self

    def __getattr__(self, name: str) -> Any:
        def fail(*_: Any, **__: Any) -> Any:
            raise StoreUnavailable(name)

        return fail


def test_a_host_has_a_pause_between_two_of_its_feeds_and_others_do_not_wait_for_it(log: io.StringIO) -> None:
    function = HealthCheck(log, *CROWD[:4], feed_url(20))
    function.let_all_be_due()
    pauses: list[float] = []
    ports = function.directory.services().check_batch_ports

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        function.wait(seconds)

    check_batch(
        [HealthMessage.from_text(function.message())],
        ports=replace(ports, sleep=pause),
        within_s=58.0,
    )

    assert pauses == [HOST_PAUSE_S] * 3
    assert sorted(function.requests) == sorted([*CROWD[:4], feed_url(20)])


def test_a_host_in_cooldown_is_not_waited_for(log: io.StringIO) -> None:
    function = HealthCheck(log, *CROWD[:4])
    function.serve(status(429, **{"Retry-After": "7200"}), CROWD[0])
    function.let_all_be_due()
    began = function.directory.clock.now()

    report = batch(function, function.message())

    assert (report.postponed, function.directory.clock.now()) == (3, began)


def test_a_feed_that_is_paused_while_its_message_is_under_way_is_not_asked(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE[:2])
    function.let_all_be_due()
    under_way = function.message()
    pause_feed(SELF_HOSTED, function.feed_ids[0], ports=FakeDirectoryParts(function.directory))

    report = batch(function, under_way)

    assert function.requests == [FIVE[1]]
    assert sorted(answer.disposition for answer in report.answers) == [
        CheckDisposition.APPLIED,
        CheckDisposition.PAUSED,
    ]


# --- time -------------------------------------------------------------------------------------------


def slow_crowd(log: io.StringIO) -> HealthCheck:
    """Ten feeds of one host, each of which takes 6 s from now on."""
    function = HealthCheck(log, *CROWD)
    function.let_all_be_due()
    for number, url in enumerate(CROWD):
        function.serve(feed_page(number, delay_s=6), url)
    return function


def test_entries_without_time_are_sent_as_a_new_message(log: io.StringIO) -> None:
    function = slow_crowd(log)
    text = function.message()

    assert function.deliver(text) == []

    (left,) = function.queue.messages
    asked = function.requests
    assert 0 < len(asked) < 10
    assert [feed.url for feed in left.entries] == [url for url in CROWD if url not in asked]
    assert left.sent_at == HealthMessage.from_text(text).sent_at  # so that it ends some time
    assert function.directory.clock.now() - left.sent_at < 60


def test_message_after_message_every_feed_is_checked_once(log: io.StringIO) -> None:
    function = slow_crowd(log)
    texts = [function.message()]
    while texts:
        assert function.deliver(*texts) == []
        texts = function.taken()

    assert sorted(function.requests) == sorted(CROWD)


def test_a_message_whose_rest_cannot_be_sent_on_comes_again_whole(log: io.StringIO) -> None:
    function = slow_crowd(log)
    function.queue.sqs.fails = 100
    text = function.message()

    assert function.deliver(text) == ["0"]

    function.queue.sqs.fails = 0
    texts = [text]
    while texts:
        assert function.deliver(*texts) == []
        texts = function.taken()
    assert set(function.requests) == set(CROWD)
    assert all(slot > function.directory.clock.now() for slot in function.slots())


def test_a_started_check_is_never_aborted(log: io.StringIO) -> None:
    function = HealthCheck(log)
    function.let_all_be_due()
    function.serve(feed_page(0, delay_s=14), feed_url(0))

    for within_s in (58.0, 40.0, 36.0, 34.0, 20.0, 1.0, -1.0):
        report = batch(function, function.message(), within_s=within_s)
        assert [answer.outcome for answer in report.answers] in (["ok"], [])
        function.let_all_be_due()


# --- a store that fails -----------------------------------------------------------------------------


def test_a_message_of_which_nothing_could_be_done_comes_again(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()
    text = function.message()
    function.directory.faults.throttles = 10_000

    assert function.deliver(text) == ["0"]

    function.directory.faults.throttles = 0
    assert function.deliver(text) == []
    assert all(slot > function.directory.clock.now() for slot in function.slots())


def test_a_feed_that_fails_among_others_is_sent_on_alone_and_later(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()

    def fail(due: Any, **options: Any) -> Any:
        if due.url == FIVE[1]:
            raise RuntimeError("a fault of ours")
        return check_feed(due, **options)

    monkeypatch.setattr("feedward.services.check.check_batch.check_feed", fail)

    assert function.deliver(function.message()) == []

    ((text, delay),) = function.queue.sqs.sent
    sent = HealthMessage.from_text(text)
    assert ([feed.url for feed in sent.entries], delay) == ([FIVE[1]], SETTINGS.again_after_s)
    assert not is_late(sent.entries[0], function.directory.clock.now() + SETTINGS.again_after_s)
    assert function.deliver(text) == ["0"]
    line = [line for line in function.log_lines if line["message"] == "message failed"][-1]
    assert line["code"] == "internal_error"
    assert "a fault of ours" in line["exception"]


def test_pages_of_the_network_are_feeds_of_their_own() -> None:
    assert len({each["body"] for each in pages(FIVE).values()}) == 5


def test_a_batch_of_which_nothing_could_be_done_comes_again_message_by_message(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()
    texts = [function.message(number) for number in range(len(FIVE))]
    function.directory.faults.throttles = 10_000
    assert function.deliver(*texts) == ["0", "1", "2", "3", "4"]
    function.directory.faults.throttles = 0
    assert function.deliver(*texts) == []


def test_no_time_at_all_is_not_taken_for_as_much_as_one_likes(log: io.StringIO) -> None:
    function = HealthCheck(log, *FIVE)
    function.let_all_be_due()
    texts = [function.message(number) for number in range(len(FIVE))]
    function.context = LambdaContext(remaining_ms=0)
    assert function.deliver(*texts) == ["0", "1", "2", "3", "4"]
    assert function.requests == []
    assert function.taken() == []
