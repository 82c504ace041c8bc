"""The calls of the contract tests, which reach MiniStack directly, have the answers of the usual ones."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError
from pytest_localstack.session import RunningSession

from feedward.adapters.dynamodb.store.client import dynamodb_client
from tests.template_tables import TablesOnDemand

KEY = {"pk": {"S": "a"}, "sk": {"S": "1"}}
ITEM = {**KEY, "number": {"N": "7"}, "texts": {"SS": ["x", "y"]}, "within": {"M": {"is": {"BOOL": True}}}}
FAILS = {
    "ConditionExpression": "attribute_not_exists(pk)",
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
}
OF_A = {"KeyConditionExpression": "#p = :a", "ExpressionAttributeNames": {"#p": "pk"}}


@pytest.fixture
def usual(aws_session: RunningSession) -> Iterator[Any]:
    """A client that signs its calls, and sends them as botocore does."""
    with aws_session.botocore.patch_botocore():
        client = dynamodb_client()
    yield client
    client.close()


def answer(client: Any, operation: str, request: Mapping[str, Any]) -> Any:
    """The answer or the error, without what is new each time."""
    try:
        found = getattr(client, operation)(**request)
    except ClientError as error:
        found = {**error.response, "type": type(error).__name__}
    return {name: value for name, value in found.items() if name != "ResponseMetadata"}


@pytest.mark.parametrize(
    ("operation", "asked"),
    [
        ("get_item", {"Key": KEY}),
        ("get_item", {"Key": {**KEY, "sk": {"S": "none"}}}),
        ("get_item", {"Key": {"pk": {"S": ""}}}),
        ("query", {**OF_A, "ExpressionAttributeValues": {":a": {"S": "a"}}}),
        ("query", {**OF_A, "ExpressionAttributeValues": {":a": {"S": "a"}}, "Limit": 1}),
        ("query", {**OF_A, "ExpressionAttributeValues": {}}),
        ("scan", {}),
        ("put_item", {"Item": ITEM, **FAILS}),
        ("put_item", {"Item": ITEM}),
        ("update_item", {"Key": KEY, "UpdateExpression": "nonsense"}),
    ],
)
def test_an_answer_is_the_usual_one(dynamodb: Any, usual: Any, operation: str, asked: Mapping[str, Any]) -> None:
    table = _table(dynamodb)

    assert answer(dynamodb, operation, {"TableName": table, **asked}) == answer(
        usual, operation, {"TableName": table, **asked}
    )


def test_the_refusals_of_a_transaction_are_the_usual_ones(dynamodb: Any, usual: Any) -> None:
    writes = [{"Put": {"TableName": _table(dynamodb), "Item": ITEM, **FAILS}}]

    found = answer(dynamodb, "transact_write_items", {"TransactItems": writes})

    assert found["CancellationReasons"][0]["Item"] == ITEM
    assert found == answer(usual, "transact_write_items", {"TransactItems": writes})


def test_a_large_call_and_its_large_answer_arrive_whole(dynamodb: Any) -> None:
    table, text = _table(dynamodb), "x" * 390_000
    for n in range(3):
        dynamodb.put_item(TableName=table, Item={"pk": {"S": "large"}, "sk": {"S": str(n)}, "text": {"S": text}})

    keys = [{"pk": {"S": "large"}, "sk": {"S": str(n)}} for n in range(3)]
    found = dynamodb.batch_get_item(RequestItems={table: {"Keys": keys}})["Responses"][table]

    assert [item["text"]["S"] for item in found] == [text] * 3


def _table(client: Any) -> str:
    """A table of its own with two items."""
    tables: Any = TablesOnDemand(client, prefix=f"t{uuid.uuid4().hex[:12]}-")
    for sk in ("1", "2"):
        tables.put_item(TableName=tables.names.lineage, Item={**ITEM, "sk": {"S": sk}})
    name: str = tables.names.lineage
    return name
