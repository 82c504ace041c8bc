"""The lists of feeds that people share most are imported whole, twice, with one end (beside the checkout, if there)."""

from __future__ import annotations

from pathlib import Path

import pytest

from feedward.intake.job import Result
from feedward.intake.read_file import read_file
from feedward.registration import NewFeed
from feedward.ulid import derived_ulid
from tests.fakes.directory import NOW
from tests.unit.services.intake.importing import Importing

ORIGINAL = Path(__file__).parents[3] / "shared" / "corpora" / "directory" / "original"
# One feed under two names, as only a fetch can tell: the directory knows it.
TWINS = ("https://www.swiftbysundell.com/feed.rss", "https://swiftbysundell.com/feed.rss")

pytestmark = pytest.mark.skipif(not ORIGINAL.exists(), reason="the lists are beside the checkout, not in this clone")


def files() -> list[Path]:
    return sorted(ORIGINAL.glob("*.opml"))


def usable(of: list[Path]) -> int:
    return sum(entry.problem is None for path in of for entry in read_file(path.read_bytes()).entries)


def test_nearly_all_entries_are_read_although_most_files_are_broken() -> None:
    tech = [path for path in files() if "tech-rss" in path.name]

    assert usable(tech) == 141
    assert usable([path for path in files() if path not in tech]) >= 783


def test_all_lists_are_904_feeds_and_the_second_import_changes_nothing() -> None:
    world = Importing()
    world.store.register(NewFeed(feed_id=derived_ulid(NOW, "twins"), url=TWINS[0], aliases=TWINS, now=NOW))
    results = dict.fromkeys(Result, 0)
    for path in files():
        counts = world.imported(path.read_bytes()).counts
        results = {each: number + getattr(counts, each.value) for each, number in results.items()}
    first = world.contents.subscriptions()

    assert sum(results.values()) == 927
    assert (results[Result.INVALID], results[Result.MERGED], results[Result.JOINED]) == (0, 1, 22)
    assert len([each for each in first if "duplicate_of" not in each]) == 904
    for path in files():
        counts = world.imported(path.read_bytes()).counts
        assert counts.joined == counts.entries
    assert world.contents.subscriptions() == first
