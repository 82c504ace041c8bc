"""Runs to their last page, with workers killed anywhere: every run ends with correct counts (rules I6, I7).

URLs lead to each other, so that pages of one chunk are those of another; some are gone, some fail until they are given
up, some change from run to run; a run's items are made again. The scheduled passes find all lost work.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.lineage.run import Run, RunStatus
from feedward.lineage.version import CURRENT_VERSION
from feedward.services.collect.read_lineage import find_run
from feedward.services.collect.run_jobs import LEFT_FOR_S, resume_open_jobs
from feedward.services.collect.start_run import start_run
from feedward.urls.rekey import Rekeying
from tests.contract.benches.collecting import Workers
from tests.contract.conftest import Bench
from tests.fakes.code_version import OLDER, code_of

pytestmark = pytest.mark.usefixtures("four_hosts_at_once")

STARTS, FINALS, CONTENTS = 130, 20, 6
Urls = Sequence[str]


class NothingToRekey:
    """A registry of the current key."""

    def within(self, _: object) -> Self:
        return self

    def rekeying(self, version: str, **_: object) -> Rekeying:
        return Rekeying(version=version, done=True)


def network(draw: random.Random) -> dict[str, dict[str, Any]]:
    """Half of the starts lead to finals and some to each other; a fifth of all is missing or fails."""
    finals = [f"https://f{n}.example/p" for n in range(FINALS)]
    pages = {url: answer(draw) for url in finals}
    for n in range(STARTS):
        target = finals[n % FINALS] if n % 10 < 5 else f"https://s{(7 * n + 1) % STARTS}.example/"
        leads_on = {"status": 301 + n % 2, "headers": {"Location": target}}
        pages[f"https://s{n}.example/"] = leads_on if n % 10 < 6 else answer(draw)
    return pages


def answer(draw: random.Random) -> dict[str, Any]:
    chance, content = draw.random(), draw.randrange(CONTENTS)
    if chance < 0.2:
        return {"status": 410 if chance < 0.1 else 500}
    tag = {"ETag": f'"{content}"'} if chance < 0.5 else {}
    return {"body": f"<title>{content}</title>Text {content}", "headers": {"Content-Type": "text/html", **tag}}


def work_to_the_end(workers: Workers, lives: int) -> None:
    """Work, and let the schedule find lost rows, until no row is due and no run has work left."""
    workers.work_off(lives=lives, twice=True)
    for _ in range(60):
        workers.clock.advance(LEFT_FOR_S + 60)
        ports = replace(workers.ports, clock=workers.clock)
        nothing: Any = NothingToRekey()
        resume_open_jobs(ports=ports, rekeys=nothing)
        workers.work_off(lives=lives, twice=True)
        workers.sweep()
        if not workers.frontier.due() and not list(ports.lineage.open_runs(before=2 * workers.clock.now())):
            return
        workers.clock.advance(3600)
    raise AssertionError("it never ends")


def check(workers: Workers, run: Run, urls: Urls) -> None:
    """Each page of the run ended once, and its counters are its markers, items, duplicate fetches and edges."""
    now, lineage = find_run(SELF_HOSTED, run.run_id, ports=workers.ports), workers.lineage.now()
    counters, done = now.counters, lineage.done(run.run_id)
    assert (now.status, counters.ended) == (RunStatus.DONE, now.pages)
    assert now.pages == len(urls) or now.reprocessing_of_run_id
    results = [row["result"] for row in lineage.rows(f"RUN#{run.run_id}", "URL#")]
    marked = tuple(results.count(result) for result in ("item", "sighting", "dead"))
    assert (counters.items, counters.sightings, counters.dead) == marked
    assert (counters.items, counters.sightings) == (done.items, done.sightings)
    assert (counters.superseded, counters.conflicts) == (done.superseded, done.conflicts)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_run_ends_with_correct_counts_despite_kills(fake_bench: Bench, seed: int) -> None:
    draw = random.Random(seed)
    workers = Workers(fake_bench, network(draw), seed=seed)
    runs: list[tuple[Run, Urls]] = []
    for lives, version in ((150, OLDER), (400, CURRENT_VERSION)):
        pages = network(draw)
        workers.lead_to(pages)
        with code_of(version):
            for _ in range(2):
                urls = draw.sample(sorted(pages), draw.randrange(110, len(pages)))
                runs.append((start_run(SELF_HOSTED, urls=urls, ports=workers.ports).run, urls))
            work_to_the_end(workers, lives)
    first, _ = runs[0]
    again = start_run(SELF_HOSTED, reprocessing_of_run_id=first.run_id, ports=workers.ports).run
    work_to_the_end(workers, 150)

    for run, its_urls in [*runs, (again, ())]:
        check(workers, run, its_urls)
    assert workers.lineage.faults_of_lineage() == []
    counted = [find_run(SELF_HOSTED, run.run_id, ports=workers.ports).counters for run, _ in runs]
    for name in ("items", "sightings", "dead", "superseded"):
        assert sum(getattr(each, name) for each in counted), f"there were no {name}: it is too tame"
    assert len(workers.killed) >= 4, f"workers died only at {dict(workers.killed)}"
