"""Calls of AWS beside DynamoDB: a client for a service, and each call with its retries, in the time it has.

botocore makes one attempt only: it knows nothing of the time that an answer has left.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

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
    """Makes calls until one is answered, with pauses between; after `ends_at` (monotonic) none is begun any more.

    `unavailable` is the error that says that nobody answered: QueueUnavailable, BusUnavailable.
    """

    def __init__(
        self,
        unavailable: type[FeedwardError],
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        ends_at: float = math.inf,
    ) -> None:
        self._unavailable = unavailable
        self._backoff = backoff or Backoff(attempts=ATTEMPTS)
        self._monotonic = monotonic
        self._ends_at = ends_at

    def within(self, seconds: float | None) -> Calls:
        """The same, for an operation that begins no attempt any more after these seconds."""
        if seconds is None:
            return self
        ends_at = self._monotonic() + seconds
        return Calls(self._unavailable, self._backoff, self._monotonic, ends_at=ends_at)

    def ask(self, operation: Callable[..., Answer], **request: Any) -> Answer:
        """Call until there is an answer. Raises Throttled, `unavailable`, or FeedwardError for our own mistake."""
        failure: FeedwardError = self._unavailable("the time for this call was used up")
        for is_last in self._backoff.tries():
            if self._monotonic() >= self._ends_at:
                break
            try:
                return operation(**request)
            except (ClientError, BotoCoreError) as error:
                failure = self._translate(error)
                if is_last or not isinstance(failure, Throttled | self._unavailable):
                    raise failure from error
        raise failure

    def _translate(self, error: ClientError | BotoCoreError) -> FeedwardError:
        if not isinstance(error, ClientError):
            return self._unavailable(f"the service could not be reached: {type(error).__name__}")
        code = str(error.response.get("Error", {}).get("Code") or "")
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        if status == _TOO_MANY or any(word in code.lower() for word in _THROTTLES):
            return Throttled("the service asked to slow down")
        if code in _CONFLICTS:
            return self._unavailable(f"the service was busy with the same: {code}")
        if status in _OUR_MISTAKES:
            return FeedwardError(f"the service does not take this request: {error}")
        return self._unavailable(f"the service failed: {code}")
