"""One budget, one deadline, and one answer under any timing (rule D1)."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from feedward.discovery.candidate import ValidationStatus
from feedward.discovery.page import Page
from feedward.discovery.result import DiscoveryOutcome
from feedward.model import FetchResult, Outcome
from feedward.services.discover.discover import ANSWER_LIMITS, JOB_LIMITS, Limits, discover
from feedward.services.discover.first_stages import read_if_page
from feedward.services.discover.shared_fetches import SharedFetches
from tests.fakes.fetcher import FakeFetcher
from tests.unit.services.discover.discovered import HandClock, candidate, chosen, find, html, link, moved, rss, valid

A = "http://fir.example"
FEED = rss(f"{A}/")


def slow(page: dict[str, Any], seconds: float) -> dict[str, Any]:
    return {**page, "delay_s": seconds}


# --- the budget --------------------------------------------------------------------------------------------


def everything_redirects(times: int) -> dict[str, Any]:
    """A page that names 40 feeds, each of which redirects; so does every other requested path."""
    links = "".join(link(f"/f{n}/0.xml") for n in range(40))
    pages: dict[str, Any] = {f"{A}/blog/": html(links, "".join(f'<a href="/a{n}/feed/0">RSS</a>' for n in range(9)))}
    for n in range(40):
        for step in range(times):
            pages[f"{A}/f{n}/{step}.xml"] = moved(f"/f{n}/{step + 1}.xml")
            pages[f"{A}/a{n}/feed/{step}"] = moved(f"/a{n}/feed/{step + 1}")
    return pages


@pytest.mark.parametrize("times", range(7))
@pytest.mark.parametrize("requests", [1, 2, 5, 24])
def test_budget_is_never_overdrawn_and_using_it_up_is_an_end(times: int, requests: int) -> None:
    limits = replace(ANSWER_LIMITS, requests=requests)
    found, internet = find(f"{A}/blog/", everything_redirects(times), limits=limits, rsshub_base="http://hub.example")
    assert len(internet.requests) == found.requests <= requests
    assert (found.complete, found.outcome) == (True, DiscoveryOutcome.NO_FEED)
    if requests > 5:
        assert found.requests >= requests - 4, "the budget is used, except for the part reserved for other pages"


def test_redirects_get_their_part_of_the_budget_though_many_links_are_tried() -> None:
    links = "".join(link(f"/f{n}.xml", f"f{n}") for n in range(9)) + link("/main/feed")
    pages = {f"{A}/": html(links), f"{A}/main/feed": moved("/main/feed/"), f"{A}/main/feed/": moved("/m/feed")}
    found, _ = find(f"{A}/", pages | {f"{A}/m/feed": moved("/n/feed"), f"{A}/n/feed": FEED})
    assert chosen(found) == f"{A}/n/feed"


def test_shared_fetches_of_a_longer_run_are_used_with_their_budget() -> None:
    internet = FakeFetcher({f"{A}/": html(link("/feed")), f"{A}/feed": FEED}, answers_404=True)
    shared = SharedFetches(internet, budget=2)
    first = discover(f"{A}/", fetcher=shared, rsshub_base=None)
    again = discover(f"{A}/", fetcher=shared, rsshub_base=None)
    assert (first.requests, first.rounds, again.requests, again.rounds) == (2, 2, 0, 0)
    assert replace(first, requests=0, rounds=0) == again
    assert shared.spent == 2


def test_no_more_candidates_than_a_site_can_keep_are_told_of() -> None:
    head = "".join(link(f"/category/{n}/feed", str(n)) for n in range(600))
    found, _ = find(f"{A}/", {f"{A}/": html(head)})
    assert len(found.candidates) == ANSWER_LIMITS.candidates == 500
    assert found.candidates_left_out == 600 + 11 - 500
    tried = [each for each in found.candidates if each.status is not ValidationStatus.UNTESTED]
    assert len(tried) >= 10, "those with the best sources are kept"


@pytest.mark.parametrize("count", [100, 200, 400])
@pytest.mark.parametrize("written", [link("/s/{n}/feed"), '<a href="/s/{n}/feed">RSS</a>'], ids=["links", "anchors"])
def test_every_feed_that_a_page_names_is_a_candidate(count: int, written: str) -> None:
    named = "".join(written.replace("{n}", str(n)) for n in range(count))
    found, _ = find(f"{A}/", {f"{A}/": html(named)})
    urls = {each.url for each in found.candidates}
    assert {f"{A}/s/{n}/feed" for n in range(count)} <= urls
    assert found.candidates_left_out == 0


# --- time ----------------------------------------------------------------------------------------------------


def test_job_has_the_time_of_a_job() -> None:
    assert (ANSWER_LIMITS.answer_s, ANSWER_LIMITS.request_s, ANSWER_LIMITS.requests) == (3.5, 2.5, 24)
    assert (JOB_LIMITS.answer_s, JOB_LIMITS.request_s, JOB_LIMITS.requests) == (60, 15, 24)


SLOW_SITE = {f"{A}/": slow(html(link("/feed")), 6), f"{A}/feed": slow(FEED, 6)}


def test_slow_site_is_left_open_by_the_answer_and_found_by_the_job() -> None:
    clock = HandClock()
    found, _ = find(f"{A}/", SLOW_SITE, clock=clock)
    assert (found.complete, found.outcome, found.page_outcome) == (False, DiscoveryOutcome.UNREACHABLE, Outcome.TIMEOUT)
    assert clock.seconds <= ANSWER_LIMITS.answer_s
    found, _ = find(f"{A}/", SLOW_SITE, clock=HandClock(), limits=JOB_LIMITS)
    assert (found.complete, chosen(found)) == (True, f"{A}/feed")


def test_site_that_is_too_slow_for_a_job_is_given_up() -> None:
    clock = HandClock()
    found, _ = find(f"{A}/", {f"{A}/": slow(html(), 20), f"{A}*": {"status": 404}}, clock=clock, limits=JOB_LIMITS)
    assert (found.complete, found.outcome) == (True, DiscoveryOutcome.UNREACHABLE)
    assert clock.seconds <= JOB_LIMITS.answer_s


def test_the_results_at_the_deadline_are_answered() -> None:
    head = link("/comments/feed", "Comments") + link("/feed")
    pages = {f"{A}/": html(head), f"{A}/comments/feed": rss(f"{A}/", title="Comments"), f"{A}/feed": slow(FEED, 9)}
    found, _ = find(f"{A}/", pages, clock=HandClock())
    assert (valid(found), found.complete) == ([f"{A}/comments/feed"], False)
    assert candidate(found, f"{A}/feed").outcome is Outcome.TIMEOUT


def test_slow_feed_that_could_not_be_the_choice_does_not_keep_the_answer_open() -> None:
    head = link("/feed") + link("/comments/feed", "Comments") + link("/tag/a/feed", "a")
    slow_parts = {f"{A}/{path}/feed": slow(rss(f"{A}/", title=path), 9) for path in ("comments", "tag/a")}
    found, _ = find(f"{A}/", {f"{A}/": html(head), f"{A}/feed": FEED} | slow_parts, clock=HandClock())
    assert (chosen(found), found.complete) == (f"{A}/feed", True)


def test_slow_feed_that_could_be_the_choice_keeps_the_answer_open() -> None:
    head = link("/news.xml", "News") + link("/all.xml", "All")
    pages = {f"{A}/": html(head), f"{A}/news.xml": slow(FEED, 9), f"{A}/all.xml": rss(f"{A}/", title="All")}
    found, _ = find(f"{A}/", pages, clock=HandClock())
    assert (chosen(found), found.complete) == (f"{A}/all.xml", False)


@pytest.mark.parametrize("within_s", [0.0, -1.0])
def test_without_time_nothing_is_asked(within_s: float) -> None:
    found, internet = find(f"{A}/", SLOW_SITE, clock=HandClock(), within_s=within_s)
    assert (found.complete, found.outcome, internet.fetched) == (False, DiscoveryOutcome.UNREACHABLE, [])
    assert find("http://127.0.0.1/", {}, within_s=within_s)[0].outcome is DiscoveryOutcome.BLOCKED


def test_caller_can_only_shorten_the_time() -> None:
    clock = HandClock()
    find(f"{A}/", SLOW_SITE, clock=clock, within_s=1.0)
    assert clock.seconds == 1.0
    clock = HandClock()
    find(f"{A}/", SLOW_SITE, clock=clock, within_s=100.0)
    assert clock.seconds <= ANSWER_LIMITS.answer_s


def test_stages_that_were_not_reached_for_want_of_time_leave_the_answer_open() -> None:
    pages = {f"{A}/": slow(html(), 2.4), f"{A}*": slow({"status": 404}, 2.0)}
    found, _ = find(f"{A}/", pages, clock=HandClock())
    assert (found.complete, found.outcome) == (False, DiscoveryOutcome.NO_FEED)


# --- any timing ------------------------------------------------------------------------------------------------


class Jittery(FakeFetcher):
    """Answers after an unpredictable moment."""

    dice = random.Random(7)

    def fetch(self, url: str, **more: Any) -> FetchResult:
        time.sleep(self.dice.random() / 200)
        return super().fetch(url, **more)


MANY = {
    f"{A}/blog/": html("".join(link(f"/f{n}", f"f{n}") for n in range(12)), '<a href="/feeds/">RSS feeds</a>'),
    f"{A}/feeds/": html(link("/one.xml") + link("/two.xml")),
    **{f"{A}/f{n}": moved(f"/category/{n % 5}/feed") for n in range(9)},
    **{f"{A}/category/{n}/feed": rss(f"{A}/", title=f"Part {n}") for n in range(5)},
    f"{A}/two.xml": rss("http://far.example/"),
    f"{A}/blog/feed": rss(f"{A}/blog/", title="Blog"),
    f"{A}/feed": FEED,
}


@pytest.mark.parametrize("requests", [9, 16, 24])
def test_same_pages_give_the_same_answer_in_any_order_of_completion(requests: int) -> None:
    limits = replace(ANSWER_LIMITS, requests=requests, answer_s=30.0, request_s=30.0)
    answers = [
        discover(f"{A}/blog/", fetcher=Jittery(MANY, answers_404=True), rsshub_base=None, limits=limits)
        for _ in range(8)
    ]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0].candidates


def test_nothing_is_in_flight_afterwards() -> None:
    before = threading.active_count()
    discover(f"{A}/blog/", fetcher=Jittery(MANY, answers_404=True), rsshub_base=None)
    assert threading.active_count() == before


def test_limits_are_one_value_that_can_be_changed_for_a_test() -> None:
    assert Limits() == ANSWER_LIMITS
    assert ANSWER_LIMITS.are_short
    assert not JOB_LIMITS.are_short


@pytest.mark.parametrize("stage", ["advertised", "guesses"])
def test_pages_that_take_long_to_read_do_not_keep_the_answer(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, read = HandClock(), read_if_page

    def slowly(fetch: FetchResult) -> Page | None:
        clock.advance(1.5)
        return read(fetch)

    monkeypatch.setattr(f"feedward.services.discover.{stage}.read_if_page", slowly)
    names = ("/a/feeds", "/b/feeds", "/c/feeds", "/d/feeds", "/e/feeds", "/f/feeds")
    body = "".join(f'<a href="{name}">RSS</a>' for name in names)
    pages = {f"{A}/": html("", body), **{f"{A}{name}": html() for name in names}}
    if stage == "guesses":
        frames = "".join(f'<frame src="{name}">' for name in names)
        pages = {f"{A}/x/": html("", frames), **{f"{A}{name}": html() for name in ("/", *names)}}
    found, _ = find(next(iter(pages)), pages, clock=clock)
    assert (found.complete, clock() < ANSWER_LIMITS.answer_s + 1.5) == (False, True)


class TickingClock(HandClock):
    """Parsing takes time as well."""

    def __call__(self) -> float:
        self.seconds += 0.05
        return self.seconds


@pytest.mark.parametrize("tenths", range(1, 40))
def test_search_that_time_ended_between_two_stages_is_not_complete(tenths: int) -> None:
    whole, _ = find(f"{A}/", {f"{A}/": html()})
    found, _ = find(f"{A}/", {f"{A}/": html()}, clock=TickingClock(), within_s=tenths / 10)
    assert not found.complete or found.requests == whole.requests
