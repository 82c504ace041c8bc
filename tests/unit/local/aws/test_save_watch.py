"""A person is told once when saves fail, and once when they succeed again."""

from __future__ import annotations

import pytest

from feedward_local.aws import save_watch
from feedward_local.aws.save_watch import SaveWatch


def test_failing_saves_are_told_once_and_so_is_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(save_watch, "LOOKS_EVERY_S", 0.0)
    told: list[str] = []
    answers = iter([False, True, True, False, False, True])
    watch = SaveWatch(lambda: next(answers), told.append, "the.log")
    for _ in range(6):
        watch.look()
    assert [line.split(":")[0] for line in told] == [
        "The state cannot be saved",
        "The state is saved again.",
        "The state cannot be saved",
    ]
    assert "the.log" in told[0]


def test_it_does_not_ask_all_the_time() -> None:
    answers = iter([True, False])
    watch = SaveWatch(lambda: next(answers), print, "")
    for _ in range(3):
        watch.look()
    assert list(answers) == [False]
