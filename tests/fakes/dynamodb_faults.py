"""DynamoDB's faults, on demand: wraps any client, in memory or MiniStack's, and makes its calls fail as AWS's do.

MiniStack never has conflicts, lag, throttling or unread keys; a deployed table has all of them.
"""

from __future__ import annotations

import threading
from typing import Any

from botocore.exceptions import ReadTimeoutError

from tests.fakes.dynamodb_table import client_error

FOR_EVER = 10**9


class Died(BaseException):
    """The process was killed at this call: nothing in feedward may catch it."""


class FaultyDynamoDB:
    """A client with knobs. Each counts down the remaining faults; FOR_EVER never ends.

    conflicts: transactions cancelled with TransactionConflict. throttles: calls answered with throttling.
    unprocessed: batches that leave their last key unread. lost_answers: writes applied, but then timed out.
    fails_queries: queries answered with an internal error. hidden: feed_ids that index queries show nothing for.
    lagging: feed_ids that no index shows yet, though they are written.
    dies_before: transactions done before the process dies.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._lock = threading.Lock()
        self.conflicts = 0
        self.throttles = 0
        self.unprocessed = 0
        self.lost_answers = 0
        self.fails_queries = 0
        self.hidden: set[str] = set()
        self.lagging: set[str] = set()
        self.dies_before: int | None = None
        self.calls: list[str] = []

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._client, operation)
        special = getattr(type(self), f"_{operation}", None)

        def call(**request: Any) -> Any:
            self.calls.append(operation)
            if self._spend("throttles"):
                raise client_error("ThrottlingException", operation)
            return special(self, method, request) if special else method(**request)

        return call

    def _transact_write_items(self, method: Any, request: dict[str, Any]) -> Any:
        if self.dies_before is not None:
            if self.dies_before == 0:
                raise Died
            self.dies_before -= 1
        if self._spend("conflicts"):
            reasons = [{"Code": "TransactionConflict"}, *({"Code": "None"} for _ in request["TransactItems"][1:])]
            raise client_error("TransactionCanceledException", "TransactWriteItems", CancellationReasons=reasons)
        answer = method(**request)
        if self._spend("lost_answers"):
            raise ReadTimeoutError(endpoint_url="http://store")
        return answer

    def _update_item(self, method: Any, request: dict[str, Any]) -> Any:
        answer = method(**request)
        if self._spend("lost_answers"):
            raise ReadTimeoutError(endpoint_url="http://store")
        return answer

    def _batch_get_item(self, method: Any, request: dict[str, Any]) -> Any:
        [(table, wanted)] = request["RequestItems"].items()
        if not self._spend("unprocessed"):
            return method(**request)
        *now, later = wanted["Keys"]
        left = {table: {**wanted, "Keys": [later]}}
        if not now:
            return {"Responses": {}, "UnprocessedKeys": left}
        answer = method(RequestItems={table: {**wanted, "Keys": now}})
        return {**answer, "UnprocessedKeys": left}

    def _query(self, method: Any, request: dict[str, Any]) -> Any:
        if self._spend("fails_queries"):
            raise client_error("InternalServerError", "Query")
        answer = method(**request)
        if self.hidden and "IndexName" in request:
            asked = {value.get("S") for value in request["ExpressionAttributeValues"].values()}
            if asked & self.hidden:
                return {"Items": []}
        return self._without_lagging(answer, request)

    def _scan(self, method: Any, request: dict[str, Any]) -> Any:
        return self._without_lagging(method(**request), request)

    def _without_lagging(self, answer: Any, request: dict[str, Any]) -> Any:
        if "IndexName" in request and self.lagging:
            answer["Items"] = [item for item in answer["Items"] if item.get("feed_id", {}).get("S") not in self.lagging]
        return answer

    def _spend(self, knob: str) -> bool:
        if not getattr(self, knob):
            return False
        with self._lock:
            left: int = getattr(self, knob)
            setattr(self, knob, max(left - 1, 0))
            return left > 0
