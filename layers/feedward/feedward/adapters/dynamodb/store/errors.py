"""Translates botocore's errors of DynamoDB to feedward's: the only place with its error codes (rules R4, R5).

A failed condition is a result, not an error. It becomes ConditionsFailed, with the old items.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from feedward.adapters.dynamodb.store.codec import Item, decode
from feedward.errors import Conflict, FeedwardError, StoreUnavailable, Throttled

_FAILED_CONDITION = frozenset({"ConditionalCheckFailed", "ConditionalCheckFailedException"})
_CONFLICTS = frozenset({"TransactionConflict", "TransactionConflictException", "TransactionInProgressException"})
_THROTTLES = frozenset(
    {
        "ThrottlingError",
        "ThrottlingException",
        "Throttling",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "LimitExceededException",
    }
)
# Codes of invalid requests, which no retry makes valid.
_MISTAKES = frozenset(
    {
        "ValidationError",
        "ValidationException",
        "SerializationException",
        "IdempotentParameterMismatchException",
        "ItemCollectionSizeLimitExceeded",
        "ItemCollectionSizeLimitExceededException",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A write whose condition failed: its index in the transaction, and the old item."""

    index: int
    item: Item | None


class ConditionsFailed(Exception):
    """A conditional write was not applied. This never leaves the adapter."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__(f"{len(refusals)} condition(s) failed")
        self.refusals = refusals


def translate(error: ClientError | BotoCoreError) -> FeedwardError | ConditionsFailed:
    """Return the error that a botocore error stands for.

    ConditionsFailed is a result. A plain FeedwardError is an invalid request of feedward, which no retry makes valid.
    """
    if not isinstance(error, ClientError):
        return StoreUnavailable(f"the store could not be reached: {type(error).__name__}")
    refusals = _refusals(error.response)
    if refusals:
        return ConditionsFailed(refusals)
    codes = _codes(error.response)
    if codes & _MISTAKES:
        return FeedwardError(f"the store rejects this request: {error}")
    if codes & _CONFLICTS:
        return Conflict("concurrent writes of the same items")
    if codes & _THROTTLES:
        return Throttled("the store asked to slow down")
    return StoreUnavailable(f"the store failed: {', '.join(sorted(codes))}")


def _refusals(response: Mapping[str, Any]) -> tuple[Refusal, ...]:
    if _code(response.get("Error", {})) in _FAILED_CONDITION:
        return (Refusal(0, _old_item(response)),)
    reasons = response.get("CancellationReasons", ())
    return tuple(
        Refusal(index, _old_item(reason)) for index, reason in enumerate(reasons) if _code(reason) in _FAILED_CONDITION
    )


def _codes(response: Mapping[str, Any]) -> set[str]:
    reasons = {_code(reason) for reason in response.get("CancellationReasons", ())} - {"None", ""}
    return reasons or {_code(response.get("Error", {}))}


def _code(reason: Mapping[str, Any]) -> str:
    return str(reason.get("Code") or "")


def _old_item(answer: Mapping[str, Any]) -> Item | None:
    attributes = answer.get("Item")
    return decode(attributes) if attributes else None
