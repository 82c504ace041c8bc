"""Helpers of the tests of the lineage store: pages of runs, as a collector adds them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.lineage.item import Collected, Item
from feedward.lineage.run import Run, RunKind
from feedward.services.collect.collect_page import Added, add_item
from feedward.ulid import derived_ulid
from tests.lineage_contents import LineageContents

NOW = 1_800_000_000
V1 = "http_snapshot_url_v1_text_v1"
V2 = "http_snapshot_url_v2_text_v1"


@dataclass
class LineageBench:
    """One lineage store under test, its knobs, and a view of its contents."""

    store: DynamoLineageStore
    faults: Any
    contents: LineageContents
    _runs: dict[str, Run] = field(default_factory=dict)

    def begin(self, name: str = "run", urls: Sequence[str] = (), *, version: str = V1, **members: Any) -> Run:
        """Create a run, and return it."""
        made = self.store.create_run(new_run(name, version=version, **members), urls)
        self._runs[name] = made
        return made

    def add(self, page: str, uri: str, content: str, *, run: str = "run", now: int = NOW, **members: Any) -> Added:
        """Add a page of a run, as the collector does."""
        item = new_item(page, uri, content, run=self._runs.get(run) or self.begin(run), now=now, **members)
        return add_item(item, page, lineage=self.store)

    def collect(self, page: str, uri: str, content: str, *, run: str = "run", now: int = NOW) -> Collected:
        """The same, and return the result."""
        return self.add(page, uri, content, run=run, now=now).collected


def run_id(name: str) -> str:
    return derived_ulid(NOW, "run", name)


def new_run(name: str = "run", *, version: str = V1, kind: RunKind = RunKind.URLS, **members: Any) -> Run:
    """A run that is not created yet."""
    common: dict[str, Any] = {"collector": "http_snapshot", "created_at": NOW} | members
    return Run(run_id=run_id(name), kind=kind, normalization_version=version, **common)


def new_item(page: str, uri: str, content: str, *, run: Run, now: int = NOW, **members: Any) -> Item:
    """An item as a collector makes it from a page: `uri` is its path, `content` its text."""
    plain: dict[str, Any] = {
        "item_id": derived_ulid(now, run.run_id, page),
        "run_id": run.run_id,
        "collector": run.collector,
        "normalization_version": run.normalization_version,
        "canonical_uri": f"https://example.com/{uri}",
        "content_sha256": sha(content),
        "title": content,
        "text_length": len(content),
        "fetched_url": f"https://example.com/{uri}?from={page}",
        "status": 200,
        "fetched_at": now,
        "created_at_ms": now * 1000,
        "body_sha256": sha(f"<p>{content}"),
        "body_bytes": len(content) + 3,
        "content_type": "text/html",
        "row_id": page,
        "scope": run.tenant_id or "",
    }
    return Item(**plain | members)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
