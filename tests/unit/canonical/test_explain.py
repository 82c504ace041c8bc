"""The person-readable account."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from feedward.canonical.explain import _COMPARED, _REASONS, _SENTENCES, _STEPS, explain
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import Reason, Step, What
from feedward.canonical.same_feed import Sameness
from feedward.model import Known
from tests.unit.canonical.documents import OTHER_FEED, atom, redirect, run, serving

CLEAN = "https://example.com/feed"
DIRTY = "http://www.example.com/feed/"


def test_every_step_has_its_line_and_the_last_one_is_the_answer() -> None:
    self_url, bare = "https://www.example.com/x", "https://example.com/x"
    same = "it serves the same document"
    network = serving(DIRTY, self_url, body=atom(self_url=self_url)) | {bare: redirect(301, self_url)}
    network |= {"https://www.example.com/feed/": {"error": "x"}}
    assert explain(run("www.example.com/feed/#top", network)) == [
        "Input: read 'www.example.com/feed/#top' as https://www.example.com/feed/",
        "First fetch: fetched https://www.example.com/feed/: connect_error",
        f"First fetch: fetched {DIRTY}: it answered with 200",
        f"Self link: fetched {self_url}: it answered with 200: {same}",
        f"Best so far: does not take {DIRTY}: {self_url} is better",
        f"Best so far: takes {self_url}",
        f"Cleaner form: fetched {bare}: it answered with 200 after redirects to {self_url}: {same}",
        f"Cleaner form: does not take {bare}: it redirects to {self_url}, which is not cleaner",
        f"Cleaner form: goes no further: {self_url} is the best already",
        f"Answer: {self_url} (content_verified: it was tested and serves the same document)",
    ]


def test_untested_candidates_are_reported() -> None:
    lines = explain(run(DIRTY, serving(DIRTY), CanonicalizeOptions(max_requests=0)))
    assert "Cleaner form: http://example.com/feed is left untested: no requests left" in lines
    assert lines[-1].startswith(f"Answer: {DIRTY} (fallback: ")


def test_known_answers_are_reported_and_not_requested_again() -> None:
    old, www = "https://example.com/old", "https://www.example.com/feed/"
    good = explain(run(old, serving(www, body=atom(self_url=old)) | {old: redirect(301, www)}))
    assert f"Self link: {old} is already proven, no request needed" in good
    bad = explain(run(www, serving(www, body=atom(self_url=CLEAN)) | {CLEAN: {"status": 404}}))
    assert f"Cleaner form: {CLEAN} already failed, it is not asked again" in bad


@pytest.mark.parametrize("declared", [None, "", " "])
def test_a_feed_without_self_link_is_said_to_have_none(declared: str | None) -> None:
    lines = explain(run(CLEAN, serving(CLEAN, body=atom(self_url=declared))))
    assert "Self link: nothing to fetch: the feed declares no self link" in lines


def test_an_upgrade_that_leads_back_is_said_and_not_taken() -> None:
    url = "http://example.com/feed"
    lines = explain(run(url, serving(url) | {CLEAN: redirect(302, url)}))
    assert f"https: does not take {CLEAN}: it leads back to {url}" in lines


def test_a_refusal_names_the_rule_and_a_mismatch_the_answer() -> None:
    refused = explain(run(CLEAN, serving(CLEAN, body=atom(self_url="http://10.0.0.1/feed"))))
    assert any(line.startswith("Self link: https://10.0.0.1/feed is not fetched. URL refused: ") for line in refused)
    other = explain(
        run(CLEAN, serving(CLEAN, body=atom(self_url="/x")) | serving("https://example.com/x", body=OTHER_FEED))
    )
    assert "Self link: fetched https://example.com/x: it answered with 200: it serves something else" in other


def test_a_failure_ends_with_outcome_status_and_when_to_try_again() -> None:
    (fetched, answer) = explain(run(CLEAN, {CLEAN: {"status": 503, "headers": {"retry-after": "60"}}}))
    assert fetched.startswith(f"First fetch: fetched {CLEAN}: server_error with 503")
    why = "(error: no feed could be fetched, server_error, status 503, try again in 60 s)"
    assert answer == f"Answer: no URL {why}: the server failed"


def test_an_input_that_is_no_url_has_one_line() -> None:
    assert explain(run(":::", {})) == [
        "Answer: no URL (bad_url: it is not a usable URL, bad_url): this is not an http(s) URL"
    ]


@pytest.mark.parametrize("known", [None, Known(url=CLEAN)])
def test_the_directory_line_names_the_lookup_and_its_result(known: Known | None) -> None:
    def exists(urls: Sequence[str]) -> Known | None:
        return known

    lines = explain(run(CLEAN, serving(CLEAN), exists=exists))
    found = f"known as {CLEAN}" if known else "none is known"
    assert f"Directory: asked for {CLEAN}: {found}" in lines


def test_there_are_words_for_everything_that_can_happen() -> None:
    assert set(_SENTENCES) == set(What)
    assert set(_STEPS) == set(Step)
    assert set(_REASONS) == set(Reason)
    assert set(_COMPARED) == set(Sameness)
