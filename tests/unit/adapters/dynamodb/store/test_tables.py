"""The number and length of attempts at a store that is busy, unavailable or slow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.store.keys import TableNames, url_key
from feedward.adapters.dynamodb.store.tables import ATTEMPTS_WHEN_AWAY, Tables
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, StoreUnavailable, Throttled
from tests.fakes.dynamodb_table import client_error

NAMES = TableNames(urls="urls", feeds="feeds", state="state")
BACKOFF = Backoff(sleep=lambda _: None)
AWAY = ReadTimeoutError(endpoint_url="http://store")
BUSY = client_error("ThrottlingException", "GetItem")


class Store:
    """Each call takes some seconds of the test's clock, then ends as the next of `answers` says; the last stays."""

    def __init__(self, *answers: Exception | dict[str, Any], takes_s: float = 0) -> None:
        self.answers = answers
        self.takes_s = takes_s
        self.seconds = 100.0
        self.calls = 0

    def get_item(self, **_: Any) -> dict[str, Any]:
        self.seconds += self.takes_s
        answer = self.answers[min(self.calls, len(self.answers) - 1)]
        self.calls += 1
        if isinstance(answer, Exception):
            raise answer
        return answer

    def tables(self, within_s: float | None = None) -> Tables:
        tables = Tables(self, NAMES, BACKOFF)  # type: ignore[arg-type]
        return tables.within(Deadline.after(within_s, lambda: self.seconds))


def test_a_store_that_is_away_for_a_moment_is_asked_again() -> None:
    store = Store(AWAY, ConnectTimeoutError(endpoint_url="http://store"), {})
    assert store.tables().get("urls", url_key("a")) is None
    assert store.calls == 3


@pytest.mark.parametrize(
    ("answer", "error", "calls"),
    [
        (AWAY, StoreUnavailable, ATTEMPTS_WHEN_AWAY),
        (client_error("InternalServerError", "GetItem"), StoreUnavailable, ATTEMPTS_WHEN_AWAY),
        (BUSY, Throttled, BACKOFF.attempts),
        (client_error("ValidationException", "GetItem"), FeedwardError, 1),
    ],
)
def test_a_store_that_stays_so_is_given_up(answer: Exception, error: type[Exception], calls: int) -> None:
    store = Store(answer)
    with pytest.raises(error):
        store.tables().get("urls", url_key("a"))
    assert store.calls == calls


@pytest.mark.parametrize(("within_s", "calls"), [(None, 3), (7.0, 3), (5.9, 2), (3.0, 1), (0.1, 1), (0.0, 0)])
def test_no_attempt_begins_when_the_time_is_over(within_s: float | None, calls: int) -> None:
    store = Store(AWAY, takes_s=3)
    with pytest.raises(StoreUnavailable):
        store.tables(within_s).get("urls", url_key("a"))
    assert store.calls == calls


def test_the_time_is_that_of_all_calls_of_an_operation_together() -> None:
    store = Store({}, takes_s=3)
    tables = store.tables(5)

    def calls() -> Iterator[None]:
        while True:
            tables.get("urls", url_key("a"))
            yield

    with pytest.raises(StoreUnavailable):
        list(calls())
    assert store.calls == 2


def test_a_writer_sees_its_writes_except_through_an_index() -> None:
    asked: dict[str, Any] = {}

    class Recorder(Store):
        def get_item(self, **request: Any) -> dict[str, Any]:
            asked["get"] = request.get("ConsistentRead")
            return {}

        def batch_get_item(self, **request: Any) -> dict[str, Any]:
            asked["batch"] = request["RequestItems"]["urls"].get("ConsistentRead")
            return {"Responses": {}}

        def query(self, **request: Any) -> dict[str, Any]:
            asked["index" if "IndexName" in request else "query"] = request.get("ConsistentRead")
            return {"Items": []}

    tables = Recorder().tables()
    tables.get("urls", url_key("a"))
    tables.batch_get("urls", [url_key("a")], ["feed_id"])
    list(tables.query("feeds", ("feed_id", "a")))
    list(tables.query("urls", ("feed_id", "a"), index="by_feed"))
    assert asked == {"get": True, "batch": True, "query": True, "index": None}


def test_the_last_error_of_the_store_is_raised_when_the_time_is_over() -> None:
    store = Store(BUSY, takes_s=2)
    with pytest.raises(Throttled):
        store.tables(3).get("urls", url_key("a"))
    assert store.calls == 2
