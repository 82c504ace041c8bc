"""Calls of AWS beside DynamoDB: a client for a service, and each call with its retries, in the time it has.

botocore makes one attempt only: it knows nothing of the time that an answer has left.
"""

from __future__ import annotations

import copy
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, Self, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import FeedwardError, Throttled


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """`attempts` tries in all; the pause before try n is anything from 0 to `first_s` x 2^n, and at most `longest_s`.

    The default waits at most 1.4 s in all, of the 4 s that a URL has.
    """

    attempts: int = 7
    first_s: float = 0.02
    longest_s: float = 0.4
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random

    def tries(self) -> Iterator[bool]:
        """Yield once for each try, pausing before all but the first; the value says whether it is the last one."""
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(self.draw() * min(self.first_s * 2**attempt, self.longest_s))
            yield attempt == self.attempts - 1


# Somebody waits for an answer meanwhile, and what fails here is written down and comes later.
CONNECT_TIMEOUT_S: Final = 0.5
READ_TIMEOUT_S: Final = 1.5
ATTEMPTS: Final = 3
_OUR_MISTAKES: Final = range(400, 500)
_TOO_MANY: Final = 429
_THROTTLES: Final = ("throttl", "toomanyrequests", "requestlimit", "limitexceeded", "overlimit", "slowdown")
# Another call for the same thing is under way (S3): the same call succeeds when that is over.
_CONFLICTS: Final = frozenset({"ConditionalRequestConflict", "OperationAborted"})

Answer = TypeVar("Answer")


def aws_client(service: str, *, endpoint_url: str | None = None, read_timeout_s: float = READ_TIMEOUT_S) -> Any:
    """Return botocore's client of a service for the region and endpoint of the environment, or for `endpoint_url`."""
    from botocore.config import Config  # noqa: PLC0415 - whoever only plans or tests does not pay for it
    from botocore.session import get_session  # noqa: PLC0415

    config = Config(
        connect_timeout=CONNECT_TIMEOUT_S,
        read_timeout=read_timeout_s,
        retries={"mode": "standard", "total_max_attempts": 1},
    )
    return get_session().create_client(service, endpoint_url=endpoint_url, config=config)


class Calls:
    """Makes calls until one is answered, with pauses between; after the deadline none is begun any more.

    An attempt that is under way then ends within the client's time-outs: CONNECT_TIMEOUT_S and its read time-out.
    `unavailable` is the error that says that nobody answered: QueueUnavailable, BusUnavailable, StoreUnavailable.
    """

    def __init__(
        self, unavailable: type[FeedwardError], backoff: Backoff | None = None, deadline: Deadline = NO_DEADLINE
    ) -> None:
        self.unavailable = unavailable
        self.backoff = backoff or Backoff(attempts=ATTEMPTS)
        self._deadline = deadline

    def within(self, deadline: Deadline) -> Calls:
        """The same, within a deadline."""
        return Calls(self.unavailable, self.backoff, deadline)

    def ask(self, operation: Callable[..., Answer], **request: Any) -> Answer:
        """Call until there is an answer. Raises Throttled, `unavailable`, or FeedwardError for our own mistake."""
        failure: FeedwardError = self.unavailable("the time for this call was used up")
        for is_last in self.backoff.tries():
            if self._deadline.left_s() <= 0:
                break
            try:
                return operation(**request)
            except (ClientError, BotoCoreError) as error:
                failure = self._translate(error)
                if is_last or not isinstance(failure, Throttled | self.unavailable):
                    raise failure from error
        raise failure

    def _translate(self, error: ClientError | BotoCoreError) -> FeedwardError:
        if not isinstance(error, ClientError):
            return self.unavailable(f"the service could not be reached: {type(error).__name__}")
        code = str(error.response.get("Error", {}).get("Code") or "")
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        if status == _TOO_MANY or any(word in code.lower() for word in _THROTTLES):
            return Throttled("the service asked to slow down")
        if code in _CONFLICTS:
            return self.unavailable(f"the service was busy with the same: {code}")
        if status in _OUR_MISTAKES:
            return FeedwardError(f"the service does not take this request: {error}")
        return self.unavailable(f"the service failed: {code}")


class ServicePort:
    """What the adapters of queues, the bus and the bucket have in common. One object serves all threads."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def within(self, deadline: Deadline) -> Self:
        """Return the same port for calls that begin no attempt after the deadline."""
        bound = copy.copy(self)
        bound._calls = self._calls.within(deadline)
        return bound


class OnFirstUse(Generic[Answer]):
    """Makes a thing when it is first asked for, once, whichever thread is first."""

    def __init__(self, make: Callable[[], Answer]) -> None:
        self._make = make
        self._made: list[Answer] = []
        self._lock = threading.Lock()

    def __call__(self) -> Answer:
        """Return the thing."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]
