"""Transactional outbox: events are stored with the change they describe and deleted once the bus has accepted them
(rule I7).

A failure only delays events: the rest stays in the outbox, and the next relay sends it.
"""

from __future__ import annotations

from feedward.deadline import Deadline
from feedward.errors import BusUnavailable, FeedwardError
from feedward.ports import EventBus, Outbox


def relay_outbox(feed_id: str, *, outbox: Outbox, bus: EventBus, deadline: Deadline) -> str | None:
    """Send the events in a feed's outbox, oldest first, until the `deadline`.

    Returns None if the outbox is empty, else the code of the error that left an entry. Raises no error of a store or a
    bus. An event that was sent but could not be deleted is sent again, with the same id.
    """
    try:
        bound = outbox.within(deadline)
        entries = bound.outbox_entries(feed_id)
        if not entries:
            return None
        sent = bus.within(deadline).publish(entries)
        bound.events_sent(sent)
    except FeedwardError as error:
        return error.code
    return None if len(sent) == len(entries) else BusUnavailable.code
