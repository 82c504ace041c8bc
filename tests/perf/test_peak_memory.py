"""The memory of a worker stays below its function's limit, however large the documents of a batch are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from feedward.canonical.options import DEFAULT_OPTIONS
from feedward.reading_budget import MAX_BYTES
from feedward.services.canonicalize.canonicalize_urls import THREADS
from feedward.services.check.check_batch import SETTINGS as CHECKS
from feedward.services.collect.collect_batch import SETTINGS as ROWS
from feedward.services.discover.limits import JOB_LIMITS
from feedward.services.discover.shared_fetches import KEPT_FEED_BYTES
from feedward.services.work.memory_budget import LEASES, MIB, peak_bytes
from tests.template_tables import template

ROOT = Path(__file__).parents[2]
SHARE = 0.6
FUNCTIONS = {
    "check": "HealthCheckFunction",
    "collect": "CollectFunction",
    "discovery": "DiscoverFunction",
    "canonicalize": "CanonicalizeFunction",
}


def memory_mb(work: str) -> int:
    return int(template()["Resources"][FUNCTIONS[work]]["Properties"]["MemorySize"])


def measured(work: str, entries: int) -> dict[str, Any]:
    """The report of a process of its own that has done this work."""
    command = [sys.executable, "-m", "tests.perf.peak_memory", work, str(entries)]
    said: dict[str, Any] = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    return said


@pytest.mark.parametrize(
    ("work", "outcome"), [("check", "ok"), ("collect", "fetched"), ("canonicalize", "response_url")]
)
def test_a_batch_of_the_largest_documents_peaks_below_its_share_and_loses_none(work: str, outcome: str) -> None:
    """Twice as many as may be in memory at one time: the peak of 50 is the same."""
    entries = 2 * LEASES
    found = measured(work, entries)

    assert found["peak_mb"] < SHARE * memory_mb(work)
    assert found["outcomes"] == [outcome]
    assert (found["done"], found["left"], found["failed"]) == (entries, 0, 0)


def test_a_discovery_of_24_of_the_largest_documents_peaks_below_its_share() -> None:
    found = measured("discovery", JOB_LIMITS.requests)

    assert found["peak_mb"] < SHARE * memory_mb("discovery")
    assert found["done"] >= JOB_LIMITS.requests - 4


@pytest.mark.parametrize(
    ("work", "tasks", "kept_bytes", "share"),
    [
        ("check", CHECKS.hosts_at_once, 0, SHARE),
        ("collect", ROWS.hosts_at_once, 0, SHARE),
        ("canonicalize", THREADS, LEASES * DEFAULT_OPTIONS.max_requests * MAX_BYTES, SHARE),
        ("discovery", JOB_LIMITS.in_flight, JOB_LIMITS.requests * KEPT_FEED_BYTES, 0.75),
    ],
)
def test_the_arithmetic_at_the_memory_size_holds(work: str, tasks: int, kept_bytes: int, share: float) -> None:
    assert peak_bytes(tasks, kept_bytes=kept_bytes) < share * memory_mb(work) * MIB
