"""The collect function's role allows its actions, action by action and resource by resource, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.adapters.dynamodb.store.codec import encode
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.tenants.imports import DynamoImports
from feedward.frontier.messages import Job, JobMessage
from feedward.frontier.row import RowStatus
from feedward.frontier.settings import FrontierSettings
from feedward.intake.job import Import, ImportStatus, Target
from feedward.lineage.run import RunStatus
from feedward.registration import NewFeed
from feedward.services.collect.run_jobs import LEFT_FOR_S
from feedward.services.collect.start_run import start_run
from feedward.services.export import export_now
from feedward.services.intake.start_import import begin_import
from feedward.ulid import derived_ulid
from feedward.urls.key import KEY_VERSION
from tests.fakes.code_version import LATER, code_of
from tests.fakes.import_files import FakeImportFiles
from tests.functions.collect_function import CollectFunction
from tests.template.test_export_permissions import OF_COLLECT, asked_by_exports
from tests.template.test_permissions import EVENT_SOURCE, AwsClient, Recorder, granted
from tests.unit.services.collect.collecting import A, B, C, moved, page

WITH_ROBOTS = FrontierSettings(host_pause_s=0.0, max_attempts=1)
GONE = "https://gone.example/"
NETWORK = {
    **{url: page(text) for url, text in ((A, "one"), (B, "two"), ("https://d.example/new", "three"))},
    C: moved("https://d.example/new"),
    **{f"https://{host}.example/robots.txt": {"status": 404} for host in "abcd"},
    GONE: {"status": 410},
    "https://gone.example/robots.txt": {"status": 404},
}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cached metrics of this process, if they were made here first."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "feedward")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "feedward")


class Noting:
    """A client of S3 or SQS that records the called operations."""

    def __init__(self, client: Any) -> None:
        self.client, self.asked = client, set[str]()

    def __getattr__(self, operation: str) -> Any:
        # A batch needs the action of its entries.
        self.asked.add("".join(word.title() for word in operation.removesuffix("_batch").split("_")))
        return getattr(self.client, operation)


class RecordedFunction(CollectFunction):
    """The collect function, with a record of its IAM requests."""

    def __init__(self) -> None:
        super().__init__(NETWORK, wrap=Recorder, settings=WITH_ROBOTS)
        self.s3, self.sqs = Noting(self.ports.bodies.s3), Noting(self.queue.sqs)  # type: ignore[attr-defined]
        self.files = Noting(self.import_files.s3)
        self.import_files._s3 = lambda: self.files  # type: ignore[assignment, return-value]
        self.events = AwsClient()
        self.bus._client = self.events  # type: ignore[assignment]
        self.ports.bodies._s3 = lambda: self.s3  # type: ignore[attr-defined]
        self.queue._client = self.sqs  # type: ignore[assignment]

    def begin_run(self, *urls: str, **members: Any) -> str:
        """As the directory function does, whose permissions are its own."""
        theirs = replace(self.ports, lineage=self.lineage)
        return start_run(SELF_HOSTED, urls=urls, ports=theirs, **members).run.run_id

    @property
    def asked(self) -> set[tuple[str, str]]:
        """(action, resource), with the resources' names in the template."""
        names = _logical(self.names)
        asked = {(action, _named(resource, names)) for action, resource in self.client.asked}
        asked |= {(f"sqs:{name}", "FrontierQueue") for name in self.sqs.asked}
        asked |= {(f"s3:{name}", "BodiesBucket/imports/*") for name in self.files.asked}
        asked |= {(f"events:{name}", "EventBus") for name in self.events.asked}
        return asked | {(f"s3:{name}", "BodiesBucket/bodies/*") for name in self.s3.asked}

    def begin_import(self, text: str, into: Target) -> str:
        """As the directory function does, whose permissions are its own."""
        theirs = self.services()
        vars(theirs).update(imports=DynamoImports(self.feeds.tables), import_files=FakeImportFiles())
        theirs.import_files.s3.objects = self.import_files.s3.objects  # type: ignore[attr-defined]
        begun = begin_import(SELF_HOSTED, ports=theirs, body=text.encode(), into=into)
        assert isinstance(begun, Import)
        return begun.import_id


def _logical(names: TableNames) -> dict[str, str]:
    return {
        names.urls: "UrlsTable",
        names.feeds: "FeedsTable",
        names.frontier: "FrontierTable",
        names.lineage: "LineageTable",
        names.state: "StateTable",
        names.tenants: "TenantsTable",
    }


def _named(resource: str, names: dict[str, str]) -> str:
    table, _, index = resource.partition("/")
    return names[table] + (f"/{index}" if index else "")


def fetch_in_every_way(function: RecordedFunction) -> str:
    """Pages of runs and without a run: new, known, unchanged, moved and dead. Returns the first run's id."""
    first = function.begin_run(A, B, C, GONE)
    function.deliver_all()
    second = function.begin_run(A, "https://d.example/new", GONE)
    function.deliver_all()
    for each in (first, second):
        run = function.lineage.run(each)
        assert run is not None
        assert run.status is RunStatus.DONE
    row = function.add("https://e.example/")  # an unreachable page
    assert function.deliver(function.message(row)) == []
    unclaimed = function.add("https://a.example/?page=2")
    function.internet.network["https://a.example/?page=2"] = page("four")
    assert function.deliver(function.message(unclaimed)) == []
    assert function.row(unclaimed.row_id).status is RowStatus.FETCHED
    assert function.s3.asked == {"PutObject"}
    return first


def make_items_again(function: RecordedFunction, older: str) -> None:
    with code_of(LATER):
        again = function.begin_run(reprocessing_of_run_id=older)
        function.deliver_all()
    made = function.lineage.run(again)
    assert made is not None
    assert made.status is RunStatus.DONE
    assert made.counters.items >= 1
    assert function.s3.asked == {"PutObject", "GetObject"}


def import_in_every_way(function: RecordedFunction) -> None:
    """Subscriptions, of a feed that is known too, and a seed."""
    known = "https://known.example/feed"
    feed = NewFeed(feed_id=derived_ulid(1, known), url=known, aliases=(known,), now=function.clock.now())
    function.feeds.register(feed)
    for into in Target:
        import_id = function.begin_import(f"{known}\nhttps://new.example/feed\n", into)
        function.deliver_all()
        found = function.imports.get(None, import_id)
        assert found is not None
        assert found.state is ImportStatus.DONE


def come_around_by_the_clock(function: RecordedFunction) -> None:
    function.begin_run("https://f.example/")
    function.taken()  # and lost
    late = function.add("https://a.example/late")
    function.clock.advance(max(LEFT_FOR_S, 21 * 60) + 60)
    assert function.do("sweep")["sent"] >= 1
    function.taken()
    function.clock.advance(25 * 60)
    assert function.do("repair")["overdue"] >= 1
    assert function.row(late.row_id).next_fetch_at
    assert function.do("reconcile")["runs"] == 1


def move_the_registry(function: RecordedFunction) -> None:
    """Feeds, one of them merged, rows, and a hash that another feed has."""
    a, b = "https://g.example/a", "https://g.example/b"
    for number, urls in enumerate(((a,), (b,), ("https://g.example/c", a, b))):
        feed = NewFeed(feed_id=derived_ulid(1, str(number)), url=urls[0], aliases=urls, now=function.clock.now())
        function.feeds.register(feed)
    for row in function.feeds.contents.urls().values():
        _hash_as_before(function, row)
    assert function.do("reconcile")["rekey"]
    job = JobMessage(sent_at=function.clock.now(), job=Job.REKEY, job_id=KEY_VERSION)
    assert function.deliver(job.to_text()) == []
    assert function.rekeys.rekeying(KEY_VERSION).done


def _hash_as_before(function: RecordedFunction, row: dict[str, Any]) -> None:
    """Let a spelling, and the feed whose URL it is, have another hash; the first feed's new one is taken."""
    contents, older = function.feeds.contents, "0" * 8 + row["url_hash"][8:]
    function.feeds.faults.delete_item(TableName=function.names.urls, Key=encode({"url_hash": row["url_hash"]}))
    contents.put_url(**{**row, "url_hash": older, "key_version": "0"})
    feed = contents.feeds().get(row.get("feed_id", ""))
    if feed and feed["url_hash"] == row["url_hash"]:
        contents.put_feed_item(**{**feed, "url_hash": older})
    if row["url"].endswith("/b"):
        contents.put_url(**{**row, "feed_id": derived_ulid(2, "another")})


def test_collecting_has_exactly_the_permissions_that_it_uses_and_those_to_read_its_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    function = RecordedFunction()

    first = fetch_in_every_way(function)
    make_items_again(function, first)
    import_in_every_way(function)
    come_around_by_the_clock(function)
    move_the_registry(function)

    expected = function.asked | {(action, "FrontierQueue") for action in EVENT_SOURCE}
    # Without it a body that is not there would be answered as one that may not be read.
    expected |= {("s3:ListBucket", "BodiesBucket")}
    monkeypatch.setattr(export_now, "INLINE_BYTES", 0)
    expected |= asked_by_exports() | OF_COLLECT
    assert granted("CollectFunctionRole") == expected


def test_schedules_may_wake_collecting_and_keep_undelivered_events() -> None:
    assert granted("CollectScheduleRole") == {
        ("lambda:InvokeFunction", "CollectFunction"),
        ("sqs:SendMessage", "ScheduleDeadLetterQueue"),
    }
