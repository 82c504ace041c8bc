"""Helpers of the tests of the frontier's store: rows as they are submitted, and their states afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.frontier.row_items import row_item
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, RowStatus, Submitted, address_of
from feedward.model import Validators
from feedward.ulid import derived_ulid
from feedward.urls.key import KEY_VERSION
from tests.frontier_contents import FrontierContents

if TYPE_CHECKING:
    from tests.contract.conftest import Bench

NOW = 1_800_000_000
URL = "https://example.com/page"


@dataclass
class FrontierBench:
    """One frontier under test, its knobs, and a view of its contents."""

    store: DynamoFrontierStore
    bench: Bench
    contents: FrontierContents

    @property
    def faults(self) -> Any:
        return self.bench.faults

    def submit(self, name: str = "row", url: str = URL, **members: Any) -> FrontierRow:
        """Submit a new row, and return it."""
        submitted = self.store.submit(new_row(name, url, **members))
        assert submitted.created, f"{url} is there already"
        return submitted.row

    def put(self, rows: Sequence[FrontierRow]) -> None:
        """Write new rows as they are after their submission, past the store."""
        claims = [
            {"url_hash": row.url_hash, "url": row.url, "key_version": KEY_VERSION, "row_id": row.row_id} for row in rows
        ]
        self.bench.contents.put_items("urls", claims)
        self.bench.contents.put_items("frontier", [row_item(row) for row in rows])

    def again(self, name: str, url: str = URL, **members: Any) -> Submitted:
        """Submit an existing URL."""
        return self.store.submit(new_row(name, url, **members))

    def row(self, row_id: str) -> FrontierRow:
        found = self.store.row(row_id)
        assert found is not None
        return found

    def dead_in(self, run_id: str) -> int:
        """How many rows a run has counted as dead."""
        return self.dead_by_run()[run_id]

    def dead_by_run(self) -> Counter[str]:
        """How many rows each run has counted as dead."""
        dead = Counter[str]()
        for row in self.bench.contents.lineage():
            dead[row["pk"].removeprefix("RUN#")] += row.get("dead", 0)
        return dead

    def patient(self) -> DynamoFrontierStore:
        """The store with real waits: spinning threads would keep each other from continuing."""
        return DynamoFrontierStore(Tables(self.faults, self.contents.names, Backoff(attempts=12)))


def row_id(name: str) -> str:
    return derived_ulid(NOW, "row", name)


def new_row(name: str = "row", url: str = URL, *, owner: str | None = None, **members: Any) -> FrontierRow:
    """A row as it is submitted: due in a minute."""
    at = address_of(url, owner=owner)
    common: dict[str, Any] = {"created_at": NOW, "next_fetch_at": NOW + 60} | members
    return FrontierRow(row_id=row_id(name), url=at.url, url_hash=at.url_hash, host=at.host, owner=owner, **common)


def fetched(row: FrontierRow, *, now: int = NOW, **members: Any) -> FetchedParams:
    """A success that served every run of the row."""
    common: dict[str, Any] = {
        "http_status": 200,
        "validators": Validators(etag='"1"'),
        "runs": row.runs,
        "content_version": "http_snapshot_url_v1_text_v1",
        "item_id": "item",
    }
    return FetchedParams(now=now, **common | members)


def failed(row: FrontierRow, reason: str = "timeout", *, now: int = NOW, **members: Any) -> FailedParams:
    """A failure after which the row is retried."""
    common: dict[str, Any] = {"attempts": row.attempts + 1, "next_fetch_at": now + 300}
    return FailedParams(now=now, status=RowStatus.FAILED, reason=reason, **common | members)


def dead(row: FrontierRow, reason: str = "gone", *, now: int = NOW, **members: Any) -> FailedParams:
    """A failure that ends the row, and all runs that wait for it."""
    common: dict[str, Any] = {"attempts": row.attempts + 1, "ended_runs": row.runs}
    return FailedParams(now=now, status=RowStatus.DEAD, reason=reason, **common | members)
