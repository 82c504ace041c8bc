"""The role of the canonicalize function holds what its store does, action by action and table by table, and no more."""

from __future__ import annotations

from typing import Any

from feedward.adapters.dynamodb.feed_store import DynamoFeedStore
from feedward.model import NewFeed
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.template.translation import properties
from tests.template_tables import create_tables

ACTIONS = {
    "get_item": "GetItem",
    "query": "Query",
    "put_item": "PutItem",
    "update_item": "UpdateItem",
    "delete_item": "DeleteItem",
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}


class Recorder:
    """A client that notes what IAM would be asked for."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.asked: set[tuple[str, str]] = set()

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            self.asked |= set(needs(operation, request))
            return getattr(self.client, operation)(**request)

        return call


def needs(operation: str, request: dict[str, Any]) -> list[tuple[str, str]]:
    """(action, table or table/index/name) of one call. A transaction needs the action of each of its writes."""
    if operation == "transact_write_items":
        writes = [(verb, write["TableName"]) for item in request["TransactItems"] for verb, write in item.items()]
        return [(ACTIONS[verb], table) for verb, table in writes]
    if operation == "batch_get_item":
        return [("BatchGetItem", table) for table in request["RequestItems"]]
    index = f"/index/{request['IndexName']}" if "IndexName" in request else ""
    return [(ACTIONS[operation], request["TableName"] + index)]


def granted(role: dict[str, Any]) -> set[tuple[str, str]]:
    pairs = set()
    for policy in role["Policies"]:
        for statement in policy["PolicyDocument"]["Statement"]:
            actions = statement["Action"]
            for action in [actions] if isinstance(actions, str) else actions:
                pairs.add((action.removeprefix("dynamodb:"), resource_name(statement["Resource"])))
    return pairs


def resource_name(resource: dict[str, Any]) -> str:
    """`!GetAtt T.Arn` and `!Sub ${T.Arn}/index/x` as the names that `create_tables` gives."""
    if "Fn::GetAtt" in resource:
        return str(resource["Fn::GetAtt"][0])
    return str(resource["Fn::Sub"]).replace("${", "").replace(".Arn}", "")


def new_feed(number: int, *urls: str) -> NewFeed:
    return NewFeed(feed_id=f"{number:026d}", url=urls[0], aliases=urls, now=1_800_000_000 + number)


def test_role_grants_exactly_what_the_store_asks_for() -> None:
    recorder = Recorder(InMemoryDynamoDB())
    store = DynamoFeedStore(recorder, create_tables(recorder.client))  # type: ignore[arg-type]
    a, b, c, d = (f"https://example.com/{name}" for name in "abcd")

    store.find([a, b])
    store.register(new_feed(1, a))
    store.register(new_feed(2, a, b))  # attaches b to the first
    store.register(new_feed(3, c))
    store.register(new_feed(4, d, a, c))  # bridges two feeds, which are merged
    store.find([c])

    assert granted(properties("AWS::IAM::Role")["CanonicalizeFunctionRole"]) == recorder.asked
