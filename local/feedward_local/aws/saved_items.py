"""The items of MiniStack's tables: a file of the changes for each save, and now and then a file of all items.

So the cost of a save depends on the changes, not on the size of the tables. Imports only the standard library: it also
runs in MiniStack's own environment.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

FILES = "items-*.json"
WHOLE = ".whole.json"
END = '"end"\n'
ITEMS_PER_LINE = 1000
# All items are saved anew once the changes take more space than they do, and at least this much, or are many files.
WHOLE_FROM_BYTES = 4_000_000
WHOLE_FROM_FILES = 2000

Key = tuple[str, str]
# An item by its keys. None: deleted.
Item = tuple[str, str, Any]
# Items by the id of their table: one that was deleted and created again under its name is another table.
Items = Iterable[tuple[str, Iterable[Item]]]


class ChangedKeys:
    """The keys written since the last save, by table. The caller makes sure that one thread uses it."""

    def __init__(self) -> None:
        self._keys: dict[int, set[Key]] = defaultdict(set)

    def add(self, table: int, key: Key) -> None:
        """Record that an item of a table was written or deleted."""
        self._keys[table].add(key)

    def take(self) -> Mapping[int, set[Key]]:
        """Return the keys of each table, and clear them."""
        keys, self._keys = self._keys, defaultdict(set)
        return keys

    def give_back(self, keys: Mapping[int, set[Key]]) -> None:
        """Add the keys of unsaved items again."""
        for table, some in keys.items():
            self._keys[table] |= some

    def __bool__(self) -> bool:
        return bool(self._keys)


def note_changes(dynamodb: ModuleType, changed: ChangedKeys) -> None:
    """Let MiniStack's DynamoDB record the keys of all items that it writes and deletes."""
    for name in ("_set_item", "_remove_item"):
        vars(dynamodb)[name] = _noting(changed, vars(dynamodb)[name])


def _noting(changed: ChangedKeys, write: Callable[..., Any]) -> Callable[..., Any]:
    def noted(table: Mapping[str, Any], primary: str, sort: str, *item: Any) -> Any:
        changed.add(id(table), (primary, sort))
        return write(table, primary, sort, *item)

    return noted


# --- items of a table of MiniStack -----------------------------------------------------------------


def items_of(table: Mapping[str, Any], keys: Iterable[Key]) -> list[Item]:
    """Return the items under these keys of a table, None for deleted ones."""
    items = table["items"]
    return [(primary, sort, items[primary].get(sort) if primary in items else None) for primary, sort in keys]


def all_items_of(table: Mapping[str, Any]) -> Iterator[Item]:
    """Yield all items of a table."""
    for primary, partition in table["items"].items():
        for sort, item in partition.items():
            yield primary, sort, item


def put_items(table: Mapping[str, Any], items: Iterable[Item]) -> None:
    """Put items into a table, and remove deleted ones."""
    for primary, sort, item in items:
        partition = table["items"].setdefault(primary, {})
        if item is None:
            partition.pop(sort, None)
        else:
            partition[sort] = item
        if not partition:
            del table["items"][primary]


# --- files -----------------------------------------------------------------------------------------


def item_files(state: Path) -> list[Path]:
    """Return the last file of all items, if there is one, and the changes after it, in their order."""
    files = sorted(state.glob(FILES))
    first = max((place for place, path in enumerate(files) if path.name.endswith(WHOLE)), default=0)
    return files[first:]


def last_number(state: Path) -> int:
    """Return the number of the last file, 0 if there is none."""
    return max((_number(path) for path in state.glob(FILES)), default=0)


def file_name(number: int, *, whole: bool = False) -> str:
    """Return the name of a file of changes, or of all items after these changes."""
    return FILES.replace("*", f"{number:09}").replace(".json", WHOLE if whole else ".json")


def _number(path: Path) -> int:
    return int(path.name.partition("-")[2].partition(".")[0])


def needs_whole(state: Path) -> bool:
    """Return whether the changes have grown larger than the file of all items, or are too many files."""
    sizes = {path: path.stat().st_size for path in item_files(state)}
    whole = sum(size for path, size in sizes.items() if path.name.endswith(WHOLE))
    return sum(sizes.values()) - whole > max(WHOLE_FROM_BYTES, whole) or len(sizes) > WHOLE_FROM_FILES


def drop_superseded(state: Path) -> None:
    """Delete the files that are part of a later file of all items."""
    kept = item_files(state)
    for path in set(state.glob(FILES)) - set(kept):
        path.unlink()


def write_items(path: Path, items: Items) -> None:
    """Write a file of items."""
    with path.open("w") as file:
        for table, all_of in items:
            rest = iter(all_of)
            while some := list(islice(rest, ITEMS_PER_LINE)):
                file.write(json.dumps([table, some]) + "\n")
        file.write(END)


def load_items(state: Path, tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Put the saved items into the tables, by the tables' ids. Raises ValueError for a file that is damaged."""
    for path in item_files(state):
        for table, items in _read_items(path):
            if table in tables:
                put_items(tables[table], items)


def _read_items(path: Path) -> Iterator[tuple[str, list[Item]]]:
    line = ""
    with path.open() as file:
        for line in file:
            try:
                read = json.loads(line)
            except ValueError as error:
                raise ValueError(f"{path} is damaged: {error}") from error
            if line != END:
                yield read[0], read[1]
    if line != END:
        raise ValueError(f"{path} is damaged: its end is missing")
