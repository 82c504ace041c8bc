"""The copy that searches read: loaded once, kept current, and there without the bucket."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from feedward.adapters.search import bucket as buckets
from feedward.errors import SearchUnavailable
from feedward.search.results import SearchFilters
from tests.fakes.directory import NOW, FakeClock
from tests.fakes.search_bucket import FakeSearch
from tests.unit.adapters.search.test_s3_feed import GARDEN, ORCHARD, change, document


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def search(clock: FakeClock) -> Iterator[FakeSearch]:
    made = FakeSearch(clock)
    made.feed.rebuild([document(GARDEN, "Garden")], now=NOW)
    made.s3.gets.clear()
    yield made
    made.index.close()


def found(search: FakeSearch, words: str) -> list[str]:
    return [hit.feed_id for hit in search.index.search(words, SearchFilters(), limit=50).hits]


def test_the_base_is_loaded_at_the_first_search_and_the_manifest_asked_for_every_10_seconds(
    search: FakeSearch, clock: FakeClock
) -> None:
    assert search.s3.gets == []
    for _ in range(3):
        assert found(search, "garden") == [GARDEN]
        clock.advance(3)
    assert search.s3.gets.count("manifest.json") == 1
    clock.advance(1)
    found(search, "garden")
    assert search.s3.gets.count("manifest.json") == 2


def test_a_delta_is_found_after_10_seconds_and_the_base_is_not_loaded_again(
    search: FakeSearch, clock: FakeClock
) -> None:
    found(search, "garden")
    loaded = len([key for key in search.s3.gets if key.startswith("bases/")])
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)

    assert found(search, "orchard") == []
    clock.advance(10)
    assert found(search, "orchard") == [ORCHARD]
    assert len([key for key in search.s3.gets if key.startswith("bases/")]) == loaded


def test_a_new_base_takes_the_place_of_the_old_one(search: FakeSearch, clock: FakeClock) -> None:
    before = search.index.status().generation
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    search.feed.compact(now=NOW)
    clock.advance(10)

    assert found(search, "orchard") == [ORCHARD]
    assert search.index.status().generation != before


def test_without_the_bucket_the_old_index_answers_and_says_its_age(search: FakeSearch, clock: FakeClock) -> None:
    assert found(search, "garden") == [GARDEN]
    search.s3.fails = 1000
    clock.advance(500)

    assert found(search, "garden") == [GARDEN]
    assert search.index.status().age_s(clock.now()) == 500
    search.s3.fails = 0
    clock.advance(10)
    assert found(search, "garden") == [GARDEN]
    assert search.index.status().age_s(clock.now()) == 0


def test_an_emptied_bucket_leaves_the_copy_that_is_there(search: FakeSearch, clock: FakeClock) -> None:
    found(search, "garden")
    search.s3.objects.clear()
    clock.advance(60)

    assert found(search, "garden") == [GARDEN]
    assert search.index.status().age_s(clock.now()) == 60


@pytest.mark.parametrize("damage", ["missing", "cut", "another"])
def test_a_damaged_base_is_no_index_and_the_next_search_tries_again(search: FakeSearch, damage: str) -> None:
    key = next(key for key in search.s3.objects if key.startswith("bases/"))
    whole = search.s3.objects[key]
    if damage == "missing":
        del search.s3.objects[key]
    else:
        search.s3.objects[key] = whole[:-1] if damage == "cut" else whole[:-1] + b"x"

    with pytest.raises(SearchUnavailable):
        found(search, "garden")
    search.s3.objects[key] = whole
    assert found(search, "garden") == [GARDEN]


def test_a_damaged_delta_leaves_the_index_as_it_was(search: FakeSearch, clock: FakeClock) -> None:
    found(search, "garden")
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    (key,) = (delta.key for delta in search.manifest.deltas)
    whole, search.s3.objects[key] = search.s3.objects[key], b"nothing"
    clock.advance(10)

    assert found(search, "garden") == [GARDEN]
    assert found(search, "orchard") == []
    search.s3.objects[key] = whole
    clock.advance(10)
    assert found(search, "orchard") == [ORCHARD]


def test_a_copy_that_was_damaged_on_the_disk_is_loaded_again(search: FakeSearch, clock: FakeClock) -> None:
    found(search, "garden")
    assert search.index._copy is not None
    search.index._copy.path.write_bytes(b"no index")
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    clock.advance(10)

    assert found(search, "orchard") == [ORCHARD]


def test_a_base_is_fetched_in_ranges(search: FakeSearch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "PART_BYTES", 4096)

    assert found(search, "garden") == [GARDEN]
    assert len([key for key in search.s3.gets if key.startswith("bases/")]) > 5


def test_a_disk_that_is_full_leaves_the_old_index(
    search: FakeSearch, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    found(search, "garden")
    search.feed.rebuild([document(ORCHARD, "Orchard")], now=NOW + 10_000)
    clock.advance(10)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        assert found(search, "garden") == [GARDEN]
    clock.advance(10)
    assert found(search, "orchard") == [ORCHARD]


def test_a_closed_copy_leaves_no_folder_and_the_next_search_loads_another_one(
    clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    search = FakeSearch(clock)
    search.feed.rebuild([document(GARDEN, "Garden")], now=NOW)
    for _ in range(2):
        assert found(search, "garden") == [GARDEN]
        assert len(os.listdir(tmp_path)) == 1
        search.index.close()
        assert os.listdir(tmp_path) == []
