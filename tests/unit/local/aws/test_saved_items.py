"""A save writes the items that changed; the next run has the items of all saves."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from feedward_local.aws import saved_items, saved_state
from feedward_local.aws.saved_items import (
    ChangedKeys,
    Item,
    all_items_of,
    drop_superseded,
    file_name,
    item_files,
    items_of,
    last_number,
    load_items,
    needs_whole,
    put_items,
    write_items,
)
from feedward_local.aws.saved_state import prepare_state, replace_state
from feedward_local.errors import LocalStackError

FEEDS, URLS = "id-of-feeds", "id-of-urls"
PORT = 42002


def save_changes(state: Path, *items: Item, table: str = FEEDS) -> None:
    name = file_name(last_number(state) + 1)
    replace_state(state, lambda folder: write_items(folder / name, [(table, items)]))


def save_whole(state: Path, **items: dict[str, Any]) -> None:
    """Write all items after the last changes, as the process for it does."""
    write_items(state / file_name(last_number(state), whole=True), [(FEEDS, all_items_of({"items": items}))])


def feeds_of_next_run(state: Path) -> dict[str, Any]:
    prepare_state(state, PORT)
    items: dict[str, Any] = {}
    load_items(state, {FEEDS: {"items": items}})
    return items


def test_the_last_change_of_an_item_counts(tmp_path: Path) -> None:
    save_changes(tmp_path, ("a", "FEED", 1), ("a", "META", 1), ("b", "FEED", 1))
    save_changes(tmp_path, ("a", "FEED", 2), ("c", "FEED", 2))
    save_changes(tmp_path, ("a", "FEED", 3), ("b", "FEED", None))
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 3, "META": 1}, "c": {"FEED": 2}}


def test_changes_come_in_the_order_in_which_they_were_saved(tmp_path: Path) -> None:
    for number in range(12):
        save_changes(tmp_path, ("a", "FEED", number))
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 11}}


def test_an_item_deleted_before_its_save_is_no_fault(tmp_path: Path) -> None:
    save_changes(tmp_path, ("b", "FEED", None), ("a", "META", None))
    assert feeds_of_next_run(tmp_path) == {}


def test_items_of_a_table_that_was_replaced_are_not_in_the_new_one(tmp_path: Path) -> None:
    save_changes(tmp_path, ("a", "FEED", 1), table="id-of-feeds-before")
    save_changes(tmp_path, ("b", "FEED", 2))
    assert feeds_of_next_run(tmp_path) == {"b": {"FEED": 2}}


def test_long_changes_are_all_there(tmp_path: Path) -> None:
    items = [(str(number), "FEED", number) for number in range(2 * saved_items.ITEMS_PER_LINE + 1)]
    save_changes(tmp_path, *items)
    assert len(feeds_of_next_run(tmp_path)) == len(items)


# --- all items -------------------------------------------------------------------------------------


def test_a_file_of_all_items_replaces_the_changes_before_it_and_is_followed_by_later_ones(tmp_path: Path) -> None:
    save_changes(tmp_path, ("a", "FEED", 1), ("gone", "FEED", 1))
    save_changes(tmp_path, ("gone", "FEED", None))
    save_changes(tmp_path, ("c", "FEED", 3))
    write_items(tmp_path / file_name(2, whole=True), [(FEEDS, [("a", "FEED", 1)])])
    assert [path.name for path in item_files(tmp_path)] == ["items-000000002.whole.json", "items-000000003.json"]
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 1}, "c": {"FEED": 3}}


@pytest.mark.parametrize("left", range(3))
def test_what_it_replaces_may_be_deleted_at_any_time_and_in_part(tmp_path: Path, left: int) -> None:
    save_changes(tmp_path, ("a", "FEED", 1), ("gone", "FEED", 1))
    save_changes(tmp_path, ("gone", "FEED", None))
    save_whole(tmp_path, a={"FEED": 1})
    for number in range(1, 3):
        if number != left:
            (tmp_path / file_name(number)).unlink()
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 1}}
    assert [path.name for path in item_files(tmp_path)] == [path.name for path in tmp_path.glob("items-*")]


def test_the_number_goes_on_after_all_items_were_saved(tmp_path: Path) -> None:
    save_changes(tmp_path, ("a", "FEED", 1))
    save_whole(tmp_path, a={"FEED": 1})
    drop_superseded(tmp_path)
    save_changes(tmp_path, ("a", "FEED", 2))
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 2}}


def test_all_items_are_saved_once_the_changes_are_larger_or_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_items, "WHOLE_FROM_BYTES", 1000)
    assert not needs_whole(tmp_path)
    save_changes(tmp_path, ("a", "FEED", "x" * 1000))
    assert needs_whole(tmp_path)
    save_whole(tmp_path, a={"FEED": "x" * 2000})
    save_changes(tmp_path, ("a", "FEED", "x" * 1000))
    assert not needs_whole(tmp_path)
    monkeypatch.setattr(saved_items, "WHOLE_FROM_FILES", 1)
    assert needs_whole(tmp_path)


# --- crashes and damage ----------------------------------------------------------------------------


class Crash(BaseException):
    """The machine loses its power."""


@pytest.mark.parametrize("call", range(6))
def test_a_crash_at_any_step_leaves_the_old_items_or_the_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    save_changes(tmp_path, ("a", "FEED", 2), ("b", "FEED", 2))
    steps = iter(range(call))

    def step_of(real: Any) -> Any:
        def step(*arguments: Any, **options: Any) -> Any:
            if next(steps, None) is None:
                raise Crash
            return real(*arguments, **options)

        return step

    with monkeypatch.context() as patched, contextlib.suppress(Crash):
        for name in ("flush", "_is_known"):
            patched.setattr(saved_state, name, step_of(getattr(saved_state, name)))
        for name in ("unlink", "replace"):
            patched.setattr(Path, name, step_of(getattr(Path, name)))
        save_changes(tmp_path, ("a", "FEED", 3), ("b", "FEED", 3))
    found = feeds_of_next_run(tmp_path)
    assert found in ({"a": {"FEED": 2}, "b": {"FEED": 2}}, {"a": {"FEED": 3}, "b": {"FEED": 3}})


@pytest.mark.parametrize("cut", [1, 6, 7, 20])
def test_a_file_that_was_cut_off_is_an_error_and_not_fewer_items(tmp_path: Path, cut: int) -> None:
    save_changes(tmp_path, ("a", "FEED", 1))
    path = tmp_path / file_name(1)
    path.write_text(path.read_text()[:-cut])
    with pytest.raises(ValueError, match=r"items-000000001\.json is damaged"):
        load_items(tmp_path, {})


# --- the state of earlier versions -----------------------------------------------------------------


def test_items_that_an_earlier_version_kept_with_the_tables_are_kept(tmp_path: Path) -> None:
    data = {
        "000000000000\0us-east-1\0'Feeds'": {"TableId": FEEDS, "ItemCount": 2, "items": {"a": {"FEED": 1, "META": 1}}},
        "000000000000\0us-east-1\0'Urls'": {"TableId": URLS, "ItemCount": 0, "items": {}},
    }
    tables = {"__ministack_format__": 2, "payload": {"tables": {"data": data}, "ttl_settings": 1}}
    (tmp_path / "dynamodb.json").write_text(json.dumps(tables))
    name = next(iter(data))
    (tmp_path / "dynamodb.changes-000001.json").write_text(json.dumps({name: [["a", "FEED", 2], ["b", "FEED", 2]]}))
    (tmp_path / "dynamodb.changes-000002.json").write_text(json.dumps({name: [["b", "FEED", None]], "other": []}))

    for _ in range(2):
        assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 2, "META": 1}}
    assert not list(tmp_path.glob("dynamodb.changes-*"))
    kept = json.loads((tmp_path / "dynamodb.json").read_text())
    assert [one["items"] for one in kept["payload"]["tables"]["data"].values()] == [{}, {}]
    assert kept["payload"]["ttl_settings"] == 1


def test_tables_of_an_earlier_version_that_are_damaged_stop_the_start_and_stay(tmp_path: Path) -> None:
    (tmp_path / "dynamodb.json").write_text('{"payload": ')
    with pytest.raises(LocalStackError, match=r"cannot be read: dynamodb\.json"):
        prepare_state(tmp_path, PORT)
    assert (tmp_path / "dynamodb.json").read_text() == '{"payload": '


# --- in MiniStack ----------------------------------------------------------------------------------


def test_keys_that_were_not_saved_are_saved_with_the_next_ones() -> None:
    changed = ChangedKeys()
    changed.add(1, ("a", "FEED"))
    taken = changed.take()
    assert not changed
    changed.add(1, ("b", "FEED"))
    changed.give_back(taken)
    assert changed.take() == {1: {("a", "FEED"), ("b", "FEED")}}


def test_an_item_is_saved_as_it_is_now_or_as_gone() -> None:
    table = {"items": {"a": {"FEED": {"S": "1"}}}}
    assert items_of(table, [("a", "FEED"), ("a", "META"), ("b", "FEED")]) == [
        ("a", "FEED", {"S": "1"}),
        ("a", "META", None),
        ("b", "FEED", None),
    ]


def test_a_deleted_item_leaves_no_empty_partition() -> None:
    table: dict[str, Any] = {"items": {}}
    put_items(table, [("a", "FEED", 1), ("b", "FEED", 1)])
    put_items(table, [("a", "FEED", None)])
    assert table == {"items": {"b": {"FEED": 1}}}
