"""Events for webhooks: their types by the names on the bus (rule K18), the events as the fan-out reads them, and the
message that continues a fan-out (rule K2). Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from feedward.errors import InvalidInput
from feedward.events import envelope
from feedward.scheduling.messages import VERSION

TYPES: Final[Mapping[str, str]] = {
    envelope.ITEMS_PUBLISHED: "items.published",
    envelope.FEED_DISCOVERED: "feed.discovered",
    envelope.FEED_MOVED: "feed.moved",
    envelope.FEED_STALE: "feed.stale",
    envelope.FEED_STATE_CHANGED: "feed.state_changed",
    envelope.SUBSCRIPTION_CREATED: "subscription.created",
    envelope.SUBSCRIPTION_FAILED: "subscription.failed",
    envelope.SUBSCRIPTION_READY: "subscription.ready",
}
"""The webhook type of each event of the bus."""
TEST: Final = "webhook.test"
"""The type of test events, which every webhook gets."""
FAMILIES: Final = tuple(sorted({f"{each.partition('.')[0]}.*" for each in TYPES.values()}))
NAMES: Final = (*sorted(TYPES.values()), *FAMILIES)
"""The types and families, such as `feed.*`, that a webhook may select."""


def chosen_types(names: Iterable[str]) -> tuple[str, ...]:
    """Return the types that these names select, sorted. Raises InvalidInput (`events`, `events[3]`)."""
    chosen: set[str] = set()
    for place, name in enumerate(names):
        if name not in NAMES:
            raise InvalidInput(f"events[{place}]", f"expected one of {', '.join(NAMES)}")
        family = name.removesuffix("*")
        chosen |= {each for each in TYPES.values() if each == name or (name.endswith("*") and each.startswith(family))}
    if not chosen:
        raise InvalidInput("events", "a webhook needs at least one type of events")
    return tuple(sorted(chosen))


MESSAGE_TYPE: Final = "fan_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class BusEvent:
    """An event for webhooks. `tenant_id` is that of the detail: the owner of a subscription or private feed.

    `feed_id` is None for events of subscriptions, which go to their tenant only. `place` and `after` are the cursor of
    the fan-out: the feed, and the last follower done.
    """

    detail_type: str
    detail: Mapping[str, Any]
    place: int = 0
    after: Mapping[str, Any] | None = None
    delay_s: int = 0

    @property
    def type(self) -> str:
        """The type that webhooks select."""
        return TYPES[self.detail_type]

    @property
    def event_id(self) -> str:
        """The id from feedward: the bus gives a repeated event a new one."""
        return str(self.detail["id"])

    @property
    def occurred_at(self) -> int:
        """The time of the event, in epoch seconds."""
        return int(self.detail["occurred_at"])

    @property
    def tenant_id(self) -> str | None:
        """The tenant of the detail."""
        tenant: str | None = self.detail.get("tenant_id")
        return tenant

    @property
    def feed_id(self) -> str | None:
        """The feed whose followers get the event."""
        return str(self.detail["feed_id"]) if self.type.startswith(("feed.", "items.")) else None

    def going_on(self, place: int, after: Mapping[str, Any] | None) -> BusEvent:
        """Return the event with a new cursor of the fan-out."""
        return replace(self, place=place, after=after)

    def to_text(self) -> str:
        """Return it as a message, in ASCII."""
        told = {"version": VERSION, "type": MESSAGE_TYPE, "event": self.detail_type, "detail": self.detail}
        return json.dumps({**told, "place": self.place, "after": self.after}, separators=(",", ":"))


def read_event(detail_type: object, detail: object) -> BusEvent:
    """Decode an event of the bus. Raises InvalidInput, which names the member."""
    if not isinstance(detail_type, str) or detail_type not in TYPES:
        raise InvalidInput("detail-type", "webhooks do not get this event")
    if not isinstance(detail, Mapping):
        raise InvalidInput("detail", "expected an object")
    needed = {"id": str, "occurred_at": int, **({} if detail_type.startswith("Subscription") else {"feed_id": str})}
    for name, kind in needed.items():
        if not isinstance(detail.get(name), kind) or detail[name] in ("", True, False):
            raise InvalidInput(f"detail.{name}", "is missing or of another type")
    tenant_id = detail.get("tenant_id")
    if tenant_id is not None and not (isinstance(tenant_id, str) and tenant_id):
        raise InvalidInput("detail.tenant_id", "expected a text")
    return BusEvent(detail_type=detail_type, detail=detail)


def read_message(message: Mapping[str, Any]) -> BusEvent:
    """Decode the message that continues a fan-out. Raises InvalidInput."""
    event, place, after = read_event(message.get("event"), message.get("detail")), message.get("place"), message.get(
        "after"
    )  # fmt: skip
    if not isinstance(place, int) or not (after is None or isinstance(after, Mapping)):
        raise InvalidInput("place", "expected the cursor of the fan-out")
    return event.going_on(place, after)
