"""Imports and their entries: under one tenant, conditional on the data read, with consistent sums (rule R18)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.imports import DynamoImports
from feedward.errors import Conflict, Throttled
from feedward.health.seeded_feed import SeededFeed
from feedward.intake.chunk_results import planned
from feedward.intake.entry import Entry
from feedward.intake.job import Chunk, Ended, Import, ImportStatus, Result
from feedward.ulid import derived_ulid
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import NOW
from tests.contract.benches.subscribed import FEED, OTHER, TENANTS, URL, opened, registered
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.fakes.feed_store import PATIENT


def imports_of(bench: Bench) -> DynamoImports:
    return DynamoImports(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def begun(bench: Bench, name: str = "one", *, tenant_id: str | None = None, at: int = NOW) -> Import:
    """An import that waits."""
    new = Import(
        import_id=derived_ulid(at, "import", name), tenant_id=tenant_id, status=ImportStatus.WAITING, created_at=at,
        updated_at=at, file_key=f"imports/{name}", bytes=10, pending_since=at,
    )  # fmt: skip
    imports_of(bench).create(new)
    return replace(new, rev=1)


def entries(*urls: str) -> tuple[Entry, ...]:
    return tuple(
        Entry(number=number, line=number, url=url, url_hash=url_hash(url)) for number, url in enumerate(urls, 1)
    )


def read(bench: Bench, *urls: str, tenant_id: str | None = None, name: str = "one") -> tuple[Import, Chunk]:
    """An import with one chunk of these URLs."""
    new, chunk = begun(bench, name, tenant_id=tenant_id), Chunk(number=0, entries=entries(*urls))
    after = replace(new, status=ImportStatus.RUNNING, chunks=1, is_read=True)
    assert imports_of(bench).add_chunks(after, [chunk])
    return stored(bench, new), chunk


def stored(bench: Bench, of: Import) -> Import:
    found = imports_of(bench).get(of.tenant_id, of.import_id)
    assert found is not None
    return found


def end(bench: Bench, found: Import, chunk: Chunk) -> bool:
    """End the remaining entries, as a worker that has read the current data."""
    hashes = {each.url_hash: each.url_hash for each in chunk.left}
    known = imports_of(bench).known(found.tenant_id, hashes)
    plan = planned(found, chunk.left, known, shard=chunk.shard, now=NOW, at_most=46)
    return imports_of(bench).end_subscriptions(found, chunk, plan, is_told=False)


@pytest.mark.parametrize("tenant", TENANTS)
def test_an_import_comes_back_as_it_was_written_to_its_tenant_alone(bench: Bench, tenant: str | None) -> None:
    new = begun(bench, tenant_id=tenant)
    assert stored(bench, new) == new
    for other in set(TENANTS) - {tenant}:
        assert imports_of(bench).get(other, new.import_id) is None
        assert imports_of(bench).page(other, before=None, limit=9) == []
    with pytest.raises(Conflict):
        imports_of(bench).create(replace(new, name="another"))


def test_a_write_over_changed_data_is_refused(bench: Bench) -> None:
    new = begun(bench)
    failed = replace(new, status=ImportStatus.FAILED, reason="no feeds", pending_since=None)
    assert imports_of(bench).save(failed)
    assert not imports_of(bench).save(replace(new, status=ImportStatus.RUNNING))
    assert not imports_of(bench).add_chunks(replace(new, chunks=1), [Chunk(number=0, entries=entries(URL))])
    assert stored(bench, new) == replace(failed, rev=2)
    assert imports_of(bench).chunk(None, new.import_id, 0) is None


def test_imports_are_listed_newest_first_and_open_ones_by_their_age(bench: Bench) -> None:
    made = [begun(bench, str(number), at=NOW + number) for number in range(5)]
    ids = [each.import_id for each in made]
    first = imports_of(bench).page(None, before=None, limit=2)
    assert [each.import_id for each in first] == ids[:2:-1]
    rest = imports_of(bench).page(None, before=first[-1].import_id, limit=9)
    assert [each.import_id for each in rest] == ids[2::-1]
    assert imports_of(bench).save(replace(made[0], pending_since=None))
    assert {each for _, each in imports_of(bench).pending(before=NOW + 3, limit=9)} == set(ids[1:4])


def test_results_are_stored_and_counted_once(bench: Bench) -> None:
    registered(bench)
    opened(bench, "mine", OTHER)
    found, chunk = read(bench, FEED, OTHER, URL)
    assert end(bench, found, chunk)
    counts = stored(bench, found).counts
    assert (counts.entries, counts.created, counts.joined, counts.pending, counts.left) == (3, 1, 1, 1, 0)
    again = imports_of(bench).chunk(None, found.import_id, 0)
    assert again is not None
    assert [each.result for each in again.results] == [Result.CREATED, Result.JOINED, Result.PENDING]
    assert not end(bench, found, chunk)  # a worker that read the chunk before
    assert stored(bench, found).counts == counts
    assert bench.contents.faults_of_subscriptions() == []


def test_a_pending_entry_ends_with_its_subscription(bench: Bench) -> None:
    found, chunk = read(bench, URL)
    assert end(bench, found, chunk)
    (pending,) = imports_of(bench).chunks(None, found.import_id, [0])[0].results
    (subscription,) = imports_of(bench).subscriptions(None, [str(pending.subscription_id)])
    feed = registered(bench)
    assert bench.subscriptions.make_ready(subscription, feed_id=feed, now=NOW + 9) is not None
    (ended,) = imports_of(bench).ends(None, found.import_id, first=1, last=9).values()
    assert (ended.result, ended.feed_id) == (Result.CREATED, feed)
    counts = stored(bench, found).counts
    assert (counts.created, counts.pending) == (1, 0)


def test_eight_workers_at_one_chunk_end_each_entry_once(bench: Bench) -> None:
    found, chunk = read(bench, *(f"https://h{number}.example/feed" for number in range(20)))
    with ThreadPoolExecutor(8) as pool:
        assert any(pool.map(lambda _: end(bench, found, chunk), range(8)))
    counts = stored(bench, found).counts
    assert (counts.pending, counts.left) == (20, 0)
    assert len(bench.contents.subscriptions()) == 20


def test_seeds_are_feeds_and_their_chunk_is_told_once(bench: Bench) -> None:
    found, chunk = read(bench, FEED)
    seed = SeededFeed(
        feed_id=derived_ulid(NOW, "seed"), url=FEED, url_hash=url_hash(FEED), host="example.com", now=NOW,
        first_check_at=NOW + 60, title="Seeded",
    )  # fmt: skip
    done = [Ended(result=Result.CREATED, feed_id=seed.feed_id)]
    assert imports_of(bench).end_seeds(found, chunk, done, [seed], is_told=False)
    other = replace(seed, feed_id=derived_ulid(NOW, "other"))
    assert not imports_of(bench).end_seeds(found, chunk, done, [other], is_told=False)
    for _ in range(2):
        imports_of(bench).told(found, chunk)
    assert (stored(bench, found).counts.created, stored(bench, found).counts.told) == (1, 1)
    assert bench.store.owners([FEED]) == {FEED: seed.feed_id}


@pytest.mark.parametrize("loses", [False, True])
def test_a_store_that_fails_leaves_nothing_half_done(bench: Bench, loses: bool) -> None:
    """`loses`: the write is made, and its answer is lost once; the repetition says so."""
    found, chunk = read(bench, URL, OTHER)
    if loses:
        bench.faults.lost_answers = 1
        assert end(bench, found, chunk)
        assert stored(bench, found).counts.pending == 2
        return
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        end(bench, found, chunk)
    bench.faults.throttles = 0
    assert stored(bench, found).counts.left == 2
    assert bench.contents.subscriptions() == []
