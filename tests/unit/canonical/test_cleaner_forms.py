"""Cleaner forms and their order."""

from __future__ import annotations

import pytest

from feedward.canonical.cleanliness import (
    cleaner_of,
    has_as_clean_an_origin,
    is_at_least_as_clean,
    is_cleaner,
    known_forms,
    variants,
)
from feedward.canonical.options import CanonicalizeOptions
from feedward.errors import InvalidInput
from feedward.urls.normalize import NormalizeOptions

DEFAULT = CanonicalizeOptions()
STRIP_ALL = CanonicalizeOptions(presets=(NormalizeOptions(strip_query=True),))


def urls_of(url: str, options: CanonicalizeOptions = DEFAULT) -> list[str]:
    return [form.url for form in variants(url, options)]


def asked(*urls: str, options: CanonicalizeOptions = DEFAULT) -> list[str]:
    return [form.url for form in known_forms(urls, options)]


def test_presets_come_cleanest_first_and_each_url_once() -> None:
    forms = variants("https://www.example.com/feed/?utm_source=x&id=1", DEFAULT)
    assert [(form.url, form.preset) for form in forms] == [
        ("https://example.com/feed?id=1", "aggressive"),
        ("https://www.example.com/feed?id=1", "moderate"),
        ("https://www.example.com/feed/?id=1", "conservative"),
    ]
    assert urls_of("https://example.com/feed") == ["https://example.com/feed"]


def test_option_sets_of_the_callers_own_are_presets_with_a_name() -> None:
    forms = variants(
        "https://example.com/feed?id=1", CanonicalizeOptions(presets=("moderate", NormalizeOptions(strip_query=True)))
    )
    assert [(form.url, form.preset) for form in forms] == [
        ("https://example.com/feed", "custom_2"),
        ("https://example.com/feed?id=1", "moderate"),
    ]


def test_without_prefer_no_www_no_preset_strips_www_and_www_is_not_scored() -> None:
    options = CanonicalizeOptions(prefer_no_www=False, presets=("aggressive", NormalizeOptions(strip_www=True)))
    assert urls_of("https://www.example.com/feed/", options) == [
        "https://www.example.com/feed",
        "https://www.example.com/feed/",
    ]
    assert is_at_least_as_clean("https://www.example.com/feed", "https://example.com/feed", options)
    assert not is_at_least_as_clean("https://www.example.com/feed", "https://example.com/feed", DEFAULT)


def test_a_tracking_list_of_the_callers_own_replaces_the_default_one() -> None:
    options = CanonicalizeOptions(tracking_params=frozenset({"From"}))
    assert urls_of("https://example.com/feed?from=mail&utm_source=x", options) == [
        "https://example.com/feed?utm_source=x"
    ]


def test_exists_is_asked_for_presets_and_the_urls_themselves_best_first() -> None:
    assert asked("https://www.example.com/feed/", "http://example.com/feed") == [
        "https://example.com/feed",
        "https://www.example.com/feed",
        "https://www.example.com/feed/",
        "http://example.com/feed",
    ]


@pytest.mark.parametrize(
    ("url", "form"),
    [
        ("https://example.com/rss?cid=42", "https://example.com/rss"),
        ("https://example.com/rss?preview=1&id=2", "https://example.com/rss?id=2"),
    ],
)
def test_exists_is_never_asked_for_a_form_that_lost_a_parameter_that_may_select_the_feed(url: str, form: str) -> None:
    assert form in urls_of(url)
    assert form not in asked(url)
    assert asked("https://example.com/rss?utm_source=x")[0] == "https://example.com/rss"


def test_exists_is_asked_for_the_cleanest_form_that_keeps_parameters_that_may_select_the_feed() -> None:
    assert asked("https://www.example.com/rss/?cid=42&utm_source=x") == [
        "https://example.com/rss?cid=42",
        "https://www.example.com/rss?cid=42",
        "https://www.example.com/rss/?cid=42",
        "https://www.example.com/rss/?cid=42&utm_source=x",
    ]


def test_exists_is_asked_for_the_forms_of_the_callers_own_lists() -> None:
    lists = CanonicalizeOptions(tracking_params=frozenset({"cid"}))
    sets = CanonicalizeOptions(presets=(NormalizeOptions(strip_params=frozenset({"id"})),))
    assert "https://example.com/rss" in asked("https://example.com/rss?cid=42", options=lists)
    assert "https://example.com/rss?a=1" in asked("https://example.com/rss?id=42&a=1", options=sets)


def test_exists_is_never_asked_for_forms_that_strip_the_whole_query() -> None:
    assert urls_of("https://example.com/feed?id=2", STRIP_ALL) == ["https://example.com/feed"]
    assert asked("https://example.com/feed?id=2", options=STRIP_ALL) == ["https://example.com/feed?id=2"]


@pytest.mark.parametrize(
    ("url", "than", "cleaner"),
    [
        ("https://example.com/feed", "https://example.com/feed/", True),
        ("https://example.com/feed", "https://example.com//feed", True),
        ("https://example.com/feed", "https://example.com/feed", False),
        ("https://www.example.com/feed", "http://example.com/feed", True),
        # https never goes back to http, however clean.
        ("http://e.com/f", "https://www.example.com/feed/?a=1&b=2&c=3&d=4&e=5&f=6&utm_source=x", False),
    ],
)
def test_cleaner_means_a_better_score_and_no_step_back_to_http(url: str, than: str, *, cleaner: bool) -> None:
    assert is_cleaner(url, than, DEFAULT) is cleaner


def test_length_does_not_decide_between_self_and_response() -> None:
    assert is_at_least_as_clean("https://example.com/a/very/long/path.xml", "https://example.com/f", DEFAULT)
    assert not is_at_least_as_clean("https://example.com/f/", "https://example.com/a/very/long/path.xml", DEFAULT)
    assert not is_at_least_as_clean("http://example.com/f", "https://example.com/f", DEFAULT)
    assert is_at_least_as_clean(
        "http://example.com/f", "https://example.com/f", CanonicalizeOptions(prefer_https=False)
    )


def test_a_probe_is_compared_by_scheme_and_host_only() -> None:
    assert has_as_clean_an_origin("https://example.com/feed/", "https://example.com/?feed=rss2", DEFAULT)
    assert not has_as_clean_an_origin("http://example.com/feed/", "https://example.com/?feed=rss2", DEFAULT)
    assert not has_as_clean_an_origin("https://www.example.com/feed/", "https://example.com/?feed=rss2", DEFAULT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "https://example.com/b"),
        ("https://example.com/a/", "https://example.com/b"),
    ],
)
def test_the_cleaner_of_two_does_not_depend_on_their_order(one: str, other: str) -> None:
    assert cleaner_of(one, other, DEFAULT) == cleaner_of(other, one, DEFAULT)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"max_requests": -1}, "max_requests"),
        ({"presets": ("aggressive", "clean")}, "presets[1]"),
        ({"rewrites": ("tumblr",)}, "rewrites[0]"),
        ({"probes": ("wordpress", "drupal")}, "probes[1]"),
    ],
)
def test_an_option_that_means_nothing_is_refused_by_name(wrong: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        CanonicalizeOptions(**wrong)  # type: ignore[arg-type]
    assert raised.value.field == field
