"""`feedward collect`, `frontier` and `lineage` as a person types them, on the whole stack."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.local.command_line import run_command
from tests.local.stack_aws import WORK_WITHIN_S, wait_until
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
FRONT, BRIDGE = "https://tidings.example/", "https://tidings.example/story/7"
LETTER, ROUND = "https://tidings.example/letters/1", "https://maze.example/left"


def said(stack: StackProcess, *arguments: str, text: str = "") -> tuple[int, list[Any]]:
    """The exit code, and the documents that a command prints."""
    done = run_command(*arguments, "--json", "--api", stack.url, text=text)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_the_command_waits_for_a_run_and_tells_its_items_and_dead_urls(new_stack: StackProcess) -> None:
    code, (run,) = said(new_stack, "collect", "--items", "-", text=f"{FRONT}\n{BRIDGE}\n{LETTER}\nftp://x\n")

    assert (code, run["status"], run["pages"], run["ended"]) == (1, "done", 3, 3)
    assert [each["url"] for each in run["dead"]] == [LETTER]
    assert [each["input"] for each in run["refused"]] == ["ftp://x"]
    assert said(new_stack, "lineage", "--run", run["id"]) == (0, run["items"])
    assert said(new_stack, "collect", "--run", run["id"])[1][0]["counters"] == run["counters"]
    code, links = said(new_stack, "lineage", BRIDGE)
    assert (code, links[0]["item"]["title"]) == (0, "A bridge of rope")


def test_a_url_is_submitted_and_listed_once_it_has_failed(new_stack: StackProcess) -> None:
    code, (submitted,) = said(new_stack, "frontier", ROUND)
    assert (code, submitted["input"], submitted["error"]) == (0, ROUND, None)

    def listed() -> Any:
        return said(new_stack, "frontier", "--last-error", "redirect_loop")[1]

    (row,) = wait_until(listed, WORK_WITHIN_S, "the failure of the row")
    assert (row["url"], row["status"], row["attempts"]) == (ROUND, "failed", 1)
    assert said(new_stack, "frontier", row["id"]) == (0, [row])
