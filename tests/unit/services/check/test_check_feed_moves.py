"""A feed that moves: a check's observations, and when it adopts the new URL (rules F1, F2)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.health.relocation import MoveOutcome
from feedward.services.check.answer import CheckAnswer, CheckDisposition
from feedward.services.subscribe.settle import make_ready
from feedward.services.subscribe.subscribe import subscribe
from feedward.urls.key import url_hash
from tests.fakes.directory import NOW
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.services.check.checked import DAY, HOUR, URL, Checked, moved, page, rss, status

NEW = "https://example.org/feed.xml"
OLD = rss(f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
NEWS = rss(f"c@{NOW}", f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
OTHER = rss(f"x@{NOW}", title="Another")


def check_for(checked: Checked, seconds: int) -> CheckAnswer:
    """Check whenever the feed is due, for so long."""
    until = checked.directory.clock.now() + seconds
    answer = checked.check_when_due()
    while checked.due_at() <= until:
        answer = checked.check_when_due()
    return answer


@pytest.mark.parametrize("code", [301, 308])
def test_a_permanent_redirect_to_the_same_feed_is_taken_over_at_once(code: int) -> None:
    checked = Checked({URL: page(OLD, etag='"1"')})
    checked.serve(moved(code, NEW))
    checked.serve(page(OLD.replace("<lastBuildDate>", "<lastBuildDate>today"), etag='"2"'), NEW)
    answer = checked.check_when_due()
    assert answer.move is not None
    assert (answer.move.outcome, answer.move.url) == (MoveOutcome.MOVED, NEW)
    assert (checked.feed["url"], checked.feed["host"]) == (NEW, "example.org")
    [told] = checked.told("FeedMoved")
    assert (told["from"], told["to"], told["reason"]) == (URL, NEW, "permanent_redirect")
    audit = [row for row in checked.directory.contents.under(checked.feed_id, "AUDIT#") if row["action"] == "moved"]
    assert audit[0]["evidence"]["redirects"] == [{"url": URL, "status": code}]
    checked.requests.clear()  # type: ignore[attr-defined]
    checked.check_when_due()
    assert list(checked.requests) == [NEW]


@pytest.mark.parametrize("code", [302, 303, 307])
def test_a_temporary_redirect_moves_nothing(code: int) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(code, NEW))
    checked.serve(page(OLD), NEW)
    check_for(checked, 3 * DAY)
    assert (checked.feed["url"], checked.feed["state"]) == (URL, "healthy")


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_https_of_the_same_url_is_adopted_even_with_other_items(code: int) -> None:
    plain = URL.replace("https", "http")
    checked = Checked({plain: page(OLD)}, plain)
    checked.serve(moved(code, URL), plain)
    checked.serve(page(NEWS), URL)
    checked.check_when_due()
    assert checked.feed["url"] == URL
    assert checked.told("FeedMoved")[0]["reason"] == "https_upgrade"
    assert checked.item("RECENT")["items"][0]["id"] == "urn:c"


def test_https_is_never_given_up() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(301, "http://example.com/feed.xml"))
    checked.serve(page(OLD), "http://example.com/feed.xml")
    check_for(checked, 3 * DAY)
    assert checked.feed["url"] == URL


@pytest.mark.parametrize("body", [NEWS, OTHER], ids=["with news", "another feed"])
def test_a_move_without_proof_is_taken_over_when_it_is_seen_again_a_day_later(body: str) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(301, NEW))
    checked.serve(page(body, etag='"2"'), NEW)
    first = checked.check_when_due()
    while checked.feed["url"] == URL:
        answer = checked.check_when_due()
    assert DAY <= answer.at - first.at <= 2 * DAY
    assert checked.told("FeedMoved")[0]["to"] == NEW


def test_a_document_at_another_url_is_no_proof_of_itself() -> None:
    checked = Checked({URL: page(OLD, etag='"1"')})
    checked.serve(moved(301, NEW))
    checked.serve(page(OTHER, etag='"2"'), NEW)
    for _ in range(3):
        checked.check_when_due()
    assert checked.feed["url"] == URL
    assert not {"etag", "content_hash"} & checked.feed.keys()


def test_a_move_that_waits_is_not_written_again_by_checks_that_see_the_same() -> None:
    checked = Checked({URL: page(OLD, etag='"1"')})
    checked.serve(moved(301, NEW))
    checked.serve(page(OTHER, etag='"2"'), NEW)
    due = checked.due()
    checked.wait(checked.due_at(due) - checked.directory.clock.now())
    checked.check(due)
    written = checked.feed
    checked.check(checked.due())
    assert checked.feed == written


def test_a_move_that_is_taken_back_within_a_day_leaves_the_feed_where_it_is() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(301, NEW))
    checked.serve(page(OTHER), NEW)
    checked.check_when_due()
    checked.serve(page(OLD, etag='"1"'))
    check_for(checked, 3 * DAY)
    assert (checked.feed["url"], checked.feed["etag"]) == (URL, '"1"')


def test_the_urls_on_the_way_lead_to_the_feed() -> None:
    middle = "https://example.net/feed.xml"
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(301, middle))
    checked.serve(moved(308, NEW), middle)
    checked.serve(page(OLD), NEW)
    checked.check_when_due()
    urls = checked.directory.contents.urls()
    assert {urls[url_hash(each)]["feed_id"] for each in (URL, middle, NEW)} == {checked.feed_id}


def test_only_the_leading_permanent_redirects_count() -> None:
    middle = "https://example.net/feed.xml"
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(301, middle))
    checked.serve(moved(302, NEW), middle)
    checked.serve(page(OLD), NEW)
    checked.check_when_due()
    assert checked.feed["url"] == middle


def test_a_move_to_another_feeds_url_merges_the_two() -> None:
    checked = Checked({URL: page(OLD), NEW: page(OTHER)}, URL, NEW)
    checked.serve(moved(301, NEW))
    checked.serve(page(OLD), NEW)
    answer = checked.check_when_due()
    assert answer.move is not None
    assert answer.move.outcome is MoveOutcome.MERGED
    assert len(checked.directory.contents.live()) == 1


def followed_by_one_tenant(checked: Checked) -> tuple[str, str]:
    """Two subscriptions of one tenant, the first to the feed that the other one's moves to."""
    ids = []
    for url, feed_id in ((NEW, checked.feed_ids[1]), (URL, checked.feed_ids[0])):
        asked = subscribe(SELF_HOSTED, url, ports=checked.directory).subscription
        assert make_ready(None, asked.subscription_id, feed_id, ports=checked.directory)
        ids.append(asked.subscription_id)
        checked.wait(1)
    return ids[0], ids[1]


@pytest.mark.parametrize("fails", [False, True])
def test_the_subscriptions_of_a_merge_are_re_pointed_at_once_and_its_check_stands_where_that_fails(fails: bool) -> None:
    checked = Checked({URL: page(OLD), NEW: page(OTHER)}, URL, NEW)
    first, second = followed_by_one_tenant(checked)
    checked.serve(moved(301, NEW))
    checked.serve(page(OLD), NEW)
    if fails:
        checked.directory.faults.fails_queries = FOR_EVER
    answer = checked.check_when_due()
    assert answer.move is not None
    assert (answer.disposition, answer.move.outcome) == (CheckDisposition.APPLIED, MoveOutcome.MERGED)
    checked.directory.faults.fails_queries = 0
    stays, went = answer.move.feed_id, answer.move.merged
    assert {stays, went} == set(checked.feed_ids)
    items = {item["sk"]: item for item in checked.directory.contents.subscriptions()}
    named = {item["feed_id"] for item in items.values()}
    assert named == (set(checked.feed_ids) if fails else {stays})
    assert items[f"SUB#{second}"].get("duplicate_of") == (None if fails else first)
    assert [row["feed_id"] for row in checked.directory.contents.pending("repoint")] == [went]


def test_a_merge_by_a_check_sends_one_event_of_the_merged_feed_immediately() -> None:
    checked = Checked({URL: page(OLD), NEW: page(OTHER)}, URL, NEW)
    checked.serve(moved(301, NEW))
    checked.serve(page(OLD), NEW)
    answer = checked.check_when_due()
    assert answer.move is not None
    (told,) = [event for event in checked.told("FeedMoved") if event["feed_id"] == answer.move.merged]
    assert told["merged_into"] == answer.move.feed_id
    assert checked.directory.contents.pending("event") == []


def test_many_hosts_that_move_to_one_place_move_nowhere() -> None:
    login = "https://portal.example/login"
    urls = [f"https://site{n}.org/feed.xml" for n in range(8)]
    checked = Checked({url: page(rss(f"{n}@{NOW - HOUR}", title=f"Site {n}")) for n, url in enumerate(urls)}, *urls)
    checked.serve(page(OTHER), login)
    for url in urls:
        checked.serve(moved(301, login), url)
    for _ in range(60):
        for feed_id in list(checked.directory.contents.live()):
            checked.check(checked.due(feed_id))
        checked.wait(HOUR)
    assert sorted(feed["url"] for feed in checked.directory.contents.live().values()) == urls


def test_a_shared_feed_never_moves_to_a_url_with_a_token() -> None:
    private = f"{NEW}?token=0123456789abcdef"
    checked = Checked({URL: page(OLD)})
    checked.serve(moved(301, private))
    checked.serve(page(OLD), private)
    check_for(checked, 3 * DAY)
    assert checked.feed["url"] == URL


def announcing(body: str, to: str = NEW) -> str:
    return body.replace("<lastBuildDate>", f"<itunes:new-feed-url>{to}</itunes:new-feed-url><lastBuildDate>")


def test_an_announced_url_with_the_same_feed_is_taken_over() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(announcing(OLD)))
    checked.serve(page(OLD), NEW)
    checked.check_when_due()
    assert checked.feed["url"] == NEW
    assert checked.told("FeedMoved")[0]["reason"] == "new_feed_url"


def test_an_announced_url_with_news_is_taken_over_a_day_later() -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(announcing(OLD), etag='"1"'))
    checked.serve(page(NEWS), NEW)
    first = checked.check_when_due()
    assert checked.feed["url"] == URL
    while checked.feed["url"] == URL:
        answer = checked.check_when_due()
    assert DAY <= answer.at - first.at <= 2 * DAY


@pytest.mark.parametrize("there", [status(404), page("<html>"), {"error": "timeout"}], ids=["404", "html", "timeout"])
def test_an_announced_url_without_a_feed_changes_nothing(there: dict[str, Any]) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(announcing(OLD), etag='"1"'))
    checked.serve(there, NEW)
    check_for(checked, 3 * DAY)
    assert (checked.feed["url"], checked.feed["etag"], checked.feed["state"]) == (URL, '"1"', "healthy")


@pytest.mark.parametrize("to", [URL, f"{URL}?utm_source=x", "ftp://example.org/feed", "not a url at all", ""])
def test_an_announcement_that_is_none_costs_no_request(to: str) -> None:
    checked = Checked({URL: page(OLD)})
    checked.serve(page(announcing(OLD, to)))
    answer = checked.check_when_due()
    assert (answer.requests, checked.feed["url"]) == (1 if to != "not a url at all" else answer.requests, URL)


def test_a_move_that_fails_at_the_store_is_made_at_the_next_check(monkeypatch: pytest.MonkeyPatch) -> None:
    from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
    from feedward.errors import Throttled

    checked = Checked({URL: page(OLD)})
    checked.serve(page(announcing(OLD)))
    checked.serve(page(OLD), NEW)

    def fail(*_: object, **__: object) -> None:
        raise Throttled

    with monkeypatch.context() as patched:
        patched.setattr(DynamoFeedMoves, "move", fail)
        assert checked.check_when_due().move is None
    checked.check_when_due()
    assert checked.feed["url"] == NEW
