"""The sites for measuring feed finders: those of the conformance cases, with the right result for each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

CASES = Path(__file__).parents[1] / "tests" / "cases" / "discovery.json"
MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One site: its start URL, its pages by URL (a key ending in `*` answers the rest of its host), its right feeds.

    `expected` is empty for a site without a feed. `not_found_s` is the time of an unknown path beyond the delay.
    """

    name: str
    url: str
    pages: Mapping[str, Mapping[str, Any]]
    expected: frozenset[str]
    not_found_s: float = 0.0

    @property
    def hosts(self) -> frozenset[str]:
        """The host names of its pages."""
        return frozenset(urlsplit(url.rstrip("*")).hostname or "" for url in self.pages)

    def landing(self, url: str | None) -> str | None:
        """The target of a URL by the site's own redirects: two finders may name the same feed before and after one."""
        for _ in range(MAX_REDIRECTS):
            location = self.pages.get(url or "", {}).get("headers", {}).get("location")
            if location is None:
                break
            url = location
        return url

    def is_right(self, first: str | None) -> bool:
        """Return whether this answer, None for "no feed", is the expected one or equivalent."""
        if first is None:
            return not self.expected
        return first in self.expected or self.landing(first) in self.expected


def load_discovery_sites() -> list[Site]:
    """All sites of the conformance cases, in their order."""
    cases = [case for case in json.loads(CASES.read_text()) if case["op"] == "discover"]
    return [_site(case["args"][0], case["expected"]) for case in cases]


def _site(told: Mapping[str, Any], expected: Mapping[str, Any]) -> Site:
    right = [expected["canonical"], *expected["acceptable"]]
    return Site(
        name=told["id"],
        url=told["input_url"],
        pages=told["pages"],
        expected=frozenset(url for url in right if url),
        not_found_s=told.get("not_found_latency_ms", 0) / 1000,
    )
