"""The formula (rule C1)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from feedward.canonical.cleanliness import cleanliness
from feedward.errors import InvalidInput


@pytest.mark.parametrize(
    ("url", "score"),
    [
        ("https://example.com/feed", 267.6),
        ("https://www.example.com/feed", 217.2),
        ("https://example.com/feed/", 247.5),
        ("https://example.com/feed?id=1", 262.1),
        ("http://www.example.com/feed/?utm_source=x", 65.9),
        ("https://example.com/", 268.0),
        ("https://example.com/?", 267.9),
        ("https://u@example.com/a#x", 242.5),
        ("https://example.com/a?a&&b=&", 257.2),
        ("https://example.com/a?UTM_Source", 236.8),
        ("https://example.com/?" + "&".join("abcdefgh"), 236.4),
        ("https://example.com/" + "a" * 300, 250.0),
    ],
)
def test_the_formula(url: str, score: float) -> None:
    assert cleanliness(url) == pytest.approx(score)


def test_length_is_a_tie_breaker_that_can_be_left_out() -> None:
    assert cleanliness("https://example.com/feed", count_length=False) == 250
    assert cleanliness("https://example.com/rss.xml", count_length=False) == 250


def test_scheme_and_www_are_not_scored_where_they_are_not_preferred() -> None:
    https, http = "https://www.example.com/feed", "http://www.example.com/feed"
    assert cleanliness(https, prefer_https=False) == pytest.approx(cleanliness(http, prefer_https=False) - 0.1)
    assert cleanliness(https, prefer_no_www=False) == cleanliness(https)
    assert cleanliness("https://example.com/feed", prefer_no_www=False) == pytest.approx(217.6)


def test_a_list_of_the_callers_own_replaces_the_tracking_list() -> None:
    url = "https://example.com/feed?From=mail&utm_source=x"
    assert cleanliness(url, tracking_params=["from"]) == cleanliness(url, tracking_params=["FROM"])
    assert cleanliness(url, tracking_params=["other"]) == cleanliness(url, tracking_params=["from"]) + 25


def test_cleaner_spellings_score_higher() -> None:
    best_first = [
        "https://example.com/feed",
        "https://example.com/feed?id=1",
        "https://example.com/feed/",
        "https://www.example.com/feed",
        "https://www.example.com/feed/",
        "http://example.com/feed",
        "http://www.example.com/feed/?utm_source=x",
    ]
    scores = [cleanliness(url) for url in best_first]
    assert all(cleaner > other for cleaner, other in pairwise(scores))


def test_only_urls_have_a_score() -> None:
    with pytest.raises(InvalidInput):
        cleanliness("not a url")
