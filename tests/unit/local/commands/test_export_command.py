"""`feedward export` and the topics of `feedward feeds` against the function itself, behind a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from feedward.services.export import export_now
from feedward.services.export.write_export import do_export_step
from feedward.topics.feed_topics import seeded, suggested
from feedward_local.api_client.api import Api
from feedward_local.commands import export_command
from tests.fakes.export_files import FakeKms, fake_signer
from tests.functions.directory_function import DirectoryFunction
from tests.unit.local.conftest import Run

TOKEN = "https://feeds.example/rss?token=s3cr3t-0123456789abcdef"


def test_the_directory_is_written_to_a_file_with_its_signature(
    directory: DirectoryFunction, run: Run, tmp_path: Path
) -> None:
    directory.feed("tea", title="Tea", topics=seeded((), "Food"))
    directory.feed("rail", title="Rail")
    directory.ports.export_signer = fake_signer(FakeKms())
    out = tmp_path / "seed.json"

    assert run("export", "json", "--topic", "food", "--out", str(out)) == (0, "", "")

    assert [each["title"] for each in json.loads(out.read_text())] == ["Tea"]
    assert (tmp_path / "seed.json.sig").read_bytes()


def test_subscriptions_are_written_to_standard_output_with_a_warning(directory: DirectoryFunction, run: Run) -> None:
    directory.post("/v1/subscriptions", {"url": TOKEN, "title": "Mine", "tags": ["News"]})

    code, out, said = run("export", "opml", "--tag", "News")

    assert code == 0
    assert out.startswith("<?xml")
    assert TOKEN in out
    assert "1 of the addresses have a token" in said


def test_all_subscriptions_are_an_empty_tag(directory: DirectoryFunction, run: Run, tmp_path: Path) -> None:
    directory.post("/v1/subscriptions", {"url": TOKEN, "title": "Mine"})
    directory.feed("tea", title="Tea")
    out = tmp_path / "own.csv"

    code, _, said = run("export", "csv", "--subscriptions", "--out", str(out))

    assert code == 0
    assert "1 of the addresses have a token" in said
    assert (b"Mine" in out.read_bytes(), b"Tea" in out.read_bytes()) == (True, False)


def test_a_large_export_is_waited_for(
    directory: DirectoryFunction, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory.feed("tea", title="Tea")
    directory.ports.export_signer = fake_signer(FakeKms())
    monkeypatch.setattr(export_now, "INLINE_BYTES", 10)
    files = directory.ports.export_files.s3.objects

    def work(_within_s: float) -> list[float]:
        for message in directory.ports.frontier_queue.jobs:
            do_export_step(message.job_id, ports=directory.ports, within_s=60.0)
        return [1.0]

    monkeypatch.setattr(export_command, "looks", lambda within_s: iter(work(within_s)))
    link = "https://bodies.example/"
    monkeypatch.setattr(
        Api, "download", lambda _self, url: files[url.removeprefix(link).partition("?")[0]] if link in url else b""
    )
    out = tmp_path / "all.json"

    assert run("export", "json", "--out", str(out))[0] == 0

    assert [each["title"] for each in json.loads(out.read_text())] == ["Tea"]
    assert (tmp_path / "all.json.sig").read_bytes() in files.values()


def test_a_job_is_read_again_if_the_api_is_too_busy(
    directory: DirectoryFunction, run: Run, monkeypatch: pytest.MonkeyPatch, be_busy_once: Callable[[], list[str]]
) -> None:
    directory.feed("tea")
    monkeypatch.setattr(export_now, "INLINE_BYTES", 10)
    monkeypatch.setattr(export_command, "looks", lambda _within_s: iter([1.0, 2.0]))

    busy = be_busy_once()
    code, _, said = run("export", "json")

    assert (code, len(busy)) == (1, 1)
    assert "the export is not done yet" in said


def test_a_refusal_of_the_api_is_reported(directory: DirectoryFunction, run: Run, tmp_path: Path) -> None:
    code, _, said = run("export", "json", "--topic", " ", "--out", str(tmp_path / "x"))

    assert code == 1
    assert "topic" in said
    assert not (tmp_path / "x").exists()


def test_a_wrong_format_is_told_the_right_ones_as_one_types_them(run: Run) -> None:
    assert "(choose from opml, json, csv)" in run("export", "xml")[2].replace("'", "")


@pytest.mark.parametrize(
    "wrong", [("xml",), ("opml", "--tag", "a", "--q", "b"), ("csv", "--tag", "a", "--subscriptions")]
)
def test_wrong_usage_ends_with_2(run: Run, wrong: tuple[str, ...]) -> None:
    assert run("export", *wrong)[0] == 2


def test_topics_of_a_feed_are_shown_and_decided(directory: DirectoryFunction, run: Run) -> None:
    tea = directory.feed("tea", topics=suggested((), ["Food", "Kites"]))

    assert run("feeds", "topics", tea)[1] == "suggested Food\nsuggested Kites\n"
    decided = run("feeds", "topics", tea, "--approve", "cooking", "--reject", "kites", "--why", "read it")[1]
    assert decided == "approved  Food\nrejected  Kites\n"
    assert tea in run("feeds", "--topic", "Food")[1]
    assert run("feeds", "--topic", "kites")[1] == ""


@pytest.mark.parametrize("wrong", [("show", "1", "--approve", "x"), ("show", "1", "--topic", "x")])
def test_topics_belong_to_their_commands(run: Run, wrong: tuple[str, ...]) -> None:
    assert run("feeds", *wrong)[0] == 2
