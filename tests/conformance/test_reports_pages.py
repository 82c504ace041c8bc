"""Reports about pages and collecting, as cases: the pages, their text, their decoding."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from feedward.lineage.content import read_content
from feedward.pages.visible_text import page_text
from tests.unit.services.collect.collecting import Collecting

REPORTS = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "reports.json"
OPS = ("collect", "text", "content")
HTML = {"Content-Type": "text/html; charset=utf-8"}


def cases() -> list[Any]:
    if not REPORTS.exists():
        reason = "the reports are beside the checkout, and not in this clone (../shared/conformance)"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason))]
    return [pytest.param(case, id=case["id"]) for case in json.loads(REPORTS.read_text()) if case["op"] in OPS]


@pytest.mark.parametrize("case", cases())
def test_a_report_has_its_right_ending(case: dict[str, Any]) -> None:
    told = {"collect": collect, "text": text, "content": content}[case["op"]](case["input"])
    assert {name: told[name] for name in case["expected"]} == case["expected"]


def collect(given: Mapping[str, Any]) -> dict[str, Any]:
    """Collect the pages; the titles of the items, and those that are copies of another page's."""
    network = {url: page if isinstance(page, Mapping) else {"body": page} for url, page in given["pages"].items()}
    world = Collecting({url: {**page, "headers": page.get("headers", HTML)} for url, page in network.items()})
    world.run(given["urls"])
    items = {item["item_id"]: item for item in world.items()}
    copies = [
        [items[newer]["canonical_uri"], items[older]["canonical_uri"]]
        for newer, older in world.lineage.contents.edges()
        if items[newer]["canonical_uri"] != items[older]["canonical_uri"]
    ]
    told = {"copies": copies, "titles": sorted(item["title"] for item in items.values())}
    assert world.faults() == []
    return told


def text(given: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": page_text(given["html"])}


def content(given: Mapping[str, Any]) -> dict[str, Any]:
    read = read_content(base64.b64decode(given["base64"]), content_type=given["content_type"])
    return {"title": read.title, "text": read.text}
