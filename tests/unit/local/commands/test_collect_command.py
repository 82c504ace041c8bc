"""`feedward collect` against the directory function itself, with a worker that works immediately."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feedward.lineage.version import CURRENT_VERSION
from feedward_local.api_client.api import Api
from feedward_local.command import main
from feedward_local.commands import collect_runs
from feedward_local.commands.collect_runs import begin, requests_of, wait_for
from tests.fakes.code_version import LATER, OLDER, code_of
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction
from tests.unit.local.collect_function import CollectingDirectory
from tests.unit.local.conftest import Run
from tests.unit.services.collect.collecting import A, B, C, moved, page

GONE, OLD = "https://gone.example/", "https://old.example/"
NETWORK: dict[str, dict[str, Any]] = {
    A: page("Slugs and snails", "Garden\x1b[31m"),
    B: page("Ants", "Hill"),
    C: page("Ants", "Hill"),
    OLD: moved(A),
    GONE: {"status": 410, "body": "gone"},
}


@pytest.fixture
def collecting() -> CollectingDirectory:
    return CollectingDirectory(NETWORK)


@pytest.fixture
def directory(collecting: CollectingDirectory) -> DirectoryFunction:
    return collecting.function


def cells(out: str) -> dict[str, str]:
    """The first run of the table, by heading."""
    heading, first, *_ = out.splitlines()
    return dict(zip(heading.split(), first.split(), strict=True))


def test_pages_become_items_and_their_results_are_shown(run: Run) -> None:
    code, out, err = run("collect", A, B, C)

    told = cells(out)
    assert code == 0
    assert err == f"run {told['run']}: 3 pages\n"
    assert (told["status"], told["pages"]) == ("done", "3/3")
    assert (told["items"], told["superseded"], told["sightings"], told["dead"]) == ("3", "1", "0", "0")


def test_the_items_are_shown_when_they_are_asked_for(run: Run) -> None:
    code, out, _ = run("collect", A, B, "--items")

    _heading, _run, *items = out.splitlines()
    assert (code, len(items)) == (0, 2)
    assert sorted(item.split("  ")[2] for item in items) == [A, B]
    assert "\x1b" not in out


def test_items_collected_before_are_found_again(run: Run) -> None:
    run("collect", A)

    code, out, _ = run("collect", OLD, A, "--items")

    told = cells(out)
    assert (code, told["items"], told["sightings"], told["pages"]) == (0, "0", "2", "2/2")
    assert len(out.splitlines()) == 2


def test_urls_that_are_refused_and_pages_that_are_dead_are_told_with_why(run: Run) -> None:
    code, out, _ = run("collect", "ftp://a.example/", A, "http://127.0.0.1/", GONE)

    told = cells(out)
    assert code == 1
    assert (told["pages"], told["items"], told["dead"], told["refused"]) == ("2/2", "1", "1", "2")
    assert out.splitlines()[2:] == [
        "refused  ftp://a.example/  this is not an http(s) URL",
        "refused  http://127.0.0.1/  URL refused: the host is a private or reserved address",
        f"dead  {GONE}  gone",
    ]


def test_where_no_url_can_be_collected_each_is_told(run: Run) -> None:
    code, out, err = run("collect", "ftp://a.example/", "https://u:p@a.example/")

    assert code == 1
    assert err == "feedward: no run for 2 URLs: none of its URLs can be collected\n"
    assert out.splitlines() == [
        "refused  ftp://a.example/  this is not an http(s) URL",
        "refused  https://u:p@a.example/  URL refused: has userinfo",
    ]


def test_json_is_the_run_with_refused_urls_dead_rows_and_items(run: Run) -> None:
    code, out, _ = run("collect", A, "ftp://x", GONE, "--json", "--items")

    document = json.loads(out)
    assert code == 1
    assert (document["status"], document["ended"], document["counters"]["items"]) == ("done", 2, 1)
    assert [(each["input"], each["field"]) for each in document["refused"]] == [("ftp://x", "urls[1]")]
    assert [(each["url"], each["last_error"]) for each in document["dead"]] == [(GONE, "gone")]
    assert [item["canonical_uri"] for item in document["items"]] == [A]


@pytest.mark.parametrize("given", [(), ("-",)])
def test_urls_come_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"# my pages\n\n {A} \n{B}\n"))

    code, out, _ = run("collect", *given)

    assert (code, cells(out)["items"]) == (0, "2")


def test_urls_come_from_a_file_and_a_line_that_is_no_text_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "urls").write_bytes(b"\xef\xbb\xbf" + A.encode() + b"\r\nhttps://a.example/caf\xe9\r\n")

    code, out, _ = run("collect", "--file", str(tmp_path / "urls"))

    assert (code, cells(out)["items"], cells(out)["refused"]) == (1, "1", "1")
    assert "refused  https://a.example/caf\\udce9  expected Unicode text" in out


def test_a_file_that_is_not_there_is_told_without_a_trace() -> None:
    command = [sys.executable, "-m", "feedward_local.command", "collect", "--file", "/nowhere/at/all"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stdout) == (74, "")
    assert done.stderr == "feedward: input or output failed for /nowhere/at/all: No such file or directory\n"


def test_a_run_that_goes_on_is_told_and_can_be_looked_at_later(collecting: CollectingDirectory, run: Run) -> None:
    collecting.queue.sleeps = True

    code, out, err = run("collect", A, "--timeout", "0.3")
    told = cells(out)
    assert (code, told["status"], told["pages"]) == (1, "pending", "0/1")
    assert f"run {told['run']} continues" in err

    collecting.queue.sleeps = False
    collecting.queue.work()
    code, out, _ = run("collect", "--run", told["run"], "--items")
    assert (code, cells(out)["status"], len(out.splitlines())) == (0, "done", 3)


def test_nothing_is_waited_for_if_so_asked(collecting: CollectingDirectory, run: Run) -> None:
    collecting.queue.sleeps = True

    code, out, err = run("collect", A, B, "--no-wait")

    assert (code, cells(out)["status"], cells(out)["pages"]) == (0, "pending", "0/2")
    assert "continues" not in err


def test_an_older_runs_items_are_made_again_under_the_version_of_the_api(run: Run) -> None:
    with code_of(OLDER):
        older = cells(run("collect", A, B)[1])["run"]

    code, out, _ = run("collect", "--reprocess", older, "--json", "--items")

    document = json.loads(out)
    assert code == 0
    assert (document["kind"], document["reprocessing_of_run_id"], document["pages"]) == ("reprocessing", older, 2)
    assert {item["normalization_version"] for item in document["items"]} == {CURRENT_VERSION}
    assert run("collect", "--reprocess", document["id"]) == (
        1,
        "",
        f"feedward: version: the items of that run are of {CURRENT_VERSION} already\n",
    )


def test_unknown_runs_and_versions_are_refused(run: Run) -> None:
    refused = (1, "", "feedward: there is no run with this id\n")
    assert run("collect", "--run", UNKNOWN_ID) == refused
    assert run("collect", "--reprocess", UNKNOWN_ID) == refused
    for version in ("v7", OLDER, LATER):
        code, out, err = run("collect", A, "--version", version)
        assert (code, out) == (1, "")
        assert err.startswith("feedward: no run for 1 URL: version: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("collect", "-", A),
        ("collect", A, "--file", "urls.txt"),
        ("collect", A, "--run", UNKNOWN_ID),
        ("collect", A, "--reprocess", UNKNOWN_ID),
        ("collect", "--run", UNKNOWN_ID, "--reprocess", UNKNOWN_ID),
        ("collect", "--run", UNKNOWN_ID, "--version", LATER),
        ("collect", A, "--timeout", "0"),
    ],
)
def test_wrong_usage_ends_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert "usage: feedward collect" in err


def test_no_stack_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", A, "--api", "http://127.0.0.1:9"]) == 1
    assert "cannot be reached" in capsys.readouterr().err


# --- requests and waiting -----------------------------------------------------------------------------


def test_more_urls_than_a_request_can_have_are_several_runs(
    collecting: CollectingDirectory, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect_runs, "requests_of", lambda urls: requests_of(urls, at_most=2))

    code, out, _ = run("collect", A, B, C, "--json")

    documents = [json.loads(line) for line in out.splitlines()]
    assert (code, [each["pages"] for each in documents]) == (0, [2, 1])
    assert len(collecting.world.rows()) == 3


@pytest.mark.parametrize(
    ("urls", "at_most", "bytes_at_most", "lengths"),
    [
        ([], 2, 100, []),
        (["a"] * 5, 2, 100, [2, 2, 1]),
        (["a" * 20] * 5, 9, 50, [2, 2, 1]),
        (["a" * 100, "b", "c"], 9, 50, [1, 2]),
        (["é" * 7] * 2, 9, 50, [1, 1]),
    ],
)
def test_a_request_is_as_full_as_it_can_be(
    urls: list[str], at_most: int, bytes_at_most: int, lengths: list[int]
) -> None:
    requests = list(requests_of(urls, at_most=at_most, bytes_at_most=bytes_at_most))

    assert [len(each) for each in requests] == lengths
    assert [url for each in requests for url in each] == urls


def test_the_api_takes_as_many_urls_as_are_sent_at_once(address: str) -> None:
    api = Api(address, connections=1)
    urls = ["ftp://" + "x" * 500] * 20_000  # none of them is a page

    runs = list(begin(api, urls))
    api.close()

    assert len(runs) > 2
    assert {run.problem is None for run in runs} == {True}
    assert sum(len(run.refused) for run in runs) == len(urls)


def test_a_run_is_read_again_if_the_api_is_too_busy(
    collecting: CollectingDirectory, address: str, be_busy_once: Callable[[], list[str]]
) -> None:
    api = Api(address, connections=1)
    [run] = begin(api, [A])
    assert run.seen is not None

    busy = be_busy_once()
    wait_for(api, [run], within_s=60, progress=lambda *_: None, sleep=lambda _: None)
    api.close()

    assert (run.is_over, busy) == (True, [f"/v1/runs/{run.seen['id']}"])


def test_progress_is_told_of_all_runs_together(collecting: CollectingDirectory, address: str) -> None:
    collecting.queue.sleeps = True
    api, at = Api(address, connections=1), [0.0]
    runs = [*begin(api, [A, B]), *begin(api, [C])]
    told: list[tuple[int, int | None]] = []

    def sleep(seconds: float) -> None:
        at[0] += seconds
        if len(told) == 2:
            collecting.queue.sleeps = False
            collecting.queue.work()

    wait_for(
        api,
        runs,
        within_s=60,
        progress=lambda ended, pages, _: told.append((ended, pages)),
        sleep=sleep,
        monotonic=lambda: at[0],
    )
    api.close()

    assert told == [(0, 3), (0, 3), (3, 3)]
