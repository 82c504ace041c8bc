"""Retention: data is kept forever, unless a parameter says otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions
from feedward.adapters.dynamodb.feeds.feed_reader import DynamoFeedReader
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.store.codec import decode
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.bootstrap import Services
from feedward.config import HISTORY_DAYS_AT_MOST, Settings
from feedward.health.due_feed import DueFeed
from feedward.health.moves import MoveReason
from feedward.health.relocation import FeedMove
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.template.test_permissions import (
    NOW,
    Recorder,
    a_due_feed,
    move_in_every_way,
    register_in_every_way,
    revive_in_every_way,
)
from tests.template.translation import Stack, properties, source
from tests.template_tables import create_tables

PARAMETERS = source()["Parameters"]
# The events in the history of feeds; a pause and a resumption are written like a setting.
MADE = {"registered", "merged", "moved", "undone", "revival", "collect_items_on"}


@pytest.mark.parametrize("parameter", ["HistoryRetentionDays", "BodiesRetentionDays"])
def test_collected_data_is_deleted_only_by_a_setting(parameter: str) -> None:
    assert (PARAMETERS[parameter]["Default"], PARAMETERS[parameter]["MinValue"]) == (0, 0)
    assert PARAMETERS[parameter]["MaxValue"] == HISTORY_DAYS_AT_MOST


def test_only_state_history_and_deliveries_can_expire() -> None:
    expire = {name for name, table in properties("AWS::DynamoDB::Table").items() if "TimeToLiveSpecification" in table}

    assert expire == {"StateTable", "FeedsTable", "WebhooksTable"}


def test_functions_are_told_how_long_history_is_kept() -> None:
    functions = Stack("feedward", HistoryRetentionDays=400).properties("AWS::Lambda::Function")

    assert {each["Environment"]["Variables"]["HISTORY_RETENTION_DAYS"] for each in functions.values()} == {400}


FILES = [
    {"Id": each.capitalize(), "Status": "Enabled", "Prefix": f"{each}/", "ExpirationInDays": 1}
    for each in ("imports", "exports")
]


def expirations(stack: Stack) -> list[dict[str, object]]:
    buckets = stack.properties("AWS::S3::Bucket").values()
    rules = [rule for bucket in buckets for rule in bucket["LifecycleConfiguration"]["Rules"]]
    return [rule for rule in rules if "ExpirationInDays" in rule]


def test_bodies_stay_unless_their_days_are_set() -> None:
    assert expirations(Stack("feedward")) == FILES


def test_bodies_go_after_the_days_that_are_set_and_nothing_else_does() -> None:
    *files, rule = expirations(Stack("feedward", BodiesRetentionDays=90))

    assert files == FILES
    assert rule == {"Id": "Bodies", "Status": "Enabled", "Prefix": "bodies/", "ExpirationInDays": 90}


# --- history --------------------------------------------------------------------------------------


def rows_of_all_that_makes_history(history_days: int) -> list[dict[str, Any]]:
    """The contents of FeedsTable after feeds were registered, merged, moved, moved back, searched and set."""
    client = InMemoryDynamoDB()
    names = replace(create_tables(client), history_days=history_days)
    asked = Recorder(client)
    register_in_every_way(asked, names)
    move_in_every_way(asked, names)
    revive_in_every_way(asked, names)
    moves = DynamoFeedMoves(Tables(asked, names))  # type: ignore[arg-type]
    moved = a_due_feed(asked, names, 51)
    moves.move(a_move(moved))
    moves.undo(moved.feed_id, by="a person", now=NOW)
    feed = DynamoFeedReader(Tables(asked, names)).feed(moved.feed_id, tenant_id=None)  # type: ignore[arg-type]
    assert feed is not None
    assert DynamoFeedActions(Tables(asked, names)).set_collect_items(feed, True, by="a person", now=NOW)  # type: ignore[arg-type]
    return [decode(item) for item in client.scan(TableName=names.feeds)["Items"]]


def a_move(feed: DueFeed) -> FeedMove:
    return FeedMove(
        feed_id=feed.feed_id,
        url=feed.url,
        to="https://example.com/elsewhere",
        seen_rev=feed.rev,
        reason=MoveReason.PERMANENT_REDIRECT,
        by="check",
        now=NOW,
    )


def history(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["sk"].startswith("AUDIT#")]


def test_an_entry_of_history_ends_after_the_days_that_are_set_and_nothing_else_of_a_feed_does() -> None:
    rows = rows_of_all_that_makes_history(history_days=30)

    assert {row["action"] for row in history(rows)} == MADE
    assert all(row["expires_at"] == row["at"] + 30 * 24 * 3600 for row in history(rows))
    assert not [row["sk"] for row in rows if "expires_at" in row and row not in history(rows)]


def test_history_never_ends_where_no_days_are_set() -> None:
    rows = rows_of_all_that_makes_history(history_days=0)

    assert {row["action"] for row in history(rows)} == MADE
    assert not [row["sk"] for row in rows if "expires_at" in row]


def test_the_expiry_of_an_entry_is_not_shown_to_readers() -> None:
    client = InMemoryDynamoDB()
    names = replace(create_tables(client), history_days=30)
    feed = a_due_feed(client, names)

    entries = DynamoFeedMoves(Tables(client, names)).entries(feed.feed_id)  # type: ignore[arg-type]

    assert [entry.action for entry in entries] == ["registered"]
    assert "expires_at" not in entries[0].details


def test_the_number_of_days_reaches_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    settings = Settings.from_env(
        {"URLS_TABLE": "u", "FEEDS_TABLE": "f", "STATE_TABLE": "s", "HISTORY_RETENTION_DAYS": "400"}
    )

    assert Services(settings).tables.names.history_days == 400
