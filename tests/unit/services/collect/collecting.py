"""Helpers of tests of runs and items: a small made-up internet, and a worker that works until no work is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from feedward.lineage.run import Run
from feedward.services.collect.collect_batch import CollectReport, collect_batch
from feedward.services.collect.read_lineage import find_run
from feedward.services.collect.run_jobs import run_job_step
from feedward.services.collect.start_run import Started, start_run
from tests.callers import of_tenant
from tests.fakes.collecting import FakeCollecting

A, B, C = "https://a.example/", "https://b.example/x", "https://c.example/y"


def page(text: str, title: str = "T") -> dict[str, Any]:
    return {"body": f"<html><title>{title}</title><body>{text}</body></html>", "headers": {"Content-Type": "text/html"}}


def moved(location: str, status: int = 301) -> dict[str, Any]:
    return {"status": status, "headers": {"Location": location}}


class Collecting(FakeCollecting):
    """The fake frontier, with runs."""

    def __init__(self, network: Mapping[str, Mapping[str, Any]], **members: Any) -> None:
        super().__init__(network, **members)
        self.rekeys: Any = None

    def begin(self, urls: Sequence[str], **members: Any) -> Started:
        """Begin a run, which waits in the queue."""
        return start_run(of_tenant(members.pop("tenant_id", None)), urls=urls, ports=self.ports, **members)

    def run(self, urls: Sequence[str], **members: Any) -> Run:
        """Begin a run and work until the queue is empty; the run afterwards."""
        started = self.begin(urls, **members)
        self.work_off()
        return self.now(started.run)

    def now(self, run: Run) -> Run:
        """The current run."""
        return find_run(of_tenant(run.tenant_id), run.run_id, ports=self.ports)

    def work_off(self) -> list[CollectReport]:
        """Process all messages of the queue, and those that they send, until none is left."""
        reports = []
        while messages := self.queue.take():
            reports.append(
                collect_batch(
                    messages,
                    ports=self.ports,
                    do_job=lambda message, left_s: run_job_step(
                        message, ports=self.ports, rekeys=self.rekeys, within_s=left_s
                    ),
                    within_s=600.0,
                )
            )
            assert not any(reports[-1].failures), reports[-1].failures
        return reports

    def items(self) -> list[dict[str, Any]]:
        """All items, oldest first."""
        return sorted(self.lineage.contents.items().values(), key=lambda item: item["created_at_ms"])

    def faults(self) -> list[str]:
        """Violations of the rules of lineage in the stored data."""
        return self.lineage.contents.faults_of_lineage()
