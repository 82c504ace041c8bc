"""The outage probe: if a minute has too few feeds to detect an outage of our own network, more are checked
(rule H5).
"""

from __future__ import annotations

import io

import pytest

from feedward.health.due_feed import HealthMessage
from feedward.services.check.check_batch import BatchReport, check_batch
from tests.functions.health_check import HealthCheck, feed_url
from tests.unit.services.check.checked import HOUR, status

URLS = tuple(feed_url(number) for number in range(26))
DOWN = {"error": "connect"}


@pytest.fixture(params=[10, 40], ids=["none is due soon", "all are due soon"])
def function(request: pytest.FixtureRequest) -> HealthCheck:
    """26 feeds of hosts of their own, none of them due now."""
    made = HealthCheck(io.StringIO(), *URLS)
    made.wait(request.param * 60)
    return made


def cut_off(function: HealthCheck, *urls: str) -> None:
    for url in urls or URLS:
        function.serve(DOWN, url)


def checked(function: HealthCheck, *texts: str) -> BatchReport:
    messages = [HealthMessage.from_text(text) for text in texts]
    return check_batch(messages, ports=function.directory.services().check_batch_ports, within_s=58.0)


def marked(function: HealthCheck) -> frozenset[int]:
    outages = function.directory.services().outages
    return outages.marked(now=function.directory.clock.now())


def test_a_lone_feed_that_begins_to_fail_has_20_others_checked_and_shows_the_outage(function: HealthCheck) -> None:
    cut_off(function)
    assert checked(function, function.message(0)).probed == 20
    further = function.taken()
    assert [len(HealthMessage.from_text(text).entries) for text in further] == [10, 10]

    report = checked(function, *further)

    minutes = frozenset({function.directory.clock.now() // 60})
    assert (report.outage_minutes, marked(function), report.probed) == (minutes, minutes, 0)
    function.wait(5 * 60)
    checked(function, *further)  # late or twice, it changes nothing
    function.let_all_be_due()
    failures = [
        answer.health.consecutive_failures
        for start in (0, 13)
        for answer in checked(function, function.message(*range(start, start + 13))).answers
        if answer.health
    ]
    assert len(failures) == 26
    assert max(failures) == 1  # that of this minute: those of the outage were taken back


def test_where_it_is_none_the_others_are_well_and_nothing_is_marked(function: HealthCheck) -> None:
    cut_off(function, URLS[0])
    checked(function, function.message(0))

    report = checked(function, *function.taken())

    assert {answer.outcome.value for answer in report.answers if answer.outcome} == {"ok"}
    assert (marked(function), report.probed) == (frozenset(), 0)
    assert all(slot > function.directory.clock.now() for slot in function.slots())


def test_it_is_done_once_a_minute_for_any_failures(function: HealthCheck) -> None:
    cut_off(function)
    reports = [checked(function, function.message(number)) for number in range(3)]
    assert [report.probed for report in reports] == [20, 0, 0]


def test_an_answer_of_a_server_is_no_failure_of_our_network(function: HealthCheck) -> None:
    function.serve(status(500), URLS[0])
    assert checked(function, function.message(0)).probed == 0


def test_most_of_the_minute_answered_so_our_network_is_there(function: HealthCheck) -> None:
    cut_off(function, URLS[0])
    assert checked(function, function.message(0, 1, 2)).probed == 0


def test_a_feed_that_fails_for_days_by_itself_raises_no_doubt(function: HealthCheck) -> None:
    cut_off(function, URLS[0])
    feed_id = function.feed_ids[0]
    for _ in range(9):
        checked(function, function.message(0))
        function.wait(12 * HOUR)
    function.taken()
    failed = function.directory.contents.feeds()[feed_id]
    assert failed["consecutive_failures"] > len(failed["failures"]["network_failures"])

    assert checked(function, function.message(0)).probed == 0


def test_a_check_that_goes_well_writes_nothing_for_it(function: HealthCheck) -> None:
    checked(function, function.message(1))
    function.directory.faults.calls.clear()
    checked(function, function.message(0))
    # The domains of the minute, the counts of the hour, and the feed where it gets another place: none for the probe.
    assert function.directory.faults.calls.count("update_item") in (2, 3)


def test_fewer_than_20_others_cannot_tell_and_are_let_be() -> None:
    small = HealthCheck(io.StringIO(), *URLS[:20])
    small.wait(40 * 60)
    cut_off(small, *URLS[:20])
    assert checked(small, small.message(0)).probed == 0
    assert small.queue.messages == []


def test_a_queue_that_is_away_costs_the_look_and_no_check(function: HealthCheck) -> None:
    cut_off(function)
    function.queue.sqs.fails = 100
    report = checked(function, function.message(0))
    assert (report.failures, report.probed) == ((None,), 0)
    assert report.undelivered == ("queue_unavailable",)
