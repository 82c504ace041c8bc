"""Runs `feedward` in this process, as a process of its own would: most of one's time goes into imports.

Tests of signals, terminals and closed streams start a process.
"""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from feedward_local import command


class Done(NamedTuple):
    """What a command has said, and its exit code."""

    stdout: str
    stderr: str
    returncode: int


def run_command(*arguments: str, text: str = "") -> Done:
    """Run one command with `text` on its standard input."""
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8")
    with redirect_stdout(stdout), redirect_stderr(stderr), patch.object(sys, "stdin", stdin):
        code = _run(arguments)
    out, err = (each.buffer.getvalue().decode() for each in (stdout, stderr))
    return Done(out, err, code)


def _run(arguments: tuple[str, ...]) -> int:
    try:
        with patch.object(command, "_leave", sys.exit):  # which would end the tests
            return command.main(arguments)
    except SystemExit as left:
        return int(left.code or 0)
