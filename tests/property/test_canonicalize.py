"""Properties of every canonicalization: a settled URL stays settled, and no unproven URL is returned."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.canonical.explain import explain
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CanonicalResult, Reason
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.urls.presets import PRESETS
from tests.fakes.fetcher import FakeFetcher
from tests.unit.canonical.documents import HTML, atom, redirect

ops_canonical = importlib.import_module("tests.conformance.ops_canonical")

CASES = [
    pytest.param(*case["args"], id=case["id"])
    for case in json.loads((Path(__file__).parents[1] / "cases" / "canonicalize.json").read_text())
    if case["op"] == "canonicalize"
]


def with_landings(network: dict[str, Any]) -> dict[str, Any]:
    """Some cases describe the result behind a redirect, and leave out that it also answers by itself."""
    moved = [page for page in network.values() if "final_url" in page]
    return {page["final_url"]: {"status": 200, "body": page["body"]} for page in moved} | network


@pytest.mark.parametrize(("url", "network", "options"), CASES)
def test_canonicalizing_the_answer_gives_the_answer(url: str, network: dict[str, Any], options: dict[str, Any]) -> None:
    network = with_landings(network)
    first = ops_canonical.canonicalize(url, network, options)
    # A stored URL is trusted, so it need not answer; a URL that the budget left untested is tested the next time.
    if first["url"] is None or first["reason"] == Reason.EXISTS_IN_DB or options.get("max_requests", 3) < 3:
        return
    assert ops_canonical.canonicalize(first["url"], network, options)["url"] == first["url"]


# --- invented internets ---------------------------------------------------------------------------

HOSTS = ["example.com", "www.example.com", "feeds.example.net"]
PATHS = ["/feed", "/feed/", "//feed", "/feed?utm_source=x", "/feed?id=1", "/?feed=rss2", "/"]
URLS = [f"{scheme}://{host}{path}" for scheme in ("https", "http") for host in HOSTS for path in PATHS]
SELVES = [None, "", "feed", "/feed/", "http://10.0.0.1/feed", "feed://example.com/feed", "a b", *URLS]

bodies = st.builds(
    atom,
    st.sampled_from(["Blog", "Blog", "Other"]),
    self_url=st.sampled_from(SELVES),
    updated=st.sampled_from(["2024-01-01", "2024-06-06"]),
)
pages = st.one_of(
    bodies.map(lambda body: {"status": 200, "body": body}),
    bodies.map(lambda body: {"status": 200, "body": body}),
    st.builds(redirect, st.sampled_from([301, 302, 307, 308]), st.sampled_from([*URLS, "http://10.0.0.1/"])),
    st.sampled_from([{"status": 404}, {"status": 503}, {"status": 200, "body": HTML}, {"error": "reset"}]),
)
networks = st.dictionaries(st.sampled_from(URLS), pages, min_size=4)
choices = st.builds(
    CanonicalizeOptions,
    max_requests=st.integers(0, 4),
    use_signature=st.booleans(),
    prefer_https=st.booleans(),
    prefer_no_www=st.booleans(),
    presets=st.lists(st.sampled_from(list(PRESETS)), unique=True).map(tuple),
    probes=st.sampled_from([(), ("wordpress",)]),
)
inputs = st.sampled_from([*URLS, "feed://example.com/feed", "example.com/feed"])


def run(url: str, network: dict[str, Any], options: CanonicalizeOptions) -> tuple[CanonicalResult, FakeFetcher]:
    fetcher = FakeFetcher(network)
    return canonicalize(url, fetcher=fetcher, options=options), fetcher


@settings(max_examples=100)
@given(inputs, networks, choices)
def test_no_url_is_fetched_twice_and_the_budget_is_kept(
    url: str, network: dict[str, Any], options: CanonicalizeOptions
) -> None:
    result, fetcher = run(url, network, options)
    assert tuple(fetcher.fetched) == result.requests
    assert len(set(result.requests)) == len(result.requests)
    dead_twin = result.document is not None and result.requests[0] not in result.aliases
    assert len(result.requests) <= 1 + dead_twin + options.max_requests or result.url is None
    assert len(result.requests) <= 2 + options.max_requests


@settings(max_examples=100)
@given(inputs, networks, choices)
def test_the_answer_is_the_response_or_was_fetched_and_serves_the_feed_itself(
    url: str, network: dict[str, Any], options: CanonicalizeOptions
) -> None:
    result, fetcher = run(url, network, options)
    if result.url is None:
        assert result.reason in (Reason.ERROR, Reason.UNSAFE_URL, Reason.BAD_URL)
        assert result.aliases == ()
        return
    assert result.url in fetcher.requests
    assert result.url in result.aliases
    assert result.proof is not None
    assert result.proof.url.partition("?")[0] == result.url.partition("?")[0]
    assert network[result.url].get("body", "").startswith("<feed") or "utm_source" in result.proof.url


@settings(max_examples=100)
@given(inputs, networks, choices)
def test_every_alias_leads_to_the_feed(url: str, network: dict[str, Any], options: CanonicalizeOptions) -> None:
    result, _ = run(url, network, options)
    for alias in result.aliases:
        again = FakeFetcher(network).fetch(alias)
        assert again.body.startswith(b"<feed")


@settings(max_examples=60)
@given(inputs, networks, choices)
def test_every_run_can_be_explained_and_names_each_request(
    url: str, network: dict[str, Any], options: CanonicalizeOptions
) -> None:
    result, _ = run(url, network, options)
    *steps, last = explain(result)
    assert all(any(f"fetched {asked}:" in step for step in steps) for asked in result.requests)
    assert last.startswith(f"Answer: {result.url or 'no URL'} ({result.reason}: ")


@settings(max_examples=80)
@given(inputs, networks, choices)
def test_https_is_never_given_up(url: str, network: dict[str, Any], options: CanonicalizeOptions) -> None:
    result, _ = run(url, network, options)
    if options.prefer_https and result.document is not None and result.document.response_url.startswith("https:"):
        assert result.url is not None
        assert result.url.startswith("https:")


@settings(max_examples=80)
@given(inputs, networks)
def test_a_settled_url_stays_settled_where_all_is_https_and_nothing_redirects(
    url: str, network: dict[str, Any]
) -> None:
    body = atom(self_url="https://feeds.example.net/feed")
    still = {
        key: page | {"body": body} if "<feed" in page.get("body", "") else page
        for key, page in network.items()
        if key.startswith("https:") and "headers" not in page
    }
    options = CanonicalizeOptions(max_requests=10)
    first, _ = run(url, still, options)
    if first.url is not None:
        assert run(first.url, still, options)[0].url == first.url
