"""The ways feedward talks to DynamoDB, each with its retries, in the time it has and in feedward's errors.

Reads are consistent, but for index queries, which cannot be: whoever wrote sees what was written.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from botocore.exceptions import BotoCoreError, ClientError

from feedward.adapters.calls import Backoff
from feedward.adapters.dynamodb.store.codec import Item, decode, encode
from feedward.adapters.dynamodb.store.errors import ConditionsFailed, Refusal, translate
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.transaction import Aliases, Condition, Transaction
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import Conflict, FeedwardError, StoreUnavailable, Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

BATCH_GET_KEYS = 100
# A store that is away takes a time-out each time, where a busy one says so at once.
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
        """The same tables, for operations that begin no attempt after the deadline.

        An attempt that is under way then ends within the client's time-outs (client.ATTEMPT_S).
        """
        return Tables(self._client, self.names, self._backoff, deadline)

    def get(self, table: str, key: Mapping[str, str]) -> Item | None:
        """Read one item."""
        answer = self._ask(self._client.get_item, TableName=table, Key=encode(key), ConsistentRead=True)
        return decode(answer["Item"]) if "Item" in answer else None

    def batch_get(self, table: str, keys: Sequence[Mapping[str, str]], attributes: Sequence[str]) -> list[Item]:
        """Read these attributes of many items, in no order; keys must differ. What is not there is left out."""
        items: list[Item] = []
        for start in range(0, len(keys), BATCH_GET_KEYS):
            items += self._batch(table, keys[start : start + BATCH_GET_KEYS], attributes)
        return items

    def transact(self, transaction: Transaction) -> tuple[Refusal, ...]:
        """Apply all the writes and return (), or none of them and return those whose condition failed."""
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
        """Change single attributes of one item, and return the item as it is then, or why it was not changed.

        `changes` are those of Transaction.update; it costs half of a transaction. An attempt that was applied though
        nobody heard of it makes the next one's condition fail: the refusal then shows the caller's own change.
        """
        answer = self._update(table, key, when, changes, ReturnValues="ALL_NEW")
        return answer if isinstance(answer, Refusal) else decode(answer["Attributes"])

    def change(self, table: str, key: Mapping[str, str], when: Condition, **changes: Any) -> Refusal | None:
        """The same, for who does not need to see the item afterwards: None where it was changed."""
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
        """Yield all items of a partition (attribute, value), of the table or of an index, page by page.

        `prefix` (attribute, text) keeps to the sort keys that begin so, `up_to` (attribute, number) to those that are
        no greater, `between` (attribute, first, last) to those from the first to the last, which must not be before
        the first. `after` is the key of the item to go on after, and `page_items` what one page reads, for a caller
        that does not take all. `newest_first` turns the order of the sort keys round.
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

    def scan(self, table: str, *, after: Mapping[str, str] | None, at_most: int) -> tuple[list[Item], Item | None]:
        """Read a stretch of a whole table after a key, in no order but always the same one.

        Returns at most so many items, and the key to go on after; None: that was the end.
        """
        start = {"ExclusiveStartKey": encode(after)} if after else {}
        page = self._ask(self._client.scan, TableName=table, Limit=at_most, ConsistentRead=True, **start)
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
        wanted: Any = {
            table: {
                "Keys": [encode(key) for key in keys],
                "ProjectionExpression": ", ".join(aliases.name(attribute) for attribute in attributes),
                "ConsistentRead": True,
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
    """What the stores have in common: the tables that they read and write. One object serves all threads."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def within(self, deadline: Deadline) -> Self:
        """Return the same store for calls that begin no attempt after the deadline."""
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
