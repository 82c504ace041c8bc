"""The functions of the library name the argument that is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import feedward
from feedward import FetchResult, InvalidInput, Kind, Outcome, canonicalize, discover, parse_feed


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
    ],
)
def test_a_wrong_option_is_named(field: str, call: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput, match=field) as refused:
        call()
    assert refused.value.field == field


def test_a_kind_may_be_given_by_its_name() -> None:
    by_name = discover(URL, fetcher=NOTHING, intent="podcast")  # type: ignore[arg-type]
    assert by_name.outcome == discover(URL, fetcher=NOTHING, intent=Kind.PODCAST, within_s=math.inf).outcome
