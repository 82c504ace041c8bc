"""`feedward frontier` and `feedward lineage` against the directory function, with a worker that works immediately."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from feedward.frontier.row import RowStatus
from feedward_local.api_client.api import Api
from feedward_local.command import main
from feedward_local.commands import frontier_command
from feedward_local.commands.lineage_command import chain
from tests.fakes.code_version import OLDER, code_of
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction
from tests.unit.local.collect_function import CollectingDirectory
from tests.unit.local.conftest import Run
from tests.unit.services.collect.collecting import A, B, C, moved, page

LOOP, OLD = "https://loop.example/", "https://old.example/"
NETWORK: dict[str, dict[str, Any]] = {
    A: page("Slugs", "Garden\x1b[31m"),
    B: page("Ants", "Hill"),
    C: page("Ants", "Hill"),
    OLD: moved(A),
    LOOP: moved(LOOP),
}


@pytest.fixture
def collecting() -> CollectingDirectory:
    return CollectingDirectory(NETWORK)


@pytest.fixture
def directory(collecting: CollectingDirectory) -> DirectoryFunction:
    return collecting.function


# --- frontier -------------------------------------------------------------------------------------------


def test_urls_are_submitted_fetched_and_shown(run: Run) -> None:
    code, out, err = run("frontier", A, "ftp://x", OLD)

    first, second = (line.split() for line in out.splitlines())
    assert (code, err) == (1, "feedward: ftp://x: this is not an http(s) URL\n")
    assert (first[1:], second[1:]) == (["pending", "new", A], ["pending", "new", OLD])
    code, shown, _ = run("frontier", first[0])
    assert code == 0
    assert {"status", "url", "http_status", "item_id"} <= {line.split()[0] for line in shown.splitlines()}
    assert "fetched" in shown


def test_a_url_that_is_there_is_known_and_found_by_every_url_it_had(run: Run) -> None:
    row_id = run("frontier", OLD)[1].split()[0]

    assert run("frontier", OLD, A) == (0, "".join(f"{row_id}  fetched  known  {A}\n" for _ in range(2)), "")
    for url in (OLD, A, "http://A.example"):
        code, out, _ = run("frontier", "--url", url, "--json")
        assert (code, json.loads(out)["id"], json.loads(out)["url"]) == (0, row_id, A)
    assert run("frontier", "--url", B) == (1, "", "feedward: no row of the frontier has this URL\n")


def test_submissions_as_json_are_one_object_for_each_url(run: Run) -> None:
    code, out, err = run("frontier", A, "ftp://x", "--json")

    good, bad = (json.loads(line) for line in out.splitlines())
    assert (code, err) == (1, "")
    assert (good["input"], good["created"], good["row"]["url"], good["error"]) == (A, True, A, None)
    assert (bad["input"], bad["row"], bad["error"]["field"]) == ("ftp://x", None, "urls[1]")


def test_submissions_from_standard_input_are_split(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier_command, "URLS_AT_MOST", 2)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([A, B, C, "", "# no more"])))

    code, out, _ = run("frontier", "-")

    assert (code, [line.split("  ")[-1] for line in out.splitlines()]) == (0, [A, B, C])


def test_rows_are_listed_by_why_they_failed(collecting: CollectingDirectory, run: Run) -> None:
    run("frontier", LOOP, A)
    for number in range(130):
        row = collecting.world.add(f"https://far.example/{number}")
        collecting.world.change(row, status=RowStatus.FAILED, attempts=2, last_error="too_many_redirects")

    code, out, _ = run("frontier", "--last-error", "redirect_loop")
    (line,) = out.splitlines()
    assert code == 0
    assert "  failed   attempts 1  redirect_loop  " in line
    assert line.endswith(f"  {LOOP}")
    assert len(run("frontier", "--last-error", "too_many_redirects")[1].splitlines()) == 50
    assert len(run("frontier", "--last-error", "too_many_redirects", "--limit", "0")[1].splitlines()) == 130
    assert run("frontier", "--last-error", "dns_error") == (0, "", "")


def test_a_row_that_is_not_there_is_told(run: Run) -> None:
    assert run("frontier", UNKNOWN_ID) == (1, "", "feedward: there is no frontier row with this id\n")


# --- lineage --------------------------------------------------------------------------------------------


def collected(run: Run, *urls: str) -> list[dict[str, Any]]:
    """The items of a new run."""
    items: list[dict[str, Any]] = json.loads(run("collect", *urls, "--items", "--json")[1])["items"]
    return items


def test_a_chain_tells_each_edge_and_its_reason(collecting: CollectingDirectory, run: Run) -> None:
    (first,) = collected(run, A)
    collecting.world.internet.network = {**NETWORK, A: page("Moles", "Garden")}
    (second,) = collected(run, A)

    code, out, _ = run("lineage", second["id"])

    newer, edge, older = out.splitlines()
    assert code == 0
    assert newer.startswith(f"{second['id']}  20")
    assert newer.endswith(f"Z  {A}  {second['content_sha256'][:12]}  Garden")
    assert edge == f"  supersedes {first['id']}  same_canonical_uri, selected canonical_uri"
    assert older.startswith(f"{first['id']}  ")
    assert "\x1b" not in older


def test_a_conflict_is_told_with_its_two_items(collecting: CollectingDirectory, run: Run) -> None:
    (ants,) = collected(run, B)
    (garden,) = collected(run, A)
    collecting.world.internet.network = {**NETWORK, A: page("Ants", "Hill")}
    (both,) = collected(run, A)

    lines = run("lineage", both["id"])[1].splitlines()

    assert lines[1] == f"  supersedes {ants['id']}  same_content_sha256, selected content_sha256"
    assert lines[2] == f"  conflict: its content was {ants['id']}, its URI was {garden['id']}"
    assert len(lines) == 4


@pytest.mark.parametrize("known", [A, OLD, "a.example"])
def test_an_item_may_be_named_by_a_url_of_its_page(run: Run, known: str) -> None:
    run("frontier", OLD)

    code, out, _ = run("lineage", known, "--json")

    link = json.loads(out)
    assert (code, link["item"]["canonical_uri"], link["edge"]) == (0, A, None)
    assert run("lineage", B) == (1, "", "feedward: no item was collected from this URL\n")


def test_a_chain_goes_on_where_an_answer_is_cut(
    collecting: CollectingDirectory, run: Run, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedward.services.collect.read_lineage.CHAIN_AT_MOST", 3)
    ids = []
    for number in range(8):
        collecting.world.internet.network = {A: page(f"Version {number}")}
        ids += [item["id"] for item in collected(run, A)]
    api = Api(address, connections=1)

    def told(limit: int) -> list[str]:
        return [str(link["item"]["id"]) for link in chain(api, ids[-1], limit=limit)]

    assert told(0) == told(50) == list(reversed(ids))
    assert told(4) == list(reversed(ids))[:4]
    api.close()


def test_the_items_of_a_run_and_outdated_items_are_listed(run: Run) -> None:
    with code_of(OLDER):
        older = json.loads(run("collect", A, B, "--json")[1])["id"]

    assert len(run("lineage", "--run", older)[1].splitlines()) == 2
    code, out, _ = run("lineage", "--outdated")
    assert (code, sorted(line.split("  ")[2] for line in out.splitlines())) == (0, [A, B])
    run("collect", "--reprocess", older)
    assert run("lineage", "--outdated") == (0, "", "")


def test_items_are_listed_by_their_url_and_by_their_content(run: Run) -> None:
    documents = [json.loads(line) for line in run("collect", A, B, C, "--items", "--json")[1].splitlines()]
    ants = {item["canonical_uri"]: item for item in documents[0]["items"] if item["title"] == "Hill"}

    assert [line.split("  ")[2] for line in run("lineage", "--url", "http://A.example")[1].splitlines()] == [A]
    code, out, _ = run("lineage", "--content", ants[B]["content_sha256"])
    assert (code, sorted(line.split("  ")[2] for line in out.splitlines())) == (0, [B, C])
    assert run("lineage", "--url", "https://unknown.example/") == (0, "", "")
    assert run("lineage", "--content", "nonsense")[0] == 1


def test_the_runs_of_a_version_are_listed_newest_first(run: Run) -> None:
    with code_of(OLDER):
        older = json.loads(run("collect", A, "--json")[1])["id"]
    newer = json.loads(run("collect", A, B, "--json")[1])["id"]

    code, out, _ = run("lineage", "--runs")
    assert (code, [line.split("  ")[0] for line in out.splitlines()]) == (0, [newer])
    assert out.splitlines()[0].split("  ")[2:] == ["urls", "done", "2/2", "2 items"]
    assert json.loads(run("lineage", "--runs", OLDER, "--json")[1])["id"] == older
    assert run("lineage", "--runs", "v7")[0] == 1


def test_an_item_that_is_not_there_is_told(run: Run) -> None:
    assert run("lineage", UNKNOWN_ID) == (1, "", "feedward: there is no item with this id\n")
    assert run("lineage", "--run", UNKNOWN_ID) == (1, "", "feedward: there is no run with this id\n")


# --- both -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("frontier",),
        ("frontier", A, UNKNOWN_ID),
        ("frontier", A, "--url", A),
        ("frontier", "--url", A, "--last-error", "timeout"),
        ("frontier", "--last-error", "bad luck"),
        ("frontier", "-", A),
        ("lineage",),
        ("lineage", UNKNOWN_ID, "--outdated"),
        ("lineage", UNKNOWN_ID, "--runs"),
        ("lineage", UNKNOWN_ID, "--url", A),
        ("lineage", "--url", A, "--runs"),
        ("lineage", "--outdated", "--run", UNKNOWN_ID),
        ("lineage", UNKNOWN_ID, "--limit", "-1"),
    ],
)
def test_wrong_usage_ends_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert f"usage: feedward {arguments[0]}" in err


@pytest.mark.parametrize("arguments", [("frontier", A), ("lineage", UNKNOWN_ID)])
def test_no_stack_is_told(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    assert main([*arguments, "--api", "http://127.0.0.1:9"]) == 1
    assert "cannot be reached" in capsys.readouterr().err
