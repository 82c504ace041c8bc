"""Rewrites, probes and presets of the caller's own make candidates like any other (rules C2, C11)."""

from __future__ import annotations

import pytest

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import Reason, Source
from feedward.urls.normalize import NormalizeOptions
from tests.unit.canonical.documents import OTHER_FEED, atom, redirect, run, serving

HTTPS = "https://example.com/feed"
WWW = "https://www.example.com/feed"


def test_a_rewritten_landing_url_is_fetched_and_compared() -> None:
    landed, rewritten = "https://feedproxy.google.com/Blog?format=xml", "https://feeds.feedburner.com/Blog"
    network = {HTTPS: redirect(301, landed)} | serving(landed)
    options = CanonicalizeOptions(rewrites=("feedburner",))
    assert run(HTTPS, network | serving(rewritten), options).url == rewritten
    assert run(HTTPS, network | serving(rewritten, body=OTHER_FEED), options).url == landed
    assert run(HTTPS, network | serving(rewritten)).url == landed


def test_a_rewritten_form_is_settled_on_from_wherever_one_comes() -> None:
    old, rewritten = "https://blog.blogspot.com/rss.xml", "https://blog.blogspot.com/feeds/posts/default?alt=rss"
    network = {HTTPS: redirect(301, old)} | serving(old, rewritten)
    options = CanonicalizeOptions(rewrites=("blogger",))
    assert {run(url, network, options).url for url in (HTTPS, old, rewritten)} == {rewritten}


@pytest.mark.parametrize(("slash_redirects"), [True, False])
def test_a_probe_that_finds_the_feed_under_its_path_is_taken(*, slash_redirects: bool) -> None:
    query, path = "https://example.com/?feed=rss2", "https://example.com/feed/"
    without_slash = redirect(301, path) if slash_redirects else {"status": 404}
    network = serving(query, path) | {HTTPS: without_slash}
    result = run(query, network, CanonicalizeOptions(probes=("wordpress",)))
    assert result.url == path
    assert run(path, network, CanonicalizeOptions(probes=("wordpress",))).url == path
    assert run(query, network).url == query


def test_a_preset_of_the_callers_own_can_strip_the_whole_query() -> None:
    dirty = f"{HTTPS}?id=1"
    options = CanonicalizeOptions(presets=(NormalizeOptions(strip_query=True),))
    result = run(dirty, serving(dirty, HTTPS), options)
    assert (result.url, result.preset) == (HTTPS, "custom_1")
    assert run(dirty, serving(dirty, HTTPS)).url == dirty


def test_a_source_that_was_fetched_itself_is_proven_by_that_though_a_probe_redirects_to_it() -> None:
    response, query, path = "https://example.com/all", "https://example.com/?feed=rss2", "https://example.com/feed"
    network = serving(response, query, body=atom(self_url=query)) | {path: redirect(301, query)}
    result = run(response, network, CanonicalizeOptions(probes=("wordpress",)))
    assert result.requests[:3] == (response, query, path)
    assert (result.url, result.reason, result.source) == (query, Reason.CONTENT_VERIFIED, Source.SELF)
