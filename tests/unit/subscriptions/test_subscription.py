"""The states of a subscription, from one to the next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.subscriptions.labels import TAGS_AT_MOST
from feedward.subscriptions.subscription import (
    Failure,
    Subscription,
    asked_again,
    failed,
    labelled,
    new_subscription,
    ready,
    told,
    tried_again,
)

NOW = 1_790_000_000
NEW = new_subscription("1" * 26, tenant_id="t", url="example.com", url_hash="a" * 64, now=NOW, title="A", tags=("a",))


def test_a_new_subscription_is_pending_with_one_request_and_a_search_to_send() -> None:
    assert (NEW.status, NEW.tries, NEW.pending_since, NEW.rev) == ("pending", 1, NOW, 0)
    assert (NEW.is_pending, NEW.has_news_to_publish) == (True, False)


@pytest.mark.parametrize(
    "after",
    [ready(NEW, feed_id="f", now=NOW + 9), failed(NEW, failure=Failure.REFUSED, reason="no", now=NOW + 9)],
)
def test_a_settled_subscription_has_its_event_pending_until_it_is_sent(after: Subscription) -> None:
    assert (after.is_pending, after.has_news_to_publish) == (False, True)
    assert (after.settled_at, after.updated_at, after.pending_since) == (NOW + 9, NOW + 9, NOW + 9)
    assert (told(after).pending_since, told(after).has_news_to_publish) == (None, False)


def test_a_try_more_is_counted_and_is_pending_anew() -> None:
    again = tried_again(NEW, now=NOW + 300)
    assert again == replace(NEW, tries=2, pending_since=NOW + 300)


def test_a_new_request_clears_the_failure_and_keeps_the_title() -> None:
    lost = failed(replace(NEW, rev=4, tries=5), failure=Failure.NO_FEED, reason="none", now=NOW + 9)
    again = asked_again(lost, url="http://example.com", now=NOW + 99)
    assert again == replace(NEW, rev=4, url="http://example.com", asked_at=NOW + 99, updated_at=NOW + 99,
                            pending_since=NOW + 99)  # fmt: skip
    assert (again.created_at, again.tries) == (NOW, 1)


def test_subscribing_again_after_the_first_of_a_duplicate_was_deleted_clears_the_feed() -> None:
    again = asked_again(ready(NEW, feed_id="f", now=NOW, duplicate_of="2" * 26), url=NEW.url, now=NOW + 1)
    assert (again.feed_id, again.duplicate_of, again.settled_at) == (None, None, None)


@pytest.mark.parametrize(
    ("title", "tags", "expected"),
    [
        (None, (), ("A", ("a",))),
        ("B", ("a",), ("A", ("a",))),
        ("B", ("b", "a", "c"), ("A", ("a", "b", "c"))),
    ],
)
def test_labels_are_added_and_none_is_lost(title: str | None, tags: tuple[str, ...], expected: object) -> None:
    after = labelled(NEW, title=title, tags=tags, now=NOW + 1)
    assert (after.title, after.tags) == expected
    assert labelled(after, title=title, tags=tags, now=NOW + 2) is after
    assert (after is NEW) == (expected == ("A", ("a",)))


def test_a_title_is_taken_where_there_is_none_and_tags_are_taken_up_to_the_most() -> None:
    bare = replace(NEW, title=None, tags=())
    many = tuple(map(str, range(TAGS_AT_MOST + 5)))
    after = labelled(bare, title="B", tags=many, now=NOW)
    assert (after.title, after.tags) == ("B", many[:TAGS_AT_MOST])
