"""Converts PUSH, the subscription of a feed to its hub, to an item and back.

It is due in the index `pending` at the time of its next step. PUSHED exists while the feed trusts its pushes: it lists
the feed under its hub in that index.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, fields
from typing import Any, Final

from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import feed_key
from feedward.push.push_record import Former, PushRecord, SubscriptionState, Trust
from feedward.scheduling.shards import pending_shard

PUSHED: Final = "PUSHED"
KIND: Final = "push"
PUSH_CHECK: Final = ("push_check_at", "pushed_at")
KEPT_S: Final = 2 * 24 * 3600
_NAMES: Final = tuple(each.name for each in fields(PushRecord) if each.name not in ("feed_id", "rev"))
_HASH_DIGITS: Final = 24


def hub_key(hub: str) -> str:
    """Return the hash of a hub's URL, for use in keys."""
    return hashlib.sha256(hub.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]


def hub_kind(hub: str) -> str:
    """Return the kind under which `pending` lists the feeds that trust a hub."""
    return f"hub-{hub_key(hub)}"


def push_attributes(record: PushRecord) -> Item:
    """Return the attributes of PUSH except its key and its rev; missing ones are None.

    An ended subscription expires when its callback no longer answers.
    """
    stored: dict[str, Any] = {name: getattr(record, name) or None for name in _NAMES}
    stored |= {"state": record.state.value, "trust": record.trust.value}
    stored["hubs"], stored["topics"] = list(record.hubs), list(record.topics)
    stored["former"] = [asdict(each) for each in record.former] or None
    stored["expires_at"] = record.state_since + KEPT_S if record.is_ended else None
    return stored | due_attributes(record)


def due_attributes(record: PushRecord) -> Item:
    """Return the attributes that list a record as due, or keep it out of the index."""
    due_at = record.due_at
    shard = None if due_at is None else pending_shard(KIND, record.feed_id)
    return {"pending_shard": shard, "pending_since": due_at}


def read_push(item: Item) -> PushRecord:
    """Return the record of PUSH."""
    members: dict[str, Any] = {name: item[name] for name in _NAMES if item.get(name) is not None}
    members["state"] = SubscriptionState(members["state"])
    members["trust"] = Trust(members.get("trust", Trust.NONE.value))
    members["hubs"], members["topics"] = tuple(members.get("hubs", ())), tuple(members.get("topics", ()))
    members["former"] = tuple(Former(**each) for each in members.get("former", ()))
    return PushRecord(feed_id=item["feed_id"], rev=item["rev"], **members)


def shown_trust(item: Item) -> str:
    """Return the API's value for the trust in a feed's pushes: none without a subscription."""
    trust = Trust(item.get("trust", Trust.NONE.value))
    is_verified = item.get("state") == SubscriptionState.VERIFIED.value
    return (trust if is_verified or trust is Trust.DISTRUSTED else Trust.NONE).value


def pushed_item(record: PushRecord, now: int) -> Item:
    """Return PUSHED, which lists a feed under its trusted hub."""
    mark = {"pending_shard": pending_shard(hub_kind(record.hub), record.feed_id), "pending_since": now}
    return {**feed_key(record.feed_id, PUSHED), "hub": record.hub, **mark}
