"""A subscription ends as ready or failed: by its event, however often and late that comes, or by the reconcile pass."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.errors import Throttled
from feedward.events.envelope import SUBSCRIPTION_CREATED, SUBSCRIPTION_FAILED, SUBSCRIPTION_READY
from feedward.ports import PendingMerges
from feedward.services.discover.discover_site import answer_discovery
from feedward.services.discover.reuse import REUSE_S
from feedward.services.discover.site_run import DiscoveryAnswer
from feedward.services.subscribe.discover import discover_for_subscription
from feedward.services.subscribe.settle import fail, make_ready
from feedward.services.subscribe.subscribe import find_subscription, list_subscriptions, subscribe, unsubscribe
from feedward.services.sweep.reconcile import Pass
from feedward.services.sweep.resend_pending import PENDING_S, Resent, resend_pending
from feedward.subscriptions.subscription import TRIES_AT_MOST, Failure, Subscription
from tests.callers import of_tenant
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.services.discover.blog import FEED, HOME, HTML, document, page, requested, site

SECRET = f"{FEED}?token=1f3a9"
NOTHING = Resent(sent=0, failed=0, told=0, left=0)


def events(directory: FakeDirectory, *types: str) -> list[Any]:
    entries = directory.bus.events.entries
    return [json.loads(entry["Detail"]) for entry in entries if entry["DetailType"] in types]


def deliver(directory: FakeDirectory, details: Iterable[Any] | None = None) -> None:
    """The work of the rule and the queue for all requests."""
    for detail in events(directory, SUBSCRIPTION_CREATED) if details is None else details:
        discover_for_subscription(detail, directory=directory)


def ask(directory: FakeDirectory, url: str = HOME, tenant: str | None = None) -> str:
    return subscribe(of_tenant(tenant), url, ports=directory).subscription.subscription_id


def found(directory: FakeDirectory, subscription_id: str, tenant: str | None = None) -> Subscription:
    return find_subscription(of_tenant(tenant), subscription_id, ports=directory)


def pending(directory: FakeDirectory) -> list[Any]:
    return list(directory.subscriptions.pending(before=2 * NOW, limit=99))


# --- the event --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tenant", [None, "t1"])
def test_the_event_makes_it_ready_with_the_sites_feed_and_the_bus_hears_of_it(tenant: str | None) -> None:
    directory = FakeDirectory(site())
    one = ask(directory, tenant=tenant)
    deliver(directory)
    (feed_id,) = directory.contents.live()
    ready = found(directory, one, tenant)
    assert (ready.status, ready.feed_id, ready.reason, ready.duplicate_of) == ("ready", feed_id, None, None)
    (event,) = events(directory, SUBSCRIPTION_READY)
    assert (event["subscription_id"], event["feed_id"], event["tenant_id"]) == (one, feed_id, tenant)
    assert pending(directory) == []
    assert directory.contents.faults_of_subscriptions() == []


@pytest.mark.parametrize(
    ("network", "failure", "words"),
    [
        ({HOME: page()}, Failure.NO_FEED, "no feed"),
        ({HOME: {"status": 403, "headers": HTML}}, Failure.REFUSED, "refuses"),
        ({HOME: {"status": 429, "headers": {"Retry-After": "90"}}}, Failure.REFUSED, "refuses"),
        ({}, Failure.UNREACHABLE, "reached"),
        ({HOME: {"status": 500}}, Failure.UNREACHABLE, "reached"),
    ],
)
def test_the_event_fails_it_with_a_reason_and_the_bus_hears_of_it(
    network: dict[str, Any], failure: Failure, words: str
) -> None:
    directory = FakeDirectory(network)
    one = ask(directory)
    deliver(directory)
    lost = found(directory, one)
    assert (lost.status, lost.failure, lost.feed_id) == ("failed", failure, None)
    assert words in (lost.reason or "")
    (event,) = events(directory, SUBSCRIPTION_FAILED)
    assert (event["subscription_id"], event["failure"], event["reason"]) == (one, failure, lost.reason)
    assert pending(directory) == []


@pytest.mark.parametrize("url", ["no url", "http://10.0.0.1/"])
def test_a_stored_forbidden_url_fails_with_a_reason(url: str) -> None:
    """A subscriber is told immediately; this subscription was written under older rules."""
    directory = FakeDirectory({})
    one = ask(directory)
    assert directory.subscriptions.save(replace(found(directory, one), url=url))
    deliver(directory)
    lost = found(directory, one)
    assert (lost.status, lost.failure in (Failure.BAD_URL, Failure.BLOCKED), bool(lost.reason)) == (
        "failed",
        True,
        True,
    )
    assert directory.internet.requests == []


def test_the_same_event_three_times_ends_like_once() -> None:
    directory = FakeDirectory(site())
    ask(directory)
    details = events(directory, SUBSCRIPTION_CREATED)
    deliver(directory, details)
    once, asked, told = directory.contents.subscriptions(), requested(directory), len(directory.bus.details)
    directory.clock.advance(REUSE_S + 60)
    deliver(directory, details * 2)
    assert directory.contents.subscriptions() == once
    assert (requested(directory), len(directory.bus.details)) == (asked, told)


def test_an_event_that_comes_after_it_was_deleted_brings_nothing_back() -> None:
    directory = FakeDirectory(site())
    one = ask(directory)
    unsubscribe(SELF_HOSTED, one, ports=directory)
    deliver(directory)
    assert directory.contents.subscriptions() == []
    assert (directory.contents.claims("SUBURL#"), directory.contents.claims("SUBFEED#")) == ({}, {})
    assert events(directory, SUBSCRIPTION_READY, SUBSCRIPTION_FAILED) == []


def test_an_event_from_before_a_deletion_does_not_change_a_new_subscription() -> None:
    directory = FakeDirectory({HOME: page()})
    ask(directory)
    old = events(directory, SUBSCRIPTION_CREATED)
    unsubscribe(SELF_HOSTED, old[0]["subscription_id"], ports=directory)
    again = ask(directory)
    deliver(directory, old)
    assert found(directory, again).is_pending


def test_two_urls_of_one_feed_end_as_one_and_its_duplicate() -> None:
    directory = FakeDirectory(site())
    first, second = ask(directory), ask(directory, FEED)
    deliver(directory)
    assert (found(directory, first).duplicate_of, found(directory, second).duplicate_of) == (None, first)
    assert [event["duplicate_of"] for event in events(directory, SUBSCRIPTION_READY)] == [None, first]
    assert len(list_subscriptions(SELF_HOSTED, ports=directory).subscriptions) == 1


def test_a_site_that_is_away_has_the_feed_that_is_known_of_it() -> None:
    directory = FakeDirectory(site())
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    (feed_id,) = directory.contents.live()
    directory.clock.advance(REUSE_S + 1)
    directory.internet.network |= FakeDirectory({HOME: {"status": 503}}).internet.network
    one = ask(directory)
    deliver(directory)
    assert (found(directory, one).status, found(directory, one).feed_id) == ("ready", feed_id)


def test_a_new_request_for_a_failed_subscription_is_searched_immediately() -> None:
    directory = FakeDirectory({HOME: page()})
    one = ask(directory)
    deliver(directory)
    assert found(directory, one).status == "failed"
    directory.clock.advance(60)
    directory.internet.network |= FakeDirectory(site()).internet.network
    assert ask(directory) == one
    deliver(directory, events(directory, SUBSCRIPTION_CREATED)[1:])
    assert found(directory, one).status == "ready"
    assert directory.contents.faults_of_subscriptions() == []


def test_a_late_event_of_the_first_request_serves_the_second() -> None:
    directory = FakeDirectory({HOME: page()})
    one = ask(directory)
    deliver(directory)
    directory.clock.advance(60)
    directory.internet.network |= FakeDirectory(site()).internet.network
    ask(directory)
    first, second = events(directory, SUBSCRIPTION_CREATED)
    deliver(directory, [first, second, first])
    assert found(directory, one).status == "ready"
    assert len(events(directory, SUBSCRIPTION_READY)) == 1


# --- owners -----------------------------------------------------------------------------------------


def test_a_feed_with_a_token_is_its_tenants_own_and_two_tenants_have_one_each() -> None:
    directory = FakeDirectory({SECRET: document(SECRET)})
    ones = {tenant: ask(directory, SECRET, tenant) for tenant in ("t1", "t2")}
    deliver(directory)
    feeds = {tenant: found(directory, one, tenant).feed_id for tenant, one in ones.items()}
    assert len(set(feeds.values())) == 2
    live = directory.contents.live()
    assert {tenant: live[feed_id or ""]["owner"] for tenant, feed_id in feeds.items()} == {"t1": "t1", "t2": "t2"}


def test_two_tenants_share_a_feed_of_the_directory_and_not_the_subscription() -> None:
    directory = FakeDirectory(site())
    ones = {tenant: ask(directory, tenant=tenant) for tenant in (None, "t1", "t2")}
    deliver(directory)
    assert len({found(directory, one, tenant).feed_id for tenant, one in ones.items()}) == 1
    assert len(directory.contents.live()) == 1
    unsubscribe(of_tenant("t1"), ones["t1"], ports=directory)
    assert found(directory, ones["t2"], "t2").status == "ready"


# --- the reconcile pass -----------------------------------------------------------------------------


def test_a_subscription_is_requested_again_after_five_minutes_and_not_sooner() -> None:
    directory = FakeDirectory(site())
    directory.bus.events.fails = 9
    one = ask(directory, tenant="t1")
    directory.bus.events.fails = 0
    directory.clock.advance(PENDING_S - 1)
    assert resend_pending(ports=directory) == NOTHING
    directory.clock.advance(1)
    assert resend_pending(ports=directory) == Resent(sent=1, failed=0, told=0, left=0)
    assert resend_pending(ports=directory) == NOTHING
    (event,) = events(directory, SUBSCRIPTION_CREATED)
    assert (event["subscription_id"], event["occurred_at"]) == (one, NOW)
    deliver(directory)
    assert found(directory, one, "t1").status == "ready"


def test_after_five_tries_it_has_failed_with_a_reason() -> None:
    directory = FakeDirectory(site())
    one = ask(directory)
    for tries in range(2, TRIES_AT_MOST + 1):
        directory.clock.advance(PENDING_S)
        assert resend_pending(ports=directory) == Resent(sent=1, failed=0, told=0, left=0)
        assert found(directory, one).tries == tries
    directory.clock.advance(PENDING_S)
    assert resend_pending(ports=directory) == Resent(sent=0, failed=1, told=0, left=0)
    lost = found(directory, one)
    assert (lost.status, lost.failure, bool(lost.reason)) == ("failed", Failure.GIVEN_UP, True)
    sent = events(directory, SUBSCRIPTION_CREATED)
    assert (len(sent), len({event["id"] for event in sent})) == (TRIES_AT_MOST, 1)
    assert [event["failure"] for event in events(directory, SUBSCRIPTION_FAILED)] == ["given_up"]
    assert pending(directory) == []
    deliver(directory)  # the message that was stuck for so long comes now
    assert found(directory, one).status == "failed"


def test_a_found_feed_without_an_event_gets_its_event() -> None:
    directory = FakeDirectory(site())
    one = ask(directory)
    details = events(directory, SUBSCRIPTION_CREATED)
    directory.bus.events.fails = FOR_EVER
    answer = discover_for_subscription(details[0], directory=directory)
    assert isinstance(answer, DiscoveryAnswer)
    assert set(answer.undelivered) == {"bus_unavailable"}
    assert found(directory, one).status == "ready"
    directory.clock.advance(PENDING_S)
    assert resend_pending(ports=directory) == Resent(sent=0, failed=0, told=0, left=1)
    assert directory.subscriptions.pending(before=directory.clock.now() - 1, limit=9) == []  # it goes to the end
    directory.bus.events.fails = 0
    directory.clock.advance(PENDING_S)
    directory.clock.advance(PENDING_S)
    assert resend_pending(ports=directory) == Resent(sent=0, failed=0, told=1, left=0)
    assert [event["subscription_id"] for event in events(directory, SUBSCRIPTION_READY)] == [one]
    assert pending(directory) == []


def test_a_repeated_event_sends_an_unsent_event() -> None:
    directory = FakeDirectory(site())
    ask(directory)
    details = events(directory, SUBSCRIPTION_CREATED)
    directory.bus.events.fails = FOR_EVER
    deliver(directory, details)
    directory.bus.events.fails = 0
    asked = requested(directory)
    deliver(directory, details)
    assert (len(events(directory, SUBSCRIPTION_READY)), pending(directory), requested(directory)) == (1, [], asked)


def test_a_pass_attends_to_so_many_and_the_next_to_the_rest() -> None:
    directory = FakeDirectory({})
    for number in range(7):
        ask(directory, f"{HOME}{number}")
    directory.clock.advance(PENDING_S)
    assert [resend_pending(ports=directory, limit=3).sent for _ in range(4)] == [3, 3, 1, 0]


def test_one_that_is_deleted_between_the_index_and_the_read_is_let_be() -> None:
    directory = FakeDirectory({})
    one = ask(directory)
    directory.clock.advance(PENDING_S)
    seen = directory.subscriptions.pending(before=2 * NOW, limit=9)
    unsubscribe(SELF_HOSTED, one, ports=directory)
    directory.subscriptions.pending = lambda **_: seen  # type: ignore[method-assign]
    assert resend_pending(ports=directory) == NOTHING
    assert directory.contents.subscriptions() == []


def test_entries_of_a_lagging_index_are_not_requested_twice() -> None:
    directory = FakeDirectory({})
    ask(directory)
    directory.clock.advance(PENDING_S)
    seen = directory.subscriptions.pending(before=2 * NOW, limit=9)
    directory.subscriptions.pending = lambda **_: seen  # type: ignore[method-assign]
    assert resend_pending(ports=directory).sent == 1
    directory.clock.advance(PENDING_S - 1)
    assert resend_pending(ports=directory) == NOTHING


def test_of_two_passes_at_once_one_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    directory = FakeDirectory({})
    ask(directory)
    directory.clock.advance(PENDING_S)
    asked = len(directory.bus.details)
    monkeypatch.setattr(type(directory.subscriptions), "save", lambda *_: False)  # the other pass was faster

    assert resend_pending(ports=directory) == NOTHING
    assert len(directory.bus.details) == asked


def test_one_that_cannot_be_attended_to_keeps_no_other_from_it() -> None:
    directory = FakeDirectory({})
    ids = [ask(directory, f"{HOME}{number}") for number in range(4)]
    directory.clock.advance(PENDING_S)
    read = directory.subscriptions.get

    def get(tenant_id: str | None, subscription_id: str, **options: Any) -> Subscription | None:
        if subscription_id == ids[0]:
            raise Throttled("busy")
        return read(tenant_id, subscription_id, **options)

    directory.subscriptions.get = get  # type: ignore[method-assign]
    done = resend_pending(ports=directory)
    assert (done, done.resumed) == (Resent(sent=3, failed=0, told=0, left=1), 3)


def test_the_pass_and_the_re_pointing_fit_the_reconcile_pass() -> None:
    directory = FakeDirectory({})
    ask(directory)
    directory.clock.advance(PENDING_S)
    pending_merges: PendingMerges = directory.subscriptions
    assert pending_merges.repoint("0" * 26, now=NOW)
    drive: Pass = lambda seconds: resend_pending(ports=directory, within_s=seconds).resumed  # noqa: E731
    assert drive(20.0) == 1


def test_a_pass_ends_when_its_time_is_over() -> None:
    directory = FakeDirectory({})
    for number in range(4):
        ask(directory, f"{HOME}{number}")
    directory.clock.advance(PENDING_S)
    publish = directory.bus.publish

    def slowly(*arguments: Any, **options: Any) -> Any:
        directory.clock.advance(2)
        return publish(*arguments, **options)

    directory.bus.publish = slowly  # type: ignore[method-assign]
    assert resend_pending(ports=directory, within_s=3.0).sent == 2
    assert resend_pending(ports=directory, within_s=30.0).sent == 2


# --- once -------------------------------------------------------------------------------------------


def test_a_settled_subscription_stays_unchanged() -> None:
    directory = FakeDirectory(site())
    one = ask(directory)
    deliver(directory)
    ready = found(directory, one)
    settled = fail(None, one, Failure.NO_FEED, "none", ports=directory)
    assert settled is not None
    assert found(directory, one) == ready
    assert make_ready(None, one, ready.feed_id or "", ports=directory) is not None
    assert found(directory, one) == ready
    assert len(events(directory, SUBSCRIPTION_READY, SUBSCRIPTION_FAILED)) == 1
