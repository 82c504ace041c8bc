"""The collect function that `sam build` makes, run as AWS runs it: woken by its queue and its schedules."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.messages import Job, JobMessage
from feedward.frontier.row import FrontierRow
from feedward.lineage.run import Run, RunKind, RunStatus
from feedward.lineage.version import CURRENT, CURRENT_VERSION
from feedward.ulid import new_ulid
from feedward.urls.key import url_hash
from tests.runtime.conftest import client
from tests.runtime.emulator import COLLECT, DIRECTORY, Emulator, running_function
from tests.runtime.recorded import event, record

pytestmark = pytest.mark.runtime

MADE_UP = Path(__file__).parent / "made_up"
HOST = "collected.example"


@pytest.fixture
def collect(built: Path, variables: dict[str, str], discovered: int, tmp_path: Path) -> Iterator[Emulator]:
    made_up = {"MADE_UP_HOST": HOST, "MADE_UP_PORT": str(discovered), "AWS_LAMBDA_FUNCTION_TIMEOUT": "90"}
    with running_function(
        tmp_path / "function.log",
        variables | made_up,
        function=COLLECT,
        handler="entry.handler",
        more_code=(MADE_UP,),
    ) as emulator:
        yield emulator


def sent(variables: dict[str, str], ministack: str) -> list[str]:
    """Take the waiting messages from the queue of the frontier; those of this host: other tests send, too."""
    sqs, url = client("sqs", ministack), variables["FRONTIER_QUEUE_URL"]
    found = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=2).get("Messages", [])
    for message in found:
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return [message["Body"] for message in found if HOST in message["Body"]]


def batch(bodies: list[str]) -> dict[str, Any]:
    return {"Records": [record("sqs_frontier_rows", body) | {"messageId": f"m{n}"} for n, body in enumerate(bodies)]}


def test_a_run_is_handed_on_and_its_pages_become_items(
    collect: Emulator, variables: dict[str, str], dynamodb: Any, tables: TableNames, ministack: str
) -> None:
    now = int(time.time())
    lineage = DynamoLineageStore(Tables(dynamodb, tables))
    run = Run(
        run_id=new_ulid(now),
        kind=RunKind.URLS,
        collector=CURRENT.collector,
        normalization_version=CURRENT_VERSION,
        created_at=now,
        pages=2,
    )
    lineage.create_run(run, [f"http://{HOST}/", f"http://{HOST}/nothing"])
    job = JobMessage(sent_at=now, job=Job.RUN, job_id=run.run_id)

    driven = collect.invoke(batch([job.to_text()]))
    fetched = collect.invoke(batch([*sent(variables, ministack), "no JSON"]))
    print(f"\ncold {driven.seconds * 1000:.0f} ms (collect), {fetched.seconds * 1000:.0f} ms (first pages)")

    assert driven.payload == {"batchItemFailures": []}
    assert [each["itemIdentifier"] for each in fetched.payload["batchItemFailures"]] == ["m1"]
    found = lineage.run(run.run_id)
    assert found is not None
    assert (found.status, found.counters.items, found.counters.dead) == (RunStatus.DONE, 1, 1)
    (item,) = [lineage.item(each) for each in lineage.items_of_run(run.run_id)]
    assert item is not None
    assert (item.title, item.status) == ("Made up", 200)
    key = f"bodies/{str(item.body_sha256)[:2]}/{item.body_sha256}.gz"
    assert client("s3", ministack).head_object(Bucket=variables["BODIES_BUCKET"], Key=key)["ContentLength"] > 0
    lines = [json.loads(line) for line in collect.log.read_text().splitlines() if line.startswith("{")]
    assert any(line.get("message") == "collected" for line in lines), lines[-5:]


def test_due_rows_are_sent_to_the_queue(
    collect: Emulator, variables: dict[str, str], dynamodb: Any, tables: TableNames, ministack: str
) -> None:
    now, url = int(time.time()), f"http://{HOST}/swept"
    row = FrontierRow(
        row_id=new_ulid(now), url=url, url_hash=url_hash(url), host=HOST, next_fetch_at=now - 60, created_at=now - 120
    )
    DynamoFrontierStore(Tables(dynamodb, tables)).submit(row)

    swept = collect.invoke(event("schedule_frontier_sweep")).payload

    assert (swept["sent"] >= 1, swept["complete"], swept["failures"]) == (True, True, [])
    rows = [each["row_id"] for body in sent(variables, ministack) for each in json.loads(body).get("rows", ())]
    assert row.row_id in rows


@pytest.mark.parametrize("task", ["repair", "reconcile"])
def test_the_other_schedules_report_that_they_are_done(collect: Emulator, task: str) -> None:
    assert collect.invoke(event(f"schedule_frontier_{task}")).payload["failures"] == []


def test_the_directory_takes_pages_and_runs(built: Path, variables: dict[str, str], tmp_path: Path) -> None:
    with running_function(tmp_path / "function.log", variables, function=DIRECTORY) as emulator:
        submitted = emulator.invoke(event("http_frontier_submit"))
        started = emulator.invoke(event("http_run_start"))
        listed = emulator.invoke(event("http_frontier"))
        unknown = emulator.invoke(event("http_item_chain"))

    assert submitted.payload["statusCode"] == started.payload["statusCode"] == 202
    good, bad = json.loads(submitted.payload["body"])["results"]
    assert (good["row"]["url"], bad["error"]["field"]) == ("https://example.com/post", "urls[1]")
    assert json.loads(started.payload["body"])["pages"] == 2
    assert (listed.payload["statusCode"], unknown.payload["statusCode"]) == (200, 404)
