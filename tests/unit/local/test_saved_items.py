"""Changes since the last save of the tables are stored next to them, and are part of them in the next run."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from feedward_local import saved_items, saved_state
from feedward_local.saved_items import ChangedKeys, items_of, needs_whole_tables, write_changes
from feedward_local.saved_state import prepare_state, replace_state

FEEDS = "000000000000\0us-east-1\0'feedward-Feeds'"
URLS = "000000000000\0us-east-1\0'feedward-Urls'"
PORT = 42002


def tables(**items: dict[str, Any]) -> str:
    """The file of whole tables, with these items of the table of feeds by their primary key."""
    data = {FEEDS: {"ItemCount": len(items), "items": items}, URLS: {"ItemCount": 0, "items": {}}}
    return json.dumps({"__ministack_format__": 2, "payload": {"tables": {"data": data}}})


def save_whole(state: Path, **items: dict[str, Any]) -> None:
    replace_state(state, lambda folder: (folder / "dynamodb.json").write_text(tables(**items)))


def save_changes(state: Path, *items: tuple[str, str, Any]) -> None:
    replace_state(state, lambda folder: write_changes(folder, state, {FEEDS: list(items)}))


def feeds_of_next_run(state: Path) -> dict[str, Any]:
    prepare_state(state, PORT)
    table: dict[str, Any] = json.loads((state / "dynamodb.json").read_text())["payload"]["tables"]["data"][FEEDS]
    assert table["ItemCount"] == sum(map(len, table["items"].values()))
    assert not list(state.glob("dynamodb.changes-*"))
    items: dict[str, Any] = table["items"]
    return items


def test_the_last_change_of_an_item_counts(tmp_path: Path) -> None:
    save_whole(tmp_path, a={"FEED": 1, "META": 1}, b={"FEED": 1})
    save_changes(tmp_path, ("a", "FEED", 2), ("c", "FEED", 2))
    save_changes(tmp_path, ("a", "FEED", 3), ("b", "FEED", None))
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 3, "META": 1}, "c": {"FEED": 2}}


def test_changes_come_in_the_order_in_which_they_were_saved(tmp_path: Path) -> None:
    save_whole(tmp_path)
    for number in range(12):
        save_changes(tmp_path, ("a", "FEED", number))
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 11}}


def test_an_item_deleted_before_its_save_is_no_fault(tmp_path: Path) -> None:
    save_whole(tmp_path, a={"FEED": 1})
    save_changes(tmp_path, ("b", "FEED", None), ("a", "META", None))
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 1}}


def test_changes_of_a_table_that_has_gone_are_dropped(tmp_path: Path) -> None:
    save_whole(tmp_path, a={"FEED": 1})
    replace_state(tmp_path, lambda folder: write_changes(folder, tmp_path, {"other": [("a", "FEED", 2)]}))
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 1}}


def test_whole_tables_end_the_changes_before_them_even_if_they_are_as_they_were(tmp_path: Path) -> None:
    save_whole(tmp_path, a={"FEED": 1})
    save_changes(tmp_path, ("a", "FEED", 2))
    save_whole(tmp_path, a={"FEED": 1})
    assert feeds_of_next_run(tmp_path) == {"a": {"FEED": 1}}


class Crash(BaseException):
    """The machine loses its power."""


@pytest.mark.parametrize("call", range(8))
@pytest.mark.parametrize("whole", [True, False])
def test_a_crash_at_any_step_leaves_the_old_items_or_the_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int, whole: bool
) -> None:
    save_whole(tmp_path, a={"FEED": 1})
    save_changes(tmp_path, ("a", "FEED", 2), ("b", "FEED", 2))
    steps = iter(range(call))

    def step_of(real: Any) -> Any:
        def step(*arguments: Any, **options: Any) -> Any:
            if next(steps, None) is None:
                raise Crash
            return real(*arguments, **options)

        return step

    with monkeypatch.context() as patched, contextlib.suppress(Crash):
        for name in ("_flush", "_drop_changes", "_is_known"):
            patched.setattr(saved_state, name, step_of(getattr(saved_state, name)))
        for name in ("unlink", "replace"):
            patched.setattr(Path, name, step_of(getattr(Path, name)))
        if whole:
            save_whole(tmp_path, a={"FEED": 3}, b={"FEED": 3})
        else:
            save_changes(tmp_path, ("a", "FEED", 3), ("b", "FEED", 3))
    found = feeds_of_next_run(tmp_path)
    assert found in ({"a": {"FEED": 2}, "b": {"FEED": 2}}, {"a": {"FEED": 3}, "b": {"FEED": 3}})


def test_the_first_save_and_one_after_many_changes_are_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert needs_whole_tables(tmp_path)
    save_whole(tmp_path, a={"FEED": 1})
    assert not needs_whole_tables(tmp_path)
    monkeypatch.setattr(saved_items, "WHOLE_FROM_BYTES", 1000)
    save_changes(tmp_path, ("a", "FEED", "x" * 1000))
    assert needs_whole_tables(tmp_path)


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
