"""The directory function that `sam build` makes, run as AWS runs it: it reads stored data, and changes it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.registration import NewFeed
from feedward.ulid import new_ulid
from tests.runtime.emulator import DIRECTORY, running_function
from tests.runtime.recorded import event

pytestmark = pytest.mark.runtime

URL = "https://kept.example/feed"


def test_a_feed_is_read_paused_and_listed_and_one_that_is_not_there_is_a_problem(
    built: Path, variables: dict[str, str], dynamodb: Any, tables: TableNames, tmp_path: Path
) -> None:
    now = int(time.time())
    new = NewFeed(feed_id=new_ulid(now), url=URL, aliases=(), now=now, title="Kept")
    feed_id = DynamoFeedStore(Tables(dynamodb, tables)).register(new).feed_id
    by_id = {"pathParameters": {"id": feed_id}}
    with running_function(tmp_path / "function.log", variables, function=DIRECTORY) as emulator:
        unknown = emulator.invoke(event("http_feed"))
        found = emulator.invoke(event("http_feed") | by_id)
        paused = emulator.invoke(event("http_feed_pause") | by_id)
        listed = emulator.invoke(event("http_feeds") | {"queryStringParameters": {"state": "paused"}})
        subscribed = emulator.invoke(event("http_subscribe"))
    print(f"\ncold {unknown.seconds * 1000:.0f} ms, warm {found.seconds * 1000:.0f} ms (directory)")

    assert unknown.payload["statusCode"] == 404
    assert unknown.payload["headers"]["Content-Type"] == "application/problem+json"
    feed = json.loads(found.payload["body"])
    assert (feed["url"], feed["title"], feed["state"]) == (URL, "Kept", "healthy")
    assert (paused.payload["statusCode"], json.loads(paused.payload["body"])["state"]) == (202, "paused")
    assert [each["url"] for each in json.loads(listed.payload["body"])["feeds"]] == [URL]
    assert subscribed.payload["statusCode"] == 202
    assert json.loads(subscribed.payload["body"])["status"] == "pending"
