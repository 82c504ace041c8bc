"""The meaning of each of AWS's answers to feedward (rules R4, R5)."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, EndpointConnectionError, ReadTimeoutError

from feedward.adapters.dynamodb.store.errors import ConditionsFailed, Refusal, translate
from feedward.errors import Conflict, FeedwardError, StoreUnavailable, Throttled


def failed(code: str, **members: Any) -> ClientError:
    response: Any = {"Error": {"Code": code, "Message": "said by AWS"}, **members}
    return ClientError(response, "TransactWriteItems")


def cancelled(*codes: str) -> ClientError:
    return failed("TransactionCanceledException", CancellationReasons=[{"Code": code} for code in codes])


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (cancelled("None", "TransactionConflict"), Conflict),
        (failed("TransactionConflictException"), Conflict),
        (failed("TransactionInProgressException"), Conflict),
        (cancelled("ThrottlingError", "None"), Throttled),
        (cancelled("ProvisionedThroughputExceeded"), Throttled),
        (failed("ProvisionedThroughputExceededException"), Throttled),
        (failed("ThrottlingException"), Throttled),
        (failed("RequestLimitExceeded"), Throttled),
        (failed("InternalServerError"), StoreUnavailable),
        (failed("ServiceUnavailable"), StoreUnavailable),
        (failed("ResourceNotFoundException"), StoreUnavailable),
        (failed("AccessDeniedException"), StoreUnavailable),
        (ReadTimeoutError(endpoint_url="http://store"), StoreUnavailable),
        (ConnectTimeoutError(endpoint_url="http://store"), StoreUnavailable),
        (EndpointConnectionError(endpoint_url="http://store"), StoreUnavailable),
    ],
)
def test_each_error_has_one_meaning(error: Any, meaning: type[FeedwardError]) -> None:
    assert type(translate(error)) is meaning


@pytest.mark.parametrize(
    "error",
    [
        failed("ValidationException"),
        cancelled("None", "ValidationError"),
        cancelled("TransactionConflict", "ValidationError"),
        failed("IdempotentParameterMismatchException"),
    ],
)
def test_a_mistake_of_ours_is_neither_tried_again_nor_called_an_outage(error: ClientError) -> None:
    meaning = translate(error)
    assert type(meaning) is FeedwardError


def test_a_failed_condition_names_its_write_and_the_stored_item() -> None:
    reasons = [
        {"Code": "None"},
        {"Code": "ConditionalCheckFailed", "Item": {"feed_id": {"S": "01A"}, "rev": {"N": "3"}}},
        {"Code": "ConditionalCheckFailed"},
    ]
    meaning = translate(failed("TransactionCanceledException", CancellationReasons=reasons))
    assert isinstance(meaning, ConditionsFailed)
    assert meaning.refusals == (Refusal(1, {"feed_id": "01A", "rev": 3}), Refusal(2, None))


def test_a_failed_condition_is_an_answer_even_amid_conflicts() -> None:
    meaning = translate(cancelled("TransactionConflict", "ConditionalCheckFailed"))
    assert isinstance(meaning, ConditionsFailed)


def test_a_single_write_whose_condition_failed_is_an_answer_too() -> None:
    meaning = translate(failed("ConditionalCheckFailedException", Item={"rev": {"N": "1"}}))
    assert isinstance(meaning, ConditionsFailed)
    assert meaning.refusals == (Refusal(0, {"rev": 1}),)
