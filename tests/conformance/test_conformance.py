"""Every conformance case is a test. A case that is wrong is in disputed.json with the reason."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import check  # noqa: E402

CASES = HERE.parent / "cases"
OWN_CORPORA = HERE.parent / "corpora"
SHARED_CORPORA = HERE.parents[2] / "shared" / "corpora"
DISPUTED: dict[str, str] = json.loads((HERE / "disputed.json").read_text())
CASE_FILES = ("urls", "safety", "canonicalize", "feeds", "discovery", "health", "lineage", "frontier")
ADAPTER = check.load_adapter(HERE / "adapter.py")


def read_cases(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((CASES / f"{name}.json").read_text())
    return cases


def file_of(case: dict[str, Any]) -> str | None:
    return next((arg["$file"] for arg in case["args"] if isinstance(arg, dict) and set(arg) == {"$file"}), None)


def corpora_for(case: dict[str, Any]) -> Path:
    """The project's own documents first; those of others are read in place, beside the checkout."""
    name = file_of(case)
    if name is None or (OWN_CORPORA / name).exists():
        return OWN_CORPORA
    if not (SHARED_CORPORA / name).exists():
        pytest.skip("its document belongs to its publisher and is not in this clone (../shared/corpora)")
    return SHARED_CORPORA


ALL_CASES = [pytest.param(case, id=f"{name}:{case['id']}") for name in CASE_FILES for case in read_cases(name)]


@pytest.mark.parametrize("case", ALL_CASES)
def test_case_holds(case: dict[str, Any]) -> None:
    if case["id"] in DISPUTED:
        pytest.skip(f"disputed: {DISPUTED[case['id']]}")
    assert check.run_case(ADAPTER, case, corpora_for(case)) is None


def test_at_most_one_case_in_a_hundred_is_disputed() -> None:
    assert len(DISPUTED) <= len(ALL_CASES) // 100


def test_every_dispute_names_a_case_and_gives_a_reason() -> None:
    ids = {case["id"] for name in CASE_FILES for case in read_cases(name)}
    stories = set(json.loads((HERE / "bug_cases.json").read_text()))
    assert set(DISPUTED) <= ids | stories
    assert all(DISPUTED.values())
