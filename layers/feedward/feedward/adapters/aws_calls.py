"""Sessions of botocore; clients of services other than DynamoDB, and calls with retries and a deadline.

botocore makes one attempt per call: it does not know our deadline, so the retries are here.
"""

from __future__ import annotations

import copy
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import FeedwardError, Throttled

if TYPE_CHECKING:
    from botocore.loaders import Loader
    from botocore.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Exponential backoff with full jitter: the pause before attempt n is random from 0 to `first_s` x 2^n.

    A pause is at most `longest_s`. By default all pauses take at most 1.4 s of the 4 s that a URL has.
    """

    attempts: int = 7
    first_s: float = 0.02
    longest_s: float = 0.4
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random

    def tries(self) -> Iterator[bool]:
        """Yield once per attempt, after the pause. The value says whether it is the last attempt."""
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(self.draw() * min(self.first_s * 2**attempt, self.longest_s))
            yield attempt == self.attempts - 1


# Short, because a caller may wait for the response. Work that fails here is stored and retried later.
CONNECT_TIMEOUT_S: Final = 0.5
READ_TIMEOUT_S: Final = 1.5
ATTEMPTS: Final = 3
_OUR_MISTAKES: Final = range(400, 500)
_TOO_MANY: Final = 429
_THROTTLES: Final = ("throttl", "toomanyrequests", "requestlimit", "limitexceeded", "overlimit", "slowdown")
# Another call for the same object is in progress (S3): the call succeeds once that has ended.
_CONFLICTS: Final = frozenset({"ConditionalRequestConflict", "OperationAborted"})
# Answered with a 400, although the same call may succeed: the connection was too slow, or the last call is not over.
_PASSING: Final = frozenset({"RequestTimeout", "RequestTimeoutException", "PriorRequestNotComplete"})

Answer = TypeVar("Answer")


def aws_session() -> Session:
    """Return a new botocore session with the settings of the environment.

    All sessions share what botocore reads from its files, which is most of making a client.
    """
    from botocore.session import get_session  # noqa: PLC0415 - loaded only when a client is made

    session = get_session()
    session.register_component("data_loader", _data_loader())
    return session


@cache
def _data_loader() -> Loader:
    from botocore.loaders import create_loader  # noqa: PLC0415

    return create_loader()


def aws_client(
    service: str,
    *,
    endpoint_url: str | None = None,
    read_timeout_s: float = READ_TIMEOUT_S,
    signature_version: str | None = None,
) -> Any:
    """Return a botocore client for the region and endpoint of the environment, or for `endpoint_url`.

    `signature_version` is for presigned URLs, which an older version would sign without the headers.
    """
    from botocore.config import Config  # noqa: PLC0415 - loaded only when a client is made

    config = Config(
        connect_timeout=CONNECT_TIMEOUT_S,
        read_timeout=read_timeout_s,
        retries={"mode": "standard", "total_max_attempts": 1},
        signature_version=signature_version,
    )
    return aws_session().create_client(service, endpoint_url=endpoint_url, config=config)


class Calls:
    """Makes calls with retries and backoff. No attempt starts after the deadline.

    An attempt in progress at the deadline ends within the client's time-outs: CONNECT_TIMEOUT_S and its read time-out.
    `unavailable` is the error to raise if the service does not respond: QueueUnavailable, BusUnavailable or
    StoreUnavailable.
    """

    def __init__(
        self, unavailable: type[FeedwardError], backoff: Backoff | None = None, deadline: Deadline = NO_DEADLINE
    ) -> None:
        self.unavailable = unavailable
        self.backoff = backoff or Backoff(attempts=ATTEMPTS)
        self._deadline = deadline

    def within(self, deadline: Deadline) -> Calls:
        """Return the same calls with a deadline."""
        return Calls(self.unavailable, self.backoff, deadline)

    def ask(self, operation: Callable[..., Answer], **request: Any) -> Answer:
        """Call until there is a response. Raises Throttled, `unavailable`, or FeedwardError for an invalid request."""
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
        if status in _OUR_MISTAKES and code not in _PASSING:
            return FeedwardError(f"the service does not take this request: {error}")
        return self.unavailable(f"the service failed: {code}")


class ServicePort:
    """Base of the adapters of queues, the bus and the bucket. Thread-safe."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def within(self, deadline: Deadline) -> Self:
        """Return the same port with a deadline: no attempt starts after it."""
        bound = copy.copy(self)
        bound._calls = self._calls.within(deadline)
        return bound


class OnFirstUse(Generic[Answer]):
    """Creates an object at its first use, once. Thread-safe."""

    def __init__(self, make: Callable[[], Answer]) -> None:
        self._make = make
        self._made: list[Answer] = []
        self._lock = threading.Lock()

    def __call__(self) -> Answer:
        """Return the object."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


class Later:
    """Stands for a port that is made at its first use: most calls do without it. `make` returns the port."""

    def __init__(self, make: Callable[[], Any], deadline: Deadline | None = None) -> None:
        self._make, self._deadline = make, deadline

    def within(self, deadline: Deadline) -> Later:
        """Return the same port with a deadline."""
        return Later(self._make, deadline)

    def __getattr__(self, name: str) -> Any:
        port = self._make()
        return getattr(port if self._deadline is None else port.within(self._deadline), name)
