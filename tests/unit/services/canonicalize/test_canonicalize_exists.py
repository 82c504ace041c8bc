"""The calls of `exists`, their URLs, and the effect of the answers (rules C7.2, C7.4, C7.5, C10)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import Reason, Source
from feedward.errors import StoreUnavailable
from feedward.model import Known
from tests.unit.canonical.documents import OTHER_FEED, atom, redirect, run, serving

CLEAN = "https://example.com/feed"
DIRTY = "https://www.example.com/feed/"


class Directory:
    """`exists` over a few stored feeds; `asked` holds the list of each call."""

    def __init__(self, stored: dict[str, Known] | None = None) -> None:
        self.stored = stored or {}
        self.asked: list[list[str]] = []

    def __call__(self, urls: Sequence[str]) -> Known | None:
        self.asked.append(list(urls))
        return next((self.stored[url] for url in urls if url in self.stored), None)


def knowing(*urls: str) -> Directory:
    return Directory({url: Known(url=url, data={"feed_id": f"id of {url}"}) for url in urls})


def test_after_the_first_fetch_exists_is_asked_once_for_all_forms_best_first() -> None:
    directory = knowing()
    run(
        "https://www.example.com/old",
        {"https://www.example.com/old": redirect(301, DIRTY)} | serving(DIRTY),
        exists=directory,
    )
    assert directory.asked == [
        [
            "https://example.com/old",
            CLEAN,
            "https://www.example.com/old",
            "https://www.example.com/feed",
            DIRTY,
        ]
    ]


def test_a_known_form_ends_the_run_with_its_data() -> None:
    result = run(DIRTY, serving(DIRTY, CLEAN), exists=knowing(CLEAN))
    assert (result.url, result.reason, result.requests) == (CLEAN, Reason.EXISTS_IN_DB, (DIRTY,))
    assert (result.feed_id, result.preset, result.source) == (f"id of {CLEAN}", "aggressive", Source.RESPONSE)
    assert result.known == Known(url=CLEAN, data={"feed_id": f"id of {CLEAN}"})


def test_a_hit_on_the_input_only_comes_from_the_input() -> None:
    network = {"https://a.example/x": redirect(301, CLEAN)} | serving(CLEAN)
    assert run("https://a.example/x", network, exists=knowing("https://a.example/x")).source is Source.INPUT


def test_the_answer_for_an_alias_is_the_canonical_url_and_is_trusted() -> None:
    directory = Directory({CLEAN: Known(url="https://feeds.example.net/blog", data={"feed_id": "F"})})
    result = run(DIRTY, serving(DIRTY), exists=directory)
    assert (result.url, result.feed_id) == ("https://feeds.example.net/blog", "F")
    assert (result.reason, result.source) == (Reason.EXISTS_IN_DB, Source.RESPONSE)


@pytest.mark.parametrize(
    ("stored", "pasted"),
    [
        ("https://example.com/feed", "https://example.com/feed/"),
        ("http://example.com/feed/", "https://example.com/feed/"),
    ],
)
def test_a_spelling_that_works_takes_the_place_of_a_stored_one_that_fails(stored: str, pasted: str) -> None:
    failing = Directory({pasted: Known(url=stored, is_failing=True, data={"feed_id": "F"})})
    result = run(pasted, serving(pasted), exists=failing)
    assert (result.url, result.feed_id, result.reason) == (pasted, "F", Reason.EXISTS_IN_DB)


def test_a_stored_spelling_that_failed_is_kept_if_it_works_again_or_if_https_would_be_given_up() -> None:
    slashed = f"{CLEAN}/"
    back = Directory({CLEAN: Known(url=CLEAN, is_failing=True)})
    assert run(slashed, {slashed: redirect(302, CLEAN)} | serving(CLEAN), exists=back).url == CLEAN
    plain = CLEAN.replace("https:", "http:")
    secure = Directory({plain: Known(url=CLEAN, is_failing=True)})
    assert run(plain, serving(plain), exists=secure).url == CLEAN


def test_before_the_first_fetch_exists_is_asked_only_if_the_caller_wants_it() -> None:
    options = CanonicalizeOptions(check_before_fetch=True)
    directory = knowing(CLEAN)
    result = run(DIRTY, {}, options, exists=directory)
    assert (result.url, result.reason, result.requests, result.aliases) == (CLEAN, Reason.EXISTS_IN_DB, (), ())
    assert directory.asked == [[CLEAN, "https://www.example.com/feed", DIRTY]]


def test_nothing_is_asked_for_twice() -> None:
    directory = knowing()
    run(CLEAN, serving(CLEAN), CanonicalizeOptions(check_before_fetch=True), exists=directory)
    assert directory.asked == [[CLEAN]]


def test_a_self_url_is_asked_for_only_once_it_is_proven() -> None:
    self_url = "https://feeds.example.net/blog/"
    body = atom(self_url=self_url)
    proven, unproven = knowing(self_url), knowing(self_url)
    result = run(CLEAN, serving(CLEAN, self_url, body=body), exists=proven)
    assert (result.url, result.reason, result.source) == (self_url, Reason.EXISTS_IN_DB, Source.SELF)
    assert proven.asked == [[CLEAN], ["https://feeds.example.net/blog", self_url]]
    hijack = run(CLEAN, serving(CLEAN, body=body) | serving(self_url, body=OTHER_FEED), exists=unproven)
    assert (hijack.url, unproven.asked) == (CLEAN, [[CLEAN]])


def test_a_proven_self_url_is_asked_for_also_where_the_response_is_cleaner() -> None:
    self_url = "https://example.com/feeds/blog"
    network = serving(CLEAN, body=atom(self_url=self_url)) | serving(self_url, body=atom(self_url=CLEAN))
    result = run(CLEAN, network, exists=knowing(self_url))
    assert (result.url, result.reason, result.source) == (self_url, Reason.EXISTS_IN_DB, Source.SELF)
    assert run(CLEAN, network, exists=knowing()).url == CLEAN


def test_another_feed_of_the_same_path_is_not_hit() -> None:
    directory = knowing(CLEAN)
    assert run(f"{CLEAN}?id=2", serving(f"{CLEAN}?id=2"), exists=directory).url == f"{CLEAN}?id=2"
    assert (
        run(f"{CLEAN}?cid=2", serving(f"{CLEAN}?cid=2") | serving(CLEAN, body=OTHER_FEED), exists=directory).url
        == f"{CLEAN}?cid=2"
    )


def test_no_feed_at_the_input_means_that_exists_is_not_asked() -> None:
    directory = knowing(CLEAN)
    assert run(CLEAN, {CLEAN: {"status": 404}}, exists=directory).reason is Reason.ERROR
    assert directory.asked == []


def test_errors_of_exists_propagate() -> None:
    def broken(urls: Sequence[str]) -> Known | None:
        raise StoreUnavailable("the table is away")

    with pytest.raises(StoreUnavailable):
        run(CLEAN, serving(CLEAN), exists=broken)
