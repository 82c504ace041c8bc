"""Hubs over hours and weeks, on a clock that a test moves: they die, lie, tell half, lose answers, replay."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import pytest

from feedward.adapters.dynamodb.push.push_items import hub_key
from feedward.adapters.dynamodb.state.state_rows import hub_row_key
from feedward.push.hub import PROVEN_FEEDS
from feedward.push.hub_choice import Named
from feedward.push.push_record import SubscriptionState, Trust
from feedward.push.trust import Found
from feedward.services.push.subscribe import Asked
from feedward.webhooks.attempt import Posted
from tests.fakes.push import BASE, HUB, FakePush, Hub, HubRequest
from tests.fakes.webhooks import answered

FEED: Final = "01FEED"
DAY_S: Final = 86_400
HOUR_S: Final = 3600


def trusted(push: FakePush, number: int, hub: Hub, *, own_every: int = 60) -> str:
    """A feed with two pieces of news that the hub told first."""
    feed_id = f"{number:02d}FEED"
    request = push.subscribed(feed_id, hub)
    for _ in range(2):
        push.clock.advance(61)
        hub.send(request)
        told_at = push.record(feed_id).told_at
        push.check(feed_id, pushed_at=push.clock.now(), new_items=1, last_news_at=told_at, own_every=own_every,
                   news_a_day=24_000)  # fmt: skip
    push.sent()
    return feed_id


def every(push: FakePush, feed_id: str) -> int | None:
    found: int | None = push.attributes(feed_id).get("failures", {}).get("push_every")
    return found


def untold(push: FakePush, feed_id: str) -> None:
    """A poll that finds news from an hour ago without a push."""
    push.check(feed_id, new_items=1, push_every=every(push, feed_id), published=(push.clock.now() - HOUR_S,))


# --- subscribing ----------------------------------------------------------------------------------


def test_a_feed_that_names_a_hub_is_subscribed_with_a_secret_and_a_token_of_its_own() -> None:
    push = FakePush()
    hub = push.hub()
    one, other = push.subscribed("01A", hub), push.subscribed("02A", hub)

    assert (one.mode, one.topic, one.lease) == ("subscribe", "https://01a.example/feed", "864000")
    assert one.callback.startswith(f"{BASE}/v1/push/01A/")
    assert len({one.secret, other.secret, *one.place, *other.place}) == 6
    assert len(one.place[1]) * 4 >= 128
    assert 32 <= len(one.secret) < 200
    record = push.record("01A")
    assert (record.state, record.trust) == (SubscriptionState.VERIFIED, Trust.ON_TRIAL)
    stored = repr(push.directory.contents.everything())
    assert one.secret not in stored
    assert one.place[1] not in stored


def test_the_intent_is_stored_before_the_hub_is_asked_so_that_it_may_verify_inside_the_post() -> None:
    push = FakePush()
    hub = push.hub(is_early=True)

    push.subscribed(FEED, hub)

    assert push.record(FEED).is_live(push.clock.now())
    assert push.record(FEED).last_answer == "202"


def test_a_hub_that_verifies_later_is_believed_too() -> None:
    push = FakePush()
    hub = push.hub(is_early=False)
    request = push.subscribed(FEED, hub)
    assert push.record(FEED).state is SubscriptionState.ASKED

    push.clock.advance(300)
    hub.verify(request)

    assert push.record(FEED).state is SubscriptionState.VERIFIED


def test_a_post_whose_answer_was_lost_is_verified_all_the_same() -> None:
    push = FakePush()
    hub = push.hub()

    def lost(request: HubRequest) -> Posted:
        hub.verify(request)
        return Posted(outcome=answered(500).outcome, detail="timed out")

    hub.post = lost  # type: ignore[method-assign]
    feed = push.feed(FEED)
    push.names(FEED, feed)
    push.drive()

    assert push.record(FEED).state is SubscriptionState.VERIFIED
    assert push.record(FEED).try_at > push.clock.now() + 4 * DAY_S  # type: ignore[operator]


@pytest.mark.parametrize(
    ("owner", "url"), [("tenant", "https://a.example/feed"), ("", "https://a.example/feed?token=9f3a71c2d4e5b6a7")]
)
def test_a_private_feed_is_never_subscribed(owner: str, url: str) -> None:
    push = FakePush()
    hub = push.hub()
    push.feed(FEED, url, owner=owner)

    push.names(FEED, url, owner=owner or None)
    push.drive()

    assert push.ports.store.get(FEED) is None
    assert hub.asked == []


@pytest.mark.parametrize(
    "hub",
    [
        "http://127.0.0.1/",
        "https://localhost/hub",
        "https://10.0.0.1/",
        "https://user:secret@hub.example/",
        "https://push.feedward.example/hub",
        "ftp://hub.example/",
    ],
)
def test_a_hub_that_may_not_be_asked_is_none(hub: str) -> None:
    push = FakePush()
    feed = push.feed(FEED)

    push.names(FEED, feed, hub)

    assert push.ports.store.get(FEED) is None


def test_a_topic_that_the_hub_refuses_is_followed_by_the_other_one_once_then_by_none_for_a_week() -> None:
    push = FakePush()
    hub = push.hub(status=422, says=b"unknown topic")
    feed = push.feed(FEED)
    push.names(FEED, feed, self_url="http://01feed.example/feed")

    push.pass_time(10 * 60)
    record = push.record(FEED)

    assert [each.topic for each in hub.asked] == ["http://01feed.example/feed", "https://01feed.example/feed"]
    assert len({each.callback for each in hub.asked}) == 2
    assert (record.state, record.last_answer) == (SubscriptionState.FAILED, "422 unknown topic")
    push.clock.advance(6 * DAY_S)
    push.drive()
    assert len(hub.asked) == 2
    push.clock.advance(DAY_S)
    push.drive()
    assert len(hub.asked) == 3


@pytest.mark.parametrize("before", ["", "x" * 100])
def test_a_hub_that_repeats_the_request_puts_no_secret_into_the_store(before: str) -> None:
    push = FakePush()
    hub = push.hub(status=400)
    post = hub.post

    def repeat(request: HubRequest) -> Posted:
        said = f"{before} bad request: {request.callback} hub.secret={request.secret.upper()}"
        return replace(post(request), answer=said.encode())

    hub.post = repeat  # type: ignore[method-assign]
    push.names(FEED, push.feed(FEED))
    push.drive()

    (request,) = hub.asked[:1]
    stored = repr(push.directory.contents.everything()).lower()
    assert push.record(FEED).last_answer.startswith(f"400 {before}".strip())
    assert not [each for each in (*request.place[1:], request.secret) if each[:16] in stored]


def test_a_hub_that_moved_gets_the_same_post_at_its_new_place_which_is_remembered() -> None:
    push = FakePush()
    old, new = push.hub(status=308, location="https://new.example/hub"), push.hub("https://new.example/hub")
    feed = push.feed(FEED)
    push.names(FEED, feed)
    push.drive()
    assert (len(old.asked), len(new.asked)) == (1, 1)
    assert old.asked[0].callback == new.asked[0].callback

    push.clock.time = float(push.record(FEED).try_at or 0)
    push.drive()

    assert (len(old.asked), len(new.asked)) == (1, 2)


@pytest.mark.parametrize(("first", "second"), [(307, 308), (308, 307), (302, 302)])
def test_a_place_that_a_hub_only_lends_is_not_remembered(first: int, second: int) -> None:
    push = FakePush()
    old = push.hub(status=first, location="https://second.example/")
    push.hub("https://second.example/", status=second, location="https://third.example/")
    third = push.hub("https://third.example/")
    push.names(FEED, push.feed(FEED))
    push.drive()
    push.clock.time = float(push.record(FEED).try_at or 0)
    push.drive()

    remembered = push.record(FEED).sent_to
    assert (len(third.asked), remembered) == (2, "https://second.example/" if first == 308 else None)
    assert len(old.asked) == (1 if first == 308 else 2)


def test_after_four_failures_the_next_hub_of_the_feed_is_asked_with_a_token_of_its_own() -> None:
    push = FakePush()
    dead, second = push.hub(status=None), push.hub("https://second.example/")
    push.names(FEED, push.feed(FEED), HUB, second.url)

    push.pass_time(3 * DAY_S, step_s=HOUR_S)

    assert (len(dead.asked), len(second.asked)) == (4, 1)
    assert len({each.callback for each in (*dead.asked, *second.asked)}) == 2
    assert (push.record(FEED).hub, push.record(FEED).state) == (second.url, SubscriptionState.VERIFIED)


def test_redirects_end_after_three_hops_and_never_leave_https() -> None:
    push = FakePush()
    hub = push.hub(status=307, location=HUB)
    plain = push.hub("http://plain.example/")
    push.subscribed(FEED, hub)
    assert len(hub.asked) == 4

    hub.location = "http://plain.example/"
    push.clock.advance(2 * HOUR_S)
    push.drive()

    assert plain.asked == []


# --- renewing -------------------------------------------------------------------------------------


def test_a_lease_is_renewed_from_its_half_on_with_the_same_secret_and_the_old_one_lasts_until_then() -> None:
    push = FakePush()
    hub = push.hub()
    first = push.subscribed(FEED, hub)
    began, lease_until = push.clock.now(), push.record(FEED).lease_until

    push.pass_time(8 * DAY_S, step_s=HOUR_S)
    second = hub.asked[1]

    assert second == first
    assert push.record(FEED).lease_until > lease_until  # type: ignore[operator]
    assert push.record(FEED).state is SubscriptionState.VERIFIED
    assert len(hub.asked) == 2
    assert began + 5 * DAY_S < (push.record(FEED).lease_until or 0) - 10 * DAY_S + 1


@pytest.mark.parametrize("status", [503, 410])
def test_renewals_that_fail_for_a_week_are_few_and_the_feed_is_pushed_until_its_lease_ends(status: int) -> None:
    push = FakePush()
    hub = push.hub()
    feed_id = trusted(push, 1, hub)
    lease_until = push.record(feed_id).lease_until or 0
    hub.status, asked = status, len(hub.asked)
    push.clock.time = float(push.record(feed_id).try_at or 0)

    states = []
    for _ in range(7 * 24):
        push.pass_time(HOUR_S, step_s=HOUR_S)
        states.append((push.clock.now() < lease_until + 6 * HOUR_S, push.record(feed_id).trust))

    assert {trust for is_live, trust in states if is_live} == {Trust.TRUSTED}
    assert states[-1] == (False, Trust.NONE)
    assert every(push, feed_id) is None
    assert len(hub.asked) - asked <= 4 + 7

    hub.status = 202
    push.clock.time = max(push.clock.time, float(push.record(feed_id).try_at or 0))  # a refusal counts for a week
    push.pass_time(2 * HOUR_S, step_s=HOUR_S)
    assert push.record(feed_id).state is SubscriptionState.VERIFIED


def test_a_hub_that_is_dead_for_a_thousand_feeds_is_asked_seldom_and_leaves_them_as_they_were() -> None:
    push = FakePush()
    dead, lives = push.hub(status=None), push.hub("https://lives.example/")
    feeds = [f"{number:04d}DEAD" for number in range(100)]  # a rate for 100 is the same for a thousand
    for feed_id in feeds:
        push.names(feed_id, push.feed(feed_id))
    push.names(FEED, push.feed(FEED), lives.url)

    push.pass_time(DAY_S, step_s=900)

    assert push.record(FEED).state is SubscriptionState.VERIFIED
    assert 3 <= len(dead.asked) <= 24
    assert all(every(push, feed_id) is None for feed_id in feeds)
    assert all(push.attributes(feed_id)["rev"] == 1 for feed_id in feeds[:5])


@pytest.mark.parametrize("status", [408, 425, 429])
def test_a_hub_that_is_busy_has_not_refused_the_topic(status: int) -> None:
    push = FakePush()
    hub = push.hub(status=status)
    push.names(FEED, push.feed(FEED), self_url="http://01feed.example/feed")

    push.pass_time(10 * 60)

    assert len(hub.asked) == 1
    assert push.record(FEED).state is SubscriptionState.ASKED


def test_a_hub_that_says_retry_after_has_a_cooldown_for_all_feeds_of_its_host() -> None:
    push = FakePush()
    hub = push.hub(status=503, retry_after_s=1800)
    for number in range(5):
        push.names(f"{number}RA", push.feed(f"{number}RA"))

    push.pass_time(25 * 60)

    assert len(hub.asked) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_the_host_of_a_redirect_that_says_retry_after_has_the_cooldown(status: int) -> None:
    push = FakePush()
    old = push.hub(status=307, location="https://new.example/hub")
    new = push.hub("https://new.example/hub", status=status, retry_after_s=1800)
    now = push.clock.now()
    push.names(FEED, push.feed(FEED))
    push.drive()

    rests = {name: push.ports.limiter.cooldown_until(f"{name}.example", now=now) - now for name in ("hub", "new")}
    assert (len(old.asked), len(new.asked)) == (1, 1)
    assert rests == {"hub": -now, "new": 1800}


@pytest.mark.parametrize("status", [307, 308])
def test_a_host_in_its_cooldown_is_not_asked_through_a_redirect(status: int) -> None:
    push = FakePush()
    old = push.hub(status=status, location="https://new.example/hub")
    new = push.hub("https://new.example/hub")
    push.names(FEED, push.feed(FEED))
    push.ports.limiter.cool_down("new.example", until=push.clock.now() + 7 * HOUR_S, now=push.clock.now())

    push.pass_time(6 * HOUR_S, step_s=HOUR_S / 4)
    assert (len(old.asked) > 0, len(new.asked)) == (True, 0)
    push.pass_time(12 * HOUR_S, step_s=HOUR_S / 4)

    assert push.record(FEED).state is SubscriptionState.VERIFIED
    asked = len(new.asked)
    push.clock.time = float(push.record(FEED).try_at or 0)
    push.ports.limiter.cool_down("new.example", until=push.clock.now() + HOUR_S, now=push.clock.now())
    push.drive()
    assert len(new.asked) == asked


def test_a_hub_gets_one_request_a_second_at_most() -> None:
    push = FakePush()
    hub = push.hub()
    times = []
    post = hub.post
    hub.post = lambda request: times.append(push.clock.time) or post(request)  # type: ignore[method-assign,func-returns-value]
    for number in range(12):
        push.names(f"{number}PS", push.feed(f"{number}PS"))

    push.drive()

    assert len(times) == 12
    assert all(later - earlier >= 1 for earlier, later in pairwise(times))


# --- trust ----------------------------------------------------------------------------------------


def test_two_pieces_of_news_told_first_make_a_feed_trusted_at_four_times_its_own_class() -> None:
    push = FakePush()
    feed_id = trusted(push, 1, push.hub(), own_every=120)

    assert push.record(feed_id).trust is Trust.TRUSTED
    assert every(push, feed_id) == 480
    assert (push.standing().trusted, push.standing().rate) == (1, 24_000)


def test_news_that_a_poll_found_shortly_before_the_push_counts_as_told() -> None:
    push = FakePush()
    hub = push.hub()
    request = push.subscribed(FEED, hub)

    push.clock.advance(60)
    found_at = push.clock.now()
    push.clock.advance(500)
    hub.send(request)
    push.check(FEED, pushed_at=push.clock.now(), last_news_at=found_at)
    hub.send(request)  # the same again, as some hubs do on purpose
    push.check(FEED, pushed_at=push.clock.now(), last_news_at=found_at)

    record = push.record(FEED)
    assert (record.told, record.told_in_row, record.empty, record.trust) == (1, 1, 0, Trust.ON_TRIAL)


def test_news_between_two_pushes_that_a_poll_had_to_find_starts_the_count_again() -> None:
    push = FakePush()
    hub = push.hub()
    request = push.subscribed(FEED, hub)
    push.clock.advance(61)
    hub.send(request)
    push.check(FEED, pushed_at=push.clock.now(), new_items=1)

    push.clock.advance(2 * HOUR_S)
    hub.send(request)
    push.check(FEED, pushed_at=push.clock.now(), new_items=1, last_news_at=push.clock.now() - HOUR_S)

    assert (push.record(FEED).told, push.record(FEED).trust) == (2, Trust.ON_TRIAL)


def test_a_feed_has_its_own_class_back_after_one_piece_of_news_that_was_not_told() -> None:
    push = FakePush()
    feed_id = trusted(push, 1, push.hub())
    push.clock.advance(4 * HOUR_S)

    untold(push, feed_id)
    assert push.record(feed_id).trust is Trust.TRUSTED  # the push may be a little late
    push.pass_time(11 * 60)

    record, feed = push.record(feed_id), push.attributes(feed_id)
    assert (record.trust, record.missed) == (Trust.DISTRUSTED, 1)
    assert every(push, feed_id) is None
    assert push.clock.now() - 60 <= feed["next_check_at"] <= push.clock.now() + 600
    assert "slot" not in feed
    assert push.standing().trusted == 0


def test_a_push_within_ten_minutes_after_the_finding_is_not_missed() -> None:
    push = FakePush()
    hub = push.hub()
    feed_id = trusted(push, 1, hub)
    push.clock.advance(4 * HOUR_S)
    untold(push, feed_id)

    push.pass_time(9 * 60)
    hub.send(hub.asked[0])
    push.check(feed_id, pushed_at=push.clock.now(), last_news_at=push.clock.now() - 9 * 60, push_every=240)
    push.pass_time(30 * 60)

    assert push.record(feed_id).trust is Trust.TRUSTED


def test_items_that_are_young_or_undated_say_nothing_against_a_hub() -> None:
    push = FakePush()
    feed_id = trusted(push, 1, push.hub())
    push.clock.advance(4 * HOUR_S)

    push.check(feed_id, new_items=1, push_every=240, published=(push.clock.now() - 14 * 60,))
    push.check(feed_id, new_items=3, push_every=240)
    push.pass_time(30 * 60)

    assert push.record(feed_id).trust is Trust.TRUSTED


def test_a_feed_that_was_missed_has_to_earn_the_trust_again_after_a_day() -> None:
    push = FakePush()
    hub = push.hub()
    feed_id = trusted(push, 1, hub)
    push.clock.advance(4 * HOUR_S)
    untold(push, feed_id)
    push.pass_time(11 * 60)

    for wait_s, trust in ((61, Trust.DISTRUSTED), (61, Trust.DISTRUSTED), (DAY_S, Trust.ON_TRIAL), (61, Trust.TRUSTED)):
        push.clock.advance(wait_s)
        hub.send(hub.asked[0])
        told_at = push.record(feed_id).told_at
        push.check(feed_id, pushed_at=push.clock.now(), new_items=1, last_news_at=told_at)
        assert push.record(feed_id).trust is trust


# --- hubs that lie --------------------------------------------------------------------------------


def test_a_hub_that_dies_is_found_out_within_a_quarter_of_an_hour_and_frees_all_its_feeds() -> None:
    push = FakePush()
    hub = push.hub()
    *_, late = [trusted(push, number, hub) for number in range(PROVEN_FEEDS + 1)]
    assert push.standing().is_proven
    assert every(push, late) == 1440
    push.clock.advance(6 * HOUR_S)
    push.sent()
    found_at = push.clock.now()

    untold(push, "00FEED")  # one audit finds news without a push
    probes = push.sent()
    assert len(probes) == 20
    assert all(feed.pushed_at is None and delay <= 30 for feed, delay in probes)
    for feed, _ in probes[:4]:
        untold(push, feed.feed_id)
    for _ in range(14):
        push.pass_time(60)
        if push.standing().suspended_until:
            break
    push.pass_time(60)

    assert push.clock.now() - found_at <= 15 * 60
    assert push.standing().is_suspended(push.clock.now())
    assert not push.standing().frees
    assert push.standing().trusted == 0
    for number in range(PROVEN_FEEDS + 1):
        feed_id = f"{number:02d}FEED"
        assert (push.record(feed_id).trust, every(push, feed_id)) == (Trust.DISTRUSTED, None)
        assert push.attributes(feed_id)["next_check_at"] <= push.clock.now() + 600

    request = push.hubs[HUB].asked[0]
    for _ in range(3):  # while it is suspended, no feed trusts it
        push.clock.advance(DAY_S // 4 - 100)
        push.hubs[HUB].send(request)
        push.check("00FEED", pushed_at=push.clock.now(), new_items=1, last_news_at=push.record("00FEED").told_at)
        assert push.record("00FEED").trust is Trust.DISTRUSTED


def test_a_proven_hub_that_falls_silent_has_some_of_its_feeds_checked() -> None:
    push = FakePush()
    hub = push.hub()
    feeds = [trusted(push, number, hub) for number in range(3)]
    others = {"trusted": PROVEN_FEEDS, "rate": 24_000 * PROVEN_FEEDS}
    push.tables.update(push.tables.names.state, hub_row_key(hub_key(HUB)), None, add=others)
    push.ports.hubs.watch(HUB, is_on=True)

    push.pass_time(8 * 60)  # it pushes news each 68 s
    assert push.sent() == []
    push.pass_time(2 * 60)

    assert sorted(feed.feed_id for feed, _ in push.sent()) == feeds


def test_a_hub_that_dies_is_found_out_within_a_quarter_of_an_hour_after_its_death() -> None:
    push = FakePush()
    hub = push.hub()
    feeds = [trusted(push, number, hub) for number in range(PROVEN_FEEDS)]
    hub.send(hub.asked[0])
    push.sent()
    push.clock.advance(60)
    push.check("00FEED", pushed_at=push.clock.now(), new_items=1, push_every=1440)
    died_at, due = push.clock.now(), list[tuple[int, str]]()

    while not push.standing().suspended_until and push.clock.now() < died_at + HOUR_S:
        push.pass_time(30, step_s=30)
        due += [(push.clock.now() + delay, feed.feed_id) for feed, delay in push.sent()]
        for at, feed_id in [each for each in due if each[0] <= push.clock.now()]:
            due.remove((at, feed_id))
            if push.clock.now() - died_at > int(feed_id[:2]) * 3600 / PROVEN_FEEDS:
                news_at = push.clock.now() - 240  # one feed after the other has had news since
                push.check(feed_id, new_items=1, push_every=1440, published=(news_at,))
    push.pass_time(60)

    assert push.clock.now() - died_at <= 15 * 60
    assert (push.standing().trusted, push.standing().frees) == (0, False)
    assert {every(push, feed_id) for feed_id in feeds} == {None}


def test_a_hub_that_begins_to_withhold_news_is_doubted_by_its_pushes_and_convicted_by_polls() -> None:
    push = FakePush()
    hub = push.hub()
    feeds = [trusted(push, number, hub) for number in range(PROVEN_FEEDS)]
    requests = {request.place[0]: request for request in hub.verified.values()}
    push.clock.advance(3600)
    began_at = push.clock.now()

    for feed_id in feeds[:6]:  # its withheld items come with the next news
        push.clock.advance(60)
        hub.send(requests[feed_id])
        now = push.clock.now()
        dates = (now - 30, now - 800)
        push.check(feed_id, pushed_at=now, new_items=2, published=dates, last_news_at=now - 3000, push_every=240)
        if probes := [feed for feed, _ in push.sent() if feed.pushed_at is None]:
            break
    for probe in probes[:10]:
        push.check(probe.feed_id, new_items=1, published=(push.clock.now() - 240,), push_every=240)
    push.pass_time(60)

    assert len(probes) == PROVEN_FEEDS - 1
    assert push.clock.now() - began_at <= 15 * 60
    assert (push.standing().trusted, push.standing().frees) == (0, False)


def test_a_push_that_brings_a_whole_batch_or_backdated_items_puts_no_hub_in_doubt() -> None:
    push = FakePush()
    hub = push.hub()
    feeds = [trusted(push, number, hub) for number in range(5)]
    push.tables.update(push.tables.names.state, hub_row_key(hub_key(HUB)), None, add={"trusted": PROVEN_FEEDS})
    requests = {request.place[0]: request for request in hub.verified.values()}
    push.clock.advance(3600)

    for feed_id in feeds:
        push.clock.advance(20)
        hub.send(requests[feed_id])
        now = push.clock.now()
        batch, draft = (now - 30, now - 60), (now - 90_000, now - 180_000)
        for dates in (batch, draft):
            push.check(feed_id, pushed_at=now, new_items=2, published=dates, last_news_at=now - 3000, push_every=240)

    assert [feed for feed, _ in push.sent() if feed.pushed_at is None] == []
    assert push.standing().late == {}


def test_a_hub_that_is_silent_at_night_keeps_its_trust_and_costs_few_polls() -> None:
    push = FakePush()
    hub = push.hub()
    feeds = [trusted(push, number, hub) for number in range(PROVEN_FEEDS)]
    polls = 0

    for _ in range(8 * 12):
        push.pass_time(300, step_s=300)
        sent = push.sent()
        polls += len(sent)
        for feed, _ in sent:
            push.check(feed.feed_id, push_every=1440)

    assert {every(push, feed_id) for feed_id in feeds} == {240}  # its own class times four, as before the night
    assert push.standing().trusted == PROVEN_FEEDS
    assert polls <= 5 * PROVEN_FEEDS


def test_a_hub_that_tells_half_of_the_news_is_trusted_by_no_feed_for_long() -> None:
    push = FakePush()
    hub = push.hub()
    feeds = [trusted(push, number, hub) for number in range(4)]

    for number, feed_id in enumerate(feeds):
        push.clock.advance(HOUR_S)
        if number % 2:
            untold(push, feed_id)
    push.pass_time(11 * 60)

    assert [push.record(each).trust for each in feeds] == [Trust.TRUSTED, Trust.DISTRUSTED] * 2


def test_a_push_that_is_replayed_for_ever_brings_no_trust_and_fewer_checks() -> None:
    push = FakePush()
    hub = push.hub()
    request = push.subscribed(FEED, hub)
    checks = 0

    for _ in range(24 * 60 // 2):
        hub.send(request, b"old")
        sent = push.sent()
        checks += len(sent)
        if sent:
            push.check(FEED, pushed_at=push.clock.now(), own_every=60)
        push.clock.advance(120)

    assert (push.record(FEED).trust, push.record(FEED).told) == (Trust.ON_TRIAL, 0)
    assert checks < 150


# --- the end --------------------------------------------------------------------------------------


def test_a_feed_that_names_no_hub_any_more_ends_its_subscription_with_the_old_topic() -> None:
    push = FakePush()
    hub = push.hub()
    feed_id = trusted(push, 1, hub)
    first = hub.asked[0]

    push.trusts.after_check(feed_id, first.topic, None, found=Found(at=push.clock.now()), named=Named())

    assert (hub.asked[-1].mode, hub.asked[-1].topic, hub.asked[-1].callback) == (
        "unsubscribe", first.topic, first.callback,
    )  # fmt: skip
    assert hub.verified == {}
    assert every(push, feed_id) is None
    assert hub.send(first).result == "unknown"
    push.clock.advance(DAY_S + 1)
    assert hub.verify(hub.asked[-1]).challenge == ""


def test_a_hub_that_is_told_of_an_end_and_says_retry_after_has_a_cooldown() -> None:
    push = FakePush()
    hub = push.hub()
    request = push.subscribed(FEED, hub)
    hub.status, hub.retry_after_s = 429, 900

    push.names(FEED, request.topic, "ftp://none.example/")

    assert [each.mode for each in hub.asked] == ["subscribe", "unsubscribe"]
    assert push.ports.limiter.cooldown_until("hub.example", now=push.clock.now()) == push.clock.now() + 900


@pytest.mark.parametrize("reason", ["cooldown", "hold"])
def test_a_hub_that_rests_is_not_told_of_the_end_and_its_pushes_get_410(reason: str) -> None:
    push = FakePush()
    hub = push.hub()
    request = push.subscribed(FEED, hub)
    now = push.clock.now()
    if reason == "cooldown":
        push.ports.limiter.cool_down("hub.example", until=now + 60, now=now)
    else:
        standing = push.ports.hubs.get(HUB)
        assert push.ports.hubs.save(standing, replace(standing, held_until=now + 60))

    push.names(FEED, request.topic, "ftp://none.example/")

    assert [each.mode for each in hub.asked] == ["subscribe"]
    assert push.record(FEED).state is SubscriptionState.ENDED
    assert hub.send(request).result == "unknown"


def test_a_feed_that_moved_is_subscribed_at_its_new_hub_and_the_old_one_is_told() -> None:
    push = FakePush()
    old, new = push.hub(), push.hub("https://new.example/")
    first = push.subscribed(FEED, old)

    push.names(FEED, first.topic, new.url)
    push.drive()

    assert [each.mode for each in old.asked] == ["subscribe", "unsubscribe"]
    assert [each.mode for each in new.asked] == ["subscribe"]
    assert new.asked[0].place[1] != first.place[1]
    assert push.record(FEED).state is SubscriptionState.VERIFIED
    assert old.verify(old.asked[-1]).challenge == "c1"
    assert old.verify(first).challenge == ""


def test_a_paused_feed_ends_its_subscription_when_it_would_be_renewed() -> None:
    push = FakePush()
    hub = push.hub()
    push.subscribed(FEED, hub)
    feed = push.attributes(FEED)
    push.directory.contents.put_feed_item(
        **{name: value for name, value in feed.items() if name not in ("slot", "slot_from", "next_check_at")}
        | {"state": "paused"}
    )
    push.clock.time = float(push.record(FEED).try_at or 0)

    report = push.drive()

    assert report.asked[Asked.ENDED] == 1
    assert [each.mode for each in hub.asked] == ["subscribe", "unsubscribe"]


def test_with_another_public_base_url_the_callback_moves_at_the_next_renewal() -> None:
    push = FakePush()
    hub = push.hub()
    first = push.subscribed(FEED, hub)
    push.ports = replace(push.ports, base="https://other.example/api")

    push.clock.time = float(push.record(FEED).try_at or 0)
    push.drive()

    assert hub.asked[1].callback == first.callback.replace(BASE, "https://other.example/api")
    assert hub.send(first).result == "sent"


# --- losses ---------------------------------------------------------------------------------------


def test_a_check_that_the_queue_did_not_take_is_sent_by_the_next_passes() -> None:
    push = FakePush()
    hub = push.hub()
    request = push.subscribed(FEED, hub)
    push.queue.sqs.fails = 100
    assert hub.send(request).result == "unsent"
    push.queue.sqs.fails = 0

    push.pass_time(6 * 60)

    assert [feed.feed_id for feed, _ in push.sent()] == [FEED]


def test_a_check_that_never_reports_is_given_up_after_an_hour() -> None:
    push = FakePush()
    hub = push.hub()
    hub.send(push.subscribed(FEED, hub))

    push.pass_time(3 * HOUR_S)

    assert 10 <= len(push.sent()) <= 14
    assert not push.record(FEED).awaits_check


# --- new feeds ------------------------------------------------------------------------------------


def test_a_new_feed_that_names_a_hub_is_subscribed_by_the_next_pass_without_news() -> None:
    push = FakePush()
    hub = push.hub()
    url = push.feed(FEED, hubs=(HUB,))

    push.drive()
    push.drive()

    assert [(each.mode, each.topic) for each in hub.asked] == [("subscribe", url)]
    assert push.record(FEED).trust is Trust.ON_TRIAL


def test_a_new_feed_whose_self_link_is_another_url_is_subscribed_under_that_once_it_is_known() -> None:
    push = FakePush()
    hub = push.hub()
    url = push.feed(FEED, hubs=(HUB,))
    push.drive()

    push.names(FEED, url, self_url=url.replace("https", "http"))
    push.drive()

    asked = [(each.mode, each.topic) for each in hub.asked]
    assert asked == [("subscribe", url), ("unsubscribe", url), ("subscribe", url.replace("https", "http"))]


def test_a_new_private_feed_is_left_alone() -> None:
    push = FakePush()
    hub = push.hub()
    push.feed(FEED, hubs=(HUB,), owner="tenant")
    push.feed("02A", "https://a.example/feed?token=9f3a71c2d4e5b6a7", hubs=(HUB,))

    push.drive()

    assert hub.asked == []
