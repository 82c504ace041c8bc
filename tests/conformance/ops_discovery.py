"""Conformance op of the discovery: a made-up site to its feeds. No logic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from feedward.discovery.candidate import Kind, ValidationStatus
from feedward.services.discover.discover import discover as discover_feeds
from tests.fakes.fetcher import FakeFetcher

__all__ = ["discover"]

_PAD = re.compile(r"@@PAD:(\d+)@@")


def discover(site: Mapping[str, Any]) -> dict[str, Any]:
    """Run one case: its `pages` are the internet; their hosts answer 404 for paths that are not among them."""
    pages = {url: {**page, "body": _padded(page.get("body", ""))} for url, page in site["pages"].items()}
    internet = FakeFetcher(pages, answers_404=True)
    found = discover_feeds(
        site["input_url"],
        fetcher=internet,
        intent=Kind(site["intent"]) if site["intent"] else None,
    )
    valid = [each for each in found.candidates if each.status is ValidationStatus.VALID]
    return {
        "canonical": found.canonical and (found.canonical.final_url or found.canonical.url),
        "ranking": [each.final_url or each.url for each in valid],
        "requests": internet.requests,
        "outcome": found.outcome,
        "complete": found.complete,
        "rounds": found.rounds,
    }


def _padded(body: str) -> str:
    return _PAD.sub(lambda match: " " * int(match[1]), body)
