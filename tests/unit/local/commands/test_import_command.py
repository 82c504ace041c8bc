"""`feedward import` and `feedward seed` against the function itself, behind a server on loopback."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from feedward_local import command
from feedward_local.commands import file_imports, import_command
from tests.functions.directory_function import DirectoryFunction
from tests.unit.local.conftest import Run

OPML = """<opml version="2.0"><body>
<outline text="Bread">
<outline text="Kiln & more" xmlUrl="https://kiln.example/feed"/></outline>
<outline type="rss" text="no address"/>
</body></opml>
"""
KILN = "https://kiln.example/feed"


@pytest.fixture(autouse=True)
def worked(directory: DirectoryFunction, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A worker does all steps at the first poll; then there is one more poll. The limits of the waits."""
    waits: list[float] = []

    def look(within_s: float, **_clock: Callable[..., object]) -> Iterator[float]:
        waits.append(within_s)
        for spent_s in (6.0, 12.0):
            directory.import_all()
            yield spent_s

    monkeypatch.setattr(file_imports, "looks", look)
    return waits


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., str]:
    def write(text: str, name: str = "mine.opml") -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def table(out: str) -> dict[str, str]:
    """The row of the first file by its heading."""
    heading, row = (line.split() for line in out.splitlines()[:2])
    return dict(zip(heading, row, strict=True))


def test_each_result_is_counted_and_each_problem_is_told_with_its_line(
    directory: DirectoryFunction, run: Run, file: Callable[..., str]
) -> None:
    directory.feed("kiln", url=KILN)

    code, out, said = run("import", file(OPML))

    row = table(out)
    assert (code, said) == (1, "")
    assert {name: row[name] for name in ("status", "entries", "created", "invalid", "pending")} == {
        "status": "done", "entries": "2", "created": "1", "invalid": "1", "pending": "0",
    }  # fmt: skip
    assert out.splitlines()[2] == "invalid  line 4  no address  this outline has no address"
    (mine,) = directory.get("/v1/subscriptions").body["subscriptions"]
    assert (mine["tags"], mine["status"]) == (["Bread"], "ready")


def test_all_well_is_exit_code_0_and_twice_is_once(
    directory: DirectoryFunction, run: Run, file: Callable[..., str]
) -> None:
    directory.feed("kiln", url=KILN)
    assert run("import", file(KILN, "list.txt"))[0] == 0

    code, out, _ = run("import", file(KILN, "list.txt"))

    assert (code, table(out)["joined"]) == (0, "1")


def test_pending_searches_are_no_failures_and_continue(run: Run, file: Callable[..., str]) -> None:
    code, out, said = run("import", file(KILN, "list.txt"))

    assert (code, table(out)["pending"]) == (0, "1")
    assert said.splitlines()[-1].endswith(" continues")


def test_progress_is_printed_in_lines_without_a_terminal(
    run: Run, file: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_command, "TELL_EVERY_S", 0.0)
    _, _, said = run("import", file(f"{KILN}\nhttps://b.example/feed\n", "list.txt"))

    assert said.splitlines()[0].startswith("2 of 2 entries have a result, ")


def test_no_wait_only_begins_it(run: Run, file: Callable[..., str], worked: list[float]) -> None:
    code, out, said = run("import", file(KILN, "list.txt"), "--no-wait")

    assert (code, table(out)["status"], said, worked) == (0, "waiting", "", [])


def test_json_has_an_object_for_each_file_with_its_problems(
    directory: DirectoryFunction, run: Run, file: Callable[..., str]
) -> None:
    directory.feed("kiln", url=KILN)

    code, out, _ = run("import", file(OPML), file(KILN, "list.txt"), "--json", "--timeout", "7")

    first, second = map(json.loads, out.splitlines())
    assert code == 1
    assert [each["line"] for each in first["problems"]] == [4]
    assert (second["problems"], second["results"]["joined"], second["name"]) == ([], 1, "list.txt")


def test_the_error_names_a_file_that_is_no_list_of_feeds(run: Run, file: Callable[..., str]) -> None:
    code, _, said = run("import", file("<html><body><p>hello</p></body></html>", "page.html"))

    assert code == 1
    assert "page.html: " in said


def test_seeds_go_into_the_directory_and_not_to_a_tenant(
    directory: DirectoryFunction, run: Run, file: Callable[..., str]
) -> None:
    seeds = json.dumps([{"title": "Kiln", "url": KILN, "category": "Food"}])

    code, out, _ = run("seed", file(seeds, "seeds.json"))

    assert (code, table(out)["created"]) == (0, "1")
    assert [feed["title"] for feed in directory.get("/v1/feeds").body["feeds"]] == ["Kiln"]
    assert directory.get("/v1/subscriptions").body["subscriptions"] == []


def test_standard_input_is_a_file_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = SimpleNamespace(buffer=io.BytesIO(KILN.encode()))
    monkeypatch.setattr("sys.stdin", stdin)

    assert table(run("import", "-")[1])["entries"] == "1"
    assert run("import", "-", "-")[0] == 2


def test_a_file_that_is_not_there_is_input_that_failed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(command, "_leave", leave)

    code, out, said = run("import", "nowhere.opml")

    assert (code, out) == (74, "")
    assert "No such file" in said
