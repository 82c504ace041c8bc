"""The items that changed since MiniStack last saved its tables: separate files, merged before the next run.

So the cost of a save depends on the changes, not on the size of the tables. Imports only the standard library: it also
runs in MiniStack's own environment.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TABLES = "dynamodb.json"
CHANGES = "dynamodb.changes-*.json"
# The whole tables are saved once the changes take more space than they do, and at least this much.
WHOLE_FROM_BYTES = 4_000_000

Key = tuple[str, str]
# The changed items of a table, by their keys. None: deleted.
Changes = Mapping[str, list[tuple[str, str, Any]]]


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


def needs_whole_tables(state: Path) -> bool:
    """Return whether there are no saved tables, or the changes have grown larger than these."""
    tables = state / TABLES
    changes = sum(path.stat().st_size for path in state.glob(CHANGES))
    return not tables.is_file() or changes > max(WHOLE_FROM_BYTES, tables.stat().st_size)


def write_changes(folder: Path, state: Path, changes: Changes) -> None:
    """Write a further file of changes into `folder`, next to those in `state`. `changes` has a list per table."""
    number = 1 + max((int(path.stem.rpartition("-")[2]) for path in state.glob(CHANGES)), default=0)
    (folder / CHANGES.replace("*", f"{number:06}")).write_text(json.dumps(changes))


def items_of(table: Mapping[str, Any], keys: Iterable[Key]) -> list[tuple[str, str, Any]]:
    """Return the items under these keys of a table in MiniStack, None for deleted ones."""
    items = table["items"]
    return [(primary, sort, items[primary].get(sort) if primary in items else None) for primary, sort in keys]


def merged_tables(state: Path) -> str | None:
    """Return the saved tables merged with all later changes, None if there are no changes."""
    changes = sorted(state.glob(CHANGES))
    if not changes:
        return None
    saved = json.loads((state / TABLES).read_text())
    tables = saved["payload"]["tables"]["data"]
    for path in changes:
        for name, items in json.loads(path.read_text()).items():
            if name in tables:
                _merge(tables[name], items)
    return json.dumps(saved)


def _merge(table: dict[str, Any], items: Iterable[tuple[str, str, Any]]) -> None:
    for primary, sort, item in items:
        partition = table["items"].setdefault(primary, {})
        if item is None:
            partition.pop(sort, None)
        else:
            partition[sort] = item
        if not partition:
            del table["items"][primary]
    table["ItemCount"] = sum(map(len, table["items"].values()))
