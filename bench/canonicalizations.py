"""Canonicalizations a second on one core: the conformance cases over an in-memory network, so only our work counts."""

from __future__ import annotations

import importlib
import json
import time
from pathlib import Path
from typing import Any

from bench.table import print_table

CASES = Path(__file__).parents[1] / "tests" / "cases" / "canonicalize.json"
ROUNDS = 5


def read_cases() -> list[list[Any]]:
    return [case["args"] for case in json.loads(CASES.read_text()) if case["op"] == "canonicalize"]


def one_round(cases: list[list[Any]]) -> tuple[float, int]:
    """Run all cases once: processor seconds and requests made."""
    ops_canonical = importlib.import_module("tests.conformance.ops_canonical")
    requests = 0
    start = time.process_time()
    for arguments in cases:
        requests += len(ops_canonical.canonicalize(*arguments).get("requests", ()))
    return time.process_time() - start, requests


def main() -> None:
    """Print the canonicalizations per second of one core, and the requests of one canonicalization."""
    cases = read_cases()
    one_round(cases)
    rounds = [one_round(cases) for _ in range(ROUNDS)]
    best = min(seconds for seconds, _ in rounds)
    requests = rounds[0][1]
    row = (
        str(len(cases)),
        f"{len(cases) / best:.0f}",
        f"{best / len(cases) * 1e6:.0f}",
        f"{requests / len(cases):.2f}",
    )
    print_table(
        "Canonicalizations: the conformance cases, in-memory network, one core, best of 5 rounds",
        ("cases", "a second", "us each", "requests each"),
        [row],
    )
