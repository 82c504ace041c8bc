"""24 workers collecting 300 URLs that redirect into 40 finals with shared contents, many times over
(rules L2, I2, I5, I6).

There is one row for each key, found by all URLs that it had; one chain for each URI and content of a version, each edge
true and each conflict recorded; each page of each run once, and counters that match the work: also if workers
are killed anywhere and everything is delivered twice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.lineage.run import Run, RunStatus
from feedward.services.collect.read_lineage import find_run
from feedward.services.collect.start_run import start_run
from feedward.urls.key import key
from tests.contract.benches.collecting import Workers
from tests.contract.conftest import Bench
from tests.fakes.code_version import OLDER, code_of

pytestmark = pytest.mark.usefixtures("four_hosts_at_once")

STARTS, FINALS, CONTENTS, GONE = 300, 40, 15, 6
Runs = Sequence[tuple[Run, Sequence[str]]]
STARTING = [f"https://s{n}.example/page" for n in range(STARTS)]
# On MiniStack, each call of which costs more than all of the work in memory: still two to each final.
FEWER = STARTING[: 2 * FINALS]
FINAL = [f"https://f{n}.example/final" for n in range(FINALS)]
DEAD = [f"https://gone{n}.example/" for n in range(GONE)]


def network(round_: int) -> dict[str, dict[str, Any]]:
    """Each URL always leads to the same page; the content of most pages changes in each round.

    Half of the finals have an ETag. Some starts take two hops.
    """
    draw = random.Random(round_)
    said = {url: draw.randrange(CONTENTS) if number % 4 else number % CONTENTS for number, url in enumerate(FINAL)}
    pages: dict[str, dict[str, Any]] = {}
    for number, url in enumerate(STARTING):
        hop = f"https://hop{number % 7}.example/{number % FINALS}"
        target = hop if number % 3 == 0 else final_of(url)
        pages[url] = {"status": 301 + number % 2, "headers": {"Location": target}}
        if target == hop:
            pages[hop] = {"status": 302, "headers": {"Location": final_of(url)}}
    for number, (url, content) in enumerate(said.items()):
        tag = {"ETag": f'"{content}"'} if number % 2 else {}
        body = f"<title>{content}</title><body>Text {content}"
        pages[url] = {"body": body, "headers": {"Content-Type": "text/html", **tag}}
    return pages | {url: {"status": 410} for url in DEAD}


def final_of(url: str) -> str:
    return FINAL[STARTING.index(url) % FINALS]


def begin(workers: Workers, urls: Sequence[str]) -> Run:
    return start_run(SELF_HOSTED, urls=urls, ports=workers.ports).run


# --- invariants ---------------------------------------------------------------------------------------


def check_rows(workers: Workers, starting: Sequence[str]) -> None:
    """Every row is fetched or dead, has its own key, and is found by every URL that it ever had."""
    rows = workers.frontier.rows()
    assert workers.frontier.faults_of_form() == []
    assert len(rows) == len(starting) + GONE
    found = workers.ports.frontier.find([*starting, *FINAL, *DEAD])
    assert set(found) == {*starting, *FINAL, *DEAD}
    for url in starting:
        row = rows[found[url]]
        assert row["status"] == "fetched", row
        assert final_of(url) in (row["url"], row.get("final_url")), row
    for url in FINAL:
        row = rows[found[url]]
        assert (row["url"], "final_url" in row) == (url, False), row
    assert {(rows[found[url]]["status"], rows[found[url]]["last_error"]) for url in DEAD} == {("dead", "gone")}
    assert len({row["url"] for row in rows.values() if row["url"] in FINAL}) == FINALS
    assert workers.frontier.due() == set()


def check_lineage(workers: Workers) -> None:
    """One chain for each URI and each content, without cycles; every edge is true, every conflict is recorded."""
    lineage = workers.lineage.now()
    assert lineage.faults_of_lineage() == []
    items, older_of = lineage.items(), dict(lineage.edges().keys())
    for item_id in items:
        met, current = set[str](), item_id
        while current in older_of:
            assert current not in met, "a cycle"
            met.add(current)
            current = older_of[current]
    assert {item["canonical_uri"] for item in items.values()} == {key(url) for url in FINAL}


def check_runs(workers: Workers, runs: Runs) -> None:
    """Each page of a run is counted once; the counters match the work, and no other run was changed."""
    lineage = workers.lineage.now()
    for run, urls in runs:
        now = find_run(SELF_HOSTED, run.run_id, ports=workers.ports)
        counters, done = now.counters, lineage.done(run.run_id)
        told = (counters.items, counters.sightings, counters.superseded, counters.conflicts)
        assert told == (done.items, done.sightings, done.superseded, done.conflicts)
        assert counters.dead == len(set(urls) & set(DEAD))
        assert counters.refused == 0
        assert (now.status, now.pages, counters.ended) == (RunStatus.DONE, len(urls), len(urls))
        assert now.normalization_version == run.normalization_version
    of_these = {run.run_id: run.normalization_version for run, _ in runs}
    items = lineage.items().values()
    assert {(item["run_id"], item["normalization_version"]) for item in items} <= set(of_these.items())
    assert {row["pk"] for row in lineage.rows("RUN#", "RUN")} == {f"RUN#{run_id}" for run_id in of_these}


def check(workers: Workers, runs: Runs, starting: Sequence[str]) -> None:
    check_rows(workers, starting)
    check_lineage(workers)
    check_runs(workers, runs)


# --- the races ----------------------------------------------------------------------------------------


def collect_many_times_over(
    workers: Workers, starting: Sequence[str], *, rounds: int, lives: int | None = None, twice: bool = False
) -> Runs:
    """Concurrent rounds of runs, over some URLs, the finals' own among them, and at first over all, of two versions."""
    draw, runs = random.Random(rounds), list[tuple[Run, Sequence[str]]]()
    for round_ in range(rounds):
        workers.lead_to(network(round_))
        of_before = [*draw.sample(starting, 20), *DEAD]
        if not twice:  # late messages of older code are for the run of the day
            with code_of(OLDER):
                runs.append((begin(workers, of_before), of_before))
                workers.work_off(lives=lives)
        for urls in (
            draw.sample(starting, 40) if round_ else [*starting, *DEAD],
            draw.sample(starting, 60),
            draw.sample(FINAL, 20) if round_ else starting[:20],
        ):
            runs.append((begin(workers, urls), urls))
        workers.work_off(lives=lives, twice=twice)
        workers.sweep()
    return runs


@pytest.mark.parametrize(("store", "starting"), [("fake", STARTING), ("dynamodb", FEWER)], ids=["fake", "dynamodb"])
def test_24_threads_collecting_urls_into_40_finals_many_times_over_leave_one_of_each(
    request: pytest.FixtureRequest, store: str, starting: Sequence[str]
) -> None:
    bench: Bench = request.getfixturevalue(f"{store}_bench")
    workers = Workers(bench, network(0))

    runs = collect_many_times_over(workers, starting, rounds=2)

    check(workers, runs, starting)
    counted = [find_run(SELF_HOSTED, run.run_id, ports=workers.ports).counters for run, _ in runs]
    for name in ("items", "sightings", "not_modified", "superseded", "conflicts"):
        assert sum(getattr(each, name) for each in counted), f"there were no {name}: the race is too tame"


@pytest.mark.parametrize(
    ("store", "starting", "rounds"), [("fake", STARTING, 2), ("dynamodb", FEWER, 1)], ids=["fake", "dynamodb"]
)
def test_the_same_where_workers_are_killed_and_everything_is_delivered_twice(
    request: pytest.FixtureRequest, store: str, starting: Sequence[str], rounds: int
) -> None:
    bench: Bench = request.getfixturevalue(f"{store}_bench")
    workers = Workers(bench, network(0), seed=2)

    runs = collect_many_times_over(workers, starting, rounds=rounds, lives=200, twice=True)

    check(workers, runs, starting)
    tame = f"the race is too tame: workers died only at {dict(workers.killed)}"
    assert sum(workers.killed.values()) >= 5 * rounds, tame
    assert len(workers.killed) > rounds, tame  # at how many different calls is left to chance
    before = bench.contents.lineage(), bench.contents.frontier()
    workers.queue.send_all_again()
    workers.lead_to(network(9))
    workers.work_off()
    assert (bench.contents.lineage(), bench.contents.frontier()) == before, "a message that came late changed something"
