"""The calls of the contract tests, which reach MiniStack directly, have the answers of the usual ones."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

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


LIST_TABLES = {"x-amz-target": "DynamoDB_20120810.ListTables", "content-type": "application/x-amz-json-1.0"}


@pytest.fixture
def connection(ministack: str) -> Iterator[HTTPConnection]:
    """One connection, for requests one after the other."""
    address = urlsplit(ministack)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=60)) as connection:
        yield connection


def asked(connection: HTTPConnection, method: str, path: str, body: str | None = None, **headers: str) -> Any:
    connection.request(method, path, body, headers)
    given = connection.getresponse()
    return given.status, json.loads(given.read())


def test_a_connection_may_go_over_to_other_requests_and_back(connection: HTTPConnection) -> None:
    called = [asked(connection, "POST", "/", "{}", **LIST_TABLES)]
    status, _ = asked(connection, "GET", "/_ministack/health")
    called += [asked(connection, "POST", "/", "{}", **LIST_TABLES)]

    assert status == 200
    assert [status for status, _ in called] == [200, 200]
    assert called[0] == called[1]


def test_a_call_that_arrives_in_pieces_is_answered_once_it_is_complete(connection: HTTPConnection) -> None:
    connection.connect()
    lines = [f"{name}: {value}" for name, value in LIST_TABLES.items()]
    request = "\r\n".join(["POST / HTTP/1.1", "host: localhost", *lines, "content-length: 2", "", "{}"]).encode()
    for start in range(0, len(request), 50):
        connection.sock.sendall(request[start : start + 50])
        time.sleep(0.01)

    with HTTPResponse(connection.sock, method="POST") as given:
        given.begin()
        assert (given.status, "TableNames" in json.load(given)) == (200, True)


def test_a_call_that_fails_inside_is_a_500_as_usual(connection: HTTPConnection) -> None:
    status, found = asked(connection, "POST", "/", "[]", **LIST_TABLES)

    assert (status, found["__type"]) == (500, "InternalError")


def _table(client: Any) -> str:
    """A table of its own with two items."""
    tables: Any = TablesOnDemand(client, prefix=f"t{uuid.uuid4().hex[:12]}-")
    for sk in ("1", "2"):
        tables.put_item(TableName=tables.names.lineage, Item={**ITEM, "sk": {"S": sk}})
    name: str = tables.names.lineage
    return name
