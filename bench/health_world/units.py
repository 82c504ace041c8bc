"""The cost of a write of FEED in DynamoDB units: by the writing code, and the indexes of the template."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from feedward.adapters.dynamodb.feeds.health_items import change, feed_attributes, heartbeat
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FeedHealth
from feedward.scheduling.slots import Place, Slot
from tests.template_tables import template

_DAY = 86_400


@cache
def heartbeat_units(every: int) -> int:
    """Return the cost of a heartbeat of a feed of a class, if only its time is new."""
    before = _feed(Place(from_s=_DAY, slot=Slot(every=every, phase=0)))
    return write_units(before, _checked(before, before.place), is_heartbeat=True)


@cache
def place_units(before: Place, after: Place) -> int:
    """Return the cost of a check without news if its feed gets another place."""
    feed = _feed(before)
    return write_units(feed, _checked(feed, after))


def write_units(before: DueFeed, after: DueFeed, *, is_heartbeat: bool = False) -> int:
    """Return the units of a check's write of FEED only: the item, and each changed index entry."""
    assign, remove = (heartbeat if is_heartbeat else change)(before, after)
    changed = {*assign, *remove, *(() if is_heartbeat else ("rev",))}
    old, new = feed_attributes(before), feed_attributes(after)
    units = 1
    for keys, projected in _indexes():
        was_in, is_in = (all(item.get(key) is not None for key in keys) for item in (old, new))
        if any(old.get(key) != new.get(key) for key in keys):
            units += was_in + is_in
        else:
            units += is_in and bool(changed & projected)
    return units


@cache
def _indexes() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """The keys and projected attributes of each index of FeedsTable."""
    indexes = template()["Resources"]["FeedsTable"]["Properties"]["GlobalSecondaryIndexes"]
    return tuple(
        (
            frozenset(key["AttributeName"] for key in index["KeySchema"]),
            frozenset(index["Projection"].get("NonKeyAttributes", ())),
        )
        for index in indexes
    )


def _feed(place: Place) -> DueFeed:
    health = FeedHealth(feed_id="01JNE3T8000000000000000000", median_gap_s=3600, last_success_at=_DAY)
    url = "https://blog.example/feed.xml"
    return DueFeed(
        feed_id=health.feed_id, url=url, url_hash="0" * 64, host="blog.example", rev=1, place=place, health=health
    )


def _checked(feed: DueFeed, place: Place) -> DueFeed:
    now = 2 * _DAY
    return replace(feed, place=place, health=replace(feed.health, last_success_at=now, last_attempt_at=now))
