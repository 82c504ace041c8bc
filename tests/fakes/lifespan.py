"""A process that is killed at one of its calls: before it is made, or after it was made and before its answer."""

from __future__ import annotations

from typing import Any

from tests.fakes.dynamodb_faults import FOR_EVER, Died


class Lifespan:
    """The calls of AWS that a process makes, over all its clients, and the one at which it dies."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.ends_at = FOR_EVER
        self.makes_last = False

    def end_at(self, call: int, *, makes_last: bool) -> None:
        """Die at this call from now on, counted from 0."""
        self.calls.clear()
        self.ends_at, self.makes_last = call, makes_last

    def live_on(self) -> None:
        """Another process takes over, without a kill."""
        self.end_at(FOR_EVER, makes_last=False)


class Mortal:
    """A client whose process has a lifespan."""

    def __init__(self, client: Any, lifespan: Lifespan) -> None:
        self._client = client
        self._lifespan = lifespan

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._client, operation)
        if not callable(method) or operation in ("scan", "put_item"):  # the test's own eyes and hands
            return method

        def call(**request: Any) -> Any:
            lifespan = self._lifespan
            is_last = len(lifespan.calls) == lifespan.ends_at
            lifespan.calls.append(operation)
            if is_last and not lifespan.makes_last:
                raise Died
            answer = method(**request)
            if is_last:
                raise Died
            return answer

        return call
