"""Public reports about checks: the cases of the ops `check` and `recent` in the shared reports.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from feedward.feeds.parse import parse_feed
from feedward.health.recent_items import Recent, updated
from feedward.model import Feed
from feedward.services.canonicalize.canonicalize import canonicalize
from tests.unit.services.check.checked import URL, Checked, page, rss

REPORTS = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "reports.json"
NOW = 1_790_000_000


def cases(op: str) -> list[Any]:
    found = json.loads(REPORTS.read_text()) if REPORTS.exists() else []
    chosen = [pytest.param(case, id=case["id"]) for case in found if case["op"] == op]
    return chosen or [pytest.param(None, marks=pytest.mark.skip("the reports are beside the checkout (../shared)"))]


@pytest.mark.parametrize("case", cases("recent"))
def test_new_items_are_those_that_the_feed_never_had(case: dict[str, Any]) -> None:
    recent, new = Recent(), []
    for count, document in enumerate(case["input"]["documents"]):
        feed = parse_feed(document.encode())
        assert isinstance(feed, Feed)
        recent, items = updated(recent, feed.items, NOW + count * 3600, site_url=feed.site_url)
        new.append(sorted(each.item.title or "" for each in items))
    assert new == case["expected"]["new"]


@pytest.mark.parametrize("case", cases("check"))
def test_a_feed_whose_url_answers_this_is_judged_so(case: dict[str, Any]) -> None:
    checked = Checked({URL: page(rss("a"))})
    checked.serve(page(case["input"]["body"]))
    answer = checked.check_when_due()
    found = canonicalize(URL, fetcher=checked.directory.fetcher)
    assert {
        "outcome": answer.outcome,
        "revival": answer.revival,
        "canonicalize": found.outcome,
    } == case["expected"]
