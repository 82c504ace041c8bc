"""Faults of other readers' checks, as whole checks: each has the right ending here."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from feedward.health.decision import RevivalReason
from feedward.health.due_feed import DueFeed
from feedward.model import FetchResult, Outcome, Validators
from feedward.services.check.answer import CheckDisposition
from feedward.services.check.check_feed import check_feed
from tests.fakes.directory import NOW
from tests.unit.services.check.checked import DAY, HOUR, URL, Checked, moved, page, rss, status

OLD = rss(f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
NEWS = rss(f"c@{NOW}", f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
DATE = "Sat, 05 Apr 2025 11:10:00 GMT"


class Recorded:
    """A fetcher that records the request of each check."""

    def __init__(self, checked: Checked) -> None:
        self._fetcher = checked.directory.fetcher
        self.sent: list[Validators | None] = []

    def fetch(self, url: str, *, validators: Validators | None = None, **options: Any) -> FetchResult:
        self.sent.append(validators)
        return self._fetcher.fetch(url, validators=validators, **options)


def check_recorded(checked: Checked) -> list[Validators | None]:
    from dataclasses import replace

    recorded = Recorded(checked)
    due = checked.due()
    checked.wait(max(0, checked.due_at(due) - checked.directory.clock.now()))
    check_feed(due, ports=replace(checked.ports, fetcher=recorded))
    return recorded.sent


# --- conditional requests ----------------------------------------------------------------------------


def test_validators_of_an_answer_with_the_same_items_replace_the_old_ones() -> None:
    checked = Checked({URL: page(OLD, etag='W/"1"')})
    checked.serve(page(OLD, etag='W/"2"'))
    answer = checked.check_at_heartbeat()
    assert (checked.feed["etag"], answer.new_items) == ('W/"2"', 0)


def test_the_validators_of_the_first_fetch_go_with_the_second() -> None:
    checked = Checked({URL: page(OLD, etag='"1"')})
    assert check_recorded(checked) == [Validators(etag='"1"')]


@pytest.mark.parametrize("etag", ['"abc-gzip"', 'W/"abc"', '"a b"', "unquoted"])
def test_validators_are_sent_back_as_they_came(etag: str) -> None:
    checked = Checked({URL: page(OLD, headers={"ETag": etag, "Last-Modified": DATE})})
    assert check_recorded(checked) == [Validators(etag=etag, last_modified=DATE)]


def test_a_date_in_the_future_is_not_kept_and_a_server_that_never_changes_is_asked_plainly() -> None:
    future = "Fri, 16 Nov 2040 08:00:00 GMT"
    checked = Checked({URL: page(OLD, headers={"ETag": f'"{future}"', "Last-Modified": future})})
    assert "last_modified" not in checked.feed
    checked.serve(page(NEWS, headers={"ETag": f'"{future}"'}))
    while checked.directory.clock.now() < NOW + 15 * DAY:
        checked.check_when_due()
    assert sum(each.new_items for each in checked.checks) == 1
    assert checked.feed["validators_untrusted"] is True
    assert check_recorded(checked) == [None]


def test_304_behind_a_redirect_is_an_answer() -> None:
    proxy = "https://proxy.example/x"
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(302, proxy))
    checked.serve(page(OLD, etag='"1"'), proxy)
    checked.check_at_heartbeat()
    assert checked.feed["validators_url"] == proxy
    assert checked.check_when_due().outcome is Outcome.NOT_MODIFIED


def test_304_from_another_url_than_the_validators_is_not_believed() -> None:
    checked = Checked({URL: page(OLD, etag='"1"')})
    elsewhere = "https://elsewhere.example/x"
    checked.serve(moved(302, elsewhere))
    checked.serve(page(NEWS, etag='"1"'), elsewhere)
    answer = checked.check_when_due()
    assert (answer.outcome, answer.new_items) == (Outcome.OK, 1)


# --- the server's answers ----------------------------------------------------------------------------


def test_too_many_requests_in_html_is_no_broken_feed() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve({"status": 429, "body": "<title>Too Many Requests</title>"})
    answer = checked.check_when_due(fetcher=checked.polite())
    assert (answer.outcome, checked.feed["consecutive_failures"]) == (Outcome.RATE_LIMITED, 0)
    assert checked.cooldown_until() == answer.at + HOUR


def test_forty_feeds_of_a_limited_host_are_not_counted_as_failing() -> None:
    urls = [f"https://example.com/r/{n}.rss" for n in range(40)]
    checked = Checked({url: page(rss(f"{n}@{NOW}", title=url)) for n, url in enumerate(urls)}, *urls)
    for url in urls:
        checked.serve(status(429), url)
    answers = [checked.check(checked.due(feed_id)) for feed_id in checked.feed_ids]
    assert {answer.outcome for answer in answers} == {Outcome.RATE_LIMITED}
    assert {feed["state"] for feed in checked.directory.contents.feeds().values()} == {"healthy"}


@pytest.mark.parametrize("form", ["seconds", "date", "old date", "asctime"])
def test_retry_after_comes_in_every_form(form: str) -> None:
    checked = Checked({URL: page(OLD)})
    at = datetime.fromtimestamp(checked.due_at() + 7200, UTC)
    written = {
        "seconds": "7200",
        "date": format_datetime(at, usegmt=True),
        "old date": at.strftime("%A, %d-%b-%y %H:%M:%S GMT"),
        "asctime": at.strftime("%a %b %e %H:%M:%S %Y"),
    }[form]
    checked.directory.internet.now = checked.due_at()
    checked.serve(status(503, **{"Retry-After": written}))
    answer = checked.check_when_due(fetcher=checked.polite())
    assert checked.cooldown_until() == answer.at + 7200
    assert 7200 <= checked.due_at() - answer.at <= 7200 * 1.1


def test_hints_from_outside_are_held_to_a_day() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(NEWS, headers={"Cache-Control": "max-age=31536000"}))
    answer = checked.check_when_due()
    assert checked.due_at() - answer.at <= DAY * 1.1


@pytest.mark.parametrize(("headers", "least"), [({}, 3600), ({"Age": "1800"}, 1800)])
def test_max_age_is_waited_for_less_the_age(headers: dict[str, str], least: int) -> None:
    busy = rss(*(f"n{n}@{NOW - 60 * n}" for n in range(16)))
    checked = Checked({URL: page(OLD)})
    checked.serve(page(busy, headers={"Cache-Control": "max-age=3600", **headers}))
    answer = checked.check_when_due()
    assert least * 2 // 3 <= checked.due_at() - answer.at <= least


def test_a_busy_feed_is_not_left_for_a_week() -> None:
    hints = "<ttl>10080</ttl>"
    checked = Checked({URL: page(OLD)})
    checked.serve(page(rss(*(f"n{n}@{NOW - 60 * n}" for n in range(16)), more=hints)))
    answer = checked.check_when_due()
    assert checked.due_at() - answer.at <= DAY * 1.1


def test_a_redirect_to_itself_is_a_loop_at_once() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(307, URL))
    answer = checked.check_when_due()
    assert answer.outcome is Outcome.REDIRECT_LOOP
    assert len(checked.requests) <= 2


def test_a_consent_page_elsewhere_moves_nothing_and_revives_nothing() -> None:
    consent = "https://www.consent.example/privacy?redirect=x"
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(302, consent))
    checked.serve({"body": "<!doctype html><title>Consent</title>", "headers": {"Content-Type": "text/html"}}, consent)
    for _ in range(12):
        checked.check_when_due()
    assert (checked.feed["url"], checked.checks[0].outcome) == (URL, Outcome.NOT_FEED)
    assert [answer.revival for answer in checked.checks if answer.revival is RevivalReason.NOT_FEED] == []


def test_an_empty_body_is_a_failure_that_removes_nothing() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(""))
    answer = checked.check_when_due()
    assert (answer.outcome, len(checked.item("RECENT")["items"])) == (Outcome.EMPTY_BODY, 2)


# --- states --------------------------------------------------------------------------------------------


def test_feeds_that_failed_together_are_not_all_tried_again_at_one_moment() -> None:
    urls = [f"https://site{n}.example/feed" for n in range(48)]
    checked = Checked({url: page(rss(f"{n}@{NOW}", title=url)) for n, url in enumerate(urls)}, *urls)
    for url in urls:
        checked.serve({"error": "timeout"}, url)
    for _ in range(6):
        for feed_id in checked.feed_ids:
            checked.check(checked.due(feed_id))
        checked.wait(12 * HOUR)
    due = [feed["next_check_at"] for feed in checked.directory.contents.feeds().values()]
    assert len(set(due)) > 40


def test_a_failure_ends_with_the_same_items() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(status(500))
    checked.check_when_due()
    checked.serve(page(OLD))
    checked.check_when_due()
    assert (checked.feed["state"], checked.feed["consecutive_failures"]) == ("healthy", 0)


def test_304_ends_a_failure_and_its_status_is_that_of_one_check() -> None:
    checked = Checked({URL: page(OLD, etag='"1"')})
    counts = []
    for answer in (status(500), page(OLD, etag='"1"')) * 2:
        checked.serve(answer)
        checked.check_when_due()
        said = (checked.feed["last_outcome"], checked.feed["last_http_status"])
        assert said in {("server_error", 500), ("not_modified", 304)}
        counts.append(checked.feed["consecutive_failures"])
    assert counts == [1, 0, 1, 0]


def test_a_timeout_leaves_no_status_of_an_earlier_check() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve({"error": "timeout"})
    checked.check_when_due()
    assert (checked.feed["last_outcome"], "last_http_status" in checked.feed) == ("timeout", False)


def test_a_valid_feed_without_items_stays_well_for_60_days() -> None:
    checked = Checked({URL: page(rss())})
    while checked.directory.clock.now() < NOW + 60 * DAY:
        checked.serve(page(rss(built=str(checked.directory.clock.now()))))
        checked.check_when_due()
    assert (checked.feed["state"], "failures" in checked.feed) == ("healthy", False)


def test_a_feed_that_its_publisher_ended_is_kept_and_checked_ever_more_rarely() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(status(410))
    assert checked.check_when_due().revival is RevivalReason.GONE
    while checked.directory.clock.now() < NOW + 60 * DAY:
        checked.check_when_due()
    last, before = checked.checks[-1], checked.checks[-2]
    assert (checked.feed["state"], checked.feed["last_outcome"]) == ("unhealthy", "gone")
    assert 7 * DAY <= last.at - before.at <= 7.7 * DAY
    changes = [(each["to"], each["reason"]) for each in checked.told("FeedStateChanged")]
    assert changes == [("degraded", "gone"), ("unhealthy", "gone")]


def test_a_feed_that_comes_back_after_months_is_healthy() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(status(404))
    while checked.directory.clock.now() < NOW + 90 * DAY:
        checked.check_when_due()
    assert checked.checks[-1].at - checked.checks[-2].at >= 7 * DAY
    checked.serve(page(OLD))
    checked.check_when_due()
    assert checked.feed["state"] == "healthy"


def test_one_404_is_a_flicker() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(status(404))
    answer = checked.check_when_due()
    assert (checked.feed["state"], answer.revival) == ("degraded", None)
    checked.serve(page(OLD))
    checked.check_when_due()
    assert checked.feed["state"] == "healthy"


def test_a_paused_feed_is_not_fetched_by_anybody() -> None:
    checked = Checked({URL: page(OLD)})
    in_flight = checked.due()
    stored = checked.feed | {"state": "paused", "rev": 2}
    for key in ("slot", "slot_from"):
        stored.pop(key)
    checked.directory.contents.put_feed_item(**stored)
    assert checked.ports.store.due_feed(checked.feed_id) is None
    assert checked.check(in_flight, paused={checked.feed_id}).disposition is CheckDisposition.PAUSED
    paused = DueFeed.from_message({**in_flight.to_message(), "state": "paused"})
    assert checked.check(paused).disposition is CheckDisposition.PAUSED
    assert list(checked.requests) == []


def test_a_paused_feed_whose_message_was_under_way_stays_as_it_is() -> None:
    checked = Checked({URL: page(OLD)})
    in_flight = checked.due()
    stored = checked.feed | {"state": "paused", "rev": 2}
    for key in ("slot", "slot_from"):
        stored.pop(key)
    checked.directory.contents.put_feed_item(**stored)
    checked.serve(status(410))
    assert checked.check(in_flight).disposition is CheckDisposition.DROPPED
    assert checked.feed == stored


def test_a_requested_check_is_made_even_after_a_failure() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve({"error": "timeout"})
    checked.check_when_due()
    checked.serve(page(OLD))
    asked = checked.ports.store.due_feed(checked.feed_id)
    answer = checked.check(asked, after=10)
    assert (answer.disposition, answer.requests, checked.feed["state"]) == (CheckDisposition.APPLIED, 1, "healthy")


def test_old_items_among_fresh_ones_do_not_slow_a_busy_feed_down() -> None:
    fresh = [f"n{n}@{NOW - 480 * n}" for n in range(15)]
    aged = [f"o{n}@{NOW - (60 + n) * DAY}" for n in range(5)]
    checked = Checked({URL: page(OLD)})
    checked.serve(page(rss(*fresh, *aged)))
    answer = checked.check_when_due()
    assert checked.feed["median_gap_s"] <= HOUR
    assert checked.due_at() - answer.at <= HOUR


def test_a_feed_that_was_never_checked_has_no_zero_dates() -> None:
    checked = Checked({URL: page(OLD)})
    assert checked.due_at() > NOW
    assert all(value for name, value in checked.feed.items() if name.endswith("_at"))


def test_an_entry_is_new_even_if_the_date_of_the_feed_is_old() -> None:
    built = "Mon, 05 Oct 2020 10:00:00 GMT"
    checked = Checked({URL: page(rss(f"a@{NOW - HOUR}", built=built))})
    checked.serve(page(rss(f"b@{NOW}", f"a@{NOW - HOUR}", built=built)))
    assert checked.check_when_due().new_items == 1


def test_an_error_of_a_generator_with_a_new_id_each_day_is_no_news() -> None:
    checked = Checked({URL: page(OLD)})
    for day in range(3):
        error = rss(f"{day}@{NOW}").replace(f"On {day}", f"Bridge returned error 404! ({20000 + day})")
        checked.serve(page(error))
        assert checked.check_when_due().outcome is Outcome.GENERATOR_ERROR
    assert (checked.told("ItemsPublished"), len(checked.item("RECENT")["items"])) == ([], 2)


def test_an_error_that_stays_the_same_stays_an_error() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(rss("x").replace("On x", "Bridge returned error 500! (12345)")))
    assert [checked.check_when_due().outcome for _ in range(3)] == [Outcome.GENERATOR_ERROR] * 3


def test_a_whole_host_that_fails_for_two_days_loses_no_feed() -> None:
    urls = [f"https://www.videos.example/feeds/{n}.xml" for n in range(30)]
    pages = {url: page(rss(f"{n}@{NOW}", title=url)) for n, url in enumerate(urls)}
    checked = Checked(pages, *urls)
    for url in urls:
        checked.serve(status(404), url)
    ends_at = checked.directory.clock.now() + 2 * DAY
    while checked.directory.clock.now() < ends_at:
        _check_all_due(checked)
    states = {feed["state"] for feed in checked.directory.contents.feeds().values()}
    assert (states, checked.told("RevivalRequested")) == ({"degraded"}, [])
    for url in urls:
        checked.serve(pages[url], url)
    for _ in range(5):
        _check_all_due(checked)
    assert {feed["state"] for feed in checked.directory.contents.feeds().values()} == {"healthy"}
    assert {feed["url"] for feed in checked.directory.contents.feeds().values()} == set(urls)


def _check_all_due(checked: Checked) -> None:
    """Three hours pass, and then all due feeds are checked, in one message of a sweep after the other."""
    checked.wait(3 * HOUR)
    now = checked.directory.clock.now()
    for due in [checked.due(feed_id) for feed_id in checked.feed_ids]:
        slot = due.place.slot
        if (due.place.from_s if slot is None else now - 3 * HOUR + slot.every_s) <= now:
            checked.check(due)
