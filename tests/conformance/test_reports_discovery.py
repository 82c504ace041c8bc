"""Reports about finding feeds (kinds 13 and 14): misspelt advertisements, buttons, blogs below a site."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from feedward.services.discover.discover import discover
from tests.fakes.fetcher import FakeFetcher

REPORTS = Path(__file__).parents[3] / "shared" / "conformance" / "reports.json"
KINDS = ("K13", "K14")


def reports() -> list[dict[str, Any]]:
    if not REPORTS.exists():
        return []
    return [case for case in json.loads(REPORTS.read_text()) if case["op"] == "discover" and case["kind"] in KINDS]


def page(written: Any) -> Mapping[str, Any]:
    return {"headers": {"Content-Type": "text/html"}, "body": written} if isinstance(written, str) else written


@pytest.mark.parametrize("case", reports(), ids=lambda case: case["id"])
def test_reported_site_has_its_feed(case: dict[str, Any]) -> None:
    pages = {url: page(written) for url, written in case["input"]["pages"].items()}
    internet = FakeFetcher(pages, answers_404=True)

    found = discover(case["input"]["url"], fetcher=internet)

    chosen = found.canonical and (found.canonical.final_url or found.canonical.url)
    assert {"outcome": found.outcome, "feed": chosen} == case["expected"]
    assert len(internet.requests) <= 24


def test_the_reports_of_these_kinds_are_there() -> None:
    if not REPORTS.exists():
        pytest.skip("the reports are beside the checkout, and not in this clone (../shared/conformance)")
    assert {case["kind"] for case in reports()} == set(KINDS)
