"""A limit that one request learns of a host holds for all: checks and pages, all workers, despite other failures."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from feedward.errors import Throttled
from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import FrontierRow, RowStatus, Submitted
from feedward.frontier.settings import FrontierSettings
from feedward.health.due_feed import HealthMessage
from feedward.scheduling.lateness import LATE_AFTER_S
from feedward.services.check.answer import CheckDisposition
from feedward.services.check.check_batch import HOST_PAUSE_S, BatchReport, check_batch
from feedward.services.collect.collect_batch import CollectReport, collect_batch
from feedward.services.collect.submit import submit
from feedward.services.work.host_queue import WAIT_S
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.functions.health_check import HealthCheck, feed_page, feed_url
from tests.unit.services.check.checked import moved, status

HOST = "crowded.example"
CROWD = tuple(feed_url(number, HOST) for number in range(20))
PAGE = f"https://{HOST}/page"
HOUR = 3600

# The answer of a host, and the seconds of its cooldown.
LIMITS = [
    pytest.param(status(429, **{"Retry-After": "7200"}), 2 * HOUR, id="429 that says how long"),
    pytest.param(status(429), HOUR, id="429 that does not"),
    pytest.param(status(503, **{"Retry-After": "7200"}), 2 * HOUR, id="503 that says how long"),
]
EACH_LIMIT = pytest.mark.parametrize(("limit", "wait_s"), LIMITS)


class Directory(HealthCheck):
    """Feeds that are checked, and pages that are collected, over the same tables, network and clock."""

    def __init__(self, log: io.StringIO, *feeds: str) -> None:
        super().__init__(log, *feeds)
        ports = FakeDirectoryParts(self.directory)
        self.pages_queue = ports.frontier_queue
        self.slept: list[float] = []
        self.pages = replace(
            ports.collect,
            settings=FrontierSettings(host_pause_s=1.0, respect_robots=False),
            sleep=self._sleep,
        )

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.wait(seconds)

    @property
    def now(self) -> int:
        return self.directory.clock.now()

    @property
    def asked(self) -> list[str]:
        """The requests since the last call."""
        asked = list(self.directory.internet.requests)
        self.directory.internet.requests.clear()
        return asked

    def check_feeds(self, *texts: str, within_s: float = 58.0, **ports: Any) -> BatchReport:
        """Have a worker check the feeds of messages."""
        messages = [HealthMessage.from_text(text) for text in texts]
        own = replace(self.directory.services().check_batch_ports, sleep=self._sleep, **ports)
        return check_batch(messages, ports=own, within_s=within_s)

    def page(self, url: str, answer: Any = None) -> FrontierRow:
        """A page to collect, for which no message was sent; `answer` replaces the page."""
        self.serve(answer or {"body": f"<p>{url}"}, url)
        submitted = submit([url], tenant_id=None, ports=self.pages)[0]
        assert isinstance(submitted, Submitted)
        self.pages_queue.take()
        return submitted.row

    def row(self, row: FrontierRow) -> FrontierRow:
        """The current row."""
        found = self.pages.frontier.row(row.row_id)
        assert found is not None
        return found

    def collect_pages(self, *rows: FrontierRow, **ports: Any) -> CollectReport:
        """Have a worker collect the pages of one message."""
        message = CollectMessage(entries=rows, sent_at=self.now)
        own = replace(self.pages, **ports)
        return collect_batch([message], ports=own, do_job=lambda *_: None, within_s=600.0)

    def limited_check(self, limit: Any, url: str = CROWD[0]) -> None:
        """Have the feed checked; its host gives this answer."""
        self.serve(limit, url)
        self.check_feeds(self.message(self.urls.index(url)))
        assert self.asked == [url]

    def limited_page(self, limit: Any, url: str = f"https://{HOST}/limited") -> None:
        """Have a page collected; its host gives this answer."""
        self.collect_pages(self.page(url, limit))
        assert self.asked == [url]

    @property
    def urls(self) -> list[str]:
        """The URLs of the feeds, in the order of their ids."""
        feeds = self.directory.contents.feeds()
        return [feeds[feed_id]["url"] for feed_id in self.feed_ids]

    @property
    def states(self) -> list[tuple[str, int]]:
        """The state of each feed, and its failures in a row."""
        feeds = self.directory.contents.feeds()
        return [(feeds[feed_id]["state"], feeds[feed_id]["consecutive_failures"]) for feed_id in self.feed_ids]

    def cooldown_s(self, host: str) -> int:
        """The remaining seconds of a host's cooldown."""
        return max(self.directory.limiter.cooldown_until(host, now=self.now) - self.now, 0)


def due(log: io.StringIO, *feeds: str) -> Directory:
    """Feeds, all of them due."""
    directory = Directory(log, *feeds)
    directory.let_all_be_due()
    directory.slept.clear()
    return directory


# --- checks and pages know the same of a host ------------------------------------------------------------


@EACH_LIMIT
def test_a_cooldown_from_a_check_holds_for_pages(log: io.StringIO, limit: Any, wait_s: int) -> None:
    directory = due(log, *CROWD[:2])
    row = directory.page(PAGE)
    directory.limited_check(limit)

    report = directory.collect_pages(row)

    assert (directory.asked, report.failures) == ([], (None,))
    after = directory.row(row)
    assert (after.status, after.attempts) == (RowStatus.PENDING, 0)
    if wait_s > LATE_AFTER_S:
        assert (after.next_fetch_at or 0) >= directory.now + wait_s
        assert directory.pages_queue.messages == [], "no message can wait for so long"
    directory.wait(wait_s + 5)
    directory.collect_pages(directory.row(row))
    assert directory.row(row).status is RowStatus.FETCHED


@EACH_LIMIT
def test_a_cooldown_from_a_page_holds_for_checks(log: io.StringIO, limit: Any, wait_s: int) -> None:
    directory = due(log, *CROWD[:2])
    directory.limited_page(limit)

    report = directory.check_feeds(directory.message())

    assert (directory.asked, report.postponed, report.failures) == ([], 2, (None,))
    assert all(slot >= directory.now + wait_s for slot in directory.slots())
    assert directory.states == [("healthy", 0)] * 2
    directory.let_all_be_due()
    directory.check_feeds(directory.message())
    assert directory.asked == list(CROWD[:2])


@pytest.mark.parametrize("answer", [status(503), status(500, **{"Retry-After": "7200"}), status(404)])
def test_an_answer_that_asks_for_nothing_keeps_no_other_from_asking(log: io.StringIO, answer: Any) -> None:
    directory = due(log, *CROWD[:2])
    directory.limited_page(answer)
    row = directory.page(PAGE)

    directory.check_feeds(directory.message())
    directory.collect_pages(row)

    assert sorted(directory.asked) == sorted([*CROWD[:2], PAGE])


def test_a_later_end_stays_when_a_sooner_one_is_requested(log: io.StringIO) -> None:
    directory = due(log, *CROWD[:2])
    directory.serve(status(429), CROWD[0])
    text = directory.message(0)
    directory.limited_page(status(429, **{"Retry-After": "90000"}))
    directory.directory.limiter.cool_down(HOST, until=directory.now + 60, now=directory.now)

    directory.check_feeds(text)

    assert (directory.asked, directory.cooldown_s(HOST)) == ([], 90_000)


# --- redirects ---------------------------------------------------------------------------------------------


def lead(directory: Directory, start: str, hops: Sequence[str], answer: Any) -> list[str]:
    """Let a URL redirect over these hosts, one after the other, to an answer of the last of them."""
    urls = [start, *(f"https://{host}/{number}/there" for number, host in enumerate(hops))]
    for url, target in pairwise(urls):
        directory.serve(moved(302, target), url)
    directory.serve(answer, urls[-1])
    return urls


HOPS = [
    pytest.param(["b.example"], id="one hop"),
    pytest.param(["m.example", "b.example"], id="two hops"),
    pytest.param(["m.example", "n.example", "b.example"], id="three hops"),
    pytest.param(["m.example", "a.example", "b.example"], id="three hops and back between"),
]
A = tuple(feed_url(number, "a.example") for number in range(3))
B = feed_url(7, "b.example")
M = feed_url(8, "m.example")


@EACH_LIMIT
@pytest.mark.parametrize("hops", HOPS)
def test_the_host_that_answers_a_check_gets_the_cooldown_and_not_those_that_led_there(
    log: io.StringIO, hops: list[str], limit: Any, wait_s: int
) -> None:
    directory = due(log, *A[:2], B, M)
    chain = lead(directory, A[0], hops, limit)
    directory.check_feeds(directory.message(0))
    assert directory.asked == chain

    report = directory.check_feeds(directory.message(1, 2, 3))

    assert sorted(directory.asked) == [A[1], M]
    assert report.postponed == 1
    assert directory.slots()[2] >= directory.now + wait_s
    assert [directory.cooldown_s(host) for host in ("a.example", "m.example", "n.example")] == [0, 0, 0]
    assert directory.cooldown_s("b.example") >= wait_s - 60


@EACH_LIMIT
@pytest.mark.parametrize("hops", HOPS)
def test_the_host_that_answers_for_a_page_gets_the_cooldown_and_not_those_that_led_there(
    log: io.StringIO, hops: list[str], limit: Any, wait_s: int
) -> None:
    directory = due(log, *A[:1])
    first = directory.page("https://a.example/first")
    others = [directory.page(f"https://{host}/page") for host in ("a.example", "b.example", "m.example")]
    chain = lead(directory, first.url, hops, limit)
    directory.collect_pages(first)
    assert directory.asked == chain

    directory.collect_pages(*others)

    assert sorted(directory.asked) == ["https://a.example/page", "https://m.example/page"]
    assert [directory.row(row).status for row in others] == [
        RowStatus.FETCHED,
        RowStatus.PENDING,
        RowStatus.FETCHED,
    ]
    assert (directory.row(others[1]).next_fetch_at or 0) >= directory.now + wait_s - 60


@pytest.mark.parametrize("hops", HOPS)
def test_a_feed_that_leads_to_a_host_in_cooldown_is_due_when_the_host_can_be_asked(
    log: io.StringIO, hops: list[str]
) -> None:
    directory = due(log, *A)
    chain = lead(directory, A[0], hops, feed_page(0))
    directory.limited_page(status(429, **{"Retry-After": "7200"}), "https://b.example/limited")

    report = directory.check_feeds(directory.message())

    assert sorted(directory.asked) == sorted([*chain[:-1], *A[1:]])
    assert (report.postponed, report.failures) == (1, (None,))
    assert directory.slots()[0] >= directory.now + 7000
    assert directory.states == [("healthy", 0)] * 3
    assert {answer.disposition for answer in report.answers} == {CheckDisposition.APPLIED}


@pytest.mark.parametrize("hops", HOPS)
def test_a_page_that_leads_to_a_host_in_cooldown_is_due_when_the_host_can_be_asked(
    log: io.StringIO, hops: list[str]
) -> None:
    directory = due(log, *A[:1])
    rows = [directory.page(f"https://a.example/{name}") for name in ("led", "other")]
    chain = lead(directory, rows[0].url, hops, {"body": "<p>there"})
    directory.limited_page(status(429, **{"Retry-After": "7200"}), "https://b.example/limited")

    directory.collect_pages(*rows)

    assert directory.asked == [*chain[:-1], rows[1].url]
    led, other = map(directory.row, rows)
    assert (led.status, led.attempts, other.status) == (RowStatus.PENDING, 0, RowStatus.FETCHED)
    assert (led.next_fetch_at or 0) >= directory.now + 7000


# --- a store that fails --------------------------------------------------------------------------------------


class Fails:
    """A port in which some calls fail."""

    def __init__(self, port: Any, *names: str) -> None:
        self._port, self._names = port, names

    def __getattr__(self, name: str) -> Any:
        return self._fail if name in self._names else getattr(self._port, name)

    def within(self, deadline: Any) -> Fails:
        """The same, for calls that end before that time."""
        return Fails(self._port.within(deadline), *self._names)

    def _fail(self, *_: Any, **__: Any) -> Any:
        raise Throttled("busy")


@EACH_LIMIT
def test_a_limit_counts_though_the_write_of_the_check_fails(log: io.StringIO, limit: Any, wait_s: int) -> None:
    directory = due(log, *CROWD[:4])
    for url in CROWD[:4]:
        directory.serve(limit, url)
    check = directory.directory.services().check_batch_ports.check

    directory.check_feeds(directory.message(), check=replace(check, store=Fails(check.store, "write")))

    assert directory.asked == [CROWD[0]]
    assert directory.cooldown_s(HOST) == pytest.approx(wait_s, abs=5)
    directory.check_feeds(directory.message())
    assert directory.asked == [], "nor does another worker ask"


def test_a_host_has_a_pause_between_two_checks_though_their_writes_fail(log: io.StringIO) -> None:
    directory = due(log, *CROWD[:4])
    check = directory.directory.services().check_batch_ports.check

    directory.check_feeds(directory.message(), check=replace(check, store=Fails(check.store, "write")))

    assert directory.asked == list(CROWD[:4])
    assert directory.slept == [HOST_PAUSE_S] * 3


@EACH_LIMIT
def test_a_limit_counts_though_the_write_of_the_page_fails(log: io.StringIO, limit: Any, wait_s: int) -> None:
    directory = due(log, *CROWD[:1])
    rows = [directory.page(f"{PAGE}/{number}", limit) for number in range(4)]

    directory.collect_pages(*rows, frontier=Fails(directory.pages.frontier, "update_failed"))

    assert directory.asked == [rows[0].url]
    assert directory.cooldown_s(HOST) == pytest.approx(wait_s, abs=5)
    directory.check_feeds(directory.message())
    assert directory.asked == []


def test_a_limit_that_cannot_be_stored_holds_for_the_batch_that_met_it(log: io.StringIO) -> None:
    directory = due(log, *CROWD[:4])
    directory.serve(status(429), CROWD[0])
    limiter = Fails(directory.directory.limiter, "cool_down")

    report = directory.check_feeds(directory.message(), limiter=limiter)

    assert (directory.asked, report.postponed) == ([CROWD[0]], 3)
    assert report.undelivered == ("throttled",)


# --- the pause between two requests ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hops",
    [
        pytest.param(["target.example"], id="one hop"),
        pytest.param(["one.example", "two.example", "target.example"], id="three hops"),
    ],
)
def test_pages_behind_redirects_of_many_hosts_are_asked_for_at_the_pause_of_each_host_on_the_way(
    log: io.StringIO, hops: list[str]
) -> None:
    directory = due(log, *A[:1])
    asked_at: dict[str, list[float]] = {host: [] for host in hops}
    note_requests(directory, lambda host: asked_at.get(host, []).append(directory.directory.clock.time))
    rows = []
    for number in range(20):
        rows.append(directory.page(f"https://short{number}.example/x"))
        lead(directory, rows[-1].url, hops, {"body": f"<p>page {number}"})
        for place, host in enumerate(hops):  # each of the twenty leads to pages of its own
            there = f"https://{host}/{place}/{number}"
            before = rows[-1].url if place == 0 else f"https://{hops[place - 1]}/{place - 1}/{number}"
            directory.serve(moved(302, there), before)
        directory.serve({"body": f"<p>page {number}"}, f"https://{hops[-1]}/{len(hops) - 1}/{number}")

    for row in rows:
        directory.collect_pages(row)

    for times in asked_at.values():
        assert len(times) == 20
        assert all(later - before >= 1 for before, later in pairwise(times))


def note_requests(directory: Directory, note: Callable[[str], Any]) -> None:
    """Record the host of each request, redirects included, when it is sent."""
    internet: Any = directory.directory.internet
    record = internet.record

    def noted(url: str) -> None:
        note(url.split("/")[2])
        record(url)

    internet.record = noted


def test_hosts_that_are_asked_side_by_side_and_lead_to_one_take_their_slots_there(log: io.StringIO) -> None:
    directory = due(log, *A[:1])
    rows = []
    for number in range(20):
        rows.append(directory.page(f"https://short{number}.example/x", moved(302, f"https://target.example/{number}")))
        directory.serve({"body": f"<p>page {number}"}, f"https://target.example/{number}")
    limiter = Slots(directory.directory.limiter)

    directory.collect_pages(*rows[:10], limiter=limiter)
    directory.collect_pages(*rows[10:], limiter=limiter)

    slots = sorted(limiter.taken["target.example"])
    sent = [url for url in directory.asked if "target" in url]
    assert len(sent) == len(slots) >= 10, "no request without a slot"
    assert all(later - before >= 1000 for before, later in pairwise(slots))


class Slots:
    """A limiter that records the taken slots, in epoch milliseconds, by host."""

    def __init__(self, limiter: Any, taken: dict[str, list[int]] | None = None) -> None:
        self._limiter = limiter
        self.taken = {} if taken is None else taken

    def within(self, deadline: Any) -> Slots:
        """The same, for calls that end before that time."""
        return Slots(self._limiter.within(deadline), self.taken)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._limiter, name)

    def take_slot(self, host: str, *, now_ms: int, **limits: int) -> int:
        wait_ms: int = self._limiter.take_slot(host, now_ms=now_ms, **limits)
        if wait_ms <= WAIT_S * 1000:
            self.taken.setdefault(host, []).append(now_ms + wait_ms)
        return wait_ms


def test_the_pause_of_a_host_begins_with_its_answer_and_not_with_the_request(log: io.StringIO) -> None:
    directory = due(log, *CROWD[:4])
    for number, url in enumerate(CROWD[:4]):
        directory.serve(feed_page(number, delay_s=5), url)

    directory.check_feeds(directory.message(), within_s=100.0)

    assert directory.slept == [HOST_PAUSE_S] * 3


# --- a host that is slow -----------------------------------------------------------------------------------------


def slow_host(log: io.StringIO, *, delay_s: float = 12) -> tuple[Directory, list[str]]:
    """A host with twenty feeds, each of which takes so long, and the two messages that a sweep sends for them."""
    directory = due(log, *CROWD)
    for number, url in enumerate(CROWD):
        directory.serve(feed_page(number, delay_s=delay_s), url)
    directory.do("sweep")
    visible = sorted((delay, text) for text, delay in directory.queue.sqs.sent)
    directory.queue.sqs.sent.clear()
    assert [delay for delay, _ in visible] == [0, 30]
    return directory, [text for _, text in visible]


def urls_of(text: str) -> list[str]:
    """The feeds of a message, in its order."""
    return [feed.url for feed in HealthMessage.from_text(text).entries]


def meanwhile(directory: Directory, work: Callable[[], Any]) -> None:
    """Do something else during the next request."""
    internet: Any = directory.directory.internet
    record = internet.record

    def interrupted(url: str) -> None:
        record(url)
        internet.record = record
        work()

    internet.record = interrupted


def test_a_message_of_a_slow_host_is_not_worked_on_while_another_is_and_comes_later_with_its_age(
    log: io.StringIO,
) -> None:
    directory, (first, second) = slow_host(log)
    reports: list[BatchReport] = []
    sent: list[tuple[str, int]] = []

    def other_worker() -> None:
        directory.wait(30)
        reports.append(directory.check_feeds(second))
        sent.extend(directory.queue.sqs.sent)
        directory.queue.sqs.sent.clear()

    meanwhile(directory, other_worker)
    directory.check_feeds(first, within_s=200.0)

    (other,) = reports
    assert (other.answers, other.waiting, other.failures) == ((), 10, (None,))
    ((text, delay),) = sent
    before, again = HealthMessage.from_text(second), HealthMessage.from_text(text)
    assert again.entries == before.entries, "with its age: when it was sent first"
    assert (again.sent_at, again.is_alone) == (before.sent_at, True)
    assert 0 < delay <= LATE_AFTER_S
    assert directory.asked == urls_of(first)

    directory.check_feeds(text, within_s=200.0)
    assert directory.asked == urls_of(second)


def test_small_messages_of_two_sweeps_are_one_worker_s_at_a_time_too(log: io.StringIO) -> None:
    """No message names further messages of its host: each has two of the host's feeds, and those of another host."""
    directory = due(log, *CROWD[:4])
    for number, url in enumerate(CROWD[:4]):
        directory.serve(feed_page(number, delay_s=12), url)
    reports: list[BatchReport] = []
    meanwhile(directory, lambda: reports.append(directory.check_feeds(directory.message(2, 3))))

    directory.check_feeds(directory.message(0, 1), within_s=200.0)

    assert [(report.answers, report.waiting) for report in reports] == [((), 2)]
    assert directory.asked == list(CROWD[:2])


def test_a_message_that_waited_for_its_host_for_too_long_is_late_and_the_due_index_has_its_feeds(
    log: io.StringIO,
) -> None:
    directory, (first, second) = slow_host(log)
    meanwhile(directory, lambda: directory.check_feeds(second))
    directory.check_feeds(first, within_s=200.0)
    ((text, _),) = directory.queue.sqs.sent
    assert directory.asked == urls_of(first)
    before = directory.slots()
    directory.wait(LATE_AFTER_S + 60)

    report = directory.check_feeds(text)

    assert [answer.disposition for answer in report.answers] == [CheckDisposition.LATE] * 10
    assert (directory.asked, directory.slots()) == ([], before)
    directory.wait(10 * 60)
    assert directory.do("repair")["postponed"] == 10


def test_the_rest_of_the_first_worker_and_the_second_message_are_processed_by_one_worker_at_a_time(
    log: io.StringIO,
) -> None:
    directory, (first, second) = slow_host(log)
    directory.check_feeds(first)
    (rest,) = directory.taken()
    asked = directory.asked
    assert [*asked, *urls_of(rest)] == urls_of(first)
    assert HealthMessage.from_text(rest).is_alone
    reports: list[BatchReport] = []
    meanwhile(directory, lambda: reports.append(directory.check_feeds(rest)))

    directory.check_feeds(second, within_s=200.0)

    assert (reports[0].answers, reports[0].waiting) == ((), len(urls_of(rest)))
    assert directory.asked == urls_of(second)


def test_in_the_end_each_feed_of_a_slow_host_is_checked_once(log: io.StringIO) -> None:
    directory, texts = slow_host(log)
    waiting = [(directory.now, texts[0]), (directory.now + 30, texts[1])]
    while waiting:
        waiting.sort()
        at, text = waiting.pop(0)
        directory.wait(max(0, at - directory.now))
        assert directory.check_feeds(text).failures == (None,)
        waiting += [(directory.now + delay, text) for text, delay in directory.queue.sqs.sent]
        directory.queue.sqs.sent.clear()

    assert sorted(directory.asked) == sorted(CROWD)
    assert all(slot > directory.now for slot in directory.slots())


def test_a_worker_that_died_holds_its_host_no_longer_than_it_could_have_worked(log: io.StringIO) -> None:
    directory, (_, second) = slow_host(log)
    directory.directory.limiter.hold(HOST, holder="a dead worker", until=directory.now + 58, now=directory.now)
    assert directory.check_feeds(second).waiting == 10
    ((text, delay),) = directory.queue.sqs.sent
    assert delay >= 58
    directory.wait(delay)

    assert directory.check_feeds(text, within_s=200.0).waiting == 0

    assert directory.asked == urls_of(second)


@EACH_LIMIT
def test_a_host_that_is_slow_and_limits_at_once_is_asked_no_more_by_any_of_its_messages(
    log: io.StringIO, limit: Any, wait_s: int
) -> None:
    directory, (first, second) = slow_host(log)
    limited = urls_of(first)[1]
    directory.serve({**limit, "delay_s": 12}, limited)
    reports: list[BatchReport] = []
    meanwhile(directory, lambda: reports.append(directory.check_feeds(second)))

    report = directory.check_feeds(first)
    texts = directory.taken()
    after = directory.check_feeds(*texts)

    assert directory.asked == urls_of(first)[:2]
    assert (reports[0].waiting, reports[0].postponed) == (10, 0)
    assert report.postponed + report.left == 8, "feeds without time left are postponed when they come again"
    assert after.postponed == 10 + report.left
    asked = urls_of(first)[:1]
    slots = dict(zip(directory.urls, directory.slots(), strict=True))
    assert all(slot >= directory.now + wait_s - 60 for url, slot in slots.items() if url not in asked)
    assert directory.queue.sqs.sent == []
    assert directory.states.count(("healthy", 0)) >= 19


def test_pages_of_a_host_are_one_workers_at_a_time_too(log: io.StringIO) -> None:
    directory = due(log, *A[:1])
    rows = [directory.page(f"{PAGE}/{number}", {"body": f"<p>{number}", "delay_s": 12}) for number in range(4)]
    reports: list[CollectReport] = []
    meanwhile(directory, lambda: reports.append(directory.collect_pages(*rows[2:])))

    directory.collect_pages(*rows[:2])

    assert (reports[0].answers, reports[0].waiting) == ((), 2)
    assert directory.asked == [row.url for row in rows[:2]]
    (message,) = directory.pages_queue.take_rows()
    directory.wait(message.sent_at - directory.now)
    directory.collect_pages(*message.entries)
    assert directory.asked == [row.url for row in rows[2:]]
