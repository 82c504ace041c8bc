"""`feedward search` against the functions themselves, behind a server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from feedward.services.search.index_feeds import index_feeds
from feedward.services.search.maintain_index import maintain_index
from feedward_local.commands import search_command
from tests.functions.directory_function import DirectoryFunction
from tests.unit.local.conftest import Run


class Index:
    """The work of the index function, without its log output."""

    def __init__(self, directory: DirectoryFunction) -> None:
        self.directory = directory
        self.maintain()

    def deliver(self, *feed_ids: str) -> None:
        index_feeds(feed_ids, ports=self.directory.ports)

    def maintain(self) -> None:
        maintain_index(ports=self.directory.ports)


@pytest.fixture
def index(directory: DirectoryFunction) -> Iterator[Index]:
    yield Index(directory)
    directory.ports.search_index.close()


def test_feeds_are_found_over_all_pages(index: Index, run: Run) -> None:
    feeds = [index.directory.feed(f"f{number}", title="Garden") for number in range(130)]
    index.deliver(*feeds)

    code, out, err = run("search", "garden", "--limit", "0", "--json")
    assert (code, err) == (0, "")
    assert sorted(json.loads(line)["feed"]["id"] for line in out.splitlines()) == sorted(feeds)
    assert len(run("search", "garden")[1].splitlines()) == 50


def test_words_and_filters_are_sent_and_parts_are_told(index: Index, run: Run) -> None:
    english = index.directory.feed("one", "https://garden.example/feed", title="Garden Notes", language="en-GB")
    index.deliver(english, index.directory.feed("two", title="Garten", language="de"))

    code, out, _ = run("search", "garden", "notes", "--language", "en", "--parts")
    assert code == 0
    assert out.startswith(f"{english}  healthy           https://garden.example/feed  Garden Notes  [tier=")
    assert run("search", "--language", "de")[1].count("\n") == 1
    assert run("search", "garden.example")[1].startswith(english)


def test_facts_of_a_search_are_answered_with_its_results(index: Index, run: Run) -> None:
    index.deliver(index.directory.feed("one", title="Gardening"))

    assert run("search", "gardenimg")[2] == "searched for gardening instead of gardenimg\n"
    assert run("search", "nothing")[2] == "nothing was found\n"
    assert "left out: " in run("search", *(["gardening"] * 17))[2]


def test_without_an_index_the_search_says_so(directory: DirectoryFunction, run: Run) -> None:
    code, out, err = run("search", "garden")

    assert (code, out) == (1, "")
    assert "search index" in err


@pytest.mark.parametrize("arguments", [(), ("--rebuild", "garden"), ("--rebuild", "--state", "healthy")])
def test_wrong_usage_is_told(index: Index, run: Run, arguments: tuple[str, ...]) -> None:
    assert run("search", *arguments)[0] == 2


def test_a_rebuild_is_waited_for(index: Index, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_command, "LOOKED_EVERY_S", 0.01)
    index.directory.feed("one", title="Garden")
    index.directory.ports.search.s3.objects.clear()
    looked = iter(range(10))

    def sleep(_seconds: float) -> None:
        index.directory.directory.clock.advance(10)
        if next(looked) == 1:
            worker = threading.Thread(target=index.maintain)
            worker.start()
            worker.join()

    monkeypatch.setattr(search_command, "sleep", sleep)
    code, out, err = run("search", "--rebuild")
    assert (code, out, err) == (0, "1 feeds are searchable\n", "the index is being rebuilt\n")


def test_a_rebuild_that_does_not_end_is_told(index: Index, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_command, "REBUILT_WITHIN_S", 0.0)
    code, _, err = run("search", "--rebuild")

    assert code == 1
    assert "has not ended" in err
