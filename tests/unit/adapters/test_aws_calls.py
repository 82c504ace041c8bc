"""Waiting for a busy store: jittered, growing, and bounded."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.loaders import JSONFileLoader

from feedward.adapters.aws_calls import Backoff, Calls, aws_client
from feedward.errors import FeedwardError, StoreUnavailable, Throttled
from tests.fakes.dynamodb_table import client_error


def pauses(draw: float, **settings: object) -> list[float]:
    slept: list[float] = []
    backoff = Backoff(sleep=slept.append, draw=lambda: draw, **settings)  # type: ignore[arg-type]
    lasts = list(backoff.tries())
    assert lasts == [False] * (backoff.attempts - 1) + [True]
    return slept


def test_pauses_double_up_to_the_longest() -> None:
    assert pauses(1.0, attempts=6, first_s=0.1, longest_s=0.5) == [0.2, 0.4, 0.5, 0.5, 0.5]


def test_jitter_takes_any_part_of_a_pause() -> None:
    assert pauses(0.0) == [0.0] * 6
    assert pauses(0.5, attempts=2, first_s=0.1) == [0.1]


def test_the_default_leaves_a_url_most_of_its_4_seconds() -> None:
    assert sum(pauses(1.0)) <= 1.5


def test_nothing_is_waited_for_where_the_first_try_works() -> None:
    slept: list[float] = []
    next(Backoff(sleep=slept.append).tries())
    assert slept == []


@pytest.mark.parametrize(
    ("code", "status", "error", "attempts"),
    [
        ("SlowDown", 503, Throttled, 3),
        ("ThrottlingException", 400, Throttled, 3),
        ("RequestThrottled", 400, Throttled, 3),
        ("TooManyRequestsException", 429, Throttled, 3),
        ("InternalError", 500, StoreUnavailable, 3),
        ("OperationAborted", 409, StoreUnavailable, 3),
        ("RequestTimeout", 400, StoreUnavailable, 3),
        ("RequestTimeoutException", 408, StoreUnavailable, 3),
        ("PriorRequestNotComplete", 400, StoreUnavailable, 3),
        ("AccessDenied", 403, FeedwardError, 1),
        ("InvalidArgument", 400, FeedwardError, 1),
    ],
)
def test_an_error_that_may_pass_is_retried_and_a_mistake_is_not(
    code: str, status: int, error: type[FeedwardError], attempts: int
) -> None:
    asked = []

    def operation(**request: Any) -> None:
        asked.append(request)
        raise client_error(code, "Operation", ResponseMetadata={"HTTPStatusCode": status})

    with pytest.raises(FeedwardError) as caught:
        Calls(StoreUnavailable, Backoff(attempts=3, sleep=lambda _: None)).ask(operation)
    assert (type(caught.value), len(asked)) == (error, attempts)


def test_no_client_reads_a_file_of_botocore_that_another_one_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    read: list[str] = []
    load = JSONFileLoader.load_file

    def noted(self: JSONFileLoader, path: str) -> Any:
        read.append(path)
        return load(self, path)

    aws_client("sqs")
    monkeypatch.setattr(JSONFileLoader, "load_file", noted)
    aws_client("sqs")
    aws_client("events")

    assert not [path for path in read if "events" not in path]
