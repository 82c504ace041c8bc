"""The end of a fetch, and the proof it gives for the URLs on its way."""

from __future__ import annotations

import pytest

from feedward.canonical.fetch_results import alias_urls, asked_urls, is_temporary, landing_url
from feedward.model import FetchResult, Hop, Outcome
from feedward.urls.tracking import TRACKING_PARAMS


def fetched(*hops: tuple[str, int], url: str) -> FetchResult:
    return FetchResult(outcome=Outcome.OK, url=url, hops=tuple(Hop(url=asked, status=status) for asked, status in hops))


@pytest.mark.parametrize(
    ("chain", "landing"),
    [
        (["https://a.example/f"], "https://a.example/f"),
        (["https://a.example/f", "https://b.example/g"], "https://b.example/g"),
        (["https://a.example/f", "https://a.example/f?doing_wp_cron=1"], "https://a.example/f"),
        (["https://a.example/f?a=1&b=2", "https://a.example/f?a=1&utm_source=x&b=2"], "https://a.example/f?a=1&b=2"),
        (
            ["https://a.example/f?UTM_Source=y", "https://a.example/f?UTM_Source=y&gclid=1"],
            "https://a.example/f?UTM_Source=y",
        ),
        (["https://a.example/f", "https://a.example/f?id=1"], "https://a.example/f?id=1"),
        (["https://a.example/f?a=1", "https://a.example/f?utm_source=x"], "https://a.example/f?utm_source=x"),
        (["https://a.example/f?utm_source=x", "https://a.example/f"], "https://a.example/f"),
        (["http://a.example/f", "https://a.example/f?gclid=1"], "https://a.example/f?gclid=1"),
        # The last move is http to https; the rest only adds a listed parameter.
        (["http://a.example/f", "https://a.example/f", "https://a.example/f?gclid=1"], "https://a.example/f"),
    ],
)
def test_a_redirect_that_only_adds_listed_parameters_is_no_move(chain: list[str], landing: str) -> None:
    assert landing_url(chain, TRACKING_PARAMS) == landing


def test_a_parameter_of_the_callers_own_list_is_no_move() -> None:
    chain = ["https://a.example/f", "https://a.example/f?from=mail"]
    assert landing_url(chain, frozenset({"from"})) == chain[0]
    assert landing_url(chain, TRACKING_PARAMS) == chain[1]


def test_asked_urls_are_every_hop_once() -> None:
    fetch = fetched(("https://a.example/", 301), ("https://b.example/", 302), url="https://c.example/")
    assert asked_urls("https://a.example/", fetch) == ("https://a.example/", "https://b.example/", "https://c.example/")


@pytest.mark.parametrize(
    ("statuses", "aliases"),
    [
        ((301, 308), ["a", "b", "c"]),
        ((301, 302), ["a", "b", "c"]),
        # A temporary redirect says: go on asking here. Where it led is no address of the feed, unless it ends there.
        ((302, 301), ["a", "c"]),
        ((307, 303), ["a", "c"]),
    ],
)
def test_a_url_behind_a_temporary_redirect_is_no_alias(statuses: tuple[int, int], aliases: list[str]) -> None:
    fetch = fetched(("a", statuses[0]), ("b", statuses[1]), url="c")
    assert list(alias_urls("a", fetch, "c")) == aliases


@pytest.mark.parametrize(
    ("statuses", "temporary"), [((), False), ((301, 308), False), ((301, 302), True), ((303,), True), ((307,), True)]
)
def test_temporary_redirects_are_302_303_and_307(statuses: tuple[int, ...], *, temporary: bool) -> None:
    assert is_temporary([Hop(url="a", status=status) for status in statuses]) is temporary
