"""DynamoDB in memory: the calls that feedward makes, atomic under one lock, answering in boto3's words.

It lets the real adapter run thousands of times a second, so that interleavings and faults can be searched. The contract
suite holds it to what MiniStack does.
"""
# ruff: noqa: N803 - the arguments have boto3's names

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from botocore.exceptions import ClientError

from tests.fakes.expressions import holds, updated

_ITEM_BYTES = 400 * 1024
_PAGE_ITEMS = 3


def client_error(code: str, operation: str, **members: Any) -> ClientError:
    """Return the exception that boto3 raises for this error code."""
    response: Any = {"Error": {"Code": code, "Message": code}, **members}
    return ClientError(response, operation)


@dataclass
class _Index:
    keys: tuple[str, ...]
    included: frozenset[str]


class _Items(dict[tuple[str, ...], dict[str, Any]]):
    """Items by their keys, and by partition beside: a query of the table does not look at all of them."""

    def __init__(self) -> None:
        super().__init__()
        self._partitions: dict[str, dict[tuple[str, ...], dict[str, Any]]] = {}

    def __setitem__(self, key: tuple[str, ...], item: dict[str, Any]) -> None:
        super().__setitem__(key, item)
        self._partitions.setdefault(key[0], {})[key] = item

    def remove(self, key: tuple[str, ...]) -> None:
        """Remove an item, if it is there."""
        if self.pop(key, None) is not None:
            del self._partitions[key[0]][key]

    def under_any(self, values: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The items of every partition that is one of these values."""
        names = {value["S"] for value in values if "S" in value}
        return [item for name in names for item in self._partitions.get(name, {}).values()]


@dataclass
class _Table:
    keys: tuple[str, ...]
    indexes: Mapping[str, _Index]
    items: _Items = field(default_factory=_Items)

    def key_of(self, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        missing = [name for name in self.keys if not attributes.get(name, {}).get("S")]
        if missing:
            raise client_error("ValidationException", "key")
        return tuple(attributes[name]["S"] for name in self.keys)

    def shown(self, index: str, item: Mapping[str, Any]) -> dict[str, Any]:
        """What an index holds of an item."""
        names = {*self.indexes[index].keys, *self.keys, *self.indexes[index].included}
        return {name: value for name, value in item.items() if name in names}


class InMemoryDynamoDB:
    """Stands in for `boto3.client("dynamodb")`. Make tables from the template's properties with `create_table`."""

    def __init__(self) -> None:
        self.page_items = _PAGE_ITEMS  # small, so that every reader of pages is made to turn one
        self._lock = threading.RLock()
        self._tables: dict[str, _Table] = {}
        self._done: dict[str, str] = {}

    def create_table(self, **properties: Any) -> None:
        indexes = {
            index["IndexName"]: _Index(
                tuple(part["AttributeName"] for part in index["KeySchema"]),
                frozenset(index["Projection"].get("NonKeyAttributes", ())),
            )
            for index in properties.get("GlobalSecondaryIndexes", ())
        }
        keys = tuple(part["AttributeName"] for part in properties["KeySchema"])
        self._tables[properties["TableName"]] = _Table(keys, indexes)

    def get_item(self, *, TableName: str, Key: Mapping[str, Any], ConsistentRead: bool = False) -> dict[str, Any]:
        with self._lock:
            table = self._table(TableName)
            item = table.items.get(table.key_of(Key))
            return {"Item": _copied(item)} if item is not None else {}

    def put_item(self, *, TableName: str, Item: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            table = self._table(TableName)
            table.items[table.key_of(Item)] = dict(Item)
            return {}

    def update_item(self, **request: Any) -> dict[str, Any]:
        with self._lock:
            if not self._condition_holds(request):
                item = self._item(request)
                shown = {"Item": _copied(item)} if item and _wants_old(request) else {}
                raise client_error("ConditionalCheckFailedException", "UpdateItem", **shown)
            self._apply("Update", request)
            return {"Attributes": _copied(self._item(request))} if "ReturnValues" in request else {}

    def batch_get_item(self, *, RequestItems: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            responses = {name: self._batch(name, request) for name, request in RequestItems.items()}
            return {"Responses": responses, "UnprocessedKeys": {}}

    def transact_write_items(self, *, TransactItems: list[Any], ClientRequestToken: str) -> dict[str, Any]:
        with self._lock:
            asked = json.dumps(TransactItems)
            if ClientRequestToken in self._done:
                if self._done[ClientRequestToken] != asked:
                    raise client_error("IdempotentParameterMismatchException", "TransactWriteItems")
                return {}
            writes = [next(iter(each.items())) for each in TransactItems]
            self._refuse_twice_named(writes)
            self._check_conditions(writes)
            for verb, request in writes:
                self._apply(verb, request)
            self._done[ClientRequestToken] = asked
            return {}

    def delete_item(self, **request: Any) -> dict[str, Any]:
        with self._lock:
            if not self._condition_holds(request):
                raise client_error("ConditionalCheckFailedException", "DeleteItem")
            table = self._table(request["TableName"])
            table.items.remove(table.key_of(request["Key"]))
            return {}

    def query(self, **request: Any) -> dict[str, Any]:
        with self._lock:
            table = self._table(request["TableName"])
            index = table.indexes[request["IndexName"]] if "IndexName" in request else None
            order = index.keys if index else table.keys
            values = list(request["ExpressionAttributeValues"].values())
            items = table.items.values() if index else table.items.under_any(values)
            found = [item for item in items if item.get(order[0]) in values and all(name in item for name in order)]
            found = [item for item in found if holds(request["KeyConditionExpression"], request, item)]
            most = min(request.get("Limit", self.page_items), self.page_items)
            newest_first = not request.get("ScanIndexForward", True)
            page = _page(found, request.get("ExclusiveStartKey"), (*order, *table.keys), most, newest_first)
            if index:
                page["Items"] = [table.shown(request["IndexName"], item) for item in page["Items"]]
            return page

    def scan(
        self,
        *,
        TableName: str,
        IndexName: str | None = None,
        Limit: int | None = None,
        ExclusiveStartKey: Mapping[str, Any] | None = None,
        ConsistentRead: bool = False,
    ) -> dict[str, Any]:
        with self._lock:
            table = self._table(TableName)
            keys = table.indexes[IndexName].keys if IndexName else ()
            items = [item for item in table.items.values() if all(name in item for name in keys)]
            page = _page(items, ExclusiveStartKey, (*keys, *table.keys), Limit or len(items), newest_first=False)
            if IndexName:
                page["Items"] = [table.shown(IndexName, item) for item in page["Items"]]
            return page

    def _table(self, name: str) -> _Table:
        if name not in self._tables:
            raise client_error("ResourceNotFoundException", "any")
        return self._tables[name]

    def _batch(self, name: str, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        table = self._table(name)
        keys = [table.key_of(key) for key in request["Keys"]]
        if not 1 <= len(keys) <= 100 or len(set(keys)) < len(keys):
            raise client_error("ValidationException", "BatchGetItem")
        items = [table.items[key] for key in keys if key in table.items]
        if "ProjectionExpression" not in request:
            return list(map(_copied, items))
        names = request["ExpressionAttributeNames"]
        wanted = {names[each.strip()] for each in request["ProjectionExpression"].split(",")}
        return [{name: value for name, value in item.items() if name in wanted} for item in items]

    def _refuse_twice_named(self, writes: list[tuple[str, Any]]) -> None:
        named = [
            (request["TableName"], self._table(request["TableName"]).key_of(request.get("Key") or request["Item"]))
            for _, request in writes
        ]
        if not 1 <= len(named) <= 100 or len(set(named)) < len(named):
            raise client_error("ValidationException", "TransactWriteItems")

    def _check_conditions(self, writes: list[tuple[str, Any]]) -> None:
        reasons = [self._reason(request) for _, request in writes]
        if any(reason["Code"] != "None" for reason in reasons):
            raise client_error("TransactionCanceledException", "TransactWriteItems", CancellationReasons=reasons)

    def _reason(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if self._condition_holds(request):
            return {"Code": "None"}
        item = self._item(request)
        shown = {"Item": _copied(item)} if item and _wants_old(request) else {}
        return {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", **shown}

    def _condition_holds(self, request: Mapping[str, Any]) -> bool:
        expression = request.get("ConditionExpression")
        return expression is None or holds(expression, request, self._item(request) or {})

    def _item(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        table = self._table(request["TableName"])
        return table.items.get(table.key_of(request.get("Key") or request["Item"]))

    def _apply(self, verb: str, request: Mapping[str, Any]) -> None:
        writers: dict[str, Callable[[], Mapping[str, Any]]] = {
            "Put": lambda: request["Item"],
            "Update": lambda: updated(
                request["UpdateExpression"], request, self._item(request) or dict(request["Key"])
            ),
        }
        if verb == "ConditionCheck":
            return
        if verb == "Delete":
            table = self._table(request["TableName"])
            table.items.remove(table.key_of(request["Key"]))
            return
        item = dict(writers[verb]())
        if len(repr(item)) > _ITEM_BYTES:
            raise client_error("ValidationException", verb)
        table = self._table(request["TableName"])
        table.items[table.key_of(item)] = item


def _copied(wire: Any) -> Any:
    """A copy of what goes over the wire: it is JSON, and reads back in a tenth of what deepcopy takes."""
    return json.loads(json.dumps(wire))


def _wants_old(request: Mapping[str, Any]) -> bool:
    return "ReturnValuesOnConditionCheckFailure" in request


def _page(
    found: list[dict[str, Any]], start: Mapping[str, Any] | None, order: tuple[str, ...], most: int, newest_first: bool
) -> dict[str, Any]:
    """A start key is a place in the order; the item that stood there may be gone."""
    placed = sorted(((_place(item, order), item) for item in found), key=itemgetter(0), reverse=newest_first)
    if start:
        there = _place(start, order)
        placed = [each for each in placed if (each[0] < there if newest_first else each[0] > there)]
    items = [item for _, item in placed[:most]]
    more = {"LastEvaluatedKey": {name: items[-1][name] for name in order}} if len(placed) > len(items) else {}
    return {"Items": _copied(items), **more}


def _place(item: Mapping[str, Any], order: tuple[str, ...]) -> list[Any]:
    return [int(item[name]["N"]) if "N" in item[name] else str(item[name]["S"]) for name in order]
