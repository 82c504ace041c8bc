"""The bus events of checks match docs/events (rules B1, B2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from feedward.events.check_events import ITEMS_AT_MOST
from tests.fakes.directory import NOW
from tests.unit.services.check.checked import DAY, HOUR, URL, Checked, moved, page, rss, status

SCHEMAS = Path(__file__).parents[4] / "docs" / "events"
OLD = rss(f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
KANJI = "\u6f22"
NEW = "https://example.org/feed.xml"
TYPES = ("FeedStateChanged", "FeedStale", "ItemsPublished", "FeedMoved", "RevivalRequested")


def validator(detail_type: str) -> Any:
    schema = json.loads((SCHEMAS / f"{detail_type}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def lived(scope: str = "") -> Checked:
    """A feed with every possible event."""
    checked = Checked({URL: page(OLD)}, scope=scope)
    checked.serve(page(rss("undated", f"late@{NOW + 10**9}", *(f"n{n}@{NOW - n}" for n in range(30)))))
    checked.check_when_due()
    checked.serve(page("<rss><channel><item><guid>1</guid></item></channel></rss>"))
    checked.check_when_due()
    checked.serve(page(OLD))
    checked.check(after=40 * DAY)
    checked.serve(status(410))
    checked.check_when_due()
    checked.serve(moved(301, NEW))
    checked.serve(page(OLD), NEW)
    checked.check_when_due()
    return checked


@pytest.mark.parametrize("scope", ["", "tenant"])
def test_the_events_of_a_check_satisfy_their_schemas(scope: str) -> None:
    checked = lived(scope)
    entries = checked.directory.bus.events.entries
    assert {entry["DetailType"] for entry in entries} == set(TYPES)
    for entry in entries:
        detail = json.loads(entry["Detail"])
        validator(entry["DetailType"]).validate(detail)
        assert (entry["Source"], detail["tenant_id"]) == ("feedward", scope or None)
    ids = [each["id"] for each in checked.directory.bus.details]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("detail_type", TYPES)
def test_the_schemas_can_fail(detail_type: str) -> None:
    told = lived().told(detail_type)[0]
    schema = validator(detail_type)
    for member in told:
        assert not schema.is_valid(told | {member: {}}), member
    for member in schema.schema["required"]:
        assert not schema.is_valid({name: value for name, value in told.items() if name != member}), member


def test_of_many_new_items_the_newest_are_told() -> None:
    checked = lived()
    told = checked.told("ItemsPublished")[0]
    assert told["new_items"] == 32
    assert len(told["items"]) == ITEMS_AT_MOST
    assert [each["title"] for each in told["items"]][:3] == ["On undated", "On late", "On n0"]


def collecting(*names: str) -> Checked:
    """A feed whose new items are collected, after a check that found these."""
    checked = Checked({URL: page(OLD)}, scope="tenant")
    feed = checked.feed
    checked.directory.contents.put_feed_item(**{**feed, "collect_items": True, "rev": feed["rev"] + 1})
    checked.serve(page(rss(*names)))
    checked.check_when_due()
    return checked


def test_a_feed_whose_items_are_collected_says_so_with_each_of_them() -> None:
    checked = collecting(*(f"n{n}@{NOW - n}" for n in range(45)), f"a@{NOW - 3 * HOUR}")
    told = sorted(checked.told("ItemsPublished"), key=lambda each: -each["items"][0]["published_at"])
    assert [(each["collect_items"], each["new_items"], len(each["items"])) for each in told] == [
        (True, 20, 20),
        (True, 20, 20),
        (True, 5, 5),
    ]
    assert [item["id"] for each in told for item in each["items"]] == [f"urn:n{n}" for n in range(45)]
    assert len({each["id"] for each in told}) == 3
    for each in told:
        validator("ItemsPublished").validate(each)
        assert not validator("ItemsPublished").is_valid(each | {"collect_items": False})


@pytest.mark.parametrize("collects", [False, True])
def test_ids_and_links_that_are_all_long_fit_into_the_limits_of_bus_and_tables(collects: bool) -> None:
    """The largest possible document, each character of 4 bytes, and of 12 in an event."""
    smile = chr(0x1F600)
    checked = Checked({URL: page(OLD)})
    if collects:
        checked.directory.contents.put_feed_item(
            **{**checked.feed, "collect_items": True, "rev": checked.feed["rev"] + 1}
        )
    long = "".join(
        f"<item><guid>{n}{smile * 2000}</guid><link>https://example.com/{n}{smile * 2000}</link>"
        f"<title>{smile * 900}</title></item>"
        for n in range(400)
    )
    checked.serve(page(f"<rss><channel><title>x</title>{long}</channel></rss>"))
    answer = checked.check_when_due()
    assert (answer.new_items, answer.undelivered) == (400, None)
    entries = checked.directory.bus.events.entries
    assert all(len(entry["Detail"].encode()) < 250 * 1024 for entry in entries)
    told = checked.told("ItemsPublished")
    assert (len(told) > 10) is collects
    assert sum(len(each["items"]) for each in told) >= (50 if collects else 3)
    assert sum(len(json.dumps(each, ensure_ascii=False).encode()) for each in told) < 4 * 1024 * 1024


def test_only_such_a_feed_says_it_and_only_with_its_news() -> None:
    assert not any("collect_items" in each for each in lived().told("ItemsPublished"))
    assert collecting(f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}").told("ItemsPublished") == []


def test_a_setting_that_changes_while_a_check_is_under_way_counts_for_its_news() -> None:
    checked = Checked({URL: page(OLD)})
    due, feed = checked.due(), checked.feed
    checked.directory.contents.put_feed_item(**{**feed, "collect_items": True, "rev": feed["rev"] + 1})
    checked.serve(page(rss(f"new@{NOW}")))
    assert checked.check(due, after=HOUR).new_items == 1
    [told] = checked.told("ItemsPublished")
    assert told["collect_items"] is True
    assert checked.feed["collect_items"] is True


def test_long_texts_stay_within_the_limit_of_the_bus() -> None:
    checked = Checked({URL: page(OLD)})
    long = "".join(
        f"<item><guid>{n}{'g' * 2000}</guid><link>https://example.com/{n}{'l' * 2000}</link>"
        f"<title>{KANJI * 900}</title></item>"
        for n in range(40)
    )
    checked.serve(page(f"<rss><channel><title>x</title>{long}</channel></rss>"))
    answer = checked.check_when_due()
    assert (answer.new_items, answer.undelivered) == (40, None)
    [entry] = checked.directory.bus.events.entries
    assert len(entry["Detail"].encode()) < 256 * 1024
