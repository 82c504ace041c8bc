"""Tell the bus what a feed owes it: events are written with what they tell of, and crossed out once they are sent (I7).

A failure costs nothing but time: what is left stays owed, and whoever comes next sends it.
"""

from __future__ import annotations

from feedward.errors import FeedwardError
from feedward.model import OwedEvent
from feedward.ports import Clock, EventBus, Outbox


def publish_owed(feed_id: str, *, outbox: Outbox, bus: EventBus, clock: Clock, ends_at: float) -> tuple[OwedEvent, ...]:
    """Send the events that a feed owes, oldest first, until `ends_at` (monotonic), and return those that went out.

    Raises nothing that a store or a bus does: what could not be sent, or not be crossed out, stays owed. So an event
    may be sent twice, with the same id.
    """
    try:
        owed = outbox.owed_events(feed_id, within_s=ends_at - clock.monotonic())
        sent = tuple(bus.publish(owed, within_s=ends_at - clock.monotonic())) if owed else ()
    except FeedwardError:
        return ()
    if sent:
        _cross_out(sent, outbox, ends_at - clock.monotonic())
    return sent


def _cross_out(sent: tuple[OwedEvent, ...], outbox: Outbox, within_s: float) -> None:
    try:
        outbox.events_sent(sent, within_s=within_s)
    except FeedwardError:
        return
