"""The commands of the README give the output that it shows."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.local.stack_process import StackProcess

README = (Path(__file__).parents[2] / "README.md").read_text()
# An indented curl command with its continued lines, then the answer.
EXAMPLES = re.findall(r"^    \$ (curl (?:.*\\\n)*.*)\n\n```json\n([^`]*)```", README, re.MULTILINE)
# A command with its output; one without output is not run. Some ask a running stack.
COMMANDS = re.findall(r"^    \$ \.venv/bin/feedward (.*)\n((?:    (?!\$).*\n)+)", README, re.MULTILINE)
STACK_COMMANDS_SHOWN = ["collect", "collect", "lineage", "frontier"]
FEED_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ")


def needs_stack(command: str) -> bool:
    return command.split(maxsplit=1)[0] in STACK_COMMANDS_SHOWN


@pytest.fixture(scope="module")
def fresh_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackProcess]:
    """`make demo` of a newcomer: nothing is in the directory yet."""
    running = StackProcess(tmp_path_factory.mktemp("readme"), "--demo")
    try:
        assert running.url
        yield running
    finally:
        running.stop()


@pytest.mark.local_stack
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl on this machine")
def test_the_curl_lines_give_the_answers_that_are_printed(fresh_stack: StackProcess) -> None:
    assert len(EXAMPLES) == 3
    ids: dict[str, list[str]] = {"told": [], "given": []}
    for command, told in EXAMPLES:
        script = command.replace("http://127.0.0.1:8080", fresh_stack.url).replace("python3", sys.executable)
        given = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
        assert FEED_ID.sub("ID", given) == FEED_ID.sub("ID", told)
        ids["told"].append(feed_id(told))
        ids["given"].append(feed_id(given))
    for first, second, discovered in ids.values():
        assert first == second, "both spellings are one feed"
        assert discovered != first


def feed_id(answer: str) -> str:
    document: dict[str, Any] = json.loads(answer)
    return str(document["feed_id"])


@pytest.mark.local_stack
def test_the_console_shows_the_steps_that_are_printed(fresh_stack: StackProcess) -> None:
    told = README.split("    $ make demo\n")[1].split("\n\n")[0]
    without_numbers = re.compile(r"\d+(\.\d+)?(?= (s|hosts|resources)\b)|127\.0\.0\.1:\d+")
    shown = [without_numbers.sub("N", line) for line in fresh_stack.shown.splitlines()]
    for line in told.splitlines():
        assert without_numbers.sub("N", line.strip()) in shown


def test_each_command_is_shown_with_its_output() -> None:
    assert [command.split()[0] for command, _ in COMMANDS] == [
        "canonicalize",
        "canonicalize",
        "discover",
        *STACK_COMMANDS_SHOWN,
    ]


@pytest.mark.parametrize(("command", "told"), [each for each in COMMANDS if not needs_stack(each[0])])
def test_the_command_line_prints_the_documented_output(command: str, told: str) -> None:
    assert given_by(*shlex.split(command)) == (int("error:" in told), shown(told))


@pytest.mark.local_stack
def test_the_commands_that_ask_a_stack_print_the_documented_output(fresh_stack: StackProcess) -> None:
    for command, told in COMMANDS:
        if needs_stack(command):
            code, given = given_by(*shlex.split(command), "--api", fresh_stack.url)
            assert code == int("\ndead  " in given)
            assert CLOCK.sub("TIME", FEED_ID.sub("ID", given)) == CLOCK.sub("TIME", FEED_ID.sub("ID", shown(told)))


def given_by(*arguments: str) -> tuple[int, str]:
    """The exit code of a command, and its output."""
    command = [sys.executable, "-m", "feedward_local.command", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    return done.returncode, done.stdout


def shown(told: str) -> str:
    return "".join(line.removeprefix("    ") + "\n" for line in told.splitlines())
