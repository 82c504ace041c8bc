"""DynamoDB in memory: the calls that feedward makes, atomic under one lock, with boto3's answers.

It lets the real adapter run thousands of times a second, so that interleavings and faults can be searched. The contract
suite holds it to what MiniStack does.
"""
# ruff: noqa: N803 - the arguments have boto3's names

from __future__ import annotations

import marshal
import threading
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from tests.fakes.dynamodb_table import Index, Item, Table, client_error, place_of
from tests.fakes.expressions import holds, key_range, updated

_ITEM_BYTES = 400 * 1024
_TOKENS = 200
_PAGE_ITEMS = 3


class InMemoryDynamoDB:
    """Stands in for `boto3.client("dynamodb")`. Make tables from the template's properties with `create_table`."""

    def __init__(self) -> None:
        self.page_items = _PAGE_ITEMS  # small, so that every reader has to turn pages
        self._lock = threading.RLock()
        self._tables: dict[str, Table] = {}
        self._done: dict[str, list[Any]] = {}

    def create_table(self, **properties: Any) -> None:
        indexes = {
            index["IndexName"]: Index(
                tuple(part["AttributeName"] for part in index["KeySchema"]),
                frozenset(index["Projection"].get("NonKeyAttributes", ())),
            )
            for index in properties.get("GlobalSecondaryIndexes", ())
        }
        keys = tuple(part["AttributeName"] for part in properties["KeySchema"])
        self._tables[properties["TableName"]] = Table(keys, indexes)

    def get_item(self, *, TableName: str, Key: Mapping[str, Any], ConsistentRead: bool = False) -> dict[str, Any]:
        with self._lock:
            table = self._table(TableName)
            item = table.items.get(table.key_of(Key))
            return {"Item": _copied(item)} if item is not None else {}

    def put_item(self, *, TableName: str, Item: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            table = self._table(TableName)
            table.put(dict(Item))
            return {}

    def batch_write_item(self, *, RequestItems: Mapping[str, Any]) -> dict[str, Any]:
        for name, writes in RequestItems.items():
            if not 1 <= len(writes) <= 25:
                raise client_error("ValidationException", "BatchWriteItem")
            for write in writes:
                self.put_item(TableName=name, Item=write["PutRequest"]["Item"])
        return {"UnprocessedItems": {}}

    def update_item(self, **request: Any) -> dict[str, Any]:
        with self._lock:
            if not self._condition_holds(request):
                item = self._item(request)
                shown = {"Item": _copied(item)} if item and _wants_old(request) else {}
                raise client_error("ConditionalCheckFailedException", "UpdateItem", **shown)
            self._apply("Update", request)
            return {"Attributes": _copied(self._item(request) or {})} if "ReturnValues" in request else {}

    def batch_get_item(self, *, RequestItems: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            responses = {name: self._batch(name, request) for name, request in RequestItems.items()}
            return {"Responses": responses, "UnprocessedKeys": {}}

    def transact_write_items(self, *, TransactItems: list[Any], ClientRequestToken: str) -> dict[str, Any]:
        with self._lock:
            if ClientRequestToken in self._done:
                if self._done[ClientRequestToken] != TransactItems:
                    raise client_error("IdempotentParameterMismatchException", "TransactWriteItems")
                return {}
            writes = [next(iter(each.items())) for each in TransactItems]
            self._refuse_twice_named(writes)
            self._check_conditions(writes)
            for verb, request in writes:
                self._apply(verb, request)
            self._remember(ClientRequestToken, TransactItems)
            return {}

    def _remember(self, token: str, items: list[Any]) -> None:
        """The real one forgets a token after ten minutes; all of them would take more memory than the tables."""
        self._done[token] = items
        if len(self._done) > _TOKENS:
            del self._done[next(iter(self._done))]

    def delete_item(self, **request: Any) -> dict[str, Any]:
        with self._lock:
            if not self._condition_holds(request):
                raise client_error("ConditionalCheckFailedException", "DeleteItem")
            table = self._table(request["TableName"])
            table.remove(table.key_of(request["Key"]))
            return {}

    def query(self, **request: Any) -> dict[str, Any]:
        with self._lock:
            table, index = self._table(request["TableName"]), request.get("IndexName")
            order, start = table.order(index), request.get("ExclusiveStartKey")
            behind, newest_first = start and place_of(start, order.names), not request.get("ScanIndexForward", True)
            found = order.within(key_range(request), behind, newest_first=newest_first)
            page = _page(found, order.names, min(request.get("Limit", self.page_items), self.page_items))
            if index:
                page["Items"] = [table.shown(index, item) for item in page["Items"]]
            if request.get("Select") == "COUNT":
                page["Count"] = len(page.pop("Items"))
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
            order = table.order(IndexName)
            start = place_of(ExclusiveStartKey, order.names) if ExclusiveStartKey else None
            found = order.after(start)
            page = _page(found, order.names, Limit or len(table.items))
            if IndexName:
                page["Items"] = [table.shown(IndexName, item) for item in page["Items"]]
            return page

    def _table(self, name: str) -> Table:
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
        table = self._table(request["TableName"])
        if verb == "ConditionCheck":
            return
        if verb == "Delete":
            table.remove(table.key_of(request["Key"]))
            return
        if verb == "Update":
            before = self._item(request) or request["Key"]
            item = updated(request["UpdateExpression"], request, before)
        else:
            item = dict(request["Item"])
        if _size(item) > _ITEM_BYTES:
            raise client_error("ValidationException", verb)
        table.put(item)


def _size(item: Item) -> int:
    """About the bytes of an item."""
    try:
        return len(marshal.dumps(item, 0))  # in the first version of the format each text is written out
    except ValueError:  # a text of another class, such as the member of an enum
        return len(repr(item))


def _copied(item: Mapping[str, Any]) -> Item:
    """A copy as over the wire. What is inside an attribute is the same: nothing changes that in place."""
    return dict(item)


def _wants_old(request: Mapping[str, Any]) -> bool:
    return "ReturnValuesOnConditionCheckFailure" in request


def _page(found: Iterable[Item], order: tuple[str, ...], most: int) -> dict[str, Any]:
    """The first of the found items, in their order, and the position to continue at if there are more.

    That is a place in the order: the item that stood there may be gone by then.
    """
    items = list(islice(found, most + 1))
    more = {"LastEvaluatedKey": {name: items[most - 1][name] for name in order}} if len(items) > most > 0 else {}
    return {"Items": list(map(_copied, items[:most])), **more}
