"""Documents made to hurt (rules X1, X2, X7, X8): refused or read, never raising, in linear time."""

from __future__ import annotations

import gc
import json
import random
import weakref
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from defusedxml import EntitiesForbidden
from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.feeds import draft, jsonfeed
from feedward.feeds.limits import MAX_ATTRIBUTES, MAX_DEPTH, MAX_ITEMS, MAX_JSON_DEPTH, MAX_TITLE
from feedward.feeds.parse import parse_feed
from feedward.feeds.sax import DocumentRefused, read
from feedward.feeds.text import plain_from_html
from feedward.model import Feed, Rejection, RejectionReason
from tests.effort import costs_at_most, processor_s

BAD_FEEDS = sorted((Path(__file__).parents[2] / "corpora" / "bad_feeds").iterdir())
SIZE = 12_500
JSON = '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[%s]}'


def reason(document: str | bytes) -> RejectionReason:
    found = parse_feed(document.encode() if isinstance(document, str) else document)
    assert isinstance(found, Rejection), found
    return found.reason


def storable(feed: Feed) -> bool:
    """No lone surrogates and no numbers other than integers: values that a store accepts."""
    texts = [feed.title, feed.description, feed.site_url, feed.self_url, feed.language, feed.ttl, *feed.hub_urls]
    for item in feed.items:
        texts += [item.id, item.url, item.title]
        assert all(type(moment) in (int, type(None)) for moment in (item.published_at, item.updated_at))
    return all(text is None or (isinstance(text, str) and bool(text.encode())) for text in texts)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE rss [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]>',
        '<!DOCTYPE rss SYSTEM "http://127.0.0.1:9/x.dtd" [<!-- ]> --><!ENTITY a "b">]>',
        '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!ENTITY a "b">',
        "<!DOCTYPE rss [<!ELEMENT a ANY>]><!-- --><!DOCTYPE rss [<!entity a 'b'>]>",
    ],
)
def test_an_entity_declaration_is_refused_in_every_encoding(declaration: str, codec: str) -> None:
    document = f"<?xml version='1.0'?>{declaration}<rss><channel><title>&a;</title></channel></rss>"
    assert reason(document.encode(codec)) == "entity_declaration"


def test_an_entity_declaration_inside_the_document_is_refused() -> None:
    for declaration in ('<!ENTITY a "b">', '<!DOCTYPE a [<!ENTITY b "c">]>', "<!ENTITY <!ENTITY"):
        assert reason(f"<rss><channel><title>t</title>{declaration}</channel></rss>") == "entity_declaration"


def test_an_article_about_entities_is_no_attack() -> None:
    found = parse_feed(
        b"<rss><channel><title>t</title><item><title><![CDATA[<!ENTITY a 'b'>]]></title></item></channel></rss>"
    )
    assert isinstance(found, Feed)
    assert len(found.items) == 1


class Deaf:
    parser: Any = None

    def start(self, name: str, attributes: object) -> None: ...
    def end(self, name: str) -> None: ...


def test_the_reader_itself_refuses_entities_and_external_references() -> None:
    for text in ('<!DOCTYPE a [<!ENTITY b "c">]><a/>', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///x">]><a>&b;</a>'):
        with pytest.raises(DocumentRefused) as refused:
            read(text, Deaf())
        assert refused.value.rejection.reason is RejectionReason.ENTITY_DECLARATION
        assert refused.value.rejection.detail == EntitiesForbidden.__name__


def test_the_reader_frees_its_memory_without_the_collector() -> None:
    gc.disable()
    try:
        handler = Deaf()
        alive = weakref.ref(handler)
        read("<a><b/></a>", handler)
        del handler
        assert alive() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("broken", ["", "&"])
def test_depth_attributes_and_namespaces_have_limits(broken: str) -> None:
    start = f"<rss><channel><title>t{broken}</title>"
    inside = MAX_DEPTH - 2
    assert isinstance(parse_feed((start + "<a>" * inside + "</a>" * inside + "</channel></rss>").encode()), Feed)
    assert reason(start + "<a>" * (inside + 1) + "</a>" * (inside + 1)) == "too_deep"
    assert reason(start + "<a>" * 100_000) == "too_deep"
    many = " ".join(f'a{number}="1"' for number in range(MAX_ATTRIBUTES + 1))
    assert reason(f"{start}<a {many}/></channel></rss>") == "too_complex"
    spaces = " ".join(f'xmlns:a{number}="urn:{number}"' for number in range(MAX_ATTRIBUTES + 1))
    assert reason(f"<rss {spaces}><channel><title>t{broken}</title></channel></rss>") == "too_complex"


FEW = 30_000  # elements or values: a tenth of the limit shows the same


def test_too_many_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "MAX_ELEMENTS", FEW)
    start = "<rss><channel><title>t</title>"
    assert reason(start + "<a/>" * (FEW + 1) + "</channel></rss>") == "too_complex"
    assert isinstance(parse_feed(f"{start}{'<a/>' * (FEW - 10)}</channel></rss>".encode()), Feed)


def test_only_so_many_items_are_kept_and_the_feed_says_so() -> None:
    found = parse_feed(("<rss><channel>" + "<item/>" * (MAX_ITEMS + 1) + "</channel></rss>").encode())
    assert isinstance(found, Feed)
    assert (len(found.items), found.repairs) == (MAX_ITEMS, ("too_many_items",))


def test_long_values_are_cut_or_named_by_hash() -> None:
    document = f"<rss><channel><title>{'x' * 300_000}</title><item><guid>{'y' * 5000}</guid></item></channel></rss>"
    found = parse_feed(document.encode())
    assert isinstance(found, Feed)
    assert found.title == "x" * MAX_TITLE
    assert found.items[0].id is not None
    assert found.items[0].id.startswith("sha256:")


@pytest.mark.parametrize(
    "items",
    [
        '{"id": %s}' % ("9" * 6000),
        '{"id": NaN, "title": Infinity, "date_published": -1e999}',
        '{"id": {"a": 1}, "url": ["x"], "title": 5, "date_published": 5, "date_modified": null}',
        '{"id": "\\ud800", "url": "https://e.com/\\udfff", "title": "\\ud83d\\ude00\\ud800"}',
        '{"id": "1", "id": "2"}, null, 1, "x", [], true',
        '{"id": true, "title": "\\u0000\\u202e"}',
    ],
)
def test_wrong_types_and_odd_values_in_json_never_raise(items: str) -> None:
    found = parse_feed((JSON % items).encode())
    assert isinstance(found, Feed)
    assert len(found.items) == 1
    assert storable(found)


def test_wrong_types_of_the_feed_fields_are_as_good_as_absent() -> None:
    document = '{"version":"https://jsonfeed.org/version/1","title":5,"items":[],"hubs":{"url":"x"},"language":["en"],"feed_url":{}}'
    assert parse_feed(document.encode()) == Feed(format="jsonfeed")  # type: ignore[arg-type]


def test_json_depth_is_counted_before_it_is_parsed() -> None:
    deep = MAX_JSON_DEPTH - 3
    nested = '{"a":' * deep + "1" + "}" * deep
    assert isinstance(parse_feed((JSON % nested).encode()), Feed)
    assert reason(JSON % ('{"a":' * 100_000)) == "too_deep"
    assert reason("[" * 100_000) == "too_deep"
    harmless = json.dumps({"id": "1", "content_text": '["{[' * 1000})
    assert isinstance(parse_feed((JSON % harmless).encode()), Feed)


@pytest.mark.parametrize("unit", ["{}", "0", '""', "[]", '{"a":0}'])
def test_json_values_are_counted_before_they_take_memory(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    monkeypatch.setattr(jsonfeed, "MAX_ELEMENTS", FEW)
    assert reason(JSON % ",".join([unit] * (FEW + 1))) == "too_complex"
    text = json.dumps({"id": "1", "content_text": ",{[" * (FEW + 1)})
    assert isinstance(parse_feed((JSON % text).encode()), Feed)


UNITS = [
    " ",
    "<link ",
    "&",
    "<?",
    "<!",
    "<",
    "&a;",
    "&#",
    "&nbsp;",
    '<a "',
    "<a '\"",
    '"<a\'"',
    '"<a\'""',
    "<a b=",
    "<!--",
    "]]>",
]
UNITS += [
    "<![CDATA[",
    "<![CDATA[]]>",
    "<!ENTITY",
    "<!DOCTYPE [",
    "<?x?>",
    "<!---->",
    "<b>",
    "</b>",
    "<b/>",
    "<br>",
    "<a x=\"'",
    "a=",
]
UNITS += [
    "&lt;b",
    '&lt;a "',
    "&lt;a '\"",
    "&lt;!--",
    "&amp;lt;",
    '\\"',
    '"',
    "{",
    "[",
    "\xff",
    "é",
    "<x a='1' b=\"2\">",
    "xmlns:a=''",
]
# Two that are harmless alone: one is sought in vain from each of the other.
UNITS += ["<?</a>", "<?a><b ", "<!DOCTYPE [>", "<!DOCTYPE x '>", "<!DOCTYPE [<!-->", "<<>", "<?<", "<b <item>"]
WRAPS = {
    "alone": "%s",
    "in an open title": "<rss><channel><title>T</title><item><title>%s",
    "in a title": "<rss><channel><title>T</title><item><title>%s</title></item></channel></rss>",
    "in a broken document": "<rss><channel><title>T</title><x></y><item><title>%s</title></item></channel></rss>",
    "in a tag": "<rss><channel><title>T</title><item %s></item></channel></rss>",
    "in a doctype": "<!DOCTYPE rss [%s]><rss><channel><title>T</title></channel></rss>",
    "in json": JSON % '{"id":"%s',
}


def seconds(document: bytes) -> float:
    return processor_s(lambda: parse_feed(document))


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("unit", UNITS)
def test_four_times_the_size_takes_no_more_than_some_four_times_the_time(unit: str, wrap: str) -> None:
    def made(size: int) -> bytes:
        return (WRAPS[wrap] % (unit * (size // len(unit)))).encode("utf-8" if unit == "é" else "latin-1")

    small, large = made(SIZE), made(4 * SIZE)

    def is_in_proportion() -> bool:
        taken = seconds(large)
        return taken < 0.05 or taken < 10 * seconds(small)

    assert any(is_in_proportion() for _ in range(3))  # a busy machine disturbs one measurement, not all


def test_no_mixture_of_quotes_and_tags_makes_stripping_slow() -> None:
    rng = random.Random(7)
    for _ in range(30):
        unit = "".join(rng.choice(["<a", '"', "'", " ", "<"]) for _ in range(rng.randint(1, 12)))
        text = unit * (50_000 // len(unit))
        assert costs_at_most(0.25, partial(plain_from_html, text, 100))


@pytest.mark.parametrize("path", BAD_FEEDS, ids=lambda path: path.name)
def test_malformed_and_hostile_documents_end_quickly_in_a_feed_or_a_reason(path: Path) -> None:
    body = path.read_bytes()
    assert costs_at_most(0.3, lambda: parse_feed(body))
    found = parse_feed(body)
    assert isinstance(found, Rejection) or storable(found)
    if path.name.startswith("not_"):
        assert isinstance(found, Rejection)


SEEDS = [path.read_bytes() for path in BAD_FEEDS if path.stat().st_size < 1500]
CRUMBS = [
    b"<",
    b">",
    b"&",
    b"'",
    b'"',
    b"]]>",
    b"<![CDATA[",
    b"<!--",
    b"-->",
    b"<?",
    b"\0",
    b"\xff",
    b"</item>",
    b"<item>",
    b"xmlns='x'",
]


@given(st.binary(max_size=400), st.sampled_from([None, "text/xml; charset=utf-16", "\0; charset=\xff"]))
def test_no_bytes_raise(body: bytes, content_type: str | None) -> None:
    assert isinstance(parse_feed(body, content_type=content_type), (Feed, Rejection))


@settings(max_examples=150)
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 20), st.sampled_from(CRUMBS)), max_size=6),
)
def test_no_mutation_of_a_feed_raises(body: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    for at, length, crumb in edits:
        body = body[:at] + crumb + body[at + length :]
    found = parse_feed(body, url="https://example.com/feed")
    assert isinstance(found, Rejection) or storable(found)


TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "url", "title", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(TREE, TREE, TREE, st.lists(TREE, max_size=4))
def test_no_json_raises(title: object, url: object, hubs: object, items: list[object]) -> None:
    members = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title,
        "feed_url": url,
        "hubs": hubs,
        "items": items,
    }
    found = parse_feed(json.dumps(members).encode())
    assert isinstance(found, Feed)
    assert storable(found)
