"""Which of two subscriptions of one tenant to one feed stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.subscriptions.merge import given_feed, moved_to
from feedward.subscriptions.subscription import Subscription, new_subscription, ready, told

NOW = 1_790_000_000


def subscription(name: str, *, at: int = NOW, title: str | None = None, tags: tuple[str, ...] = ()) -> Subscription:
    return new_subscription(
        name * 26, tenant_id="t", url=f"{name}.example", url_hash=name * 64, now=at, title=title, tags=tags
    )


def followed(name: str, feed_id: str, **named: object) -> Subscription:
    """A subscription that has its feed, and whose event was sent."""
    return replace(told(ready(subscription(name), feed_id=feed_id, now=NOW)), **named)  # type: ignore[arg-type]


NEW = subscription("2", title="Two", tags=("b",))
HOLDER = followed("1", "f", tags=("a",))


def test_a_subscription_alone_gets_its_feed() -> None:
    settled = given_feed(NEW, feed_id="f", holder=None, now=NOW + 1)
    assert (settled.own, settled.other) == (ready(NEW, feed_id="f", now=NOW + 1), None)


def test_the_one_that_has_the_feed_stays_and_is_called_as_both() -> None:
    settled = given_feed(NEW, feed_id="f", holder=HOLDER, now=NOW + 1)
    assert settled.own.duplicate_of == HOLDER.subscription_id
    assert settled.other
    assert (settled.other.title, settled.other.tags, settled.other.duplicate_of) == ("Two", ("a", "b"), None)
    assert not settled.is_taken_over


def test_a_holder_that_learns_no_label_is_the_very_one_that_was_read() -> None:
    bare = replace(NEW, title=None, tags=())
    assert given_feed(bare, feed_id="f", holder=HOLDER, now=NOW).other is HOLDER


def test_a_merged_feed_changes_the_feed_and_nothing_that_was_told() -> None:
    settled = moved_to(HOLDER, feed_id="e", holder=None, now=NOW + 5)
    assert settled
    assert settled.own == replace(HOLDER, feed_id="e", updated_at=NOW + 5)


@pytest.mark.parametrize("created_at", [NOW - 1, NOW])
def test_of_two_whose_feeds_became_one_the_earlier_one_stays(created_at: int) -> None:
    """Of two of one second, the smaller id counts as earlier."""
    earlier, later = followed("1", "f", created_at=created_at, title="One"), followed("2", "e", tags=("b",))
    taken = moved_to(earlier, feed_id="e", holder=later, now=NOW + 5)
    joined = moved_to(later, feed_id="f", holder=earlier, now=NOW + 5)
    assert taken
    assert taken.is_taken_over
    assert taken.other
    assert (taken.own.duplicate_of, taken.other.duplicate_of) == (None, earlier.subscription_id)
    assert (taken.own.title, taken.own.tags) == ("One", ("b",))
    assert joined
    assert not joined.is_taken_over
    assert (joined.own.duplicate_of, joined.own.feed_id) == (earlier.subscription_id, "f")


def test_a_duplicate_waits_until_the_one_that_it_follows_has_moved() -> None:
    duplicate = followed("3", "f", duplicate_of=HOLDER.subscription_id, created_at=NOW - 9)
    assert moved_to(duplicate, feed_id="e", holder=None, now=NOW) is None
    settled = moved_to(duplicate, feed_id="e", holder=replace(HOLDER, feed_id="e"), now=NOW)
    assert settled
    assert settled.own.duplicate_of == HOLDER.subscription_id
