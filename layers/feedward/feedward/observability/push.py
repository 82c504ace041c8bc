"""Log lines and metrics of push. Never a token, a secret or a body; a hub is shown as its host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from feedward.observability.log import count_by, emit, logger, observe
from feedward.urls.safety import host_of_url

if TYPE_CHECKING:  # each function loads only what it records
    from feedward.push.trust import PushNote
    from feedward.services.push.drive_push import PushReport
    from feedward.services.push.receive import CallbackAnswer


def record_callback(answer: CallbackAnswer) -> None:
    """Log a request of a hub, and emit its metric. PushCallbacks: requests to the callback, by result.

    The line of the metric names the hub. A push that a planned check covers has no other line, since a flood has ten
    thousand of them a minute.
    """
    if answer.result.value != "covered":
        logger().info("hub called", result=answer.result.value, hub=host_of_url(answer.hub))
    count_by("result", "PushCallbacks", [answer.result.value], hub=host_of_url(answer.hub))


def record_push_pass(report: PushReport) -> None:
    """Log one line for a pass of subscriptions, and emit the metrics.

    PushAsked: requests to hubs, by result. PushMissed: news that a hub did not announce. PushFreed: feeds that returned
    to their own class. PushResent: checks that were sent again. PushPasses: passes; an alarm fires if there are none.
    """
    for hub, results in report.by_hub.items():
        said = {each.value: number for each, number in results.items()}
        logger().info("asked a hub", hub=host_of_url(hub), results=said)
    logger().info(
        "drove subscriptions",
        missed=report.missed,
        freed=report.freed,
        resent=report.resent,
        failures=list(report.failures),
        complete=report.is_complete,
    )
    count_by("result", "PushAsked", [each.value for each in report.asked.elements()])
    emit({"PushMissed": report.missed, "PushFreed": report.freed, "PushResent": report.resent, "PushPasses": 1})


def record_notes(notes: Sequence[PushNote]) -> None:
    """Emit the metrics of checks about pushes.

    PushTold: news that a push announced first. PushEmpty: pushes without news. PushDelay: seconds from a push to the
    news.
    """
    told = [note for note in notes if note.told_after_s is not None]
    for note in notes:
        logger().info("push", hub=host_of_url(note.hub), told=note.told_after_s is not None, empty=note.is_empty)
    emit({"PushTold": len(told), "PushEmpty": sum(note.is_empty for note in notes)})
    observe("PushDelay", [note.told_after_s for note in told if note.told_after_s is not None])
