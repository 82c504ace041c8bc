"""Proven hubs that die while there is hardly any news: the renewals that ask them for a sign of life (rule W22)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from feedward.adapters.dynamodb.push.push_items import hub_key
from feedward.adapters.dynamodb.state.state_rows import hub_row_key
from feedward.push.hub import PROVEN_FEEDS, failed
from feedward.push.push_record import Trust
from tests.fakes.push import HUB, FakePush, Hub
from tests.unit.services.push.test_story import every, trusted

QUARTER_S = 15 * 60


FEEDS = 5


def proven() -> tuple[FakePush, Hub, list[str]]:
    """A hub that 50 feeds trust, five of which are here. It told its last news an hour ago and has been asked since."""
    push = FakePush()
    hub = push.hub()
    feeds = [trusted(push, number, hub) for number in range(FEEDS)]
    others = {"trusted": PROVEN_FEEDS - FEEDS, "rate": 1000 * PROVEN_FEEDS}
    push.tables.update(push.tables.names.state, hub_row_key(hub_key(HUB)), None, add=others)
    push.ports.hubs.watch(HUB, is_on=True)
    push.pass_time(3600)
    return push, hub, feeds


def vanish(hub: Hub) -> None:
    hub.status = None


def break_down(hub: Hub) -> None:
    hub.status = 503


def ask_for_patience(hub: Hub) -> None:
    hub.status, hub.retry_after_s = 503, 3600


def lose_its_worker(hub: Hub) -> None:
    hub.verifies = False


def be_gone(hub: Hub) -> None:
    hub.status = 404


@pytest.mark.parametrize("die", [vanish, break_down, ask_for_patience, lose_its_worker, be_gone])
@pytest.mark.parametrize("after_s", [0, 120, 350])
def test_a_hub_that_dies_without_news_is_found_out_within_a_quarter_of_an_hour(
    die: Callable[[Hub], None], after_s: int
) -> None:
    push, hub, feeds = proven()
    push.pass_time(after_s)
    assert push.standing().suspensions == 0
    die(hub)
    died_at = push.clock.now()

    while not push.standing().suspended_until and push.clock.now() < died_at + 3600:
        push.pass_time(60)

    assert push.clock.now() - died_at <= QUARTER_S
    assert {push.record(feed).trust for feed in feeds} == {Trust.DISTRUSTED}
    assert {every(push, feed) for feed in feeds} == {None}


def limit_rate(hub: Hub) -> None:
    hub.status = 429


def limit_rate_for_an_hour(hub: Hub) -> None:
    hub.status, hub.retry_after_s = 429, 3600


def be_quiet(hub: Hub) -> None:
    del hub


@pytest.mark.parametrize("live", [be_quiet, limit_rate, limit_rate_for_an_hour])
def test_a_hub_that_is_only_quiet_or_sets_a_limit_keeps_its_trust(live: Callable[[Hub], None]) -> None:
    push, hub, feeds = proven()
    live(hub)

    push.pass_time(4 * 3600)

    assert push.standing().suspensions == 0
    assert {push.record(feed).trust for feed in feeds} == {Trust.TRUSTED}


def test_a_quiet_hub_is_asked_at_most_ten_times_an_hour_and_about_all_its_feeds_in_turn() -> None:
    push, hub, feeds = proven()
    del hub.asked[:]

    push.pass_time(4 * 3600)

    assert 20 <= len(hub.asked) <= 40
    assert {request.place[0] for request in hub.asked} == set(feeds)


def test_a_hub_that_does_not_answer_for_two_minutes_keeps_its_trust() -> None:
    push, hub, _ = proven()
    while not push.standing().failures:
        hub.status = 503
        push.pass_time(60)
    hub.status = 202

    push.pass_time(3600)

    assert push.standing().suspensions == 0


def test_failures_from_before_the_last_news_say_nothing_about_a_hub_that_falls_quiet() -> None:
    push, _, feeds = proven()
    before = push.standing()
    for _ in range(3):
        before = failed(before, push.clock.now())
    assert push.ports.hubs.save(push.standing(), before) is not None
    push.clock.advance(30)
    push.ports.hubs.note_told(HUB, now=push.clock.now())

    push.pass_time(3600)

    assert push.standing().suspensions == 0
    assert {push.record(feed).trust for feed in feeds} == {Trust.TRUSTED}


def test_a_hub_that_pushes_is_not_asked() -> None:
    push, hub, feeds = proven()
    request = hub.verified[hub.asked[0].callback]
    del hub.asked[:]

    for _ in range(12):
        hub.send(request)
        told_at = push.record(feeds[0]).told_at
        push.check(feeds[0], pushed_at=push.clock.now(), new_items=1, last_news_at=told_at, push_every=240)
        push.pass_time(5 * 60)

    assert hub.asked == []
