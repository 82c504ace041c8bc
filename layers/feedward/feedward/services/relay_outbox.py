"""Tell the bus what a feed owes it: events are written with what they tell of, and crossed out once they are sent
(rule I7).

A failure costs nothing but time: what is left stays owed, and whoever comes next sends it.
"""

from __future__ import annotations

from feedward.deadline import Deadline
from feedward.errors import BusUnavailable, FeedwardError
from feedward.ports import EventBus, Outbox


def relay_outbox(feed_id: str, *, outbox: Outbox, bus: EventBus, deadline: Deadline) -> str | None:
    """Send the events that a feed owes, oldest first, until the `deadline`.

    Returns None where nothing is owed any more, else the code of the error that left something. Raises nothing that a
    store or a bus does. An event that was sent but could not be crossed out is sent again, with the same id.
    """
    try:
        entries = outbox.within(deadline).outbox_entries(feed_id)
        if not entries:
            return None
        sent = bus.within(deadline).publish(entries)
        outbox.within(deadline).events_sent(sent)
    except FeedwardError as error:
        return error.code
    return None if len(sent) == len(entries) else BusUnavailable.code
