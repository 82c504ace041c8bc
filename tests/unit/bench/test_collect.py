"""The bench of collecting makes whole runs against its server, counts them, and reports failures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import bench.__main__ as bench_main
from bench import collect, page_texts
from bench.collect import Measured, first_and_second, measure, memory_over, server, urls_of
from bench.collect_server import article, is_old
from bench.collect_world import CollectWorld
from bench.page_texts import check_same, document, plain
from feedward.lineage.run import Counters
from feedward.pages.visible_text import page_text

PAGES, HOSTS = 60, 3


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with server() as port:
        yield port


@pytest.fixture(scope="module")
def runs(port: int) -> tuple[Measured, Measured]:
    """The first run of a world, and the second one of the same pages."""
    return first_and_second(port, pages=PAGES, hosts=HOSTS)


def test_each_page_is_an_item_first_and_met_again_then(runs: tuple[Measured, Measured]) -> None:
    first, second = runs

    superseding = first.counters.superseded
    assert first.counters == Counters(items=PAGES, superseded=superseding, conflicts=first.counters.conflicts)
    assert superseding == sum(number % 5 == 0 for number in range(PAGES)) - 10, "each fifth says one of ten texts"
    assert (second.counters.sightings, second.counters.not_modified) == (PAGES, 30)
    assert first.pages == second.pages == PAGES
    assert min(first.seconds, first.processor_s, second.seconds, second.processor_s) > 0


def test_robots_txt_is_asked_once_for_each_host_and_redirects_are_followed_once(
    runs: tuple[Measured, Measured],
) -> None:
    first, second = runs

    assert first.requests == PAGES + HOSTS + sum(map(is_old, range(PAGES)))
    assert second.requests == PAGES, "rows have moved, and each robots.txt is known for a day"


def test_the_calls_of_the_store_are_counted(port: int) -> None:
    world = CollectWorld(port)
    measured = measure(world, urls_of(PAGES, HOSTS))

    assert measured.calls == world.calls.total()
    assert world.calls["transact_write_items"] >= 2 * PAGES, "each page is submitted and added"


def test_a_run_that_fails_is_not_counted_as_a_fast_one() -> None:
    with server() as port:
        world = CollectWorld(port)
    with pytest.raises(RuntimeError, match="failed"):
        measure(world, urls_of(3, 1))


def test_memory_is_read_after_each_world(port: int) -> None:
    levels = memory_over(80, port, a_world=40)
    assert len(levels) == 3
    assert min(levels) > 1


def test_the_readers_of_text_are_given_pages_that_say_something() -> None:
    html = document(3)
    assert len(page_text(html).split()) > 3 * 400
    assert page_text(html).split()[-1] == "Footer"
    assert len(plain(html).split()) > len(page_text(html).split()) / 2
    check_same(html, {"name": "peer", "words": len(page_text(html).split())})
    with pytest.raises(RuntimeError, match="peer read 3 words"):
        check_same(html, {"name": "peer", "words": 3})


def test_a_page_is_as_large_as_is_said() -> None:
    assert 16_000 < len(article(1)) < 19_000


def test_collecting_is_a_part_of_the_bench_with_speed_units_memory_and_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    for name in ("print_speed", "print_units", "print_memory"):
        monkeypatch.setattr(collect, name, lambda *_, name=name: done.append(name))
    monkeypatch.setattr(page_texts, "main", lambda: done.append("page_texts"))

    bench_main.main(["collect"])

    assert done == ["print_speed", "print_units", "print_memory", "page_texts"]
