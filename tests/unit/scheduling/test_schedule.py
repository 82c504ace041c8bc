"""When a new feed is checked first, and the keys it is listed under (rules H3, I4)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.health.feed_health import FeedHealth
from feedward.health.next_check import Schedule, slot_place
from feedward.model import FeedState
from feedward.scheduling.jitter import jitter_s
from feedward.scheduling.shards import DUE_SHARDS, domain_shard, domain_shards, due_shard, pending_shard, state_shard
from feedward.scheduling.slots import Place
from feedward.ulid import derived_ulid
from feedward.urls.hosts import registrable_domain

NOW = 1_790_000_000
DAY = 24 * 3600
gaps = st.none() | st.integers(0, 10 * 365 * DAY)
ids = st.integers(0, 10**6).map(lambda n: derived_ulid(NOW, str(n)))


def first_place(feed_id: str, now: int, *, gap: int | None = None, hint: int | None = None) -> Place:
    return slot_place(FeedHealth(feed_id=feed_id, median_gap_s=gap, hint_s=hint), now, Schedule())


@given(ids, st.integers(0, 10**11), gaps, gaps)
def test_a_new_feed_has_a_slot_at_once_and_is_due_between_two_thirds_of_its_class_and_the_class(
    feed_id: str, now: int, gap: int | None, hint: int | None
) -> None:
    place = first_place(feed_id, now, gap=gap, hint=hint)
    assert place.slot is not None
    at = place.next_at(now)
    assert now + place.slot.least_s <= at <= now + place.slot.every_s
    assert type(at) is int


@given(ids, st.integers(0, 10**11), st.integers(0, 7 * DAY))
def test_jitter_only_adds_at_most_a_tenth_and_is_repeatable(feed_id: str, slot: int, interval: int) -> None:
    jitter = jitter_s(feed_id, slot, interval)
    assert 0 <= jitter <= interval * 0.1
    assert jitter == jitter_s(feed_id, slot, interval)


def test_feeds_are_spread_that_were_registered_together() -> None:
    minutes = Counter(first_place(derived_ulid(NOW, str(n)), NOW).next_at(NOW) for n in range(1000))
    assert len(minutes) == 20  # a third of an hour
    assert max(minutes.values()) < 2 * 50


def test_jitter_changes_with_the_slot() -> None:
    assert len({jitter_s("01A", NOW + n, DAY) for n in range(100)}) > 90


def test_all_feeds_of_a_host_share_a_shard_and_hosts_are_spread() -> None:
    shards = Counter(due_shard(f"site{n}.example.com") for n in range(4000))
    assert set(shards) == set(range(DUE_SHARDS))
    assert max(shards.values()) < 2 * 4000 / DUE_SHARDS
    assert due_shard("example.com") == due_shard("example.com")


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("example.com", "example.com"),
        ("blog.example.com", "example.com"),
        ("Blog.Example.COM.", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("me.github.io", "me.github.io"),
        ("deep.me.github.io", "me.github.io"),
        ("github.io", "github.io"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("192.0.2.7", "192.0.2.7"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
        ("www.xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
    ],
)
def test_the_domain_is_the_registrable_one(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain


@given(ids)
def test_a_feed_is_listed_under_one_of_the_keys_that_its_domain_is_asked_by(feed_id: str) -> None:
    assert domain_shard("blog.example.com", feed_id) in set(domain_shards("example.com"))
    assert domain_shard("blog.example.com", feed_id, scope="t") in set(domain_shards("example.com", scope="t"))
    assert not set(domain_shards("example.com")) & set(domain_shards("example.com", scope="t"))


def test_keys_read_as_value_and_shard() -> None:
    assert state_shard(FeedState.HEALTHY, "01A").startswith("healthy#")
    assert state_shard(FeedState.HEALTHY, "01A", scope="t").startswith("t/healthy#")
    assert pending_shard("out", "01A").startswith("out#")


def test_lists_are_spread_by_feed() -> None:
    keys = Counter(state_shard(FeedState.HEALTHY, derived_ulid(NOW, str(n))) for n in range(4000))
    assert len(keys) == 16
    assert max(keys.values()) < 500
