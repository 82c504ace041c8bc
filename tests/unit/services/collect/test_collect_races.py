"""Many workers on rows that lead to the same pages, everything delivered twice and out of order."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import FrontierRow, RowStatus, Submitted
from feedward.services.collect.collect_batch import collect_batch
from feedward.services.collect.submit import submit
from tests.fakes.collecting import FakeCollecting, run_id

ROWS, FINALS, CONTENTS = 60, 12, 5
WORKERS = 8


def network() -> dict[str, dict[str, Any]]:
    """Rows that redirect into fewer final URLs, of which several have one content."""
    starts = {
        f"https://s{n}.example/": {"status": 301 + n % 2, "headers": {"Location": f"https://f{n % FINALS}.example/x"}}
        for n in range(ROWS)
    }
    finals = {
        f"https://f{n}.example/x": {"body": f"<html><body>Content {n % CONTENTS}</body></html>"} for n in range(FINALS)
    }
    return starts | finals


def deliver(world: FakeCollecting, messages: list[CollectMessage]) -> None:
    def one(message: CollectMessage) -> None:
        report = collect_batch([message], ports=world.ports, do_job=lambda *_: None, within_s=3600.0)
        assert report.failures == (None,)

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(one, messages))


@pytest.mark.parametrize("seed", [1, 2])
def test_rows_that_lead_to_the_same_pages_make_one_row_and_one_chain_for_each(seed: int) -> None:
    world = FakeCollecting(network())
    urls = [url for url in world.internet.network if "//s" in url]
    entries = submit(urls, tenant_id=None, runs=frozenset({run_id("r")}), ports=world.ports)
    rows = [entry.row for entry in entries if isinstance(entry, Submitted)]
    messages = [CollectMessage(entries=(row,), sent_at=int(world.clock.time)) for row in rows] * 2
    random.Random(seed).shuffle(messages)

    deliver(world, messages)

    after = {row.row_id: row for row in world.rows()}
    assert {row.status for row in after.values()} == {RowStatus.FETCHED}
    moved = [row for row in after.values() if row.url in finals(world)]
    assert len(moved) == FINALS == len({row.url for row in moved})
    assert all(row.final_url in finals(world) for row in after.values() if row not in moved)
    assert world.ports.frontier.find(list(finals(world))) == {row.url: row.row_id for row in moved}
    assert world.lineage.contents.faults_of_lineage() == []
    assert_each_page_counted_once(world, rows)


def finals(world: FakeCollecting) -> set[str]:
    return {url for url in world.internet.network if "//f" in url}


def assert_each_page_counted_once(world: FakeCollecting, rows: list[FrontierRow]) -> None:
    """Each row of the run is an item or a duplicate fetch, even if messages came twice."""
    contents = world.lineage.contents
    runs = {row["run_id"] for row in contents.rows("ITEM#") if "run_id" in row}
    counted = [contents.counters(each) for each in runs]
    assert sum(each.items + each.sightings for each in counted) == len(rows)
    assert all(contents.done(each) == contents.counters(each) for each in runs)
