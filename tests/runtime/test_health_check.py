"""The health check that `sam build` makes, run as AWS runs it: woken by its schedules and its queue."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.codec import decode, encode
from feedward.adapters.dynamodb.store.keys import TableNames, feed_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.registration import NewFeed
from feedward.ulid import new_ulid
from tests.runtime.conftest import client
from tests.runtime.emulator import HEALTH_CHECK, Emulator, running_function
from tests.runtime.recorded import event, record
from tests.store_contents import by_exception, due_at

pytestmark = pytest.mark.runtime

MADE_UP = Path(__file__).parent / "made_up"
HOST = "checked.example"


@pytest.fixture
def health_check(built: Path, variables: dict[str, str], site: int, tmp_path: Path) -> Iterator[Emulator]:
    made_up = {"MADE_UP_HOST": HOST, "MADE_UP_PORT": str(site), "AWS_LAMBDA_FUNCTION_TIMEOUT": "60"}
    with running_function(
        tmp_path / "function.log",
        variables | made_up,
        function=HEALTH_CHECK,
        handler="entry.handler",
        more_code=(MADE_UP,),
    ) as emulator:
        yield emulator


def due_feed(dynamodb: Any, tables: TableNames, host: str) -> str:
    """Register a feed that is due since a minute."""
    now = int(time.time())
    new = NewFeed(feed_id=new_ulid(now), url=f"http://{host}/feed", aliases=(), now=now - 3600)
    feed_id = DynamoFeedStore(Tables(dynamodb, tables)).register(new).feed_id
    feed = by_exception(stored(dynamodb, tables, feed_id), now - 60)
    dynamodb.put_item(TableName=tables.feeds, Item=encode(feed))
    return feed_id


def stored(dynamodb: Any, tables: TableNames, feed_id: str) -> dict[str, Any]:
    return decode(dynamodb.get_item(TableName=tables.feeds, Key=encode(feed_key(feed_id)))["Item"])


def test_due_feeds_are_sent_to_the_queue_and_checked(
    health_check: Emulator, variables: dict[str, str], dynamodb: Any, tables: TableNames, ministack: str
) -> None:
    idle = health_check.invoke(event("schedule_sweep"))
    well, lost = due_feed(dynamodb, tables, HOST), due_feed(dynamodb, tables, "nowhere.example")
    swept = health_check.invoke(event("schedule_sweep"))
    queue = {"QueueUrl": variables["HEALTH_QUEUE_URL"], "MaxNumberOfMessages": 10}
    sent = [message["Body"] for message in client("sqs", ministack).receive_message(**queue)["Messages"]]
    batch = [record("sqs_health_check", body) | {"messageId": f"m{n}"} for n, body in enumerate(sent)]
    checked = health_check.invoke({"Records": [*batch, record("sqs_health_check", "no JSON")]})
    print(
        f"\ncold {idle.seconds * 1000:.0f} ms, warm {swept.seconds * 1000:.0f} ms (sweep), "
        f"{checked.seconds * 1000:.0f} ms (first checks)"
    )

    assert (idle.payload["due"], idle.payload["failures"]) == (0, [])
    assert (swept.payload["due"], swept.payload["sent"], swept.payload["complete"]) == (2, 2, True)
    assert checked.payload == {"batchItemFailures": [{"itemIdentifier": "no JSON"}]}
    feed = stored(dynamodb, tables, well)
    assert (feed["state"], feed["last_http_status"], feed["rev"]) == ("healthy", 200, 3)
    assert due_at(feed, int(time.time())) >= time.time() + 60 - checked.seconds
    failed = stored(dynamodb, tables, lost)
    assert (failed["state"], failed["consecutive_failures"]) == ("degraded", 1)
    lines = [json.loads(line) for line in health_check.log.read_text().splitlines() if line.startswith("{")]
    assert any("Checked" in line or line.get("message") == "checked" for line in lines), lines[-5:]


@pytest.mark.parametrize("task", ["repair", "reconcile"])
def test_the_other_schedules_report_that_they_are_done(health_check: Emulator, task: str) -> None:
    report = health_check.invoke(event(f"schedule_{task}")).payload

    assert (report["complete"], report["failures"]) == (True, [])
