"""Reads a table and an index page by page, before and after MiniStack's reads were made cheap.

MiniStack's interpreter runs this file. It prints whether both gave the same items on the same pages, and how many.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2] / "local"))

from ministack.services import dynamodb

from feedward_local.ministack_queries import make_queries_cheap

TABLE: Mapping[str, Any] = {
    "TableName": "feeds",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "sk", "state")],
    "BillingMode": "PAY_PER_REQUEST",
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_state",
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "id", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
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
            dynamodb._put_item({"TableName": "feeds", "Item": item})


def pages(scan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the answers of a scan, to its end."""
    start: Mapping[str, Any] = {}
    while True:
        _, _, body = dynamodb._scan({"TableName": "feeds", **scan, **start})
        answer = json.loads(body)
        yield answer
        if "LastEvaluatedKey" not in answer:
            return
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def main() -> None:
    """Compare all scans."""
    fill()
    before = [list(pages(scan)) for scan in SCANS]
    make_queries_cheap(dynamodb)
    after = [list(pages(scan)) for scan in SCANS]
    counts = [sum(answer["Count"] for answer in answers) for answers in after]
    print(json.dumps({"same": before == after, "counts": counts, "tables": list(dynamodb._tables)}))


if __name__ == "__main__":
    main()
