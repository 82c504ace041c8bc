"""Which hubs and topics an answer names (rules W1 to W4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.feeds.parse import parse_feed
from feedward.model import Feed, FeedFormat
from feedward.push.hub_choice import may_be_named, named, topics, usable_hubs

URL = "https://example.com/blog/feed"


def feed(*hubs: str, own: str | None = None) -> Feed:
    return Feed(format=FeedFormat.ATOM, hub_urls=hubs, self_url=own)


def test_hubs_of_the_document_are_resolved_and_asked_over_https() -> None:
    found = named(feed("http://hub.example/", "//two.example/x", "/own", own="feed?a=1"), {}, URL)

    assert found.hubs == ("https://hub.example/", "https://two.example/x", "https://example.com/own")
    assert found.self_url == "https://example.com/blog/feed?a=1"


def test_the_link_header_comes_first_and_its_relations_are_a_list_in_any_case() -> None:
    link = '<https://a.example/>; rel="nofollow HUB", </self>; rel=self, <https://b.example/>; rel=hub; anchor="/x"'

    found = named(feed("https://doc.example/", own=URL), {"link": link}, URL)

    assert (found.hubs, found.self_url) == (("https://a.example/",), "https://example.com/self")


def test_a_link_header_that_is_damaged_takes_nothing_away() -> None:
    assert named(feed("https://doc.example/"), {"link": "<https://a.example/> rel=hub"}, URL).hubs == (
        "https://doc.example/",
    )


def test_at_most_three_hubs_are_kept_each_once() -> None:
    hubs = [f"https://h{number}.example/" for number in range(5)]

    assert usable_hubs([hubs[0], *hubs]) == tuple(hubs[:3])


def test_a_hub_is_one_however_its_scheme_and_its_fragment_are_spelled() -> None:
    spelled = ["http://hub.example/a", "https://HUB.example/a#1", "https://hub.example/a#", "http://hub.example:80/a#2"]

    assert usable_hubs(spelled) == ("https://hub.example/a",)


@pytest.mark.parametrize(
    "url",
    ["http://localhost/", "https://192.168.1.1/", "https://a@hub.example/", "https://own.example/", "javascript:0", ""],
)
def test_a_private_place_one_with_a_user_and_our_own_host_may_not_be_named(url: str) -> None:
    assert usable_hubs([url], {"own.example"}) == ()
    assert not may_be_named(url, {"own.example"})


@pytest.mark.parametrize(
    ("own", "proven", "expected"),
    [
        (None, (), [URL]),
        ("http://example.com/blog/feed", (), ["http://example.com/blog/feed", URL]),
        ("https://www.example.com/other", (), [URL]),
        ("https://feeds.example/e", ("https://feeds.example/e",), ["https://feeds.example/e", URL]),
        ("https://127.0.0.1/feed", (), [URL]),
        (f"{URL}?token=9f3a71c2d4e5b6a7", (f"{URL}?token=9f3a71c2d4e5b6a7",), [URL]),
    ],
)
def test_the_topic_is_the_self_link_as_written_if_it_is_proven_to_be_the_feeds(
    own: str | None, proven: tuple[str, ...], expected: list[str]
) -> None:
    assert topics(URL, own, proven) == expected


def test_hubs_of_entries_and_of_their_content_are_none() -> None:
    inside = '<a rel="hub" href="https://evil2.example/">x</a>'
    content = f'<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">{inside}</div></content>'
    entry = f'<entry><id>1</id><link rel="hub" href="https://evil.example/"/>{content}</entry>'
    document = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>f</id>{entry}</feed>'

    parsed = parse_feed(document.encode())

    assert isinstance(parsed, Feed)
    assert parsed.hub_urls == ()


@given(st.text(max_size=300), st.lists(st.text(max_size=60), max_size=4), st.text(max_size=80))
def test_only_public_https_urls_are_requested_for_any_answer(link: str, hubs: list[str], own: str) -> None:
    found = named(feed(*hubs, own=own), {"link": link}, URL)

    assert all(hub.startswith("https://") and may_be_named(hub) for hub in found.hubs)
    assert len(found.hubs) <= 3
    assert URL in topics(URL, found.self_url)
