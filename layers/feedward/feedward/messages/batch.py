"""A batch of SQS messages, answered record by record: what failed comes again, and the rest is done with.

What cannot be started in the time that is left is given back unread. Whoever works on the last receive of a message is
told so: after it the queue puts the message among the dead letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from feedward.errors import DeadlinePassed, FeedwardError
from feedward.observability import logger

RECEIVES_AT_MOST: Final = 5
"""As the queues' redrive policies in template.yaml say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One message as it was received: its text, the seconds there are to work on it, and whether it will come again."""

    body: object
    within_s: float
    is_last: bool


def is_batch(event: object) -> bool:
    """True for what an event source sends, as opposed to a request."""
    return isinstance(event, Mapping) and isinstance(event.get("Records"), list)


def answer_batch(
    event: Mapping[str, Any], work: Callable[[Receipt], None], *, remaining_s: Callable[[], float], least_s: float
) -> dict[str, Any]:
    """Do `work` on each message, one after the other, and return Lambda's partial batch response.

    A message fails when `work` raises, or when less than `least_s` of `remaining_s` is left before it.
    """
    # It brings asyncio, which no request over HTTP needs.
    from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType  # noqa: PLC0415

    def attend(record: Any) -> None:
        try:
            work(_received(record, within_s=remaining_s(), least_s=least_s))
        except Exception as error:
            _log_failure(record, error)
            raise

    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    with processor(event["Records"], attend):
        processor.process()
    return dict(processor.response())


def _received(record: Any, *, within_s: float, least_s: float) -> Receipt:
    if within_s < least_s:
        raise DeadlinePassed("the time of this call was used up before this message")
    return Receipt(body=record.body, within_s=within_s, is_last=_receives(record) >= RECEIVES_AT_MOST)


def _receives(record: Any) -> int:
    """How often the message was received until now, this time included."""
    try:
        return int(record.raw_event["attributes"]["ApproximateReceiveCount"])
    except (KeyError, TypeError, ValueError):
        return 1


def _log_failure(record: Any, error: Exception) -> None:
    """What is of the tree of errors is told in a line; anything else is a fault of ours, and has its trace."""
    known = isinstance(error, FeedwardError)
    logger().warning(
        "message failed",
        message_id=record.raw_event["messageId"],
        receive=_receives(record),
        code=error.code if isinstance(error, FeedwardError) else FeedwardError.code,
        detail=str(error) if known else "",
        exc_info=None if known else error,
    )
