"""Reading any document ends at a budget of bytes, markup and processor time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from feedward.discovery.page import read_page
from feedward.feeds import draft, limits, markup, prolog
from feedward.feeds.parse import parse_feed
from feedward.lineage.content import read_content
from feedward.model import Feed, Rejection, RejectionReason
from feedward.pages import elements
from feedward.pages.elements import page_elements
from feedward.reading_budget import MAX_BYTES, MAX_TAGS, ReadingBudget, TooCostly

# The most expensive documents, by kind: at 10 MB, these took 2 to 14 s of processor time before there was a budget.
WORST_MARKUP = {
    "formatting that is opened again in every block": b"<b><p>",
    "formatting that may hide": b"<b hidden></b><b><p>",
    "hidden blocks that are not closed": b"<p hidden>x<i>",
    "blocks in blocks": b"<div>a ",
    "end tags of nothing": b"</p>",
    "tables in cells": b"<table><tr><td>",
    "links in links": b"<a href=x>",
    "links in tables": b"<a href=x><table>",
    "images in links": b"<a href=x><img alt=a>",
    "drawings in drawings": b"<svg><foreignObject>",
    "formulas": b"<math><mi>",
    "lists of choices": b"<select><option>",
    "templates": b"<template><td>",
    "shadow roots": b"<template shadowrootmode=open>",
    "frames": b"<frameset><frame src=x>",
    "scripts": b"<script></script>",
    "comments": b"<!---->",
    "titles": b"<title>x</title>",
    "signs that start nothing": b"<",
    "processing instructions": b"<?",
}


# Where a limit is reached in smaller steps than by the processor time, a part of it shows the same.
A_PART = 10


def page_of(unit: bytes, size: int) -> bytes:
    return b"<!doctype html><body>" + unit * (size // len(unit))


@pytest.mark.parametrize("kind", WORST_MARKUP)
def test_a_page_with_too_many_tags_is_not_read_at_all(kind: str) -> None:
    unit, budget = WORST_MARKUP[kind], ReadingBudget()
    body = page_of(unit, len(unit) * (MAX_TAGS // unit.count(b"<") + 1))

    with pytest.raises(TooCostly, match=r"more than \d+ (tags|bytes)"):
        read_content(body, content_type="text/html", budget=budget)
    assert budget.steps == 0


@pytest.mark.parametrize("kind", WORST_MARKUP)
def test_a_page_within_the_budget_takes_two_steps_for_a_tag_at_most(kind: str) -> None:
    tags, budget = 30_000, ReadingBudget()  # more than a tree is made of
    unit = WORST_MARKUP[kind]

    read_content(page_of(unit, len(unit) * (tags // unit.count(b"<"))), content_type="text/html", budget=budget)

    assert budget.steps <= 2 * tags + 1000


def test_a_page_is_as_large_as_a_fetch_may_be() -> None:
    words = b"word " * (MAX_BYTES // 5)
    assert read_content(words, content_type="text/html").text_length == len(words) - 1
    with pytest.raises(TooCostly, match="bytes"):
        read_content(words + b"word ", content_type="text/html")


def ticking(seconds: float) -> Callable[[], float]:
    """A clock that advances by so many seconds each time it is read."""
    looks: Iterator[float] = iter(range(1_000_000))
    return lambda: next(looks) * seconds


@pytest.mark.parametrize("html", [b"<p>a</p>" * 50, b"<p>a" * 30_000], ids=["as a tree", "without a tree"])
def test_reading_a_page_ends_when_its_processor_time_is_used_up(html: bytes) -> None:
    with pytest.raises(TooCostly, match="4 s of processor time"):
        read_content(html, content_type="text/html", budget=ReadingBudget(clock=ticking(6.0)))
    assert read_content(html, content_type="text/html", budget=ReadingBudget(clock=ticking(0.1))).text


# --- looking for feeds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", WORST_MARKUP)
def test_a_page_that_is_searched_is_read_up_to_its_last_tag_that_counts(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    unit, most = WORST_MARKUP[kind], elements.MAX_TAGS // A_PART
    monkeypatch.setattr(elements, "MAX_TAGS", most)
    more = most // unit.count(b"<")
    html = f"<link rel=alternate href=/first>{(unit * more).decode()}<link rel=alternate href=/last>"

    assert [link.href for link in page_elements(html).links if link.rel] == ["/first"]


def test_a_page_that_is_searched_may_have_many_links() -> None:
    links = b"".join(b"<a href=/feed/%d>Feed</a>" % n for n in range(50_000))
    assert read_page(links, url="https://a.example/", headers={"content-type": "text/html"}).anchors


# --- feeds ----------------------------------------------------------------------------------------------------

RSS = b"<rss><channel><title>T</title>%s</channel></rss>"
MAX_ELEMENTS, MAX_STRAYS = limits.MAX_ELEMENTS // A_PART, limits.MAX_STRAYS // A_PART
WORST_FEEDS = {
    "items": b"<item/>" * (MAX_ELEMENTS + 1),
    "elements without quotes": b"<a b=c d=e/>" * (MAX_ELEMENTS + 1),
    "signs that start nothing": b"<" * (MAX_STRAYS + 1),
    "tags that do not end": b"<a " * (MAX_STRAYS + 1),
    "instructions that do not end": b"<?x" * (MAX_STRAYS + 1),
}


@pytest.fixture
def few_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (draft, markup):
        monkeypatch.setattr(module, "MAX_ELEMENTS", MAX_ELEMENTS)
    monkeypatch.setattr(markup, "MAX_STRAYS", MAX_STRAYS)


@pytest.mark.usefixtures("few_elements")
@pytest.mark.parametrize("kind", WORST_FEEDS)
def test_a_feed_with_too_much_markup_is_rejected(kind: str) -> None:
    budget = ReadingBudget()
    found = parse_feed(RSS % WORST_FEEDS[kind], budget=budget)

    assert isinstance(found, Rejection)
    assert found.reason is RejectionReason.TOO_COMPLEX
    assert budget.steps <= 2 * MAX_ELEMENTS


@pytest.mark.parametrize("junk", [b"<?a?>", b"<!-- -->", b"<!DOCTYPE a>"])
def test_a_root_behind_too_much_is_not_looked_for(monkeypatch: pytest.MonkeyPatch, junk: bytes) -> None:
    most = limits.MAX_PROLOG // A_PART
    monkeypatch.setattr(prolog, "MAX_PROLOG", most)
    assert isinstance(parse_feed(junk * 5000 + RSS % b"<item/>"), Feed)
    found = parse_feed(junk * most + RSS % b"<item/>")
    assert isinstance(found, Rejection)
    assert found.reason is RejectionReason.TOO_COMPLEX


def test_dates_that_are_none_are_looked_at_so_often_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedward.feeds.draft.MAX_UNUSABLE", 300)
    bad, good = b"<pubDate>Mon, 99 Foo 2020</pubDate>", b"<pubDate>Wed, 01 Jan 2020 00:00:00 GMT</pubDate>"
    few = parse_feed(RSS % (b"<item>%s</item>" % (bad * 20 + good)))
    many = parse_feed(RSS % (b"<item>%s</item>" % (bad * 10) * 30 + b"<item>%s</item>" % good))

    assert isinstance(few, Feed)
    assert isinstance(many, Feed)
    assert few.items[0].published_at is not None
    assert many.items[-1].published_at is None


def test_a_title_of_ten_megabytes_is_cut_before_it_is_cleaned() -> None:
    found = parse_feed(RSS % (b"<item><title>" + b"&amp;#65;<![CDATA[<b x='>]]>" * 300_000 + b"</title></item>"))
    assert isinstance(found, Feed)
    assert found.items[0].title is not None


@pytest.mark.parametrize("body", [RSS % (b"<item/>" * 3000), RSS % (b"<item>& " * 3000)], ids=["read", "mended"])
def test_reading_a_feed_ends_when_its_processor_time_is_used_up(body: bytes) -> None:
    found = parse_feed(body, budget=ReadingBudget(clock=ticking(11.0)))
    assert isinstance(found, Rejection)
    assert (found.reason, found.detail) == (RejectionReason.TOO_COMPLEX, "more than 4 s of processor time")
