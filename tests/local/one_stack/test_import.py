"""A file is imported on the whole stack, from the command line: small ones as they are, long ones by an upload."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.local.command_line import run_command
from tests.local.stack_aws import WORK_WITHIN_S
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack

OPML = """<opml version="2.0"><body>
<outline text="Bread">
<outline text="Diary & more" xmlUrl="https://nowhere.example/rss" htmlUrl="https://kiln.example/"/></outline>
<outline type="rss" text="no address"/>
</body></opml>
"""


def imported(stack: StackProcess, command: str, file: Path) -> tuple[int, Any]:
    done = run_command(command, str(file), "--api", stack.url, "--json", "--timeout", str(WORK_WITHIN_S))
    return done.returncode, json.loads(done.stdout)


def test_a_file_becomes_subscriptions_and_a_dead_feed_is_found_at_its_site(
    new_stack: StackProcess, tmp_path: Path
) -> None:
    file = tmp_path / "mine.opml"
    file.write_text(OPML)
    code, found = imported(new_stack, "import", file)
    results = found["results"]
    assert (code, found["status"], found["entries"], results["invalid"], results["failed"]) == (1, "done", 2, 1, 0)
    assert [(each["line"], each["reason"]) for each in found["problems"]] == [(4, "this outline has no address")]
    _, _, listed = new_stack.call("GET", "/v1/subscriptions?limit=200")
    assert "Bread" in [tag for each in listed["subscriptions"] for tag in each["tags"]]
    _, again = imported(new_stack, "import", file)
    assert (again["results"]["joined"], again["results"]["invalid"]) == (1, 1)


def test_a_long_file_is_uploaded_and_seeds_the_directory_without_a_fetch(
    new_stack: StackProcess, tmp_path: Path
) -> None:
    file = tmp_path / "seeds.json"
    seed = {"title": "Seeded", "url": "https://seeded.example/feed", "description": "x" * 900}
    filler = " " * (4 * 1024 * 1024)
    file.write_text(f"[{json.dumps(seed)}{filler}]")
    code, found = imported(new_stack, "seed", file)
    assert (code, found["status"], found["into"], found["results"]["created"]) == (0, "done", "directory", 1)
    _, _, page = new_stack.call("GET", "/v1/feeds?domain=seeded.example")
    assert [(each["title"], each["never_fetched"]) for each in page["feeds"]] == [("Seeded", True)]
