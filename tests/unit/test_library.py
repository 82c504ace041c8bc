"""The functions of the library name the argument that is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import feedward
from feedward import FetchResult, InvalidInput, Kind, Outcome, canonicalize, discover, key, parse_feed


class Nothing:
    def fetch(self, url: str, **_options: object) -> FetchResult:
        return FetchResult(url=url, outcome=Outcome.NOT_FOUND, status=404)


URL, NOTHING = "https://a.example/feed", Nothing()


def test_each_name_of_the_library_is_there() -> None:
    assert {name for name in feedward.__all__ if getattr(feedward, name, None) is None} == set()


@pytest.mark.parametrize("function", [canonicalize, discover])
@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        *(("url", {"url": url}) for url in (None, b"https://a.example/", 5)),
        *(("within_s", {"within_s": seconds}) for seconds in (0, -1, math.nan, "5", None)),
        *(("fetcher", {"fetcher": fetcher}) for fetcher in (Nothing, NOTHING.fetch, "curl")),
    ],
)
def test_a_wrong_argument_is_named(function: Callable[..., object], field: str, arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=field) as refused:
        function(**{"url": URL, "fetcher": NOTHING, **arguments})
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("options", lambda: canonicalize(URL, fetcher=NOTHING, options={})),  # type: ignore[arg-type]
        ("intent", lambda: discover(URL, fetcher=NOTHING, intent="comment")),  # type: ignore[arg-type]
        ("rsshub_base", lambda: discover(URL, fetcher=NOTHING, rsshub_base="rsshub")),
        ("rsshub_base", lambda: discover(URL, fetcher=NOTHING, rsshub_base="")),
        ("body", lambda: parse_feed("<rss/>")),  # type: ignore[arg-type]
        ("body", lambda: parse_feed(None)),  # type: ignore[arg-type]
        ("content_type", lambda: parse_feed(b"<rss/>", content_type=b"text/xml")),  # type: ignore[arg-type]
        ("url", lambda: parse_feed(b"<rss/>", url=5)),  # type: ignore[arg-type]
        ("url", lambda: key(b"https://a.example/")),  # type: ignore[arg-type]
        ("url", lambda: key(None)),  # type: ignore[arg-type]
        ("exists", lambda: canonicalize(URL, fetcher=NOTHING, exists="feeds")),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_option_is_named(field: str, call: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput, match=field) as refused:
        call()
    assert refused.value.field == field


class Answering:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def fetch(self, url: str, **_options: object) -> FetchResult:
        return self.answer  # type: ignore[return-value]


def feed_of(body: object) -> FetchResult:
    return FetchResult(url=URL, outcome=Outcome.OK, status=200, body=body)  # type: ignore[arg-type]


async def _later() -> None:
    """Stands for a fetch of asyncio."""


@pytest.mark.parametrize("function", [canonicalize, discover])
@pytest.mark.parametrize("answer", [None, b"<rss/>", feed_of("<rss/>"), feed_of(None), "coroutine"])
def test_a_fetcher_that_returns_something_else_is_named(function: Callable[..., object], answer: object) -> None:
    pending = _later() if answer == "coroutine" else None
    with pytest.raises(InvalidInput, match=r"fetch must return a FetchResult with bytes, not") as refused:
        function(URL, fetcher=Answering(pending or answer))
    assert refused.value.field == "fetcher"
    if pending:
        pending.close()


def test_a_result_of_an_own_fetcher_is_completed() -> None:
    text = "<rss version='2.0'><channel><title>Caf\u00e9</title><item><title>One</title></item></channel></rss>"
    body, headers = text.encode("latin-1"), {"Content-Type": "text/xml; charset=iso-8859-1"}
    own = Answering(FetchResult(url=URL, outcome=Outcome.OK, status=200, body=body, headers=headers))
    found = discover(URL, fetcher=own)
    assert ([each.title for each in found.candidates], found.requests > 0) == (["Caf\u00e9"], True)


def test_a_kind_may_be_given_by_its_name() -> None:
    by_name = discover(URL, fetcher=NOTHING, intent="podcast")  # type: ignore[arg-type]
    assert by_name.outcome == discover(URL, fetcher=NOTHING, intent=Kind.PODCAST, within_s=math.inf).outcome
