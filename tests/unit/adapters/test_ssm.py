"""A secret is read when it is needed, cached for minutes, and outlives an unavailable store."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.ssm import SsmParameter
from feedward.errors import FeedwardError, NotFound, StoreUnavailable, Throttled


class Ssm:
    """SSM's client as far as it is used: `answers` come in turn, the last one repeats; an error is raised."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.made = 0
        self.asked: list[dict[str, Any]] = []

    def make(self) -> Any:
        self.made += 1
        return self

    def get_parameter(self, **request: Any) -> Any:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return {"Parameter": {"Name": request["Name"], "Value": answer}}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def error(code: str, status: int) -> ClientError:
    return ClientError({"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}, "GetParameter")  # type: ignore[typeddict-item]


def parameter(ssm: Ssm, clock: Clock | None = None) -> SsmParameter:
    return SsmParameter(
        "/feedward/key",
        ssm.make,
        kept_s=300,
        backoff=Backoff(attempts=2, sleep=lambda _: None),
        monotonic=clock or Clock(),
    )


AWAY = EndpointConnectionError(endpoint_url="https://ssm.example")


def test_it_is_read_decrypted_at_the_first_use_and_not_before() -> None:
    ssm = Ssm(" secret\n")
    secret = parameter(ssm)
    assert (ssm.made, ssm.asked) == (0, [])

    assert secret.value() == "secret"
    assert (ssm.made, ssm.asked) == (1, [{"Name": "/feedward/key", "WithDecryption": True}])


def test_it_is_kept_for_minutes_and_then_read_again() -> None:
    ssm, clock = Ssm("old", "new"), Clock()
    secret = parameter(ssm, clock)

    assert secret.value() == "old"
    clock.now += 299
    assert secret.value() == "old"
    clock.now += 2
    assert secret.value() == "new"
    assert (ssm.made, len(ssm.asked)) == (1, 2)


@pytest.mark.parametrize("failure", [AWAY, error("InternalServerError", 500), error("ThrottlingException", 400)])
def test_a_value_outlives_a_store_that_is_away(failure: Exception) -> None:
    ssm, clock = Ssm("old", failure), Clock()
    secret = parameter(ssm, clock)
    secret.value()
    clock.now += 301

    assert secret.value() == "old"


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (AWAY, StoreUnavailable),
        (error("InternalServerError", 500), StoreUnavailable),
        (error("ThrottlingException", 400), Throttled),
        (error("ParameterNotFound", 400), NotFound),
        (error("AccessDeniedException", 400), FeedwardError),
    ],
)
def test_failures_are_told_in_feedwards_words(failure: Exception, expected: type[FeedwardError]) -> None:
    with pytest.raises(FeedwardError) as caught:
        parameter(Ssm(failure)).value()
    assert type(caught.value) is expected


def test_a_parameter_that_was_taken_away_is_not_used_any_more() -> None:
    clock = Clock()
    secret = parameter(Ssm("old", error("ParameterNotFound", 400)), clock)
    secret.value()
    clock.now += 301

    with pytest.raises(NotFound):
        secret.value()


def test_a_failure_is_not_kept() -> None:
    ssm = Ssm(AWAY, AWAY, "secret")
    secret = parameter(ssm)
    with pytest.raises(StoreUnavailable):
        secret.value()

    assert secret.value() == "secret"


def test_the_value_is_shown_by_no_representation() -> None:
    secret = parameter(Ssm("secret"))
    secret.value()

    assert "secret" not in repr(secret)
