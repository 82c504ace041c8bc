"""Cases from public reports about feed documents and their dates (../shared/conformance/reports.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from feedward.feeds.dates import parse_date
from feedward.feeds.parse import parse_feed
from feedward.model import Feed

REPORTS = Path(__file__).parents[3] / "shared" / "conformance" / "reports.json"


def cases(op: str) -> list[Any]:
    """The cases of an op; a stand-in that skips where the reports are not beside the checkout."""
    if not REPORTS.exists():
        reason = "the reports are beside the checkout, and not in this clone (../shared/conformance)"
        return [pytest.param(None, id="reports.json", marks=pytest.mark.skip(reason=reason))]
    return [pytest.param(case, id=case["id"]) for case in json.loads(REPORTS.read_text()) if case["op"] == op]


def shown(found: Any, expected: Any) -> Any:
    """The parts of the result that `expected` names."""
    if isinstance(expected, dict):
        return {name: shown(getattr(found, name), value) for name, value in expected.items()}
    if isinstance(expected, list):
        return [shown(*pair) for pair in zip(found, expected, strict=True)]
    return found


@pytest.mark.parametrize("case", cases("date"))
def test_a_reported_date_is_read(case: dict[str, Any]) -> None:
    assert parse_date(case["input"]["date"]) == case["expected"]["at"]


@pytest.mark.parametrize("case", cases("parse"))
def test_a_reported_document_is_read(case: dict[str, Any]) -> None:
    feed = parse_feed(case["input"]["feed"].encode())
    assert isinstance(feed, Feed), feed
    assert shown(feed, case["expected"]) == case["expected"]
