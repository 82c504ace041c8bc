"""Tell the bus what a feed owes it: events are written with what they tell of, and crossed out once they are sent (I7).

A failure costs nothing but time: what is left stays owed, and whoever comes next sends it.
"""

from __future__ import annotations

from feedward.errors import BusUnavailable, FeedwardError
from feedward.ports import Clock, EventBus, Outbox


def publish_owed(feed_id: str, *, outbox: Outbox, bus: EventBus, clock: Clock, ends_at: float) -> str | None:
    """Send the events that a feed owes, oldest first, until `ends_at` (monotonic).

    Returns None where nothing is owed any more, else the code of the error that left something. Raises nothing that a
    store or a bus does. An event that was sent but could not be crossed out is sent again, with the same id.
    """
    try:
        owed = outbox.owed_events(feed_id, within_s=ends_at - clock.monotonic())
        if not owed:
            return None
        sent = bus.publish(owed, within_s=ends_at - clock.monotonic())
        outbox.events_sent(sent, within_s=ends_at - clock.monotonic())
    except FeedwardError as error:
        return error.code
    return None if len(sent) == len(owed) else BusUnavailable.code
