"""A check of one feed: its requests, its writes, and its events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.health.decision import RevivalReason
from feedward.model import FeedState, Outcome
from feedward.services.check.answer import CheckDisposition
from tests.fakes.directory import NOW
from tests.unit.services.check.checked import DAY, HOUR, URL, Checked, page, rss, status

OLD = rss(f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
NEWS = rss(f"c@{NOW}", f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")


@pytest.fixture
def checked() -> Checked:
    return Checked({URL: page(OLD, etag='"1"')})


def test_an_unchanged_feed_costs_no_call_to_the_store(checked: Checked) -> None:
    before = checked.feed
    checked.directory.faults.calls.clear()
    answer = checked.check_when_due()
    assert (checked.directory.faults.calls, checked.feed) == ([], before)
    assert (answer.disposition, answer.outcome, answer.is_eventful) == (
        CheckDisposition.APPLIED,
        Outcome.NOT_MODIFIED,
        False,
    )


def test_its_heartbeat_is_one_small_write_that_changes_no_index() -> None:
    checked = Checked({URL: page(rss(*(f"{n}@{NOW - n * 200 * HOUR}" for n in range(5))), etag='"1"')})
    before = checked.feed
    checked.directory.faults.calls.clear()
    answer = checked.check_at_heartbeat()
    assert checked.directory.faults.calls == ["update_item"]
    after = checked.feed
    assert after["last_success_at"] == after["last_attempt_at"] == answer.at
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert changed == {"last_attempt_at", "last_success_at", "last_outcome", "last_http_status"}


def test_a_requested_check_stores_its_time(checked: Checked) -> None:
    place, now = checked.due().place, checked.directory.clock.now()
    answer = checked.check(replace(checked.due(), asked=True), after=60)
    assert (answer.at, checked.feed["last_attempt_at"]) == (now + 60, now + 60)
    assert (checked.due().place, checked.feed["rev"]) == (place, 1)


def test_the_same_bytes_are_not_read_again(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    before = checked.feed.get("etag")
    checked.serve(page(OLD, etag='"2"'))
    monkeypatch.setattr("feedward.services.check.fetch_feed.read_feed", lambda _: pytest.fail("read again"))
    checked.directory.faults.calls.clear()
    answer = checked.check_when_due()
    assert (answer.outcome, answer.new_items) == (Outcome.OK, 0)
    assert (checked.directory.faults.calls, checked.feed.get("etag")) == ([], before)
    checked.check_at_heartbeat()
    assert checked.feed["etag"] == '"2"'


def test_new_items_are_kept_and_told(checked: Checked) -> None:
    checked.serve(page(NEWS, etag='"2"'))
    answer = checked.check_when_due()
    assert answer.new_items == 1
    recent = checked.item("RECENT")["items"]
    assert [(each["id"], each["first_seen_at"]) for each in recent] == [
        ("urn:c", answer.at),
        ("urn:a", NOW),
        ("urn:b", NOW),
    ]
    [told] = checked.told("ItemsPublished")
    assert (told["feed_id"], told["url"], told["new_items"]) == (checked.feed_id, URL, 1)
    assert [each["title"] for each in told["items"]] == ["On c"]
    assert checked.feed["latest_item_published_at"] == NOW
    assert checked.feed["median_gap_s"] == 5 * HOUR // 2


def test_another_date_of_building_is_no_news(checked: Checked) -> None:
    built = OLD.replace("<lastBuildDate>", "<lastBuildDate>Mon, 05 Oct 2026 10:00:00 GMT")
    checked.serve(page(built))
    checked.directory.faults.calls.clear()
    answer = checked.check_when_due()
    assert (answer.new_items, answer.is_eventful) == (0, False)
    assert checked.directory.faults.calls == ["batch_get_item"]


def test_texts_for_people_are_written_when_they_change(checked: Checked) -> None:
    mark = {"feed_id": checked.feed_id, "sk": "META", "site_id": "s", "is_canonical": True, "canonical_score": 90}
    checked.directory.contents.put_feed_item(**checked.item("META") | mark)
    more = "<description>All of it</description><language>en-GB</language>"
    checked.serve(page(rss(f"a@{NOW - 3 * HOUR}", title="Renamed", more=more)))
    answer = checked.check_when_due()
    meta = checked.item("META")
    assert (meta["title"], meta["description"], meta["language"]) == ("Renamed", "All of it", "en-gb")
    assert (meta["site_id"], meta["is_canonical"], meta["canonical_score"]) == ("s", True, 90)
    assert not answer.is_eventful


def test_texts_that_the_document_no_longer_has_are_removed(checked: Checked) -> None:
    checked.serve(page(rss("a", more="<description>Once</description>")))
    checked.check_when_due()
    checked.serve(page(rss("a")))
    checked.check_when_due()
    assert "description" not in checked.item("META")


def test_a_failure_is_counted_and_told_once(checked: Checked) -> None:
    checked.serve(status(500))
    answer = checked.check_when_due()
    assert (answer.health.state if answer.health else None) is FeedState.DEGRADED
    assert checked.feed["state_shard"].startswith("degraded#")
    assert (checked.feed["consecutive_failures"], checked.feed["last_outcome"]) == (1, "server_error")
    checked.directory.faults.calls.clear()
    again = checked.check_when_due()
    assert (again.is_eventful, checked.directory.faults.calls) == (False, ["update_item"])
    [told] = checked.told("FeedStateChanged")
    assert (told["from"], told["to"], told["reason"]) == ("healthy", "degraded", "server_error")
    checked.serve(page(OLD, etag='"1"'))
    checked.check_when_due()
    assert [each["to"] for each in checked.told("FeedStateChanged")] == ["degraded", "healthy"]
    assert "failures" not in checked.feed


def test_a_feed_with_410_requests_a_revival(checked: Checked) -> None:
    checked.serve(status(410))
    answer = checked.check_when_due()
    assert answer.revival is RevivalReason.GONE
    [told] = checked.told("RevivalRequested")
    assert (told["feed_id"], told["reason"], told["outcome"]) == (checked.feed_id, "gone", "gone")


def test_a_feed_that_falls_silent_is_told_of_once() -> None:
    checked = Checked({URL: page(OLD, etag='"1"')})
    checked.wait(40 * DAY)
    checked.check()
    checked.check_when_due()
    [told] = checked.told("FeedStale")
    assert told["latest_item_published_at"] == NOW - 3 * HOUR
    assert checked.feed["failures"] == {"stale": True}
    checked.serve(page(NEWS.replace("urn:c", "urn:new").replace("com/c<", "com/new<")))
    checked.directory.clock.advance(HOUR)
    assert checked.check().new_items == 1


def test_news_take_the_mark_of_silence_off() -> None:
    checked = Checked({URL: page(rss(f"a@{NOW - 60 * DAY}", f"b@{NOW - 61 * DAY}"))})
    checked.check_when_due()
    assert checked.feed["failures"] == {"stale": True}
    checked.serve(page(rss(f"c@{NOW}", f"a@{NOW - 60 * DAY}")))
    checked.check_when_due()
    assert "failures" not in checked.feed


def test_an_unavailable_bus_gets_the_event_later(checked: Checked) -> None:
    checked.serve(page(NEWS))
    checked.directory.bus.events.fails = 10**6
    answer = checked.check_when_due()
    assert (answer.disposition, answer.undelivered) == (CheckDisposition.APPLIED, "bus_unavailable")
    [undelivered] = checked.directory.outbox.outbox_entries(checked.feed_id)
    assert undelivered.detail_type == "ItemsPublished"


def test_an_error_of_the_generator_changes_no_items(checked: Checked) -> None:
    checked.serve(page(rss("x").replace("On x", "Bridge returned error 404! (12345)")))
    answer = checked.check_when_due()
    assert (answer.outcome, answer.new_items) == (Outcome.GENERATOR_ERROR, 0)
    assert len(checked.item("RECENT")["items"]) == 2
    assert checked.feed["etag"] == '"1"'


@pytest.mark.parametrize(
    ("members", "disposition"), [({"sent_at": NOW}, CheckDisposition.LATE), ({}, CheckDisposition.PAUSED)]
)
def test_a_check_that_is_not_wanted_fetches_nothing(
    checked: Checked, members: dict[str, Any], disposition: CheckDisposition
) -> None:
    from dataclasses import replace

    due = replace(checked.due(), **members)
    answer = checked.check(
        due, after=901, paused={checked.feed_id} if disposition is CheckDisposition.PAUSED else frozenset()
    )
    assert (answer.disposition, answer.fetched, list(checked.requests)) == (disposition, False, [])


def test_a_minute_of_our_own_outage_counts_nothing(checked: Checked) -> None:
    checked.serve({"error": "timeout"})
    minute = checked.due_at() // 60
    answer = checked.check_when_due(outage_minutes=frozenset({minute}))
    assert (answer.disposition, checked.feed["state"], checked.feed["consecutive_failures"]) == (
        CheckDisposition.APPLIED,
        "healthy",
        0,
    )
    assert "state_shard" in checked.feed


def test_a_host_that_asks_for_it_cools_down(checked: Checked) -> None:
    checked.serve(status(429, **{"Retry-After": "7200"}))
    answer = checked.check_when_due(fetcher=checked.polite())
    assert checked.cooldown_until() == answer.at + 7200
    assert checked.due_at() >= answer.at + 7200


@pytest.mark.parametrize("code", [402, 403, 406, 418, 999])
def test_a_check_refused_as_a_robot_requests_once_as_a_browser(checked: Checked, code: int) -> None:
    checked.serve(page(NEWS, ua_require="Mozilla", ua_else=status(code)))
    answers = [checked.check_when_due() for _ in range(2)]
    assert [(answer.outcome, answer.requests) for answer in answers] == [(Outcome.OK, 2), (Outcome.OK, 1)]
    checked.serve(status(code))
    assert (checked.check_when_due().status, checked.feed["state"]) == (code, "degraded")


@pytest.mark.parametrize("code", [400, 404, 405, 500])
def test_an_accepted_check_requests_once(checked: Checked, code: int) -> None:
    checked.serve(status(code))
    assert checked.check_when_due().requests == 1


FOR_BROWSERS = page(OLD, etag='"1"', ua_require="Mozilla", ua_else=status(403))


def test_a_feed_that_refuses_robots_is_next_requested_as_a_browser_first(checked: Checked) -> None:
    checked.serve(FOR_BROWSERS)
    assert [checked.check_when_due().requests for _ in range(4)] == [2, 1, 1, 1]
    assert checked.feed["state"] == "healthy"


def test_it_costs_an_unchanged_check_no_call_to_the_store(checked: Checked) -> None:
    checked.serve(FOR_BROWSERS)
    checked.check_when_due()
    due = checked.due()
    checked.directory.faults.calls.clear()
    answer = checked.check(due, after=checked.due_at(due) - checked.directory.clock.now())
    assert (answer.outcome, answer.requests) == (Outcome.NOT_MODIFIED, 1)
    assert checked.directory.faults.calls == []


def test_a_plain_request_is_tried_again_after_a_week_and_another_week_after_it_was_refused(checked: Checked) -> None:
    checked.serve(FOR_BROWSERS)
    checked.check_when_due()
    for _ in range(2):
        assert [checked.check(after=after).requests for after in (6 * DAY, 2 * DAY, HOUR)] == [1, 2, 1]


def test_a_host_that_takes_robots_again_is_asked_plainly(checked: Checked) -> None:
    checked.serve(FOR_BROWSERS)
    checked.check_when_due()
    assert checked.feed["failures"] == {"as_browser_at": checked.directory.clock.now()}
    checked.serve(page(OLD, etag='"1"'))
    assert checked.check(after=6 * DAY).requests == 1
    assert "as_browser_at" in checked.feed["failures"]
    assert checked.check(after=2 * DAY).requests == 1
    assert "failures" not in checked.feed


def test_a_feed_that_refuses_all_requests_is_forbidden_and_requested_in_both_ways(checked: Checked) -> None:
    checked.serve(FOR_BROWSERS)
    checked.check_when_due()
    checked.serve(status(403))
    answers = [checked.check_when_due() for _ in range(3)]
    assert [(answer.outcome, answer.requests) for answer in answers] == [(Outcome.FORBIDDEN, 2)] * 3
    assert "as_browser_at" not in checked.feed["failures"]


def test_a_feed_without_items_is_healthy_and_keeps_its_items(checked: Checked) -> None:
    checked.serve(page(rss()))
    checked.check_when_due()
    assert (checked.feed["state"], len(checked.item("RECENT")["items"])) == ("healthy", 2)


def test_a_private_feed_tells_its_tenant() -> None:
    checked = Checked({URL: page(OLD)}, scope="tenant")
    checked.serve(page(NEWS))
    checked.check_when_due()
    assert checked.told("ItemsPublished")[0]["tenant_id"] == "tenant"
