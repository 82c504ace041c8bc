"""Secrets of a deployment: one parameter of the SSM Parameter Store, read when it is needed and kept for minutes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Final

from feedward.adapters.calls import Backoff, Calls, OnFirstUse, aws_client
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, NotFound, StoreUnavailable, Throttled

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

KEPT_S: Final = 300.0
# Somebody waits for an answer meanwhile.
WITHIN_S: Final = 2.0


class SsmParameter:
    """A parameter by name; a SecureString is decrypted. One object serves all threads.

    The client is made at the first use, so that whoever never needs the secret pays nothing.
    """

    def __init__(
        self,
        name: str,
        make_client: Callable[[], SSMClient] | None = None,
        *,
        kept_s: float = KEPT_S,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._client: Callable[[], SSMClient] = OnFirstUse(make_client or (lambda: aws_client("ssm")))
        self._kept_s = kept_s
        self._calls = Calls(StoreUnavailable, backoff)
        self._monotonic = monotonic
        self._value = ""
        self._good_until = -math.inf
        self._lock = Lock()

    def value(self) -> str:
        """Return the value without white space around it. One that was read before outlives a service that is away.

        Raises NotFound, Throttled, StoreUnavailable, or FeedwardError where it may not be read.
        """
        with self._lock:
            if self._monotonic() >= self._good_until:
                self._refresh()
            return self._value

    def _refresh(self) -> None:
        try:
            self._value = self._read().strip()
        except (Throttled, StoreUnavailable):
            if self._good_until == -math.inf:
                raise
        self._good_until = self._monotonic() + self._kept_s

    def _read(self) -> str:
        calls = self._calls.within(Deadline.after(WITHIN_S, self._monotonic))
        try:
            answer = calls.ask(self._client().get_parameter, Name=self._name, WithDecryption=True)
        except FeedwardError as error:
            if "ParameterNotFound" in str(error):
                raise NotFound(f"there is no parameter {self._name}") from error
            raise
        return answer["Parameter"]["Value"]
