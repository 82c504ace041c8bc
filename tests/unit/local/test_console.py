"""The console shows whole lines: output during a step is shown after it."""

from __future__ import annotations

import io
import re

import pytest

from feedward_local.console import Console


def test_a_line_that_comes_during_a_step_is_shown_after_it() -> None:
    shown = io.StringIO()
    console = Console(shown)
    with console.step("warming up"):
        console.line("a log line")
        console.line("another one")
    console.line("ready")
    assert re.sub(r"[0-9.]+ s", "N s", shown.getvalue()) == "warming up ... N s\na log line\nanother one\nready\n"


def fail(console: Console) -> None:
    with console.step("starting"):
        console.line("why")
        raise OSError("no")


def test_a_step_that_fails_says_so_and_loses_no_line() -> None:
    shown = io.StringIO()
    with pytest.raises(OSError, match="no"):
        fail(Console(shown))
    assert shown.getvalue() == "starting ... stopped\nwhy\n"
