"""The returned URL, and its reason (rules C6 to C9)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CandidateState, Reason, Source
from feedward.model import Outcome
from tests.unit.canonical.documents import HTML, OTHER_FEED, atom, redirect, run, serving

HTTPS = "https://example.com/feed"
WWW = "https://www.example.com/feed"


def test_a_clean_url_is_settled_with_one_request() -> None:
    result = run(HTTPS, serving(HTTPS))
    assert (result.url, result.reason, result.source) == (HTTPS, Reason.RESPONSE_URL, Source.RESPONSE)
    assert (result.requests, result.request_count, result.preset) == ((HTTPS,), 0, None)
    assert result.aliases == (HTTPS,)


def test_the_fragment_of_the_input_is_not_sent() -> None:
    assert run(f"{HTTPS}#top", serving(HTTPS)).requests == (HTTPS,)


def test_the_cleanest_form_that_serves_the_same_is_taken_and_its_preset_named() -> None:
    dirty = "https://www.example.com/feed/?utm_source=x"
    result = run(dirty, serving(dirty, HTTPS))
    assert (result.url, result.reason, result.preset) == (HTTPS, Reason.CONTENT_VERIFIED, "aggressive")
    assert result.requests == (dirty, HTTPS)
    assert result.aliases == (dirty, HTTPS)


def test_where_the_cleanest_form_is_another_feed_the_next_one_is_tested() -> None:
    dirty = "https://www.example.com/feed/"
    result = run(dirty, serving(dirty, WWW) | serving(HTTPS, body=OTHER_FEED))
    assert (result.url, result.reason, result.preset) == (WWW, Reason.CONTENT_VERIFIED, "moderate")
    assert result.requests == (dirty, HTTPS, WWW)


def test_a_form_of_another_document_with_the_same_items_is_verified_by_signature() -> None:
    network = serving(WWW) | serving(HTTPS, body=atom(updated="2024-06-06"))
    assert run(WWW, network).reason is Reason.SIGNATURE_VERIFIED
    refused = run(WWW, network, CanonicalizeOptions(use_signature=False))
    assert (refused.url, refused.reason) == (WWW, Reason.FALLBACK)


@pytest.mark.parametrize("body", [OTHER_FEED, atom(items=("1", "2")), atom(items=()), HTML, "", "<feed"])
def test_a_superset_a_subset_and_a_document_that_is_no_feed_are_not_the_same_feed(body: str) -> None:
    result = run(WWW, serving(WWW) | serving(HTTPS, body=body))
    assert (result.url, result.reason) == (WWW, Reason.FALLBACK)


def test_debug_shows_requests_answers_self_link_and_tests() -> None:
    asked, self_url = "feed://old.example/", "https://example.net/feed"
    network = serving(WWW, HTTPS, body=atom(self_url=self_url)) | {"https://old.example/": redirect(301, WWW)}
    shown = run(asked, network, CanonicalizeOptions(debug=True)).debug
    assert shown == {
        "input_url": "https://old.example/",
        "response_url": WWW,
        "self_url": self_url,
        "tested_urls": [self_url, HTTPS],
    }
    assert run("no url", {}, CanonicalizeOptions(debug=True)).debug == {
        "input_url": None,
        "response_url": None,
        "self_url": None,
        "tested_urls": [],
    }
    assert run(HTTPS, serving(HTTPS)).debug is None


def test_hash_fn_decides_whether_documents_are_equal() -> None:
    network = serving(WWW) | serving(HTTPS, body=atom(updated="2024-06-06"))
    options = CanonicalizeOptions(use_signature=False, hash_fn=lambda body: body.replace(b"2024-06-06", b"2024-01-01"))
    assert run(WWW, network, options).reason is Reason.CONTENT_VERIFIED


# --- self -----------------------------------------------------------------------------------------


def self_network(response: str, self_url: str, there: dict[str, Any] | None = None) -> dict[str, Any]:
    body = atom(self_url=self_url)
    return serving(response, body=body) | {self_url: there or {"body": body}}


def test_a_proven_self_url_becomes_the_source() -> None:
    result = run(HTTPS, self_network(HTTPS, "https://feeds.example.net/blog"))
    assert (result.url, result.reason, result.source) == (
        "https://feeds.example.net/blog",
        Reason.CONTENT_VERIFIED,
        Source.SELF,
    )
    assert result.self_url == "https://feeds.example.net/blog"


def test_presets_are_made_of_the_proven_self_url() -> None:
    self_url = "https://www.example.net/blog/"
    network = self_network(WWW, self_url)
    network["https://example.net/blog"] = network[self_url]
    result = run(WWW, network)
    assert (result.url, result.source, result.preset) == ("https://example.net/blog", Source.SELF, "aggressive")
    assert result.requests == (WWW, self_url, "https://example.net/blog")


def test_a_proven_self_url_that_is_less_clean_loses_to_the_response() -> None:
    result = run(HTTPS, self_network(HTTPS, WWW))
    assert (result.url, result.reason, result.source) == (HTTPS, Reason.RESPONSE_URL, Source.RESPONSE)
    assert WWW in result.aliases


def test_the_length_of_a_self_url_does_not_speak_against_it() -> None:
    long = "https://example.com/a/much/longer/path/to/the/feed.xml"
    assert run(HTTPS, self_network(HTTPS, long)).url == long


@pytest.mark.parametrize(
    "there", [{"status": 404}, {"status": 200, "body": HTML}, {"error": "x"}, {"body": OTHER_FEED}]
)
def test_a_self_url_that_does_not_prove_right_is_left(there: dict[str, Any]) -> None:
    result = run(HTTPS, self_network(HTTPS, "https://example.com/other", there))
    assert (result.url, result.reason) == (HTTPS, Reason.FALLBACK)
    assert "https://example.com/other" not in result.aliases


def test_a_self_url_counts_by_where_it_landed() -> None:
    self_url, landed = "https://feeds.example.net/blog", "https://example.net/blog.xml"
    network = self_network(HTTPS, self_url, redirect(301, landed))
    result = run(HTTPS, network | {landed: network[HTTPS]})
    assert (result.url, result.reason, result.source) == (landed, Reason.REDIRECT_VERIFIED, Source.SELF)
    assert result.aliases == (HTTPS, self_url, landed)


@pytest.mark.parametrize(
    ("https_there", "http_is_asked"),
    [
        ({"error": "x"}, True),
        ({"status": 404}, True),
        ({"status": 429}, False),
        ({"status": 503}, False),
        ({"body": OTHER_FEED}, False),
        ({"body": HTML}, False),
    ],
)
def test_an_http_self_url_is_asked_as_declared_only_where_https_is_dead_or_refused(
    https_there: dict[str, Any], *, http_is_asked: bool
) -> None:
    declared, secure = "http://example.net/blog", "https://example.net/blog"
    result = run(HTTPS, self_network(HTTPS, declared) | {secure: https_there})
    assert result.requests[:2] == (HTTPS, secure)
    assert (declared in result.requests) is http_is_asked


def test_where_a_self_url_landed_is_among_the_candidates() -> None:
    self_url, landed = "https://feeds.example.net/blog", "https://example.net/blog?utm_source=x"
    network = self_network(HTTPS, self_url, redirect(301, landed))
    found = {each.url: each for each in run(HTTPS, network | {landed: network[HTTPS]}).candidates}
    assert (found[landed].source, found[landed].preset) == (Source.SELF, None)
    assert (found[self_url].source, found[self_url].state) == (Source.SELF, CandidateState.REDIRECTED)


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_two_urls_that_name_each_other_settle_on_the_same_one_from_both_sides(scheme: str) -> None:
    network = serving("https://example.com/a", body=atom(self_url=f"{scheme}://example.com/b"))
    network |= serving("https://example.com/b", body=atom(self_url=f"{scheme}://example.com/a"))
    assert run("https://example.com/a", network).url == run("https://example.com/b", network).url


def test_an_http_self_never_takes_https_away() -> None:
    dirty = "https://www.example.com/feed/?a=1&b=2&c=3&d=4&e=5&f=6&utm_source=x"
    result = run(dirty, serving(dirty, "http://example.com/f", body=atom(self_url="http://example.com/f")))
    assert result.url is not None
    assert result.url.startswith("https://")


# --- redirects ------------------------------------------------------------------------------------


def test_the_landing_url_of_the_input_is_the_response() -> None:
    result = run("https://example.com/old", {"https://example.com/old": redirect(301, HTTPS)} | serving(HTTPS))
    assert (result.url, result.reason) == (HTTPS, Reason.RESPONSE_URL)
    assert result.aliases == ("https://example.com/old", HTTPS)
    assert not result.temporary_redirect


@pytest.mark.parametrize("status", [302, 303, 307])
def test_a_temporary_redirect_on_the_way_is_reported(status: int) -> None:
    network = {"https://example.com/old": redirect(status, HTTPS)} | serving(HTTPS)
    assert run("https://example.com/old", network).temporary_redirect


def test_a_form_that_only_redirects_to_the_response_is_not_taken() -> None:
    result = run(WWW, serving(WWW) | {HTTPS: redirect(301, WWW)})
    assert (result.url, result.reason) == (WWW, Reason.FALLBACK)
    assert result.aliases == (WWW, HTTPS)
    assert {each.url: each.state for each in result.candidates}[HTTPS] is CandidateState.REDIRECTED


def test_a_self_url_that_leads_to_the_response_is_proven_and_no_failure() -> None:
    result = run(WWW, serving(WWW, body=atom(self_url=HTTPS)) | {HTTPS: redirect(301, WWW)})
    assert (result.url, result.reason, result.requests) == (WWW, Reason.RESPONSE_URL, (WWW, HTTPS))


def test_a_form_that_redirects_to_a_cleaner_url_gives_that_url() -> None:
    landed = "https://feeds.example.net/blog"
    result = run(WWW, serving(WWW, landed) | {HTTPS: redirect(302, landed)})
    assert (result.url, result.reason, result.temporary_redirect) == (landed, Reason.REDIRECT_VERIFIED, True)


def test_a_redirect_that_adds_a_listed_parameter_does_not_count_as_one() -> None:
    network = {HTTPS: redirect(302, f"{HTTPS}?doing_wp_cron=1")} | serving(f"{HTTPS}?doing_wp_cron=1", WWW)
    assert run(HTTPS, network).url == HTTPS
    result = run(WWW, network)
    assert (result.url, result.reason) == (HTTPS, Reason.CONTENT_VERIFIED)


def test_the_url_that_redirected_to_the_response_is_not_asked_again() -> None:
    result = run(HTTPS, {HTTPS: redirect(301, WWW)} | serving(WWW))
    assert (result.url, result.requests) == (WWW, (HTTPS,))


# --- https ----------------------------------------------------------------------------------------


def test_http_is_upgraded_only_if_https_serves_the_same_feed() -> None:
    http = "http://example.com/feed"
    assert run(http, serving(http, HTTPS)).reason is Reason.UPGRADE_HTTPS
    assert run(http, serving(http) | serving(HTTPS, body=OTHER_FEED)).url == http
    assert run(http, serving(http)).reason is Reason.FALLBACK


def test_an_upgrade_that_ends_on_http_is_no_upgrade() -> None:
    http = "http://example.com/feed"
    assert run(http, serving(http) | {HTTPS: redirect(301, http)}).url == http


def test_an_upgrade_that_moves_on_gives_where_it_ended() -> None:
    http = "http://example.com/feed"
    result = run(http, serving(http, WWW) | {HTTPS: redirect(301, WWW)})
    assert (result.url, result.reason) == (WWW, Reason.UPGRADE_HTTPS)


def test_without_prefer_https_no_upgrade_is_tried() -> None:
    http = "http://example.com/feed"
    result = run(http, serving(http, HTTPS), CanonicalizeOptions(prefer_https=False))
    assert (result.url, result.requests) == (http, (http,))


def test_a_dead_http_port_gives_way_to_https_at_no_cost() -> None:
    result = run("http://www.example.com/feed/", serving(f"{WWW}/", HTTPS), CanonicalizeOptions(max_requests=1))
    assert result.url == HTTPS
    assert result.requests == ("http://www.example.com/feed/", f"{WWW}/", HTTPS)


@pytest.mark.parametrize(
    "written",
    ["feed://example.com/feed", "RSS://example.com/feed", "feed:https://example.com/feed", "example.com/feed"],
)
def test_an_input_with_a_feed_like_or_no_scheme_tries_http_when_https_does_not_connect(written: str) -> None:
    result = run(written, serving("http://example.com/feed"))
    assert (result.url, result.reason) == ("http://example.com/feed", Reason.RESPONSE_URL)
    assert result.requests == (HTTPS, "http://example.com/feed")


def test_an_https_input_never_goes_to_http() -> None:
    assert run(HTTPS, serving("http://example.com/feed")).requests == (HTTPS,)


def test_a_missing_page_is_no_dead_port() -> None:
    result = run("feed://example.com/feed", serving("http://example.com/feed") | {HTTPS: {"status": 404}})
    assert (result.url, result.outcome, result.requests) == (None, Outcome.NOT_FOUND, (HTTPS,))


def test_a_port_that_redirects_to_a_dead_one_is_not_dead() -> None:
    network = {"http://example.com/feed": redirect(301, "https://gone.example.com/feed")} | serving(HTTPS)
    result = run("http://example.com/feed", network)
    assert (result.outcome, result.requests) == (Outcome.CONNECT_ERROR, ("http://example.com/feed",))


# --- the root dot of a host, and a byte order mark ---------------------------------------------------------

DOTTED = "https://example.com./feed"


def test_a_dotted_host_is_asked_without_its_dot() -> None:
    result = run(DOTTED, serving(DOTTED, HTTPS))
    assert (result.url, result.requests) == (HTTPS, (HTTPS,))


def test_a_dotted_host_is_asked_with_its_dot_where_the_other_form_fails() -> None:
    result = run(DOTTED, serving(DOTTED))
    assert (result.url, result.requests) == (DOTTED, (HTTPS, DOTTED))
    assert run(DOTTED, {HTTPS: {"status": 404}, DOTTED: {"status": 404}}).url is None


@pytest.mark.parametrize("www", [redirect(301, DOTTED), {"status": 200, "body": atom(self_url=DOTTED)}])
def test_neither_a_redirect_nor_a_self_link_brings_the_dot_in(www: dict[str, Any]) -> None:
    result = run(WWW, serving(DOTTED, HTTPS) | {WWW: www})
    assert (result.url, len(result.requests)) == (HTTPS, 2)


@pytest.mark.parametrize("hash_fn", [None, hash])
@pytest.mark.parametrize("marked", [WWW, HTTPS])
def test_a_byte_order_mark_on_one_side_is_no_other_document(marked: str, hash_fn: Any) -> None:
    network = serving(WWW, HTTPS)
    network[marked] = {**network[marked], "body": "\ufeff" + network[marked]["body"]}
    result = run(WWW, network, CanonicalizeOptions(use_signature=False, hash_fn=hash_fn))
    assert (result.url, result.reason) == (HTTPS, Reason.CONTENT_VERIFIED)
