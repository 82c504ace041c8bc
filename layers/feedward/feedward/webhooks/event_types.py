"""The types of webhook events, by their names on the bus (rule K18). Internal events have none. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from feedward.errors import InvalidInput
from feedward.events import envelope

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
