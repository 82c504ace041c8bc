"""Conformance op of the frontier: rows, a network and settings -> the row after one fetch. No logic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward.frontier.decide import Path
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.frontier.settings import FrontierSettings, MoveOn
from feedward.lineage.version import CURRENT_VERSION
from feedward.model import Validators
from feedward.services.collect.collect_page import PageCollected
from feedward.services.collect.fetch_row import fetch_row
from tests.fakes.collecting import FakeCollecting

__all__ = ["frontier_fetch"]


def frontier_fetch(case: Mapping[str, Any]) -> dict[str, Any]:
    """Run one case on a frontier in memory, with neither robots.txt nor pauses."""
    wanted = case["settings"]
    world = FakeCollecting(
        case["network"],
        settings=FrontierSettings(
            move_on=MoveOn(wanted["move_on"]),
            max_attempts=wanted["max_attempts"],
            host_pause_s=0.0,
            respect_robots=False,
        ),
        follow_redirects=wanted["follow_redirects"],
        max_redirects=wanted["max_redirects"],
    )
    ids = {given["id"]: _add(world, given).row_id for given in case["rows"]}
    before = world.row(ids[case["fetch"]])
    answer = fetch_row(before, ports=world.ports, collect=_collect)
    rows = {name: world.row(row_id) for name, row_id in ids.items()}
    stayed = rows[case["fetch"]].url_hash == before.url_hash
    return {
        "rows": {name: _shown(row) for name, row in rows.items()},
        # The store's own fallback, where another row has the final URL, ends in the other update.
        "path": Path.UPDATE_FETCHED if answer.path is Path.UPDATE_FETCHED_WITH_FINAL_URL and stayed else answer.path,
        "http_status": answer.http_status,
        "requests": world.internet.requests,
        "lookup": _lookup(world, {row_id: name for name, row_id in ids.items()}),
    }


def _add(world: FakeCollecting, given: Mapping[str, Any]) -> FrontierRow:
    row = world.add(given["url"])
    etag = given.get("etag")
    return world.change(
        row,
        status=RowStatus(given["status"]),
        attempts=given["attempts"],
        last_error=given.get("last_error"),
        validators=Validators(etag=etag),
        # The content of the server's validators is known as an item.
        content_version=CURRENT_VERSION if etag else None,
        item_id="known" if etag else None,
    )


def _collect(row: FrontierRow, *_: Any, **__: Any) -> PageCollected:
    return PageCollected(item_id="page", content_version=CURRENT_VERSION, runs=row.runs)


def _shown(row: FrontierRow) -> dict[str, Any]:
    names = ("url", "status", "attempts", "last_error", "final_url")
    return {name: getattr(row, name) for name in names}


def _lookup(world: FakeCollecting, names: Mapping[str, str]) -> dict[str, str]:
    urls = {url["url"] for url in world.feeds.contents.urls().values()}
    found = world.ports.frontier.find([*urls, *world.internet.network])
    return {url: names[row_id] for url, row_id in found.items()}
