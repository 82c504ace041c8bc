"""A start restores everything that was saved, or ends and leaves it."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from feedward_local.aws.restored_state import STREAMS, pending_records, restore_records, restore_state
from feedward_local.aws.saved_items import file_name, write_items

PLACE = ("000000000000", "us-east-1")
STREAM = "arn:aws:dynamodb:us-east-1:000000000000:table/Feeds/stream/1"


class Scoped(dict[tuple[str, str, str], Any]):
    """As MiniStack's dictionary for each account and region."""

    all_items = dict.items

    def get_scoped(self, account: str, region: str, key: str, default: Any = None) -> Any:
        return self.get((account, region, key), default)

    def set_scoped(self, account: str, region: str, key: str, value: Any) -> None:
        self[account, region, key] = value


def dynamodb(records: list[int] | None = None, trimmed: int = 0) -> Any:
    tables = Scoped({(*PLACE, "Feeds"): {"TableId": "id", "LatestStreamArn": STREAM, "items": {}}})
    kept = Scoped({(*PLACE, "Feeds"): records} if records is not None else {})
    counted = Scoped({(*PLACE, "Feeds"): trimmed})
    return SimpleNamespace(
        _tables=tables, _stream_records=kept, _stream_trimmed=counted, _items_replaced=lambda _: None
    )


def functions(**positions: int) -> Any:
    mappings = Scoped({(*PLACE, name): {"EventSourceArn": STREAM} for name in ("one", "other")[: len(positions) or 1]})
    read = Scoped({(*PLACE, name): position for name, position in positions.items()})
    return SimpleNamespace(_esms=mappings, _dynamodb_stream_positions=read)


# --- streams ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("positions", "trimmed", "pending"),
    [
        ({"one": 2}, 0, {"id": [12, 13]}),
        ({"one": 4}, 0, {}),
        ({}, 0, {"id": [10, 11, 12, 13]}),  # no function has asked yet
        ({"one": 102}, 100, {"id": [12, 13]}),
        ({"one": 1, "other": 3}, 0, {"id": [11, 12, 13]}),
        ({"one": 2}, 100, {"id": [10, 11, 12, 13]}),
    ],
)
def test_records_are_saved_that_a_function_has_not_processed(
    positions: dict[str, int], trimmed: int, pending: dict[str, list[int]]
) -> None:
    assert pending_records(dynamodb([10, 11, 12, 13], trimmed), functions(**positions)) == pending


def test_a_stream_without_functions_is_not_saved() -> None:
    nobody = cast("ModuleType", SimpleNamespace(_esms=Scoped(), _dynamodb_stream_positions=Scoped()))
    assert pending_records(dynamodb([10, 11]), nobody) == {}


def test_the_next_run_begins_with_these_records_and_not_at_the_position_of_the_last(tmp_path: Path) -> None:
    (tmp_path / STREAMS).write_text(json.dumps({"id": [12, 13], "gone": [1]}))
    tables, read = dynamodb(), functions(one=106_948)
    restore_records(tmp_path, tables, read)
    assert tables._stream_records == {(*PLACE, "Feeds"): [12, 13]}
    assert read._dynamodb_stream_positions == {}
    assert pending_records(tables, read) == {"id": [12, 13]}


# --- the whole -------------------------------------------------------------------------------------


class Ended(Exception):
    """The process has ended."""


def restore(state: Path, loaded: Any = None, tables: Any = None) -> list[Any]:
    """Restore a state of queues and tables. Returns what the services got."""
    got: list[Any] = []
    service = SimpleNamespace(load_persisted_state=got.append)
    ministack = SimpleNamespace(
        _state_map={"sqs": "sqs", "kms": "kms"}, load_state=lambda _: loaded, _get_module=lambda _: service
    )
    restore_state(state, cast("ModuleType", ministack), tables or dynamodb(), functions())
    return got


@pytest.fixture(autouse=True)
def ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_code: int) -> None:
        raise Ended

    monkeypatch.setattr("feedward_local.aws.restored_state.os._exit", end)


def test_services_and_tables_are_restored(tmp_path: Path) -> None:
    (tmp_path / "sqs.json").touch()
    write_items(tmp_path / file_name(1), [("id", [("a", "FEED", 1)])])
    tables = dynamodb()
    assert restore(tmp_path, {"queues": 1}, tables) == [{"queues": 1}]
    assert [table["items"] for table in tables._tables.values()] == [{"a": {"FEED": 1}}]


def test_a_service_that_saved_nothing_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "sqs.json").touch()
    assert restore(tmp_path, {}) == []


def test_a_file_that_ministack_cannot_read_ends_it_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sqs.json").touch()
    with pytest.raises(Ended):
        restore(tmp_path, None)
    assert "cannot be read: sqs.json" in capsys.readouterr().out


@pytest.mark.parametrize("name", [file_name(1), file_name(1, whole=True), STREAMS])
def test_damaged_tables_end_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / name).write_text("[")
    with pytest.raises(Ended):
        restore(tmp_path)
    assert "cannot be read: dynamodb.json" in capsys.readouterr().out
