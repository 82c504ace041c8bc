"""All operations on DynamoDB, with retries, a deadline and feedward's errors.

All reads are strongly consistent, except index queries, which cannot be.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from botocore.exceptions import BotoCoreError, ClientError

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.store.codec import Item, decode, encode
from feedward.adapters.dynamodb.store.errors import ConditionsFailed, Refusal, translate
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.transaction import Aliases, Condition, Transaction
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import Conflict, FeedwardError, StoreUnavailable, Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

BATCH_GET_KEYS = 100
# Fewer attempts if the store does not respond: each costs a time-out, while a throttled call fails at once.
ATTEMPTS_WHEN_AWAY = 3
_PASSING = (Conflict, Throttled, StoreUnavailable)


class Tables:
    """Reads and writes of whole items. All methods raise Throttled, Conflict or StoreUnavailable; see errors.py."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: TableNames,
        backoff: Backoff | None = None,
        deadline: Deadline = NO_DEADLINE,
    ) -> None:
        self._client = client
        self._backoff = backoff or Backoff()
        self.deadline = deadline
        self.names = names

    def within(self, deadline: Deadline) -> Tables:
        """Return the same tables with a deadline: no attempt starts after it.

        An attempt in progress at the deadline ends within the client's time-outs (deadline.ATTEMPT_S).
        """
        return Tables(self._client, self.names, self._backoff, deadline)

    def get(self, table: str, key: Mapping[str, str]) -> Item | None:
        """Return one item, or None."""
        answer = self._ask(self._client.get_item, TableName=table, Key=encode(key), ConsistentRead=True)
        return decode(answer["Item"]) if "Item" in answer else None

    def batch_get(self, table: str, keys: Sequence[Mapping[str, str]], attributes: Sequence[str] = ()) -> list[Item]:
        """Return these attributes (none: all) of many items, unordered. Keys must differ. Missing ones are left out."""
        items: list[Item] = []
        for start in range(0, len(keys), BATCH_GET_KEYS):
            items += self._batch(table, keys[start : start + BATCH_GET_KEYS], attributes)
        return items

    def transact(self, transaction: Transaction) -> tuple[Refusal, ...]:
        """Apply all writes and return (). If a condition fails, apply none and return the refusals."""
        try:
            self._ask(
                self._client.transact_write_items,
                TransactItems=transaction.items,
                ClientRequestToken=transaction.token,
            )
        except ConditionsFailed as answer:
            return answer.refusals
        return ()

    def update(self, table: str, key: Mapping[str, str], when: Condition | None, **changes: Any) -> Item | Refusal:
        """Change attributes of one item. Returns the new item, or the refusal if the condition failed.

        `changes` are those of Transaction.update; this costs half of a transaction. If the response of an applied
        attempt is lost, the condition of the retry fails: the refusal then shows the caller's own change.
        """
        answer = self._update(table, key, when, changes, ReturnValues="ALL_NEW")
        return answer if isinstance(answer, Refusal) else decode(answer["Attributes"])

    def change(self, table: str, key: Mapping[str, str], when: Condition, **changes: Any) -> Refusal | None:
        """Do the same without returning the new item: None if it was changed."""
        answer = self._update(table, key, when, changes)
        return answer if isinstance(answer, Refusal) else None

    def delete(self, table: str, key: Mapping[str, str], when: Condition) -> None:
        """Delete one item, if the condition holds."""
        aliases = Aliases()
        condition = when(aliases)
        try:
            self._ask(
                self._client.delete_item,
                TableName=table,
                Key=encode(key),
                ConditionExpression=condition,
                **aliases.request(),
            )
        except ConditionsFailed:
            return

    def count(
        self,
        table: str,
        partition: tuple[str, str | int],
        *,
        index: str | None = None,
        prefix: tuple[str, str] | None = None,
        at_most: int | None = None,
    ) -> int:
        """Return the number of items in a partition of the table or of an index; at most `at_most`.

        The items are read but not sent: this costs as much as a query of them.
        """
        aliases = Aliases()
        request = {
            "TableName": table,
            "KeyConditionExpression": _key_condition(aliases, partition, prefix, None, None),
            "Select": "COUNT",
            **({"IndexName": index} if index else {"ConsistentRead": True}),
            **aliases.request(),
        }
        counted = 0
        while True:
            limit = {} if at_most is None else {"Limit": at_most - counted}
            page = self._ask(self._client.query, **request, **limit)
            counted += int(page["Count"])
            if counted == at_most or "LastEvaluatedKey" not in page:
                return counted
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def query(
        self,
        table: str,
        partition: tuple[str, str | int],
        *,
        index: str | None = None,
        prefix: tuple[str, str] | None = None,
        up_to: tuple[str, int] | None = None,
        between: tuple[str, Any, Any] | None = None,
        after: Mapping[str, str] | None = None,
        page_items: int | None = None,
        newest_first: bool = False,
    ) -> Iterator[Item]:
        """Yield all items of a partition (attribute, value) of the table or of an index, page by page.

        `prefix` (attribute, text), `up_to` (attribute, number) and `between` (attribute, first, last) restrict the sort
        keys; `last` must not be before `first`. `after` is the key of the last item of the previous page. `page_items`
        is the size of a page, for callers that do not read all items. `newest_first` reverses the order.
        """
        aliases = Aliases()
        request = {
            "TableName": table,
            "KeyConditionExpression": _key_condition(aliases, partition, prefix, up_to, between),
            **({"IndexName": index} if index else {"ConsistentRead": True}),
            **({"ExclusiveStartKey": encode(after)} if after else {}),
            **({"Limit": page_items} if page_items else {}),
            **({"ScanIndexForward": False} if newest_first else {}),
            **aliases.request(),
        }
        yield from self._pages(request)

    def scan(
        self, table: str, *, after: Mapping[str, str] | None, at_most: int, index: str | None = None
    ) -> tuple[list[Item], Item | None]:
        """Return up to `at_most` items of the whole table or index after a key, and the key to continue after.

        The order is undefined but stable. The key is None at the end.
        """
        start = {"ExclusiveStartKey": encode(after)} if after else {}
        where = {"IndexName": index} if index else {"ConsistentRead": True}
        page = self._ask(self._client.scan, TableName=table, Limit=at_most, **where, **start)
        last = page.get("LastEvaluatedKey")
        return [decode(item) for item in page["Items"]], decode(last) if last else None

    def _pages(self, request: dict[str, Any]) -> Iterator[Item]:
        while True:
            page = self._ask(self._client.query, **request)
            yield from map(decode, page["Items"])
            if not page.get("LastEvaluatedKey"):
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _update(
        self, table: str, key: Mapping[str, str], when: Condition | None, changes: Mapping[str, Any], **asked: str
    ) -> Mapping[str, Any] | Refusal:
        change = Transaction()
        change.update(table, key, when, **changes)
        try:
            answer: Mapping[str, Any] = self._ask(self._client.update_item, **asked, **change.items[0]["Update"])
        except ConditionsFailed as refused:
            return refused.refusals[0]
        return answer

    def _batch(self, table: str, keys: Sequence[Mapping[str, str]], attributes: Sequence[str]) -> list[Item]:
        aliases = Aliases()
        names = ", ".join(aliases.name(attribute) for attribute in attributes)
        wanted: Any = {
            table: {
                "Keys": [encode(key) for key in keys],
                "ConsistentRead": True,
                **({"ProjectionExpression": names} if names else {}),
                **aliases.request(),
            }
        }
        items: list[Item] = []
        for _ in self._backoff.tries():
            answer = self._ask(self._client.batch_get_item, RequestItems=wanted)
            items += map(decode, answer["Responses"].get(table, ()))
            wanted = answer.get("UnprocessedKeys")
            if not wanted:
                return items
        raise Throttled("the store left keys of a batch unread, again and again")

    def _ask(self, operation: Callable[..., Any], **request: Any) -> Any:
        times_away = 0
        failure: FeedwardError | ConditionsFailed = StoreUnavailable("the time for the store was used up")
        for is_last in self._backoff.tries():
            if self.deadline.left_s() <= 0:
                break
            try:
                return operation(**request)
            except (ClientError, BotoCoreError) as error:
                failure = translate(error)
                times_away += isinstance(failure, StoreUnavailable)
                if is_last or times_away == ATTEMPTS_WHEN_AWAY or not isinstance(failure, _PASSING):
                    raise failure from error
        raise failure


class TableStore:
    """Base of all stores: the tables that they read and write. Thread-safe."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def within(self, deadline: Deadline) -> Self:
        """Return the same store with a deadline: no attempt starts after it."""
        bound = copy.copy(self)
        bound._tables = self._tables.within(deadline)
        return bound


def _key_condition(
    aliases: Aliases,
    partition: tuple[str, str | int],
    prefix: tuple[str, str] | None,
    up_to: tuple[str, int] | None,
    between: tuple[str, Any, Any] | None,
) -> str:
    conditions = [f"{aliases.name(partition[0])} = {aliases.value(partition[1])}"]
    if prefix:
        conditions.append(f"begins_with({aliases.name(prefix[0])}, {aliases.value(prefix[1])})")
    if up_to:
        conditions.append(f"{aliases.name(up_to[0])} <= {aliases.value(up_to[1])}")
    if between:
        attribute, first, last = between
        conditions.append(f"{aliases.name(attribute)} BETWEEN {aliases.value(first)} AND {aliases.value(last)}")
    return " AND ".join(conditions)
