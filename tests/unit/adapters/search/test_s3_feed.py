"""The index in its bucket: deltas, bases and the manifest, with killed and concurrent writers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from time import sleep

import pytest

from feedward.adapters.search import s3_feed
from feedward.adapters.search.s3_feed import kept
from feedward.errors import Conflict, SearchUnavailable
from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.index_status import Maintenance
from feedward.search.manifest import CLAIM_S, DAY_S, LAG_S
from tests.fakes.directory import NOW, FakeClock
from tests.fakes.search_bucket import FakeSearch, Killed

GARDEN, ORCHARD, TOWER = (f"{number:026d}" for number in (1, 2, 3))


def document(feed_id: str, title: str, version: int = 1) -> FeedDocument:
    return FeedDocument(
        feed_id=feed_id,
        version=version,
        url=f"https://{feed_id}.example/feed",
        domain=f"{feed_id}.example",
        title=title,
    )


def change(feed_id: str, title: str, version: int = 1) -> DocumentChange:
    return DocumentChange(feed_id, version, document(feed_id, title, version))


def gone(feed_id: str, version: int) -> DocumentChange:
    return DocumentChange(feed_id, version, None)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def search(clock: FakeClock) -> FakeSearch:
    return FakeSearch(clock)


def found(search: FakeSearch, words: str) -> list[str]:
    return search.found(words)


def rebuilt(search: FakeSearch, *documents: FeedDocument, now: int = NOW) -> None:
    search.feed.rebuild(documents, now=now)


def test_there_is_no_index_before_the_first_base(search: FakeSearch) -> None:
    search.feed.send([change(GARDEN, "Garden")], now=NOW)

    assert search.feed.maintenance(now=NOW) is Maintenance.REBUILD
    with pytest.raises(SearchUnavailable):
        found(search, "garden")


def test_changes_sent_before_the_first_base_are_in_the_index_afterwards(search: FakeSearch) -> None:
    search.feed.send([change(GARDEN, "Garden")], now=NOW)
    rebuilt(search, document(ORCHARD, "Orchard"), now=NOW + 60)

    assert found(search, "garden") == [GARDEN]
    assert found(search, "orchard") == [ORCHARD]


def test_a_change_replaces_a_document_and_a_tombstone_removes_it(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"), document(ORCHARD, "Orchard"))
    search.feed.send([change(GARDEN, "Greenhouse", 2), gone(ORCHARD, 2)], now=NOW)

    assert found(search, "greenhouse") == [GARDEN]
    assert found(search, "garden") == found(search, "orchard") == []


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 1, 0, 2, 0), (2, 0, 1)])
def test_deltas_that_come_twice_or_in_another_order_make_the_same_index(
    search: FakeSearch, order: Sequence[int]
) -> None:
    sent = [
        [change(GARDEN, "Garden", 2)],
        [change(GARDEN, "Greenhouse", 3), gone(ORCHARD, 5)],
        [change(ORCHARD, "Old", 4)],
    ]
    rebuilt(search, document(ORCHARD, "Orchard"))
    for number in order:
        search.feed.send(sent[number], now=NOW + number)

    assert [found(search, word) for word in ("garden", "greenhouse", "orchard", "old")] == [[], [GARDEN], [], []]
    search.feed.compact(now=NOW)
    assert search.manifest.deltas == ()
    assert [found(search, word) for word in ("garden", "greenhouse", "orchard", "old")] == [[], [GARDEN], [], []]


def test_a_day_late_change_does_not_restore_a_feed_that_a_compaction_removed(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    search.feed.send([gone(GARDEN, 7)], now=NOW)
    search.feed.compact(now=NOW)
    search.feed.send([change(GARDEN, "Garden", 6)], now=NOW + DAY_S)

    assert found(search, "garden") == []


def test_the_same_changes_again_at_the_same_time_are_one_delta(search: FakeSearch) -> None:
    for _ in range(2):
        search.feed.send([change(GARDEN, "Garden"), change(ORCHARD, "Orchard")], now=NOW)

    assert len(search.manifest.deltas) == 1


def test_many_changes_are_several_deltas_in_one_manifest(search: FakeSearch) -> None:
    search.feed.send([change(f"{number:026d}", "Garden") for number in range(4001)], now=NOW)

    assert [delta.changes for delta in search.manifest.deltas] == [2000, 2000, 1]


# --- compaction and rebuild ---------------------------------------------------------------------------


def test_needed_work_is_claimed_and_offered_again_if_it_did_not_end(search: FakeSearch) -> None:
    assert search.feed.maintenance(now=NOW) is Maintenance.REBUILD
    assert search.feed.maintenance(now=NOW + 59) is Maintenance.NOTHING
    assert search.feed.maintenance(now=NOW + 60) is Maintenance.REBUILD
    rebuilt(search, document(GARDEN, "Garden"), now=NOW + 1000)
    assert search.feed.maintenance(now=NOW + 1001) is Maintenance.NOTHING
    for number in range(50):
        search.feed.send([change(ORCHARD, "Orchard", number)], now=NOW + number)
    assert search.feed.maintenance(now=NOW + 1002) is Maintenance.COMPACT


def test_a_rebuild_keeps_its_claim_while_it_goes_on_and_ends_it(
    search: FakeSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(s3_feed, "kept", partial(kept, every_s=0.001))

    def documents() -> Iterator[FeedDocument]:
        while search.manifest.claimed_until != NOW + CLAIM_S:
            sleep(0.001)
        yield document(GARDEN, "Garden")

    assert search.feed.rebuild(documents(), now=NOW) == 1
    assert search.manifest.claimed_until == 0


def test_a_claim_is_renewed_as_time_passes_even_if_a_renewal_fails() -> None:
    told: list[int] = []

    def renew(at: int) -> None:
        told.append(at)
        if len(told) == 1:
            raise Conflict("somebody else was faster")

    with kept(renew, now=NOW, every_s=0.001):
        while len(told) < 3:
            sleep(0.001)
    number = len(told)
    sleep(0.01)
    assert (len(told), set(told)) == (number, {NOW})


def test_a_rebuild_that_was_asked_for_is_done_once(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    asked_at = search.feed.ask_for_rebuild(now=NOW)

    assert asked_at > search.manifest.rebuilt_at
    assert search.feed.maintenance(now=NOW + 2) is Maintenance.REBUILD
    rebuilt(search, document(GARDEN, "Greenhouse", 2), now=NOW + 2)
    assert search.feed.maintenance(now=NOW + 3) is Maintenance.NOTHING
    assert found(search, "greenhouse") == [GARDEN]


def test_an_index_of_another_version_is_rebuilt(search: FakeSearch, monkeypatch: pytest.MonkeyPatch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    assert search.feed.maintenance(now=NOW) is Maintenance.NOTHING
    monkeypatch.setattr("feedward.adapters.search.s3_feed.MADE_BY", "another version")

    assert search.feed.maintenance(now=NOW) is Maintenance.REBUILD
    rebuilt(search, document(GARDEN, "Garden"))
    assert search.feed.maintenance(now=NOW) is Maintenance.NOTHING


@pytest.mark.parametrize("knob", ["dies_before", "dies_after"])
@pytest.mark.parametrize("put", range(3))
@pytest.mark.parametrize("work", ["compact", "rebuild"])
def test_work_that_is_killed_around_each_put_leaves_a_whole_index(
    search: FakeSearch, work: str, put: int, knob: str
) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    setattr(search.s3, knob, put)

    def do() -> None:
        documents = [document(GARDEN, "Garden"), document(ORCHARD, "Orchard")]
        search.feed.compact(now=NOW) if work == "compact" else search.feed.rebuild(documents, now=NOW)

    with pytest.raises(Killed):
        do()
    assert found(search, "garden") == [GARDEN]
    assert found(search, "orchard") == [ORCHARD]
    do()
    assert found(search, "garden") == [GARDEN]
    assert found(search, "orchard") == [ORCHARD]


@pytest.mark.parametrize("put", range(2))
@pytest.mark.parametrize("knob", ["dies_before", "dies_after"])
def test_a_delta_whose_writer_is_killed_is_whole_or_not_there(search: FakeSearch, put: int, knob: str) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    setattr(search.s3, knob, put)

    with pytest.raises(Killed):
        search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    assert found(search, "garden") == [GARDEN]
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    assert found(search, "orchard") == [ORCHARD]


def test_a_delta_that_comes_during_a_compaction_stays(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    search.feed.send([change(GARDEN, "Greenhouse", 2)], now=NOW)
    search.s3.meanwhile = lambda: search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    search.feed.compact(now=NOW)

    assert len(search.manifest.deltas) == 1
    assert found(search, "greenhouse") == [GARDEN]
    assert found(search, "orchard") == [ORCHARD]


def test_of_two_compactions_at_once_one_counts(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)

    def compact() -> None:
        search.feed.compact(now=NOW)

    search.s3.meanwhile = compact
    search.feed.compact(now=NOW)

    assert search.manifest.deltas == ()
    assert found(search, "garden") == [GARDEN]
    assert found(search, "orchard") == [ORCHARD]


def test_a_change_during_a_rebuild_stays_and_older_deltas_go(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    search.feed.send([change(TOWER, "Tower")], now=NOW)
    later = NOW + LAG_S + 1
    search.s3.meanwhile = lambda: search.feed.send([change(GARDEN, "Greenhouse", 3)], now=later)
    rebuilt(search, document(GARDEN, "Garden", 2), now=later)

    assert found(search, "greenhouse") == [GARDEN]
    assert found(search, "tower") == []


def test_writers_that_meet_try_again(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    search.s3.conflicts = 2
    search.s3.meanwhile = lambda: search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    search.feed.send([change(TOWER, "Tower")], now=NOW)

    assert found(search, "orchard") == [ORCHARD]
    assert found(search, "tower") == [TOWER]
    search.s3.conflicts = 1000
    with pytest.raises(Conflict):
        search.feed.send([change(TOWER, "Tower", 2)], now=NOW)


def test_only_objects_that_no_manifest_named_for_a_day_are_deleted(search: FakeSearch, clock: FakeClock) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    old = search.manifest.named
    search.feed.send([change(ORCHARD, "Orchard")], now=NOW)
    search.s3.dies_before = 2  # both files are there, and no manifest names them
    with pytest.raises(Killed):
        search.feed.compact(now=NOW)
    left = search.s3.objects.keys() - search.manifest.keys - {"manifest.json"}
    assert len(left) == 2
    search.feed.compact(now=NOW)
    assert old <= search.s3.objects.keys(), "an old base stays a day"

    clock.advance(DAY_S + 1)
    search.feed.send([change(TOWER, "Tower")], now=clock.now())
    search.feed.compact(now=clock.now())
    assert not (old | left) & search.s3.objects.keys()
    assert search.manifest.named <= search.s3.objects.keys()
    assert [found(search, word) for word in ("garden", "orchard", "tower")] == [[GARDEN], [ORCHARD], [TOWER]]


def test_an_emptied_bucket_is_a_new_index(search: FakeSearch) -> None:
    rebuilt(search, document(GARDEN, "Garden"))
    search.s3.objects.clear()

    assert search.feed.maintenance(now=NOW + 1) is Maintenance.REBUILD
    rebuilt(search, document(GARDEN, "Garden"), now=NOW + 1)
    assert found(search, "garden") == [GARDEN]
