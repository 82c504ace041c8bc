"""The collect function as its schedules and its queue wake it: its work, its single failures, and its counts."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any, Self

import pytest

from feedward.deadline import Deadline
from feedward.errors import InvalidInput, StoreUnavailable
from feedward.frontier.messages import CollectMessage, Job, JobMessage, read_message
from feedward.frontier.row import RowStatus
from feedward.frontier.settings import FrontierSettings
from feedward.lineage.run import RunStatus
from feedward.scheduling.messages import json_object
from feedward.services.collect.run_jobs import LEFT_FOR_S
from feedward.ulid import derived_ulid
from feedward.urls.key import KEY_VERSION
from tests.functions.collect_function import CollectFunction
from tests.functions.conftest import LambdaContext, load_function, read_event
from tests.functions.test_health_check import metrics
from tests.unit.services.collect.collecting import A, B, C, page

NETWORK = {A: page("one"), B: page("two"), C: {"status": 500}}
UNKNOWN_ID = "0" * 26


class BrokenFrontier:
    """A frontier in which every write of a row fails; the rest is the real one's."""

    def __init__(self, frontier: Any, *row_ids: str) -> None:
        self._frontier, self._row_ids = frontier, row_ids

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frontier, name)

    def within(self, _: Deadline) -> Self:
        return self

    def update_fetched(self, seen: Any, params: Any) -> Any:
        if not self._row_ids or seen.row_id in self._row_ids:
            raise StoreUnavailable("down")
        return self._frontier.update_fetched(seen, params)


@pytest.fixture
def function(log: io.StringIO) -> CollectFunction:
    return CollectFunction(NETWORK, log=log)


# --- schedules -------------------------------------------------------------------------------------


def test_a_sweep_sends_each_row_that_is_due_once(function: CollectFunction) -> None:
    rows = [function.add(url) for url in (A, B)]
    function.clock.advance(120)

    report = function.do("sweep")

    assert (report["due"], report["sent"], report["complete"], report["failures"]) == (2, 2, True, ())
    sent = [row.row_id for message in function.queue.messages for row in message.entries]
    assert sorted(sent) == sorted(row.row_id for row in rows)
    assert function.do("sweep")["due"] == 0


def test_swept_rows_are_fetched(function: CollectFunction) -> None:
    row = function.add(A)
    function.clock.advance(120)
    function.do("sweep")

    function.deliver_all()

    assert function.row(row.row_id).status is RowStatus.FETCHED


def test_a_failed_row_is_retried_by_a_sweep(function: CollectFunction) -> None:
    row = function.add(C)
    function.deliver(function.message(row))
    failed = function.row(row.row_id)
    assert (failed.status, failed.last_error, failed.attempts) == (RowStatus.FAILED, "server_error", 1)
    assert failed.next_fetch_at is not None
    function.clock.advance(failed.next_fetch_at - function.clock.now() + 1)

    function.do("sweep")
    function.deliver_all()

    assert function.row(row.row_id).attempts == 2


def test_a_message_that_was_lost_is_made_up_for_by_a_repair_and_the_next_sweep(function: CollectFunction) -> None:
    row = function.add(A)
    function.clock.advance(120)
    function.do("sweep")
    function.taken()  # and lost
    function.clock.advance(21 * 60)

    assert function.do("repair")["overdue"] == 1
    function.clock.advance(120)
    function.do("sweep")
    function.deliver_all()

    assert function.row(row.row_id).status is RowStatus.FETCHED


def test_a_run_whose_message_was_lost_is_driven_on(function: CollectFunction) -> None:
    run = function.begin([A, B]).run
    function.taken()  # and lost
    assert function.do("reconcile")["runs"] == 0, "another worker may still be processing it"
    function.clock.advance(LEFT_FOR_S + 60)

    assert function.do("reconcile")["runs"] == 1
    function.deliver_all()

    assert function.now(run).status is RunStatus.DONE


def test_the_registry_is_moved_to_the_current_key_and_then_left_alone(function: CollectFunction) -> None:
    function.add(A)

    assert function.do("reconcile")["rekey"] is True
    assert [message.job for message in function.queue.jobs] == [Job.REKEY]
    function.deliver_all()

    assert function.rekeys.rekeying(KEY_VERSION).done
    assert function.do("reconcile")["rekey"] is False


@pytest.mark.parametrize("event", [{}, {"do": "dance"}, {"do": None}, {"Records": None}, {"do": ["sweep"]}])
def test_an_unknown_event_is_a_fault_and_not_a_sweep(function: CollectFunction, event: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        function.handler(event, function.context)

    assert refused.value.field == "do"


def test_a_report_is_json(function: CollectFunction) -> None:
    for task in ("sweep", "repair", "reconcile"):
        assert json.loads(json.dumps(function.do(task)))["failures"] == []


def test_a_store_that_is_away_is_a_failure_of_the_reconcile_pass_and_no_fault(function: CollectFunction) -> None:
    function.feeds.faults.fails_queries = 10**9

    assert function.do("reconcile")["failures"] == ("store_unavailable", "store_unavailable")  # runs and imports


# --- messages --------------------------------------------------------------------------------------


def test_the_sample_messages_are_ones_that_it_reads(function: CollectFunction) -> None:
    for name in ("sqs_frontier_rows", "sqs_frontier_run"):
        (record,) = read_event(name)["Records"]
        message = read_message(json_object(record["body"]))
        if isinstance(message, CollectMessage):
            assert (len(message.entries), message.unreadable) == (2, 0)
        else:
            assert message.job is Job.RUN
        assert function.handler(read_event(name), function.context) == {"batchItemFailures": []}


@pytest.mark.parametrize(
    "bad", ["no JSON", "[]", "{}", json.dumps({"version": 1, "type": "dance", "sent_at": 1, "job_id": UNKNOWN_ID})]
)
def test_a_bad_message_fails_alone(function: CollectFunction, bad: str) -> None:
    first, second = function.add(A), function.add(B)

    assert function.deliver(function.message(first), bad, function.message(second)) == ["1"]

    assert function.by_status() == {RowStatus.FETCHED: 2}
    (line,) = function.logged("message failed")
    assert (line["code"], line["message_id"]) == ("invalid_input", "1")


def test_an_unreadable_entry_fails_no_message(function: CollectFunction) -> None:
    row = function.add(A)
    message = json.loads(function.message(row))
    message["rows"].append({"row_id": 7})

    assert function.deliver(json.dumps(message)) == []

    assert function.row(row.row_id).status is RowStatus.FETCHED
    assert function.logged("collected")[-1]["unreadable"] == 1


def test_a_message_of_which_nothing_could_be_done_comes_again_as_it_is(function: CollectFunction) -> None:
    broken, well = function.add(A), function.add(B)
    function.ports = replace(function.ports, frontier=BrokenFrontier(function.ports.frontier, broken.row_id))
    function.handler = load_function("collect").make_handler(function.services)

    assert function.deliver(function.message(broken), function.message(well)) == ["0"]

    assert function.queue.messages == []
    assert [function.row(each.row_id).status for each in (broken, well)] == [RowStatus.PENDING, RowStatus.FETCHED]


def test_a_row_that_fails_beside_others_is_sent_on_alone(function: CollectFunction) -> None:
    broken, well = function.add(A), function.add(B)
    function.ports = replace(function.ports, frontier=BrokenFrontier(function.ports.frontier, broken.row_id))
    function.handler = load_function("collect").make_handler(function.services)

    assert function.deliver(function.message(broken, well)) == []

    (again,) = function.queue.messages
    assert [row.row_id for row in again.entries] == [broken.row_id]


def test_entries_without_time_are_sent_as_a_new_message(function: CollectFunction) -> None:
    row = function.add(A)
    function.context = LambdaContext(remaining_ms=30_000)

    assert function.deliver(function.message(row)) == []

    assert (function.internet.requests, len(function.queue.messages)) == ([], 1)
    assert function.logged("collected")[-1]["others"] == {"left": 1}


def test_the_same_messages_again_add_nothing(function: CollectFunction) -> None:
    run = function.begin([A, B, C]).run
    texts: list[str] = []
    while sent := function.taken():
        texts += sent
        assert function.deliver(*sent) == []
    before = (function.items(), function.now(run), function.rows())

    for again in (texts, texts[::-1]):
        assert function.deliver(*again) == []
        function.deliver_all()

    items, counted, _ = before
    assert function.items() == items
    assert function.now(run).counters == counted.counters
    assert function.faults() == []


def test_a_job_and_rows_of_one_batch_are_done_side_by_side(function: CollectFunction) -> None:
    run = function.begin([B]).run
    (job,) = function.taken()
    row = function.add(A)

    assert function.deliver(job, function.message(row)) == []
    function.deliver_all()

    assert function.now(run).status is RunStatus.DONE
    assert function.row(row.row_id).status is RowStatus.FETCHED


def test_a_job_of_a_run_that_is_not_there_is_done_with(function: CollectFunction) -> None:
    job = JobMessage(sent_at=function.clock.now(), job=Job.RUN, job_id=derived_ulid(1, "unknown"))

    assert function.deliver(job.to_text()) == []
    assert function.queue.messages == []


# --- log and metrics -------------------------------------------------------------------------------


def test_collected_pages_are_counted(function: CollectFunction, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [function.add(url) for url in (A, B, C)]
    capsys.readouterr()

    function.deliver(function.message(*rows))

    counted = metrics(capsys.readouterr().out)
    assert (counted["PagesFetched"], counted["NewPageItems"], counted["RowsDead"]) == ([2.0], [2.0], [0.0])


def test_sweeps_are_counted_even_where_nothing_is_due(
    function: CollectFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    function.do("sweep")

    counted = metrics(capsys.readouterr().out)
    assert [counted[name] for name in ("RowsDue", "RowsSent", "RowSweepFailed")] == [[0.0]] * 3


def test_a_sweep_that_leaves_something_is_counted_in_all_and_by_its_code(
    function: CollectFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.add(A)
    function.clock.advance(120)
    function.queue.sqs.fails = 10**9
    capsys.readouterr()

    report = function.do("sweep")

    assert report["failures"]
    counted = metrics(capsys.readouterr().out)
    assert counted["RowSweepFailed"] == [float(len(report["failures"]))]
    assert sum(value[0] for name, value in counted.items() if name.startswith("RowSweepFailed:")) == len(
        report["failures"]
    )


def test_the_reason_of_a_failed_page_is_in_the_log_without_secrets(log: io.StringIO) -> None:
    url = "https://loop.example/private/s3cret5/?token=s3cret"
    function = CollectFunction({url: {"status": 302, "headers": {"Location": url}}}, log=log)
    row = function.add(url)

    function.deliver(function.message(row))

    (line,) = function.logged("fetch failed")
    assert (line["reason"], line["row_id"], line["row_status"]) == ("redirect_loop", row.row_id, "failed")
    assert "s3cret" not in log.getvalue()


def test_a_page_that_robots_txt_forbids_is_dead_and_was_not_asked_for(log: io.StringIO) -> None:
    robots = {"body": "User-agent: *\nDisallow: /", "headers": {"Content-Type": "text/plain"}}
    function = CollectFunction(
        {A: page("one"), "https://a.example/robots.txt": robots},
        log=log,
        settings=FrontierSettings(host_pause_s=0.0),
    )
    row = function.add(A)

    function.deliver(function.message(row))

    found = function.row(row.row_id)
    assert (found.status, found.last_error) == (RowStatus.DEAD, "robots_disallowed")
    assert function.internet.requests == ["https://a.example/robots.txt"]
