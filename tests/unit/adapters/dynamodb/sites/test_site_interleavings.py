"""Saves and reads of one site in any interleaving of their calls (rule R13)."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.dynamodb.sites import site_store as module
from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.discovery.site import StoredSite
from tests.contract.benches.sites import SITE_ID, candidate, stored_site
from tests.fakes.feed_store import PATIENT
from tests.fakes.interleaving import run_interleaved
from tests.fakes.site_store import FakeSiteStore

URLS = [f"https://example.com/{n}" for n in range(8)]

runs = st.tuples(st.integers(0, 2), st.integers(1, 4) | st.just(30))
schedules = st.lists(runs, max_size=10).map(lambda turns: [worker for worker, calls in turns for _ in range(calls)])
# The changes of one writer: some of the candidates, each time.
writes = st.lists(st.lists(st.sampled_from(URLS), min_size=1, max_size=8, unique=True), min_size=1, max_size=2)


def store(fake: FakeSiteStore, client: Any) -> DynamoSiteStore:
    return DynamoSiteStore(Tables(client, fake.contents.names, PATIENT))


def seen(site: StoredSite | None) -> dict[str, str | None]:
    return {each.candidate_url: each.title for each in site.candidates} if site else {}


@settings(max_examples=60)
@given(writes, schedules)
def test_a_reader_sees_the_state_after_one_write(steps: list[list[str]], schedule: list[int]) -> None:
    fake = FakeSiteStore()
    states: list[dict[str, str | None]] = [{}]
    for rev, urls in enumerate(steps):
        states.append(states[-1] | dict.fromkeys(urls, f"write {rev}"))

    def write(client: Any) -> None:
        for rev, urls in enumerate(steps):
            changed = [candidate(url, title=f"write {rev}") for url in urls]
            assert store(fake, client).save(stored_site(), changed=changed, seen_rev=rev)

    found: list[StoredSite | None] = []
    run_interleaved(fake.faults, [write, lambda client: found.append(store(fake, client).site(SITE_ID))], schedule)
    rev = found[0].site.rev if found[0] else 0
    assert seen(found[0]) == states[rev]


@settings(max_examples=50)
@given(st.lists(st.sampled_from(URLS), min_size=2, max_size=3), schedules, st.integers(1, 8))
def test_writers_that_decide_again_keep_the_writes_of_all(urls: list[str], schedule: list[int], at_once: int) -> None:
    fake = FakeSiteStore()

    def writer(n: int) -> Any:
        def write(client: Any) -> None:
            sites = store(fake, client)
            for _ in range(20):
                before = sites.site(SITE_ID)
                mine = [candidate(f"{urls[n]}/{n}/{part}") for part in range(3)]
                if sites.save(stored_site(), changed=mine, seen_rev=before.site.rev if before else 0):
                    return
            raise AssertionError("never done")

        return write

    before, module.CANDIDATES_AT_ONCE = module.CANDIDATES_AT_ONCE, at_once  # type: ignore[misc]
    try:
        run_interleaved(fake.faults, [writer(n) for n in range(len(urls))], schedule)
    finally:
        module.CANDIDATES_AT_ONCE = before  # type: ignore[misc]
    found = fake.site(SITE_ID)
    assert found is not None
    assert found.site.rev == len(urls)
    assert set(seen(found)) == {f"{urls[n]}/{n}/{part}" for n in range(len(urls)) for part in range(3)}
