"""Budget, time, refusals and failures (rules C7, C9)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CandidateState, Reason
from feedward.deadline import Deadline
from feedward.model import Outcome
from feedward.services.canonicalize.canonicalize import canonicalize
from tests.fakes.fetcher import FakeFetcher
from tests.unit.canonical.documents import HTML, atom, redirect, run, serving

HTTPS = "https://example.com/feed"
DIRTY = "https://www.example.com/feed/"


class StoppedClock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.at = 100.0

    def advance(self, seconds: float) -> None:
        self.at += seconds

    def monotonic(self) -> float:
        return self.at


# --- budget ---------------------------------------------------------------------------------------


def test_self_comes_before_variants_before_https_when_requests_are_few() -> None:
    dirty = "http://www.example.com/feed/"
    network = serving(dirty, "http://example.com/feed", HTTPS, body=atom(self_url="https://example.net/x"))
    asked = [run(dirty, network, CanonicalizeOptions(max_requests=few)).requests for few in range(4)]
    assert [len(requests) for requests in asked] == [1, 2, 3, 4]
    assert asked[3] == (dirty, "https://example.net/x", "http://example.com/feed", HTTPS)


def test_an_untested_url_makes_the_answer_a_fallback() -> None:
    result = run(DIRTY, serving(DIRTY, HTTPS), CanonicalizeOptions(max_requests=0))
    assert (result.url, result.reason) == (DIRTY, Reason.FALLBACK)
    assert {each.url: each.state for each in result.candidates}[HTTPS] is CandidateState.UNTESTED
    assert run(HTTPS, serving(HTTPS), CanonicalizeOptions(max_requests=0)).reason is Reason.RESPONSE_URL


@pytest.mark.parametrize("url", [HTTPS, "http://example.com/feed"])
def test_a_self_link_or_https_that_the_budget_left_untested_makes_no_fallback(url: str) -> None:
    network = serving(url, HTTPS, "https://example.net/x", body=atom(self_url="https://example.net/x"))
    result = run(url, network, CanonicalizeOptions(max_requests=0))
    assert (result.url, result.reason, result.requests) == (url, Reason.RESPONSE_URL, (url,))


def test_redirect_hops_cost_no_budget() -> None:
    network = serving(DIRTY, "https://example.com/new") | {
        HTTPS: redirect(301, "https://example.com/a"),
        "https://example.com/a": redirect(301, "https://example.com/b"),
        "https://example.com/b": redirect(301, "https://example.com/new"),
    }
    result = run(DIRTY, network, CanonicalizeOptions(max_requests=1))
    assert result.url == "https://example.com/new"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_form_that_is_rate_limited_or_broken_is_skipped_without_retry(status: int) -> None:
    result = run(DIRTY, serving(DIRTY, "https://www.example.com/feed") | {HTTPS: {"status": status}})
    assert result.url == "https://www.example.com/feed"
    assert result.requests.count(HTTPS) == 1


# --- time -----------------------------------------------------------------------------------------


def run_within(seconds: float, url: str, network: dict[str, Any]) -> Any:
    clock = StoppedClock()
    fetcher = FakeFetcher(network, clock=clock)
    return canonicalize(url, fetcher=fetcher, deadline=Deadline.after(seconds, clock.monotonic))


def test_when_time_runs_out_the_best_proven_url_is_the_answer() -> None:
    network = serving(DIRTY, HTTPS)
    network[DIRTY]["delay_s"] = 2
    result = run_within(2, DIRTY, network)
    assert (result.url, result.reason, result.requests) == (DIRTY, Reason.FALLBACK, (DIRTY,))
    assert run_within(2.5, DIRTY, network).url == HTTPS


def test_each_fetch_gets_the_time_that_is_left() -> None:
    network = serving(DIRTY, HTTPS, "https://www.example.com/feed")
    network[DIRTY]["delay_s"], network[HTTPS]["delay_s"] = 1, 30
    result = run_within(4, DIRTY, network)
    assert (result.url, result.requests) == (DIRTY, (DIRTY, HTTPS))


def test_a_first_fetch_that_does_not_come_back_in_time_is_an_error() -> None:
    network = serving(HTTPS)
    network[HTTPS]["delay_s"] = 30
    result = run_within(4, HTTPS, network)
    assert (result.url, result.reason, result.outcome) == (None, Reason.ERROR, Outcome.TIMEOUT)


# --- failures of the first fetch ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "outcome", "status"),
    [
        ({"status": 404}, Outcome.NOT_FOUND, 404),
        ({"status": 410}, Outcome.GONE, 410),
        ({"status": 500}, Outcome.SERVER_ERROR, 500),
        ({"status": 204}, Outcome.EMPTY_BODY, 204),
        ({"status": 200, "body": ""}, Outcome.EMPTY_BODY, 200),
        ({"status": 200, "body": HTML}, Outcome.NOT_FEED, 200),
        ({"error": "tls_error"}, Outcome.TLS_ERROR, None),
        (redirect(301, HTTPS), Outcome.REDIRECT_LOOP, 301),
        (redirect(301, "https://exa mple.com:99999/"), Outcome.BAD_REDIRECT, 301),
    ],
)
def test_a_first_fetch_without_a_feed_gives_no_url_and_says_why(
    page: dict[str, Any], outcome: Outcome, status: int | None
) -> None:
    result = run(HTTPS, {HTTPS: page})
    assert (result.url, result.reason, result.outcome, result.status) == (None, Reason.ERROR, outcome, status)
    assert (result.requests, result.aliases) == ((HTTPS,), ())


def test_a_304_to_the_first_fetch_is_an_error() -> None:
    result = run(HTTPS, {HTTPS: {"status": 304}})
    assert (result.url, result.reason, result.status) == (None, Reason.ERROR, 304)


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_handed_on(status: int) -> None:
    result = run(HTTPS, {HTTPS: {"status": status, "headers": {"Retry-After": "120"}}})
    assert (result.status, result.retry_after_s) == (status, 120)


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/feed",
        "http://2130706433/feed",
        "http://[::1]/feed",
        "http://169.254.169.254/latest",
        "https://user:secret@example.com/feed",
        "https://@example.com/feed",
        "feed:https://@example.com/feed",
        "http://example.com\\@127.0.0.1/",
        "//user@example.com/feed",
        "http://localhost/feed",
        "https://example.com:22/feed",
    ],
)
def test_an_unsafe_input_is_refused_without_a_request(url: str) -> None:
    result = run(url, serving(url))
    assert (result.url, result.reason, result.requests) == (None, Reason.UNSAFE_URL, ())


def test_an_at_sign_in_the_path_is_no_userinfo() -> None:
    url = "https://example.com/@someone/feed"
    assert run(url, serving(url)).url == url


@pytest.mark.parametrize("written", ["", "not a url at all :::", "mailto:me@example.com", "javascript:alert(1)"])
def test_an_input_that_is_no_url_is_a_bad_url(written: str) -> None:
    result = run(written, {})
    assert (result.url, result.reason, result.requests) == (None, Reason.BAD_URL, ())


def test_a_redirect_to_a_private_address_ends_the_run() -> None:
    result = run(HTTPS, {HTTPS: redirect(302, "http://10.0.0.8/feed")} | serving("http://10.0.0.8/feed"))
    assert (result.url, result.reason, result.requests) == (None, Reason.UNSAFE_URL, (HTTPS,))


@pytest.mark.parametrize("self_url", ["http://10.0.0.8/feed", "https://u:p@example.com/x", "http://[::ffff:10.0.0.1]/"])
def test_an_unsafe_self_url_is_not_fetched_and_is_no_failed_test(self_url: str) -> None:
    result = run(HTTPS, serving(HTTPS, self_url, body=atom(self_url=self_url)))
    assert (result.url, result.reason, result.requests) == (HTTPS, Reason.RESPONSE_URL, (HTTPS,))


def test_a_self_url_whose_name_resolves_to_a_private_address_is_not_fetched() -> None:
    self_url = "https://intranet.example.net/feed"
    network = serving(HTTPS, self_url, body=atom(self_url=self_url))
    result = run(HTTPS, network, dns={"intranet.example.net": ["10.1.2.3"]})
    assert (result.url, result.reason, result.requests) == (HTTPS, Reason.RESPONSE_URL, (HTTPS,))


def refusing(*urls: str) -> CanonicalizeOptions:
    return CanonicalizeOptions(verify_fn=lambda url: url not in urls)


def test_verify_fn_can_refuse_input_self_variants_and_where_redirects_lead() -> None:
    assert run(HTTPS, serving(HTTPS), refusing(HTTPS)).reason is Reason.UNSAFE_URL
    assert run(DIRTY, serving(DIRTY, HTTPS), refusing(HTTPS)).requests == (DIRTY, "https://www.example.com/feed")
    moved = {"https://example.com/old": redirect(301, HTTPS)} | serving(HTTPS)
    assert run("https://example.com/old", moved, refusing(HTTPS)).reason is Reason.UNSAFE_URL


def test_verify_fn_cannot_widen_the_guard() -> None:
    options = CanonicalizeOptions(verify_fn=lambda _: True)
    assert run("http://127.0.0.1/feed", serving("http://127.0.0.1/feed"), options).reason is Reason.UNSAFE_URL
