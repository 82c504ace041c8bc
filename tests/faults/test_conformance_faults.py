"""Every fault case holds, over real sockets and real time."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE / "conformance"))

import check  # noqa: E402
import check_faults  # noqa: E402


def test_every_fault_case_holds_with_dead_proxies_set() -> None:
    faults = check_faults.load_faults(HERE / "cases" / "faults.json", "")
    assert len(faults["cases"]) > 100
    adapter = check.load_adapter(HERE / "conformance" / "adapter.py")
    with check_faults.dead_proxy():
        failures = check_faults.run_file(adapter, faults, 8)
    assert [(case["id"], why) for case, why in failures] == []
