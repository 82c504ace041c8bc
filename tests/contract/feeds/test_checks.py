"""The reads and writes of a check, and their cost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.state.move_observations import DynamoMoveObservations
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import StoreUnavailable, Throttled
from feedward.health.decision import FeedUpdate, Stored
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FeedHealth
from feedward.health.feed_texts import FeedTexts
from feedward.health.recent_items import Recent, RecentItem
from feedward.health.validators import StoredValidators
from feedward.model import FeedFormat, FeedState, Item, Known, OutboxEntry, Outcome
from feedward.scheduling.heartbeat import is_heartbeat
from feedward.scheduling.slots import Place
from feedward.services.canonicalize.register import canonicalize_and_register
from feedward.services.check.answer import CheckDisposition
from feedward.services.check.check_feed import check_feed
from feedward.services.check.ports import CheckPorts
from feedward.ulid import derived_ulid
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench
from tests.fakes.directory import FakeClock
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.feed_store import PATIENT
from tests.fakes.fetcher import FakeFetcher
from tests.unit.services.check.checked import rss

URL = "https://example.com/feed"
LATER = NOW + 3600


def checks(bench: Bench) -> DynamoCheckStore:
    return DynamoCheckStore(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def shown(bench: Bench, name: str = "a") -> DueFeed:
    """The feed as its due index shows it."""
    feed = bench.contents.feeds()[feed_id(name)]
    index, key = ("slots", "slot") if "slot" in feed else ("due", "due_shard")
    found = [each for each in bench.contents.indexed(index, key, feed[key]) if each["feed_id"] == feed["feed_id"]]
    return DueFeed.from_message(found[0])


def update(before: DueFeed, health: FeedHealth | None = None, **members: Any) -> FeedUpdate:
    """The update of a check at LATER; without `health`, of a check without news."""
    quiet = replace(
        before.health,
        last_news_at=LATER,
        last_success_at=LATER,
        last_attempt_at=LATER,
        last_outcome=Outcome.NOT_MODIFIED,
        last_http_status=304,
    )
    after = replace(before, rev=before.rev + 1, place=Place(from_s=LATER + 5400), health=health or quiet)
    return FeedUpdate(before=before, after=after, **members)


def event(before: DueFeed) -> OutboxEntry:
    entry_id = derived_ulid(LATER, "event", before.feed_id)
    detail = {"id": entry_id, "occurred_at": LATER}
    return OutboxEntry(feed_id=before.feed_id, entry_id=entry_id, detail_type="ItemsPublished", detail=detail)


FAILED = FeedHealth(
    feed_id=feed_id("a"),
    state=FeedState.UNHEALTHY,
    consecutive_failures=9,
    first_failure_at=NOW,
    network_failures=(5, 6),
    unhealthy_since=LATER,
    revival_due=True,
    as_browser_at=NOW,
    stale=True,
    last_success_at=NOW,
    last_attempt_at=LATER,
    last_outcome=Outcome.TIMEOUT,
)


def test_a_new_feed_is_due_with_its_owner_validators_and_health(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, scope="tenant", median_gap_s=7200))
    due = shown(bench)
    assert (due.url, due.host, due.owner, due.rev) == (URL, "example.com", "tenant", 1)
    assert due.validators == StoredValidators(
        etag='W/"abc"', last_modified="Thu, 01 Oct 2026 10:00:00 GMT", validators_url=URL, validators_at=NOW
    )
    assert (due.health.median_gap_s, due.health.last_success_at) == (7200, None)
    read: dict[str, Any] = {"last_success_at": NOW, "last_attempt_at": NOW, "last_outcome": Outcome.OK}
    health = replace(due.health, last_http_status=200, **read)
    assert checks(bench).due_feed(feed_id("a")) == replace(due, health=health)


def test_the_index_shows_the_written_attributes(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    before = shown(bench)
    failed = update(before, FAILED)
    assert checks(bench).write(failed) is None
    after = shown(bench)
    unread = replace(FAILED, last_attempt_at=None, last_outcome=None, last_http_status=None)
    assert after == replace(failed.after, health=unread)
    feed = bench.contents.feeds()[feed_id("a")]
    assert feed["state_shard"].startswith("unhealthy#")
    assert "last_http_status" not in feed
    assert checks(bench).write(update(after)) is None
    assert shown(bench).health.last_success_at == LATER
    assert bench.contents.feeds()[feed_id("a")]["last_news_at"] == LATER


@pytest.mark.parametrize(("scope", "said"), [("tenant", "other"), ("tenant", None), ("", "other")])
@pytest.mark.parametrize("is_eventful", [False, True])
def test_a_check_that_names_another_tenant_than_the_feeds_writes_nothing(
    bench: Bench, scope: str, said: str | None, is_eventful: bool
) -> None:
    bench.store.register(new_feed("a", URL, scope=scope))
    before = replace(shown(bench), owner=said)
    stored, entries = bench.contents.feeds()[feed_id("a")], bench.outbox.outbox_entries(feed_id("a"))
    assert checks(bench).write(update(before, events=(event(before),) if is_eventful else ())) == Stored()
    assert bench.contents.feeds()[feed_id("a")] == stored
    assert bench.outbox.outbox_entries(feed_id("a")) == entries


def test_a_lookup_says_whether_the_url_of_a_feed_fails(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    assert bench.store.find([URL]) == Known(url=URL, data={"feed_id": feed_id("a")})
    checks(bench).write(update(shown(bench), FAILED))
    assert bench.store.find([URL]) == Known(url=URL, is_failing=True, data={"feed_id": feed_id("a")})


def test_success_leaves_nothing_of_the_failures(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    checks(bench).write(update(shown(bench), FAILED))
    well = FeedHealth(feed_id=feed_id("a"), last_attempt_at=LATER, last_success_at=LATER)
    checks(bench).write(update(shown(bench), well))
    feed = bench.contents.feeds()[feed_id("a")]
    assert not {"failures", "last_outcome"} & feed.keys()
    assert (feed["state"], feed["consecutive_failures"]) == ("healthy", 0)


def test_all_parts_are_written_together(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, site_id="s", is_canonical=True))
    before = shown(bench)
    recent = Recent(
        items=(RecentItem(item=Item(id="1", url="https://example.com/1", title="One"), first_seen_at=LATER),),
        older=("0123456789ab", "ba9876543210"),
        signature="s",
    )
    texts = FeedTexts(title="New", hub_urls=("https://hub.example.com/",), format=FeedFormat.RSS)
    written = update(before, recent=recent, texts=texts, events=(event(before),))
    assert checks(bench).write(written) is None
    found = checks(bench).remembered(before.feed_id)
    assert (found.recent, found.texts) == (recent, texts)
    [meta] = bench.contents.under(before.feed_id, "META")
    assert (meta["site_id"], meta["is_canonical"], "description" in meta) == ("s", True, False)
    assert [each.detail_type for each in bench.outbox.outbox_entries(before.feed_id)].count("ItemsPublished") == 1


@pytest.mark.parametrize("is_eventful", [False, True])
def test_a_feed_that_is_another_one_now_is_returned_and_not_written(bench: Bench, is_eventful: bool) -> None:
    bench.store.register(new_feed("a", URL))
    before = shown(bench)
    checks(bench).write(update(before, FAILED))
    contents = bench.contents.under(before.feed_id, "")
    late = update(before, recent=Recent(), events=(event(before),)) if is_eventful else update(before)
    stored = checks(bench).write(replace(late, after=replace(late.after, place=Place(from_s=1))))
    assert stored is not None
    assert stored.due is not None
    assert (stored.due.rev, stored.due.health.state, stored.last_attempt_at) == (2, FeedState.UNHEALTHY, LATER)
    assert bench.contents.under(before.feed_id, "") == contents


@pytest.mark.parametrize("is_eventful", [False, True])
def test_a_write_whose_answer_got_lost_is_made_once(bench: Bench, is_eventful: bool) -> None:
    bench.store.register(new_feed("a", URL))
    before = shown(bench)
    bench.faults.lost_answers = 1
    written = update(before, events=(event(before),) if is_eventful else ())
    assert checks(bench).write(written) is None
    assert bench.contents.feeds()[before.feed_id]["rev"] == 2


@pytest.mark.parametrize("gone", [{"state": "paused", "slot": None}, {"merged_into": "0"}])
def test_a_feed_that_is_not_due_any_more_is_none(bench: Bench, gone: dict[str, Any]) -> None:
    bench.store.register(new_feed("a", URL))
    before = shown(bench)
    feed = {**bench.contents.feeds()[before.feed_id], **gone, "rev": 7}
    bench.contents.put_feed_item(**{name: value for name, value in feed.items() if value is not None})
    stored = checks(bench).write(update(before))
    assert stored is not None
    assert stored.due is None
    assert checks(bench).due_feed(before.feed_id) is None


def test_a_feed_that_is_not_there_stays_away(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    unknown = replace(shown(bench), feed_id=feed_id("b"))
    stored = checks(bench).write(update(unknown))
    assert stored is not None
    assert stored.due is None
    assert feed_id("b") not in bench.contents.feeds()
    assert checks(bench).remembered(feed_id("b")).recent is None


def test_the_feeds_of_a_host_are_those_that_one_may_know(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://example.com/a"))
    bench.store.register(new_feed("b", "https://example.com/b"))
    bench.store.register(new_feed("c", "https://blog.example.com/c"))
    bench.store.register(new_feed("d", "https://example.com/d", scope="tenant"))
    bench.store.register(new_feed("e", "https://example.com/e", scope="other"))
    store = checks(bench)
    assert sorted(each[0] for each in store.host_feeds("example.com", None)) == sorted(map(feed_id, "ab"))
    assert sorted(each[0] for each in store.host_feeds("example.com", "tenant")) == sorted(map(feed_id, "abd"))
    store.write(update(shown(bench), replace(FAILED, feed_id=feed_id("a"))))
    found = {each[0]: each[1:] for each in store.host_feeds("example.com", None)}
    assert found == {feed_id("a"): (FeedState.UNHEALTHY, 9), feed_id("b"): (FeedState.HEALTHY, 0)}


def test_a_long_validator_makes_no_second_unit(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    before = shown(bench)
    long = StoredValidators(etag='"' + "e" * 900 + '"', last_modified="x" * 29, validators_url=URL, validators_at=LATER)
    asked = update(before)
    checks(bench).write(replace(asked, after=replace(asked.after, validators=long)))
    kept = shown(bench).validators
    assert (kept.etag, kept.last_modified, kept.validators_at) == (None, "x" * 29, LATER)


def test_a_store_that_stays_busy_says_so(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    before = shown(bench)
    bench.faults.throttles = FOR_EVER
    with pytest.raises((Throttled, StoreUnavailable)):
        checks(bench).write(update(before))
    with pytest.raises((Throttled, StoreUnavailable)):
        checks(bench).remembered(before.feed_id)


# --- costs, on MiniStack -----------------------------------------------------------------------------


class Metered:
    """A client that requests the consumed capacity of each call; `units` are (operation, units), with the indexes'."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.units: list[tuple[str, float]] = []

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._client, operation)

        def call(**request: Any) -> Any:
            answer = method(ReturnConsumedCapacity="INDEXES", **request)
            consumed = answer["ConsumedCapacity"]
            each = consumed if isinstance(consumed, list) else [consumed]
            self.units.append((operation, sum(part["CapacityUnits"] for part in each)))
            return answer

        return call


@pytest.mark.parametrize("collects", [False, True])
@pytest.mark.parametrize("answer", [{"headers": {"ETag": '"1"'}}, {}], ids=["304", "the same bytes"])
def test_an_unchanged_check_costs_nothing_and_its_heartbeat_one_unit(
    dynamodb_bench: Bench, dynamodb: Any, answer: dict[str, Any], collects: bool
) -> None:
    internet = FakeFetcher({URL: {"body": rss(f"a@{NOW}"), **answer}})
    canonicalize_and_register(URL, fetcher=internet, store=dynamodb_bench.store, now=NOW)
    [feed] = dynamodb_bench.contents.feeds().values()
    if collects:
        dynamodb_bench.contents.put_feed_item(**{**feed, "collect_items": True})
    meter: Any = Metered(dynamodb)
    names, clock = dynamodb_bench.contents.names, FakeClock()
    ports = CheckPorts(
        fetcher=internet,
        store=DynamoCheckStore(Tables(meter, names, PATIENT)),
        observations=DynamoMoveObservations(Tables(meter, names, PATIENT)),
        moves=DynamoFeedMoves(Tables(meter, names, PATIENT)),
        outbox=DynamoOutbox(Tables(meter, names, PATIENT)),
        bus=FakeEventBus(),
        subscriptions=dynamodb_bench.subscriptions,
        clock=clock,
    )
    [found] = dynamodb_bench.contents.indexed("slots", "slot", feed["slot"])
    due = DueFeed.from_message(found)
    assert due.collect_items is collects
    assert due.place.slot is not None
    at = due.place.next_at(clock.now())
    clock.advance(at + is_heartbeat(due.feed_id, due.place.slot, at) * due.place.slot.every_s - clock.now())
    assert check_feed(due, ports=ports).disposition is CheckDisposition.APPLIED
    assert meter.units == []
    asked = replace(due, asked=True)  # its time is stored, as that of a heartbeat
    assert check_feed(asked, ports=ports).disposition is CheckDisposition.APPLIED
    assert meter.units == [("update_item", 1)]
    assert dynamodb_bench.contents.feeds()[due.feed_id]["rev"] == feed["rev"]


def test_a_failing_check_that_changes_no_state_costs_the_same(dynamodb_bench: Bench, dynamodb: Any) -> None:
    dynamodb_bench.store.register(new_feed("a", URL))
    checks(dynamodb_bench).write(update(shown(dynamodb_bench), FAILED))
    meter: Any = Metered(dynamodb)
    before = shown(dynamodb_bench)
    again = update(before, replace(FAILED, consecutive_failures=10))
    later = replace(again, after=replace(again.after, place=Place(from_s=before.place.from_s + 900)))
    assert DynamoCheckStore(Tables(meter, dynamodb_bench.contents.names, PATIENT)).write(later) is None
    assert meter.units == [("update_item", 3)]
