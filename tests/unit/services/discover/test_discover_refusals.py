"""Sites that refuse, are not there or may not be dialled: each has its own ending, none is "no feed" (rule D4)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.discovery.candidate import ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.model import Outcome, Wanted
from tests.unit.services.discover.discovered import candidate, chosen, find, html, link, moved, paths, rss, walled

A = "http://elm.example"
FEED = rss(f"{A}/")
REFUSALS = {
    "403": {"status": 403},
    "429": {"status": 429, "headers": {"Retry-After": "120"}},
    "503": {"status": 503, "headers": {"Retry-After": "120"}},
    **{str(status): {"status": status} for status in (402, 406, 418, 999)},
    "challenge header": {"status": 403, "headers": {"cf-mitigated": "challenge"}},
    "challenge page": html("<script>window._cf_chl_opt={};</script>"),
}
OUTCOMES = {"403": "forbidden", "429": "rate_limited", "503": "server_error"}


# --- as a browser ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [402, 403, 406, 418, 429, 503, 999])
def test_site_that_lets_only_browsers_in_is_asked_once_more_and_then_as_one(status: int) -> None:
    pages = {f"{A}/": walled(html(link("/feed")), status), f"{A}/feed": walled(FEED, status)}
    found, internet = find(f"{A}/", pages)
    assert (chosen(found), found.outcome) == (f"{A}/feed", DiscoveryOutcome.FOUND)
    assert internet.requests == [f"{A}/", f"{A}/", f"{A}/feed"]
    assert (found.requests, found.rounds) == (3, 3)


def test_page_behind_a_redirect_is_asked_for_as_a_browser_too() -> None:
    pages = {f"{A}/": moved("http://www.elm.example/"), "http://www.elm.example/": walled(html(link("/feed")))}
    found, _ = find(f"{A}/", pages | {"http://www.elm.example/feed": walled(rss("http://www.elm.example/"))})
    assert (chosen(found), found.requests) == ("http://www.elm.example/feed", 5)


def test_feeds_that_only_browsers_may_read_beside_an_open_page_are_asked_for_again() -> None:
    head = link("/feed") + link("/comments/feed", "Comments")
    pages = {f"{A}/": html(head), f"{A}/feed": walled(FEED), f"{A}/comments/feed": walled(rss(f"{A}/", title="c"))}
    found, internet = find(f"{A}/", pages)
    assert (chosen(found), paths(internet).count("/feed"), paths(internet).count("/comments/feed")) == (
        f"{A}/feed",
        2,
        2,
    )
    assert candidate(found, f"{A}/comments/feed").status is ValidationStatus.VALID


def test_host_that_refused_a_browser_is_not_asked_as_one_for_later_candidates() -> None:
    lists = html(link("/more.xml"))
    page = html(link("/f.xml"), '<a href="/feeds">RSS feeds</a>')
    closed = {f"{A}/f.xml": {"status": 403}, f"{A}/more.xml": {"status": 403}}
    _, internet = find(f"{A}/", {f"{A}/": page, f"{A}/feeds": lists, **closed})
    assert (paths(internet).count("/f.xml"), paths(internet).count("/more.xml")) == (2, 1)


def test_host_that_refuses_a_browser_too_is_not_asked_a_third_time() -> None:
    head = "".join(link(f"/{n}.xml") for n in range(6))
    found, internet = find(f"{A}/", {f"{A}/": html(head), **{f"{A}/{n}.xml": {"status": 403} for n in range(6)}})
    assert sum(path.endswith(".xml") and path[1:2].isdecimal() for path in paths(internet)) == 7
    assert found.outcome is DiscoveryOutcome.REFUSED


def test_refused_guesses_are_not_asked_for_again() -> None:
    _, internet = find(f"{A}/", {f"{A}/": html(), f"{A}*": {"status": 403}})
    assert sorted(set(paths(internet))) == paths(internet)


# --- refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", REFUSALS.values(), ids=REFUSALS)
def test_site_that_refuses_all_requests_is_refused_and_never_no_feed(page: dict[str, Any]) -> None:
    found, internet = find(f"{A}/", {f"{A}/": page, f"{A}*": page})
    assert (found.outcome, found.complete, found.page) == (DiscoveryOutcome.REFUSED, True, None)
    assert found.detail
    assert len(internet.requests) <= 8, "the page twice, and one wave of guesses"


@pytest.mark.parametrize("page", REFUSALS.values(), ids=REFUSALS)
@pytest.mark.parametrize("path", ["/feed", "/feed/"])
def test_feed_is_often_open_where_the_page_is_not(path: str, page: dict[str, Any]) -> None:
    found, _ = find(f"{A}/", {f"{A}/": page, f"{A}*": page, f"{A}{path}": FEED})
    assert (found.outcome, chosen(found)) == (DiscoveryOutcome.FOUND, f"{A}{path}")


@pytest.mark.parametrize("name", OUTCOMES)
def test_refusal_says_its_status_and_when_to_come_again(name: str) -> None:
    found, _ = find(f"{A}/", {f"{A}/": REFUSALS[name]})
    assert (found.http_status, found.page_outcome) == (int(name), OUTCOMES[name])
    assert found.retry_after_s == (None if name == "403" else 120)


def test_bot_check_that_answers_200_is_a_challenge() -> None:
    found, _ = find(f"{A}/", {f"{A}/": REFUSALS["challenge page"]})
    assert (found.page_outcome, found.http_status) == (Outcome.CHALLENGE, 200)


def test_login_page_in_place_of_a_feed_is_a_refusal_below_which_nothing_is_searched() -> None:
    pages = {f"{A}/rss": moved("/login?next=/rss", 302), f"{A}/login?next=/rss": html("<title>Log in</title>")}
    found, internet = find(f"{A}/rss", pages)
    assert (found.outcome, found.page_outcome) == (DiscoveryOutcome.REFUSED, Outcome.CHALLENGE)
    assert not any(path.startswith("/login/") for path in paths(internet))


def test_page_that_speaks_of_bot_checks_and_has_a_feed_is_a_page() -> None:
    page = html(link("/feed"), "<code>window._cf_chl_opt</code>")
    assert chosen(find(f"{A}/", {f"{A}/": page, f"{A}/feed": FEED})[0]) == f"{A}/feed"


@pytest.mark.parametrize("status", [401, 451])
def test_login_and_legal_bar_are_refusals_that_no_browser_helps_against(status: int) -> None:
    found, internet = find(f"{A}/", {f"{A}/": {"status": status}})
    assert (found.outcome, paths(internet).count("/")) == (DiscoveryOutcome.REFUSED, 1)
    assert len(internet.requests) == 7, "the page, and one wave of guesses"


@pytest.mark.parametrize("status", [401, 403, 429])
def test_feed_that_is_named_and_not_shown_is_refused(status: int) -> None:
    found, _ = find(f"{A}/", {f"{A}/": html(link("/feed")), f"{A}/feed": {"status": status}})
    assert (found.outcome, found.page_outcome) == (DiscoveryOutcome.REFUSED, Outcome.OK)


def test_feed_that_asks_to_wait_says_how_long() -> None:
    busy = {"status": 429, "headers": {"Retry-After": "90"}}
    found, _ = find(f"{A}/", {f"{A}/": html(link("/feed")), f"{A}/feed": busy})
    assert (found.outcome, found.retry_after_s) == (DiscoveryOutcome.REFUSED, 90)


# --- not there -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", ["dns_error", "connect_error", "tls_error"])
def test_host_that_is_not_there_is_unreachable_at_once(error: str) -> None:
    found, internet = find("https://elm.example/", {"https://elm.example/": {"error": error}})
    assert (found.outcome, found.page_outcome) == (DiscoveryOutcome.UNREACHABLE, error)
    assert (internet.fetched, found.candidates, found.complete) == (["https://elm.example/"], (), True)


def test_dead_platform_page_does_not_hide_its_feed() -> None:
    channel = "UC0123456789abcdefghijkl"
    page = f"https://www.youtube.com/channel/{channel}"
    feed = f"https://www.youtube.com/feeds/videos.xml?channel_id={channel}"
    found, _ = find(page, {page: {"error": "connect_error"}, feed: rss(page)})
    assert (found.outcome, chosen(found)) == (DiscoveryOutcome.FOUND, feed)


@pytest.mark.parametrize("page", [{"status": 500}, {"error": "connection_reset"}, moved("/"), {"status": 302}])
def test_page_that_cannot_be_had_is_unreachable_unless_a_feed_is_found(page: dict[str, Any]) -> None:
    found, _ = find(f"{A}/", {f"{A}/": page})
    assert (found.outcome, found.complete) == (DiscoveryOutcome.UNREACHABLE, True)
    found, _ = find(f"{A}/", {f"{A}/": page, f"{A}/feed": FEED})
    assert (found.outcome, chosen(found)) == (DiscoveryOutcome.FOUND, f"{A}/feed")


@pytest.mark.parametrize(
    "page", [{"status": 404}, {"status": 410}, {"body": ""}, {"body": "a text"}, {"error": "too_large"}]
)
def test_site_that_answers_and_has_nothing_has_no_feed(page: dict[str, Any]) -> None:
    found, _ = find(f"{A}/", {f"{A}/": page})
    assert (found.outcome, found.complete) == (DiscoveryOutcome.NO_FEED, True)


# --- inside ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target", ["http://169.254.169.254/latest/", "http://localhost/", "http://lan.example/", "file:///etc/passwd"]
)
def test_page_that_redirects_inside_is_blocked_at_once(target: str) -> None:
    found, internet = find(f"{A}/", {f"{A}/": moved(target)}, dns={"lan.example": ["10.0.0.7"]})
    assert (found.outcome, found.page_outcome) == (DiscoveryOutcome.BLOCKED, Outcome.BLOCKED)
    assert internet.requests == [f"{A}/"]
    assert "10." not in found.detail


def test_name_that_leads_inside_is_blocked_at_once() -> None:
    found, internet = find("http://lan.example/", {"http://lan.example/": FEED}, dns={"lan.example": ["10.0.0.7"]})
    assert (found.outcome, internet.requests, found.candidates) == (DiscoveryOutcome.BLOCKED, [], ())


def test_meta_refresh_to_the_inside_is_not_followed() -> None:
    head = '<meta http-equiv="refresh" content="0; url=http://169.254.169.254/">'
    found, internet = find(f"{A}/", {f"{A}/": html(head), f"{A}/feed": FEED})
    assert chosen(found) == f"{A}/feed"
    assert not [url for url in internet.requests if "169" in url]


# --- requests ----------------------------------------------------------------------------------------------


def test_pages_are_asked_for_as_pages_and_feeds_as_feeds() -> None:
    page = html(link("/f.xml"))
    _, internet = find(f"{A}/", {f"{A}/": page, f"{A}/f.xml": FEED})
    assert (internet.wanted[f"{A}/"], internet.wanted[f"{A}/f.xml"]) == (Wanted.PAGE, Wanted.FEED)


def test_an_input_that_ends_like_a_feed_is_asked_for_as_one() -> None:
    _, internet = find(f"{A}/feed", {f"{A}/feed": FEED})
    assert internet.wanted == {f"{A}/feed": Wanted.FEED}


@pytest.mark.parametrize("status", [400, 405, 409])
def test_a_page_that_could_not_be_asked_for_is_refused_and_asked_for_once(status: int) -> None:
    found, internet = find(f"{A}/", {f"{A}/": {"status": status}, f"{A}*": {"status": 404}})
    assert (found.outcome, internet.requests.count(f"{A}/")) == (DiscoveryOutcome.REFUSED, 1)
