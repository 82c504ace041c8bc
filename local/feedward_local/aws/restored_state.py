"""Restores MiniStack's saved state as one whole, with the items of its tables and the records of their streams.

MiniStack's own code starts with nothing where it cannot read a file, and would save that. This ends it.
"""

from __future__ import annotations

import gc
import json
import logging
import os
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

from feedward_local.aws.saved_items import load_items
from feedward_local.aws.saved_state import unreadable

STREAMS = "stream-records.json"
NOT_RESTORED = 4


def restore_state(state: Path, ministack: ModuleType, dynamodb: ModuleType, functions: ModuleType) -> None:
    """Restore all services. Ends the process, with what to do about it, if a file is damaged or of a later version."""
    name = ""
    try:
        for name, module in ministack._state_map.items():
            if (state / f"{name}.json").exists():
                _restore_service(ministack, name, module)
        name = "dynamodb"
        restore_items(state, dynamodb)
        restore_records(state, dynamodb, functions)
    except Exception as error:
        logging.getLogger("feedward").exception("the state was not restored")
        _end(state, f"{name}.json", error)


def _restore_service(ministack: ModuleType, name: str, module: str) -> None:
    saved = ministack.load_state(name)
    if saved is None:
        raise ValueError("it is damaged, or of a later version")
    if saved:
        ministack._get_module(module).load_persisted_state(saved)


def _end(state: Path, name: str, error: Exception) -> None:
    print(unreadable(name, state, error), flush=True)
    os._exit(NOT_RESTORED)


def restore_items(state: Path, dynamodb: ModuleType) -> None:
    """Fill the tables. Raises ValueError for a damaged file."""
    tables = {table["TableId"]: table for _, table in dynamodb._tables.all_items()}
    for table in tables.values():
        table["items"] = defaultdict(dict, table["items"])
    gc.disable()  # nothing of this can be garbage
    load_items(state, tables)
    gc.freeze()
    gc.enable()
    for table in tables.values():
        dynamodb._items_replaced(table)


# --- streams: MiniStack keeps their records in memory only -----------------------------------------


def pending_records(dynamodb: ModuleType, functions: ModuleType) -> dict[str, list[Any]]:
    """Return the records of each table's stream that a function has not processed, by the table's id."""
    pending = {}
    for (account, region, name), table in dynamodb._tables.all_items():
        read = [
            functions._dynamodb_stream_positions.get_scoped(owner, place, mapping, 0)
            for (owner, place, mapping), each in functions._esms.all_items()
            if each.get("EventSourceArn") == table.get("LatestStreamArn")
        ]
        records = dynamodb._stream_records.get_scoped(account, region, name) or []
        trimmed = dynamodb._stream_trimmed.get_scoped(account, region, name, 0)
        if read and (rest := records[max(0, min(read) - trimmed) :]):
            pending[table["TableId"]] = rest
    return pending


def restore_records(state: Path, dynamodb: ModuleType, functions: ModuleType) -> None:
    """Give the streams their unprocessed records. Positions count from the start of MiniStack, so they begin anew."""
    functions._dynamodb_stream_positions.clear()
    path = state / STREAMS
    pending = json.loads(path.read_text()) if path.exists() else {}
    for (account, region, name), table in dynamodb._tables.all_items():
        if table["TableId"] in pending:
            dynamodb._stream_records.set_scoped(account, region, name, pending[table["TableId"]])
