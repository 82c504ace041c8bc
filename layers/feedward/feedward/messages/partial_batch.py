"""Partial batch responses: failed messages of an SQS batch are received again, the others are deleted.

A message that cannot be started in the remaining time is returned unread. A message that fails on its last receive is
given up: the queue moves it to its dead-letter queue. Messages are processed one after the other, or all together.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from feedward.deadline import call_time_s, task_time_s
from feedward.errors import DeadlinePassed, FeedwardError, InvalidInput
from feedward.observability.log import logged, logger

Message = TypeVar("Message")
Task = TypeVar("Task")
Services = TypeVar("Services")
Failures = Sequence[Exception | None]
Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A record of a queue: its text, and how often it was received, this time included."""

    body: object
    receives: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded(Generic[Message]):
    """A batch's messages in order, each decoded, or the error why it cannot be."""

    messages: tuple[Message | InvalidInput, ...]

    @property
    def readable(self) -> list[Message]:
        """The messages that were decoded."""
        return [each for each in self.messages if not isinstance(each, InvalidInput)]

    def failures(self, of_readable: Sequence[Exception | None]) -> list[Exception | None]:
        """Return the error of each message, or None, given those of the decoded ones."""
        theirs = iter(of_readable)
        return [each if isinstance(each, InvalidInput) else next(theirs) for each in self.messages]


def decode_all(records: Sequence[Received], read: Callable[[Received], Message]) -> Decoded[Message]:
    """Decode the messages of a batch; `read` raises InvalidInput for one that cannot be used."""

    def decode(record: Received) -> Message | InvalidInput:
        try:
            return read(record)
        except InvalidInput as error:
            return error

    return Decoded(messages=tuple(map(decode, records)))


RECEIVES_AT_MOST: Final = 5
"""The same as in DiscoverQueue's redrive policy in template.yaml."""


RESERVE_S: Final = 5.0
"""The part of a call's time that is reserved for work that ends after its deadline."""
LEAST_S: Final = 15.0
"""The minimum time for a message. With less, the attempt would waste one of its receives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """`work` takes a message and its time limit in seconds. It raises on failure.

    `give_up` takes the text of a message that will not be received again, and its error.
    """

    work: Callable[[Received, float], None]
    give_up: Callable[[object, Exception], None]


def is_batch(event: object) -> bool:
    """Return whether a Lambda event is a batch of an event source, not a request."""
    return isinstance(event, Mapping) and isinstance(event.get("Records"), list)


def worker_handler(
    build_services: Callable[[], Services],
    *,
    work: Callable[[Sequence[Received], Services, float], Failures],
    do_task: Callable[[Task, Services, float], dict[str, Any]],
    decode_task: Callable[[Mapping[str, Any]], Task],
) -> Handler:
    """Return the Lambda handler of a function that works through a queue, and does the tasks of schedules.

    `build_services` is called once, when the services are first needed. `work` processes all messages of a batch
    together, and `do_task` does a task; both get their time limit in seconds.
    """
    services = functools.cache(build_services)

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        if is_batch(event):
            within_s = call_time_s(context)
            return answer_together(event, lambda records: work(records, services(), within_s))
        return do_task(decode_task(event), services(), task_time_s(context))

    return logged(handle)


def answer_batch(event: Mapping[str, Any], context: Any, worker: Worker) -> dict[str, Any]:
    """Have the worker process each message, one after the other, and return Lambda's partial batch response."""
    # Imported here, since it loads asyncio, which HTTP requests do not need.
    from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType  # noqa: PLC0415

    def attend(record: Any) -> None:
        logger().set_correlation_id(record.message_id)
        try:
            received = Received(body=record.body, receives=_receives(record.raw_event))
            worker.work(received, _time_left(context))
        except Exception as error:
            _log_failure(record.raw_event, error)
            if _receives(record.raw_event) >= RECEIVES_AT_MOST:
                worker.give_up(record.body, error)
            raise

    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    with processor(event["Records"], attend):
        processor.process()
    return dict(processor.response())


def answer_together(event: Mapping[str, Any], work: Callable[[Sequence[Received]], Failures]) -> dict[str, Any]:
    """Process all messages of a batch together, and return Lambda's partial batch response.

    `work` takes all messages, and returns the error of each, or None.
    """
    records = event["Records"]
    failures = work([Received(body=record.get("body"), receives=_receives(record)) for record in records])
    failed = [(record, error) for record, error in zip(records, failures, strict=True) if error is not None]
    for record, error in failed:
        _log_failure(record, error)
    return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record, _ in failed]}


def reason_of(error: Exception) -> str:
    """Return why a message was given up, for people. It shows no internals."""
    code = error.code if isinstance(error, FeedwardError) else FeedwardError.code
    return f"the last of {RECEIVES_AT_MOST} attempts failed: {code}"


def _time_left(context: Any) -> float:
    """Return the time limit of the next message in seconds. Raises DeadlinePassed if it is too short."""
    left: float = context.get_remaining_time_in_millis() / 1000 - RESERVE_S
    if left < LEAST_S:
        raise DeadlinePassed("the call ran out of time before this message")
    return left


def _receives(record: Mapping[str, Any]) -> int:
    """Return how often the message was received, this time included."""
    try:
        return int(record["attributes"]["ApproximateReceiveCount"])
    except (KeyError, TypeError, ValueError):
        return 1


def _log_failure(record: Mapping[str, Any], error: Exception) -> None:
    """Log the failure. A FeedwardError takes one line; any other error is a bug and is logged with its traceback."""
    known = isinstance(error, FeedwardError)
    logger().warning(
        "message failed",
        message_id=record["messageId"],
        receive=_receives(record),
        code=error.code if isinstance(error, FeedwardError) else FeedwardError.code,
        detail=str(error) if known else "",
        exc_info=None if known else error,
    )
