"""Same feed or not (rule C8)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.feeds.parse import parse_feed
from feedward.feeds.signature import Document, same_feed, signature
from feedward.model import Feed, FeedFormat, Item

URL = "https://example.com/feed"
ENTRIES = [("https://example.com/1", "https://example.com/1/", "One"), ("tag:2", "https://example.com/2", "Two")]


def rss(entries: Sequence[tuple[str, str, str]] = ENTRIES, *, title: str = "Blog", more: str = "") -> bytes:
    items = "".join(f"<item><guid>{i}</guid><link>{u}</link><title>{t}</title></item>" for i, u, t in entries)
    return f"<rss><channel><title>{title}</title>{more}{items}</channel></rss>".encode()


def document(body: bytes, url: str = URL) -> Document:
    feed = parse_feed(body, url=url)
    assert isinstance(feed, Feed), feed
    return Document(body=body, feed=feed, url=url)


def test_equal_bytes_are_the_same_feed_at_any_url() -> None:
    assert same_feed(document(rss()), document(rss(), "https://other.example/x")) == "bytes"


@pytest.mark.parametrize(
    "more",
    [
        "<lastBuildDate>Mon, 01 Jan 2024 00:00:00 GMT</lastBuildDate>",
        "<generator>x</generator><description>y</description>",
        "<link>https://example.com/blog/</link>",
        '<link xmlns="http://www.w3.org/2005/Atom" rel="self" href="https://example.com/elsewhere"/>',
    ],
)
def test_other_elements_than_title_and_items_do_not_count(more: str) -> None:
    assert same_feed(document(rss()), document(rss(more=more))) == "signature"


def test_the_order_of_items_does_not_count() -> None:
    assert same_feed(document(rss()), document(rss(ENTRIES[::-1]))) == "signature"


def test_an_item_that_comes_twice_counts_once() -> None:
    assert same_feed(document(rss()), document(rss([*ENTRIES, ENTRIES[0]]))) == "signature"


@pytest.mark.parametrize("host", ["http://example.com", "https://www.example.com", "http://www.example.com"])
@pytest.mark.parametrize("slash", ["", "/"])
def test_the_feeds_own_spellings_do_not_count(host: str, slash: str) -> None:
    twin = [(f"{host}/1", f"{host}/1{slash}", "One"), ("tag:2", f"{host}/2{slash}", "Two")]
    assert same_feed(document(rss()), document(rss(twin), f"{host}/feed{slash}")) == "signature"


def test_addresses_of_the_site_are_the_feeds_own_when_the_feed_lives_elsewhere() -> None:
    site, twin = "<link>https://www.blog.example/</link>", "<link>http://blog.example/</link>"
    one = rss([("1", "https://www.blog.example/1", "One")], more=site)
    other = rss([("1", "http://blog.example/1", "One")], more=twin)
    assert (
        same_feed(document(one, "https://feeds.example/b"), document(other, "https://feeds.example/b")) == "signature"
    )


@pytest.mark.parametrize(
    "entries",
    [
        [*ENTRIES, ("3", "https://example.com/3", "Three")],
        ENTRIES[:1],
        [],
        [("x", *ENTRIES[0][1:]), ENTRIES[1]],
        [(ENTRIES[0][0], "https://example.com/1?page=2", "One"), ENTRIES[1]],
        [(ENTRIES[0][0], "https://other.example/1", "One"), ENTRIES[1]],
        [(*ENTRIES[0][:2], "Another title"), ENTRIES[1]],
        [(ENTRIES[0][0], ENTRIES[1][1], "One"), (ENTRIES[1][0], ENTRIES[0][1], "Two")],
    ],
)
def test_other_items_are_another_feed(entries: list[tuple[str, str, str]]) -> None:
    assert same_feed(document(rss()), document(rss(entries))) is None


def test_a_foreign_address_in_two_spellings_is_two_addresses() -> None:
    one, other = [("1", "https://foreign.example/1", "One")], [("1", "http://foreign.example/1", "One")]
    assert same_feed(document(rss(one)), document(rss(other))) is None


def test_another_title_is_another_feed() -> None:
    assert same_feed(document(rss()), document(rss(title="Other"))) is None


def test_an_atom_twin_of_an_rss_feed_is_another_feed() -> None:
    entry = '<entry><id>1</id><link href="https://example.com/1"/><title>One</title></entry>'
    atom = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title>{entry}</feed>'.encode()
    assert same_feed(document(rss([("1", "https://example.com/1", "One")])), document(atom)) is None


def test_two_feeds_of_one_title_without_items_are_the_same_but_two_that_say_nothing_are_not() -> None:
    assert same_feed(document(rss([])), document(rss([], more="<ttl>60</ttl>"))) == "signature"
    silent = b"<rss><channel></channel></rss>", b"<rss><channel/></rss>"
    assert same_feed(document(silent[0]), document(silent[1])) is None


def test_without_signature_only_bytes_prove() -> None:
    one, other = document(rss()), document(rss(ENTRIES[::-1]))
    assert same_feed(one, other, use_signature=False) is None
    assert same_feed(one, one, use_signature=False) == "bytes"


def test_values_cannot_be_shifted_between_fields_or_items() -> None:
    def of(*items: Item) -> str:
        return signature(Feed(format=FeedFormat.RSS, title="t", items=items), URL)

    one = of(Item(id="a", url="b"), Item(title='c"],["d'))
    assert len({one, of(Item(id="a", title="b")), of(Item(id="a", url="b", title='c"],["d')), of(Item(id="ab"))}) == 4


ITEM = st.builds(
    Item, id=st.none() | st.text(max_size=5), url=st.none() | st.text(max_size=5), title=st.none() | st.text()
)


@given(st.lists(ITEM, max_size=6), st.randoms(use_true_random=False))
def test_a_signature_is_one_of_the_set(items: list[Item], random: object) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one = signature(Feed(format=FeedFormat.ATOM, items=tuple(items)), URL)
    assert one == signature(Feed(format=FeedFormat.ATOM, items=tuple(shuffled)), URL)
