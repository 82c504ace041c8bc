"""The links of a feed's new items, read from its event: each is judged alone."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.errors import InvalidInput
from feedward.events.envelope import items_published
from feedward.frontier.item_links import read_item_links

FEED = "https://blog.example/posts/feed.xml"
POST = "https://blog.example/one"


def detail(*links: Any, **members: Any) -> dict[str, Any]:
    """An event's detail as a check makes it, with items of these links."""
    items = [{"id": str(n), "url": link, "title": None, "published_at": None} for n, link in enumerate(links)]
    told = items_published(
        event_id="0" * 26,
        occurred_at=1,
        tenant_id=None,
        feed_id="feed",
        url=FEED,
        new=len(items),
        items=items,
        collect_items=True,
    )
    return told | members


def test_the_links_are_read_in_order_for_the_feeds_owner() -> None:
    found = read_item_links(detail(POST, "https://b.example/2", tenant_id="acme"))
    assert (found.feed_id, found.tenant_id, found.links) == ("feed", "acme", (POST, "https://b.example/2"))
    assert read_item_links(detail(POST)).tenant_id is None


@pytest.mark.parametrize(
    ("link", "absolute"),
    [
        ("/two", "https://blog.example/two"),
        ("two", "https://blog.example/posts/two"),
        ("two.html?a=1", "https://blog.example/posts/two.html?a=1"),
        ("//cdn.example/two", "https://cdn.example/two"),
        ("  https://blog.example/two \n", "https://blog.example/two"),
        ("HTTPS://Blog.example/two", "HTTPS://Blog.example/two"),
    ],
)
def test_a_relative_link_is_one_of_the_feeds(link: str, absolute: str) -> None:
    assert read_item_links(detail(link)).links == (absolute,)


def test_an_item_without_a_link_has_nothing_to_collect() -> None:
    found = read_item_links(detail(None, POST, None))
    assert (found.links, found.unusable) == ((POST,), 0)
    assert read_item_links(detail(None)).links == ()


@pytest.mark.parametrize(
    "bad", ["", "  ", 7, [], {}, True, "javascript:alert(1)", "<permalink>", "https://blog.example/" + "x" * 3000]
)
def test_a_link_that_is_none_costs_no_other(bad: Any) -> None:
    found = read_item_links(detail(POST, bad, "https://blog.example/two"))
    assert (found.links, found.unusable) == ((POST, "https://blog.example/two"), 1)


@pytest.mark.parametrize("bad", ["text", None, 7, []])
def test_an_item_that_is_none_costs_no_other(bad: Any) -> None:
    told = detail(POST)
    found = read_item_links(told | {"items": [bad, *told["items"]]})
    assert (found.links, found.unusable) == ((POST,), 1)


def test_a_link_that_several_items_have_is_one() -> None:
    assert read_item_links(detail(POST, "https://b.example/2", POST)).links == (POST, "https://b.example/2")


def test_additional_members_of_a_newer_sender_are_ignored() -> None:
    assert read_item_links(detail(POST, more={"x": 1})).links == (POST,)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("version", 2),
        ("version", None),
        ("collect_items", False),
        ("collect_items", None),
        ("collect_items", "true"),
        ("items", None),
        ("items", {}),
        ("feed_id", ""),
        ("feed_id", None),
        ("url", None),
        ("url", 3),
        ("tenant_id", ""),
        ("tenant_id", 3),
    ],
)
def test_an_unreadable_message_names_the_member(member: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_item_links(detail(POST, **{member: value}))
    assert refused.value.field == member
