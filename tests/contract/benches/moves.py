"""Moves to request in the contract suite, and invariants of the tables after any operation."""

from __future__ import annotations

from typing import Any

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.moves import MoveReason
from feedward.health.relocation import FeedMove
from feedward.scheduling.shards import due_shard
from tests.contract.benches.feeds import NOW
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

LATER = NOW + 3600


def moves(bench: Bench, backoff: Backoff = PATIENT) -> DynamoFeedMoves:
    """The moves of this bench's directory."""
    return DynamoFeedMoves(Tables(bench.faults, bench.contents.names, backoff))  # type: ignore[arg-type]


def a_move(bench: Bench, feed_id: str, to: str, **members: Any) -> FeedMove:
    """The move of a feed in its current state."""
    feed = bench.contents.feeds()[feed_id]
    given: dict[str, Any] = {
        "url": feed["url"],
        "seen_rev": feed["rev"],
        "reason": MoveReason.REVIVAL,
        "by": "revival",
        "now": LATER,
        "why": "gone",
    }
    return FeedMove(feed_id=feed_id, to=to, **given | members)


def write(bench: Bench, feed_id: str, **attributes: Any) -> None:
    """Change FEED past the store, as another writer does. With another due time it is due by exception."""
    feed = bench.contents.feeds()[feed_id]
    if "next_check_at" in attributes:
        by_exception = attributes["next_check_at"] is not None
        attributes = {"slot": None, "slot_from": None, "due_shard": due_shard(feed["host"]), **attributes}
        attributes |= {} if by_exception else {"due_shard": None}
    changed = {**feed, **attributes, "rev": feed["rev"] + 1}
    bench.contents.put_feed_item(**{name: value for name, value in changed.items() if value is not None})


def faults(bench: Bench) -> list[str]:
    """Violations of rule I1 or I3, including a feed at a URL that it does not own, and two feeds at one URL."""
    feeds, urls = bench.contents.feeds(), bench.contents.urls()
    found = bench.contents.faults_of_form()
    at: dict[str, str] = {}
    for feed_id, feed in bench.contents.live().items():
        owner = urls.get(feed["url_hash"], {}).get("feed_id", "")
        while "merged_into" in feeds.get(owner, {}):
            owner = feeds[owner]["merged_into"]
        if owner != feed_id:
            found.append(f"{feed_id} is at {feed['url']}, which is {owner}'s")
        if other := at.get(feed["url_hash"]):
            found.append(f"{feed_id} and {other} are both at {feed['url']}")
        at[feed["url_hash"]] = feed_id
        places = [{"due_shard", "next_check_at"} <= feed.keys(), {"slot", "slot_from"} <= feed.keys()]
        if feed["state"] != "paused" and sum(places) != 1:
            found.append(f"{feed_id} is due nowhere, or twice")
    return found
