"""Secrets of a deployment: a parameter of the SSM Parameter Store, read at its first use and cached for minutes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Final

from feedward.adapters.aws_calls import Backoff, Calls, OnFirstUse, aws_client
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, NotFound, StoreUnavailable, Throttled

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

KEPT_S: Final = 300.0
# Short, because a caller may wait for the response.
WITHIN_S: Final = 2.0


class SsmParameter:
    """A parameter by name. A SecureString is decrypted. Thread-safe.

    The client is created at its first use: it costs nothing if the secret is never needed.
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
        """Return the value, stripped of white space. The cached value is used while the service is unavailable.

        Raises NotFound, Throttled, StoreUnavailable, or FeedwardError if reading it is not allowed.
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
