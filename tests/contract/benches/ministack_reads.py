"""Scans and queries a table and its indexes page by page, before and after MiniStack's reads were made cheap.

MiniStack's interpreter runs this file. It prints whether both gave the same items on the same pages, and how many.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[3] / "local"))

from ministack.services import dynamodb

from feedward_local.aws.ministack_queries import make_queries_cheap

TABLE: Mapping[str, Any] = {
    "TableName": "feeds",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [
        *({"AttributeName": name, "AttributeType": "S"} for name in ("id", "sk", "state")),
        {"AttributeName": "due_at", "AttributeType": "N"},
    ],
    "BillingMode": "PAY_PER_REQUEST",
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_state",
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "id", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        },
        {
            "IndexName": "due",
            "KeySchema": [
                {"AttributeName": "state", "KeyType": "HASH"},
                {"AttributeName": "due_at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        },
    ],
}
SCANS: tuple[Mapping[str, Any], ...] = (
    {"Limit": 7},
    {"Limit": 1},
    {"Limit": 1000},
    {"Limit": 7, "IndexName": "by_state"},
    {"Limit": 1000, "IndexName": "by_state"},
    {},
)
HEALTHY = "#p = :p"
QUERIES: tuple[tuple[str, Mapping[str, str], Mapping[str, Any], Mapping[str, Any]], ...] = (
    (HEALTHY, {"#p": "id"}, {":p": {"S": "F007"}}, {}),
    (f"{HEALTHY} AND begins_with(#s, :s)", {"#p": "id", "#s": "sk"}, {":p": {"S": "F007"}, ":s": {"S": "ME"}}, {}),
    (HEALTHY, {"#p": "state"}, {":p": {"S": "healthy#1"}}, {"IndexName": "due", "Limit": 3}),
    *(
        (
            f"{HEALTHY} AND {limit}",
            {"#p": "state", "#s": "due_at"},
            {":p": {"S": "healthy#1"}, ":a": {"N": "9.5"}, **({":b": {"N": "100"}} if ":b" in limit else {})},
            {"IndexName": "due", **more},
        )
        for limit in ("#s <= :a", "#s BETWEEN :a AND :b", "#s > :a")
        for more in ({}, {"Limit": 2}, {"Limit": 3, "ScanIndexForward": False})
    ),
    (
        f"{HEALTHY} AND #s BETWEEN :a AND :b",
        {"#p": "state", "#s": "due_at"},
        {":p": {"S": "healthy#1"}, ":a": {"N": "30"}, ":b": {"N": "4"}},
        {"IndexName": "due"},
    ),
    (
        f"{HEALTHY} AND #s <= :a",
        {"#p": "state", "#s": "id"},
        {":p": {"S": "healthy#2"}, ":a": {"S": "F020"}},
        {"IndexName": "by_state", "Limit": 4},
    ),
    (f"{HEALTHY} AND #s <= :a", {"#p": "state", "#s": "id"}, {":p": {"S": "healthy#2"}, ":a": {"N": "1"}},
     {"IndexName": "by_state"}),
)  # fmt: skip
FEEDS = 40


def fill() -> None:
    """Write feeds in a random order; some are not in the index."""
    dynamodb._create_table(dict(TABLE))
    numbers = list(range(FEEDS))
    random.Random(1).shuffle(numbers)
    for number in numbers:
        for sk in ("FEED", "META"):
            item = {"id": {"S": f"F{number:03}"}, "sk": {"S": sk}}
            if sk == "FEED" and number % 5:
                item["state"] = {"S": f"healthy#{number % 3}"}
                if number % 4:
                    item["due_at"] = {"N": str(number)}
            dynamodb._put_item({"TableName": "feeds", "Item": item})


def requests() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield all requests, with the names of their operations."""
    yield from (("_scan", scan) for scan in SCANS)
    for condition, names, values, more in QUERIES:
        asked = {"KeyConditionExpression": condition, "ExpressionAttributeNames": names}
        yield "_query", {**asked, "ExpressionAttributeValues": values, **more}


def pages(operation: str, asked: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the answers of a request, to its end."""
    start: Mapping[str, Any] = {}
    while True:
        status, _, body = getattr(dynamodb, operation)({"TableName": "feeds", **asked, **start})
        answer = {**json.loads(body), "status": status}
        yield answer
        if "LastEvaluatedKey" not in answer:
            return
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def main() -> None:
    """Compare all requests. The indexes are built anew."""
    fill()
    before = [list(pages(*request)) for request in requests()]
    make_queries_cheap(dynamodb)
    for table in dynamodb._tables.values():
        table.pop(dynamodb._INDEX_MEMBERS)
    after = [list(pages(*request)) for request in requests()]
    counts = [sum(answer.get("Count", 0) for answer in answers) for answers in after]
    differ = [request for request, one, other in zip(requests(), before, after, strict=True) if one != other]
    print(json.dumps({"differ": differ, "counts": counts, "tables": list(dynamodb._tables)}))


if __name__ == "__main__":
    main()
