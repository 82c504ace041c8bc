"""A lost feed is searched, and moves to its site's current URL (rule H6)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.deadline import Deadline
from feedward.errors import Throttled
from feedward.events.envelope import read_revival_requested
from feedward.health.decision import RevivalReason
from feedward.health.due_feed import DueFeed
from feedward.health.revival import RevivalOutcome
from feedward.model import Known, Outcome
from feedward.services.check.answer import CheckDisposition
from feedward.services.check.check_feed import check_feed
from feedward.services.directory.act_on_feed import undo_move
from feedward.services.revive.revive import revive
from feedward.urls.key import url_hash
from tests.fakes.check_parts import fake_check_parts
from tests.fakes.directory import NOW
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.services.check.checked import DAY, moved, status
from tests.unit.services.revive.revived import GONE, HOME, LATER, NEW, OLD, POSTS, Lost, feed_page, home

REQUESTED = RevivalReason.REQUESTED
FOUND = {HOME: home("/new.xml"), NEW: feed_page(*LATER)}


def test_the_feed_moves_to_the_url_that_its_site_advertises_now() -> None:
    lost = Lost(FOUND)
    revival = lost.revive()
    assert (revival.outcome, revival.before, revival.url) == (RevivalOutcome.RELOCATED, OLD, NEW)
    assert (lost.feed["url"], lost.feed["state"], lost.feed["consecutive_failures"]) == (NEW, "healthy", 0)
    for url in (OLD, NEW):
        assert lost.directory.store.find([url]) == Known(url=NEW, data={"feed_id": lost.feed_id})
    assert revival.undelivered == ()


def test_history_has_actor_reason_and_evidence() -> None:
    lost = Lost({**FOUND, HOME: home("/new.xml", "https://other.example/feed")})
    revival = lost.revive(RevivalReason.GONE, outcome="gone")
    entry = lost.directory.moves.entries(lost.feed_id)[0]
    assert (entry.action, entry.by, entry.details["reason"], entry.details["why"]) == (
        "moved",
        "revival",
        "revival",
        "gone",
    )
    evidence = entry.details["evidence"]
    assert evidence["outcome"] == "gone"
    assert {"url": HOME, "outcome": "found"} in evidence["searched"]
    assert evidence["candidates"][0]["url"] == NEW
    assert evidence["candidates"][0]["tie"] in ("same_items", "site_link")
    assert evidence["requests"] > 0
    assert 0 < revival.requests <= len(lost.internet.requests)


def test_the_bus_is_told_and_a_check_follows_at_once() -> None:
    lost = Lost(FOUND)
    lost.revive()
    told = {entry["DetailType"] for entry in lost.directory.bus.events.entries}
    assert told == {"FeedMoved", "FeedStateChanged"}
    assert lost.directory.outbox.outbox_entries(lost.feed_id) == []
    [due] = [feed for message in lost.directory.health_queue.messages for feed in message.entries]
    assert (due.feed_id, due.url, due.rev) == (lost.feed_id, NEW, lost.feed["rev"])


def test_the_site_knows_its_choice_then() -> None:
    lost = Lost(FOUND)
    lost.revive()
    site = lost.directory.sites.site(url_hash(HOME))
    assert site is not None
    assert (site.site.feed_id, site.site.canonical_feed_url) == (lost.feed_id, NEW)
    [meta] = lost.directory.contents.under(lost.feed_id, "META")
    assert (meta["site_id"], meta["is_canonical"]) == (url_hash(HOME), True)


def test_nothing_found_changes_nothing_and_leaves_no_row_in_history() -> None:
    lost = Lost({HOME: home()})
    before = lost.feed
    revival = lost.revive()
    assert (revival.outcome, revival.url) == (RevivalOutcome.NOTHING_FOUND, OLD)
    assert lost.feed == before
    assert lost.history == ["registered"]


def test_a_person_who_asked_finds_in_history_that_nothing_was_found() -> None:
    theirs = "https://other.example/feed"
    lost = Lost({HOME: home(theirs), theirs: feed_page("p@1", site="https://other.example/")})
    lost.revive(REQUESTED)
    entry = lost.directory.moves.entries(lost.feed_id)[0]
    assert (entry.action, entry.by, entry.details["outcome"]) == ("revival", "ada", "nothing_found")
    [theirs_told] = [each for each in entry.details["evidence"]["candidates"] if each["url"] == theirs]
    assert theirs_told["objection"]


def test_a_site_that_does_not_answer_is_told_from_one_that_has_no_feed() -> None:
    assert Lost({OLD: {"error": "timeout"}, HOME: {"error": "timeout"}}).revive().outcome is RevivalOutcome.UNREACHABLE


# --- where a feed is searched ---------------------------------------------------------------------


def test_the_site_of_an_import_is_a_seed() -> None:
    """An export names an old feed URL, and the site that has the new one."""
    old, site, new = "http://old.example.com/rss.xml", "https://new.example.com/blog", "https://new.example.com/feed"
    lost = Lost({site: home("/feed"), new: feed_page(*LATER, site=site)}, url=old, before=feed_page(site=""))
    lost.write("META", site_link=site)
    revival = lost.revive()
    assert (revival.outcome, revival.url) == (RevivalOutcome.RELOCATED, new)
    assert lost.directory.store.find([old]) == Known(url=new, data={"feed_id": lost.feed_id})


def test_the_site_that_chose_the_feed_is_a_seed() -> None:
    from feedward.services.discover.discover_site import answer_discovery

    blog = "https://example.com/blog"
    lost = Lost({blog: home("/old.xml"), OLD: feed_page()}, before=feed_page(site=""), state="healthy", failures=None)
    answer_discovery(SELF_HOSTED, blog, directory=lost.directory)
    lost.write(**GONE)
    lost.serve({OLD: status(404), blog: home("/new.xml"), NEW: feed_page(*LATER, site=blog)})
    assert lost.revive().url == NEW


def test_the_old_url_is_a_seed_where_no_site_is_known() -> None:
    """A page at the feed's old URL that names the new one."""
    lost = Lost({OLD: home("/new.xml"), NEW: feed_page(*LATER, site="")}, before=feed_page(site=""))
    assert lost.revive(RevivalReason.NOT_FEED).url == NEW


def test_no_url_is_asked_twice_and_the_searches_are_bounded() -> None:
    lost = Lost({HOME: home("/a.xml", "/b.xml")})
    lost.write("META", site_link="https://example.com/blog")
    lost.revive()
    assert len(lost.internet.requests) == len(set(lost.internet.requests))
    assert len(lost.internet.requests) <= 3 * 24 + 1


def test_it_ends_in_time() -> None:
    lost = Lost({HOME: home("/new.xml", delay_s=14), NEW: feed_page(*LATER, delay_s=14)})
    begun = lost.directory.clock.monotonic()
    revive(lost.asked(), directory=lost.directory, deadline=Deadline.after(20, lost.directory.clock.monotonic))
    assert lost.directory.clock.monotonic() - begun <= 20


# --- feeds that are not searched ------------------------------------------------------------------


@pytest.mark.parametrize(("state", "outcome"), [("healthy", RevivalOutcome.HEALTHY), ("paused", RevivalOutcome.PAUSED)])
@pytest.mark.parametrize("reason", [RevivalReason.GONE, REQUESTED])
def test_a_healthy_feed_and_a_paused_one_are_not_searched(
    state: str, outcome: RevivalOutcome, reason: RevivalReason
) -> None:
    lost = Lost(FOUND, state=state, failures=None, consecutive_failures=0)
    lost.write(latest_item_published_at=NOW)
    assert lost.revive(reason).outcome is outcome
    assert lost.internet.requests == []
    assert lost.feed["url"] == OLD


def test_a_feed_that_is_part_of_another_one_and_none_at_all_are_not_searched() -> None:
    lost = Lost(FOUND)
    lost.write(merged_into="00000000000000000000000000")
    assert lost.revive().outcome is RevivalOutcome.UNKNOWN
    assert lost.revive(feed_id="01M00000000000000000000009").outcome is RevivalOutcome.UNKNOWN
    assert lost.internet.requests == []


def test_a_feed_whose_url_serves_a_feed_again_stays_there() -> None:
    lost = Lost({**FOUND, OLD: feed_page(*LATER)})
    assert lost.revive().outcome is RevivalOutcome.STILL_THERE
    assert lost.internet.requests == [OLD]
    assert lost.feed["url"] == OLD


# --- once -----------------------------------------------------------------------------------------


def test_the_same_request_again_sends_nothing() -> None:
    lost = Lost({HOME: home()})
    asked = lost.asked()
    lost.revive()
    lost.internet.requests.clear()
    assert lost.revive(event_id=asked.event_id).outcome is RevivalOutcome.ASKED_BEFORE
    assert lost.internet.requests == []


def test_after_a_relocation_the_same_request_again_finds_a_healthy_feed() -> None:
    lost = Lost(FOUND)
    lost.revive()
    before = lost.feed
    assert lost.revive().outcome is RevivalOutcome.HEALTHY
    assert lost.feed == before
    assert lost.history == ["moved", "registered"]


@pytest.mark.parametrize(
    ("after", "reason", "is_asked_before"),
    [
        (DAY - 1, RevivalReason.GONE, True),
        (DAY, RevivalReason.GONE, False),
        (60, REQUESTED, False),
        (-60, RevivalReason.GONE, True),
    ],
)
def test_it_is_looked_for_once_a_day_requests_of_people_aside(
    after: int, reason: RevivalReason, is_asked_before: bool
) -> None:
    lost = Lost({HOME: home()})
    lost.revive()
    again = lost.revive(reason, event_id="another", occurred_at=lost.directory.clock.now() + after)
    assert (again.outcome is RevivalOutcome.ASKED_BEFORE) == is_asked_before


def test_a_request_that_was_not_ended_is_done_again() -> None:
    lost = Lost(FOUND)
    assert lost.directory.revivals.begin(lost.asked())
    assert lost.revive().outcome is RevivalOutcome.RELOCATED


# --- meanwhile ------------------------------------------------------------------------------------


class Meanwhile:
    """A fetcher during whose first request of `url` something happens."""

    def __init__(self, lost: Lost, url: str, happens: Any) -> None:
        self.inner, self.url, self.happens = lost.directory.fetcher, url, happens

    def fetch(self, url: str, **options: Any) -> Any:
        if url == self.url and self.happens:
            happens, self.happens = self.happens, None
            happens()
        return self.inner.fetch(url, **options)


@pytest.mark.parametrize(
    ("attributes", "outcome"),
    [
        ({"state": "healthy", "consecutive_failures": 0, "failures": None}, RevivalOutcome.HEALTHY),
        ({"state": "paused"}, RevivalOutcome.PAUSED),
        ({"url": "https://example.com/third.xml"}, RevivalOutcome.CHANGED),
        ({"consecutive_failures": 3}, RevivalOutcome.RELOCATED),
    ],
)
def test_a_change_of_the_feed_during_the_search_counts(attributes: dict[str, Any], outcome: RevivalOutcome) -> None:
    lost = Lost(FOUND)
    lost.directory.fetcher = Meanwhile(lost, NEW, lambda: lost.write(**attributes))
    assert lost.revive().outcome is outcome
    assert (lost.feed["url"] == NEW) == (outcome is RevivalOutcome.RELOCATED)


def test_a_check_between_reading_and_moving_is_seen() -> None:
    lost = Lost(FOUND)
    read = lost.directory.revivals.lost_feed
    writes = iter([None, lambda: lost.write(consecutive_failures=5), lambda: lost.write(consecutive_failures=6)])

    def lost_feed(feed_id: str) -> Any:
        found = read(feed_id)
        if write := next(writes, None):
            write()
        return found

    lost.directory.revivals.lost_feed = lost_feed  # type: ignore[method-assign]
    assert lost.revive().outcome is RevivalOutcome.RELOCATED
    assert lost.history == ["moved", "registered"]


# --- people ---------------------------------------------------------------------------------------


def test_a_stale_feed_that_still_answers_gives_way_to_a_fresher_one_on_request() -> None:
    """A proxy answers for ever with its old copy; the site has newer items elsewhere."""
    proxy, new = "https://proxy.example/feedname", "https://example.com/rss"
    old_items = (f"a@{NOW - 90 * DAY}", f"b@{NOW - 91 * DAY}", f"c@{NOW - 92 * DAY}")
    there = feed_page(*old_items)
    lost = Lost(
        {HOME: home("/rss"), new: feed_page(*LATER), proxy: there},
        url=proxy,
        before=there,
        state="healthy",
        consecutive_failures=0,
        failures=None,
        stale=True,
    )
    assert lost.revive(RevivalReason.UNHEALTHY).outcome is RevivalOutcome.HEALTHY
    revival = lost.revive(REQUESTED)
    assert (revival.outcome, revival.url) == (RevivalOutcome.RELOCATED, new)
    assert lost.directory.moves.entries(lost.feed_id)[0].by == "ada"


def test_a_stale_feed_stays_where_nothing_newer_is() -> None:
    there = feed_page(f"a@{NOW - 90 * DAY}", f"b@{NOW - 91 * DAY}")
    network = {HOME: home("/new.xml"), NEW: feed_page(f"p@{NOW - 90 * DAY}", f"q@{NOW - 99 * DAY}"), OLD: there}
    lost = Lost(network, before=there, state="healthy", consecutive_failures=0, failures=None, stale=True)
    assert lost.revive(REQUESTED).outcome is RevivalOutcome.NOTHING_FOUND


def test_undone_it_is_at_its_old_url_checked_at_once_and_not_moved_there_again_by_itself() -> None:
    lost = Lost(FOUND)
    lost.revive()
    undone = undo_move(lost.feed_id, by="ada", why="not mine", directory=lost.directory)
    assert (undone.result.url, undone.undelivered, lost.feed["url"]) == (OLD, (), OLD)
    assert lost.directory.health_queue.messages[-1].entries[0].url == OLD
    assert lost.directory.bus.details[-1]["reason"] == "undo"
    lost.write(**GONE)
    lost.directory.clock.advance(2 * DAY)
    assert lost.revive(event_id="second").outcome is RevivalOutcome.NOTHING_FOUND
    assert lost.revive(REQUESTED, event_id="third").outcome is RevivalOutcome.RELOCATED


def test_from_a_check_that_finds_it_gone_to_the_new_url_and_a_check_there() -> None:
    """The whole chain: 410, the event of the check, the revival, and the check that follows it."""
    lost = Lost({**FOUND, OLD: status(410)}, state="healthy", consecutive_failures=0, failures=None)
    ports = fake_check_parts(lost.directory)
    check_feed(DueFeed.from_message(lost.feed), ports=ports)
    [detail] = [each for each in lost.directory.bus.details if each.get("reason") == "gone" and "outcome" in each]
    revival = revive(read_revival_requested(detail), directory=lost.directory)
    assert (revival.outcome, revival.url, revival.evidence["outcome"]) == (RevivalOutcome.RELOCATED, NEW, "gone")
    [message] = lost.directory.health_queue.messages
    answer = check_feed(message.entries[0], ports=ports)
    assert (answer.disposition, answer.outcome, answer.new_items) == (CheckDisposition.APPLIED, Outcome.OK, len(LATER))
    assert (lost.feed["url"], lost.feed["state"]) == (NEW, "healthy")
    assert "content_hash" in lost.feed


# --- others' feeds --------------------------------------------------------------------------------


def test_the_found_feed_is_in_the_directory_already() -> None:
    from feedward.services.canonicalize.register import canonicalize_and_register

    lost = Lost(FOUND)
    other = canonicalize_and_register(
        NEW, fetcher=lost.directory.fetcher, store=lost.directory.store, now=NOW + 60
    ).feed_id
    assert other is not None
    revival = lost.revive()
    assert (revival.outcome, revival.feed_id, revival.url) == (RevivalOutcome.MERGED, lost.feed_id, NEW)
    assert lost.directory.contents.feeds()[other]["merged_into"] == lost.feed_id


def test_a_private_feed_is_revived_among_its_tenants_own() -> None:
    lost = Lost(FOUND, scope="tenant")
    assert lost.revive(tenant_id="other").outcome is RevivalOutcome.FOREIGN
    assert lost.internet.requests == []
    assert lost.revive(tenant_id="tenant").outcome is RevivalOutcome.RELOCATED
    assert lost.directory.store.find([NEW]) is None
    assert lost.directory.store.find([NEW], scope="tenant") == Known(url=NEW, data={"feed_id": lost.feed_id})
    site = lost.directory.sites.site(url_hash(HOME, "tenant"))
    assert site is not None
    assert lost.directory.sites.site(url_hash(HOME)) is None


@pytest.mark.parametrize("status_code", [301, 302])
def test_a_consent_page_or_a_parking_page_is_never_moved_to(status_code: int) -> None:
    foreign = "https://consent.example/"
    network = {
        OLD: moved(status_code, foreign),
        HOME: moved(status_code, foreign),
        foreign: home("/feed", title="We value your privacy"),
        "https://consent.example/feed": feed_page("p@1", "q@2", site=foreign),
    }
    lost = Lost(network)
    assert lost.revive(RevivalReason.NOT_FEED).outcome is RevivalOutcome.NOTHING_FOUND
    assert lost.feed["url"] == OLD


def test_a_site_that_moved_to_another_domain_is_known_by_its_items() -> None:
    site, new = "https://moved.example/", "https://moved.example/feed.xml"
    lost = Lost({HOME: moved(301, site), site: home("/feed.xml"), new: feed_page(LATER[0], *POSTS, site=site)})
    assert lost.revive().url == new


# --- bad days -------------------------------------------------------------------------------------


def test_without_bus_and_queue_the_event_stays_in_the_outbox_and_the_move_stands() -> None:
    lost = Lost(FOUND)
    lost.directory.bus.events.fails = FOR_EVER
    lost.directory.health_queue.sqs.fails = FOR_EVER
    revival = lost.revive()
    assert (revival.outcome, set(revival.undelivered)) == (
        RevivalOutcome.RELOCATED,
        {"bus_unavailable", "queue_unavailable"},
    )
    assert {event.detail_type for event in lost.directory.outbox.outbox_entries(lost.feed_id)} == {
        "FeedMoved",
        "FeedStateChanged",
    }


def test_a_store_that_is_away_is_said_so_that_the_request_comes_again() -> None:
    lost = Lost(FOUND)
    lost.directory.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        lost.revive()
    lost.directory.faults.throttles = 0
    assert lost.revive().outcome is RevivalOutcome.RELOCATED


# --- its own URLs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "gone", "works"),
    [
        ("http://example.com/old.xml", {"error": "connect_error"}, "https://example.com/old.xml"),
        ("https://example.com/feed/", status(404), "https://example.com/feed"),
    ],
)
def test_a_feed_that_is_at_another_spelling_of_its_url_is_found_before_anything_is_searched(
    url: str, gone: dict[str, Any], works: str
) -> None:
    lost = Lost({url: gone, works: feed_page(*LATER), **FOUND}, url=url)
    revival = lost.revive(REQUESTED)
    assert (revival.outcome, revival.url) == (RevivalOutcome.RELOCATED, works)
    assert set(lost.internet.requests) <= {url, works}


def test_a_feed_that_is_back_at_an_earlier_url_is_found_there() -> None:
    lost = Lost({})
    lost.serve({OLD: feed_page()})
    lost.write("FEED", url=NEW, url_hash=url_hash(NEW))
    revival = lost.revive(REQUESTED)
    assert (revival.outcome, revival.url) == (RevivalOutcome.RELOCATED, OLD)


ELSEWHERE = "https://feeds.example.net/blog.xml"


@pytest.mark.parametrize("is_asked", [True, False])
@pytest.mark.parametrize("reason", [RevivalReason.NOT_FOUND, REQUESTED])
def test_a_feed_whose_host_limits_requests_is_not_taken_for_lost(is_asked: bool, reason: RevivalReason) -> None:
    lost = Lost({HOME: home("/new.xml"), NEW: feed_page()}, url=ELSEWHERE)
    if is_asked:
        lost.serve({**lost.internet.network, ELSEWHERE: status(429)})
    else:
        now = lost.directory.clock.now()
        lost.directory.limiter.cool_down("feeds.example.net", until=now + 60, now=now)

    revival = lost.revive(reason)

    assert (revival.outcome, lost.feed["url"]) == (RevivalOutcome.UNREACHABLE, ELSEWHERE)
    assert lost.internet.requests == [ELSEWHERE] * is_asked
