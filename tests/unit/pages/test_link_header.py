"""Link headers by RFC 8288: senders' variants are read, and a malformed link affects only itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.pages.link_header import MAX_LINKS, parse_link_header
from tests.effort import costs_at_most


def parsed(value: str) -> list[tuple[str, dict[str, str]]]:
    return [(link.target, dict(link.parameters)) for link in parse_link_header(value)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("</f>", [("/f", {})]),
        ("</f>; rel=feed", [("/f", {"rel": "feed"})]),
        ('</f>; rel="a b"; type="x/y"', [("/f", {"rel": "a b", "type": "x/y"})]),
        ("</f>; rel='a b';title='c, d; e'", [("/f", {"rel": "a b", "title": "c, d; e"})]),
        ('</f>  ;  REL = "a"  ;  type = "b"', [("/f", {"rel": "a", "type": "b"})]),
        ('</f>;title="a, b; c";rel=d', [("/f", {"title": "a, b; c", "rel": "d"})]),
        (r'</f>;title="the \"best\" \\ one"', [("/f", {"title": r'the "best" \ one'})]),
        ("</f>; rel=a; rel=b", [("/f", {"rel": "a"})]),
        ("</f>; crossorigin; rel=a;", [("/f", {"crossorigin": "", "rel": "a"})]),
        ("</f>;; rel=a", [("/f", {"rel": "a"})]),
        ("</f?a,b;c>; rel=a", [("/f?a,b;c", {"rel": "a"})]),
        ("< /f >", [("/f", {})]),
        ("</a>, </b>", [("/a", {}), ("/b", {})]),
        (",, </a> ,, </b> ,", [("/a", {}), ("/b", {})]),
        ("</f>; title*=UTF-8'en'%e2%82%ac%20x; title=plain", [("/f", {"title": "€ x"})]),
        ("</f>; title*=broken; title=plain", [("/f", {"title": "plain"})]),
        ("</f>; title=it's, </g>", [("/f", {"title": "it's"}), ("/g", {})]),
        ("</f>;title='a, </g>", [("/f", {"title": "'a"}), ("/g", {})]),
    ],
)
def test_links(value: str, expected: list[tuple[str, dict[str, str]]]) -> None:
    assert parsed(value) == expected


@pytest.mark.parametrize(
    "malformed",
    [
        "/f>; rel=a",
        "<f; rel=a",
        "f; rel=a",
        "</f> rel=a",
        "</f>x",
        '"</f>"',
        "rel=a; </f>",
        "</f>; rel=a </g>",
        ";",
        "<>x",
    ],
)
def test_a_malformed_link_is_skipped_and_the_next_one_counts(malformed: str) -> None:
    assert parsed(malformed) == []
    assert parsed(f"{malformed}, </good>; rel=b") == [("/good", {"rel": "b"})]


@pytest.mark.parametrize("unclosed", ['</f>; title="a', '</f>; title="a\\', '</f>; title="a\\"'])
def test_a_quote_that_is_not_closed_ends_with_the_header(unclosed: str) -> None:
    assert [target for target, _ in parsed(unclosed)] == ["/f"]


def test_there_is_an_end_to_the_links_of_a_header() -> None:
    assert len(parse_link_header("</f>," * 1000)) == MAX_LINKS


@pytest.mark.parametrize(
    "unit",
    [
        "<",
        '"',
        "'",
        ";",
        ",",
        " ",
        "\\",
        "<a>;",
        "<a>;a='",
        '<a>;a="',
        '<a>;a="\\"',
        "<a> ;",
        '"\\',
        "<a>x",
        "=",
        "<a>,",
    ],
)
def test_a_hostile_header_costs_little(unit: str) -> None:
    header = unit * (65_536 // len(unit))

    assert costs_at_most(1, lambda: parse_link_header(header))


@given(st.text(alphabet="<>;,=\"'\\ ab*%é", max_size=80))
def test_any_text_is_read(value: str) -> None:
    for link in parse_link_header(value):
        assert not set("<>") & set(link.target)
