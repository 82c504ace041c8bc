"""A table of the DynamoDB in memory: its items by key, and in the order of its keys and of each index."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from botocore.exceptions import ClientError

from tests.fakes.expressions import ExpressionError, KeyRange, plain


def client_error(code: str, operation: str, **members: Any) -> ClientError:
    """Return the exception that boto3 raises for this error code."""
    response: Any = {"Error": {"Code": code, "Message": code}, **members}
    return ClientError(response, operation)


@dataclass
class Index:
    keys: tuple[str, ...]
    included: frozenset[str]


Item = dict[str, Any]
Place = tuple[int | str, ...]
_SORT_KEY = itemgetter(1)


class _Order:
    """The items that have all of some attributes: by the first of them, and then in the order of all.

    A query reads no more items than it answers.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._items: dict[Place, Item] = {}
        self._partitions: defaultdict[int | str, list[Place]] = defaultdict(list)

    def put(self, item: Item, before: Item | None) -> None:
        """Add an item, in place of the one `before` of its key."""
        place = self._place_of(item)
        old = None if before is None else self._place_of(before)
        if old != place:
            self._drop(old)
            if place is not None:
                insort(self._partitions[place[0]], place)
        if place is not None:
            self._items[place] = item

    def remove(self, item: Item) -> None:
        """Remove a stored item, if it is in this index."""
        self._drop(self._place_of(item))

    def _drop(self, place: Place | None) -> None:
        if place is not None:
            del self._items[place]
            places = self._partitions[place[0]]
            places.pop(bisect_left(places, place))
            if not places:
                del self._partitions[place[0]]

    def _place_of(self, item: Item) -> Place | None:
        if self.names[0] not in item:
            return None
        try:
            return place_of(item, self.names)
        except KeyError:
            return None

    def within(self, keys: KeyRange, start: Place | None, *, newest_first: bool) -> Iterator[Item]:
        """The items of a range of keys after a position, in order."""
        if keys.names != self.names[: len(keys.names)]:
            raise ExpressionError(f"a condition on {keys.names} for an index of {self.names}")
        places = self._partitions.get(keys.partition, [])
        first = 0 if keys.least is None else bisect_left(places, keys.least, key=_SORT_KEY)
        end = len(places) if keys.most is None else bisect_right(places, keys.most, key=_SORT_KEY)
        if start is not None and newest_first:
            end = min(end, bisect_left(places, start))
        elif start is not None:
            first = max(first, bisect_right(places, start))
        numbers = range(first, end)
        return (self._items[places[number]] for number in (reversed(numbers) if newest_first else numbers))

    def after(self, start: Place | None) -> Iterator[Item]:
        """All items after a position, in order."""
        for partition in sorted(self._partitions):
            if start is None or partition >= start[0]:  # type: ignore[operator]
                places = self._partitions[partition]
                first = bisect_right(places, start) if start else 0
                yield from (self._items[places[number]] for number in range(first, len(places)))


class Table:
    def __init__(self, keys: tuple[str, ...], indexes: Mapping[str, Index]) -> None:
        self.keys, self.indexes = keys, indexes
        self.items: dict[tuple[str, ...], Item] = {}
        self._orders = {None: _Order(keys)} | {name: _Order((*each.keys, *keys)) for name, each in indexes.items()}

    def key_of(self, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        try:
            key = tuple([attributes[name]["S"] for name in self.keys])
        except KeyError:
            key = ()
        if not (key and all(key)):
            raise client_error("ValidationException", "key")
        return key

    def put(self, item: Item) -> None:
        """Write an item, replacing the one of its key."""
        key = self.key_of(item)
        before = self.items.get(key)
        self.items[key] = item
        for order in self._orders.values():
            order.put(item, before)

    def remove(self, key: tuple[str, ...]) -> None:
        """Remove an item, if it is there."""
        item = self.items.pop(key, None)
        if item is not None:
            for order in self._orders.values():
                order.remove(item)

    def order(self, index: str | None) -> _Order:
        """The order of the table's own keys, or that of an index."""
        return self._orders[index]

    def shown(self, index: str, item: Mapping[str, Any]) -> Item:
        """The view that an index has of an item."""
        names = {*self.indexes[index].keys, *self.keys, *self.indexes[index].included}
        return {name: value for name, value in item.items() if name in names}


def place_of(item: Mapping[str, Any], order: tuple[str, ...]) -> Place:
    return tuple([plain(item[name]) for name in order])
