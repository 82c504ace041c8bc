"""The fetches of one run: no URL twice, no document parsed twice, one budget, the same outcome under any timing."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from feedward.feeds import parse
from feedward.feeds.read_feed import FetchedFeed
from feedward.model import FetchResult, Outcome, Validators
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.services.discover.shared_fetches import SharedFetches
from tests.fakes.fetcher import FakeFetcher

FEED = '<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>'
A = "http://a.example"


def moved(location: str) -> dict[str, Any]:
    return {"status": 301, "headers": {"Location": location}}


def chain(name: str, length: int) -> dict[str, Any]:
    """`/name0` redirects `length` times and ends at a feed."""
    steps = {f"{A}/{name}{step}": moved(f"/{name}{step + 1}") for step in range(length)}
    return {**steps, f"{A}/{name}{length}": {"body": FEED}}


def always() -> float:
    return 5.0


def outcomes(answers: list[FetchedFeed | None]) -> list[str | None]:
    return [answer.outcome if answer else None for answer in answers]


# --- no URL twice ----------------------------------------------------------------------------------


def test_url_asked_again_is_answered_from_memory_and_counts_no_request() -> None:
    internet = FakeFetcher({f"{A}/feed": {"body": FEED}})
    shared = SharedFetches(internet)
    first, again = shared.fetch(f"{A}/feed"), shared.fetch(f"{A}/feed#top")
    assert (first.requests, again.requests, again.body) == (1, 0, first.body)
    assert (internet.requests, shared.spent) == ([f"{A}/feed"], 1)


def test_url_that_a_redirect_led_to_is_known_with_the_redirects_that_were_left() -> None:
    internet = FakeFetcher(chain("x", 2))
    shared = SharedFetches(internet)
    shared.fetch(f"{A}/x0")
    middle, last = shared.fetch(f"{A}/x1"), shared.fetch(f"{A}/x2")
    assert ([hop.url for hop in middle.hops], last.hops) == ([f"{A}/x1"], ())
    assert len(internet.requests) == 3


def test_failure_is_remembered_too() -> None:
    internet = FakeFetcher({}, answers_404=True)
    shared = SharedFetches(internet)
    assert [shared.fetch(f"{A}/x").outcome for _ in range(2)] == [Outcome.CONNECT_ERROR] * 2
    assert len(internet.fetched) == 1


def test_conditional_fetch_is_asked_each_time() -> None:
    internet = FakeFetcher({f"{A}/feed": {"body": FEED, "headers": {"ETag": '"1"'}}})
    shared = SharedFetches(internet)
    shared.fetch(f"{A}/feed")
    assert shared.fetch(f"{A}/feed", validators=Validators(etag='"1"')).outcome is Outcome.NOT_MODIFIED
    assert shared.fetch(f"{A}/feed").outcome is Outcome.OK
    assert shared.spent == 2


def test_wave_asks_each_of_its_urls_once() -> None:
    internet = FakeFetcher({f"{A}/feed": {"body": FEED}})
    answers = SharedFetches(internet).read_all([f"{A}/feed", f"{A}/feed#a", f"{A}/feed"], within_s=always)
    assert outcomes(answers) == ["ok"] * 3
    assert internet.requests == [f"{A}/feed"]


# --- no document twice -------------------------------------------------------------------------------


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """URLs of the documents that are parsed."""
    urls: list[str] = []
    parse_feed = parse.parse_feed

    def recorded(body: bytes, **more: Any) -> Any:
        urls.append(more["url"])
        return parse_feed(body, **more)

    monkeypatch.setattr(parse, "parse_feed", recorded)
    return urls


def test_canonicalization_after_a_discovery_sends_nothing_again_and_parses_nothing_again(parsed: list[str]) -> None:
    internet = FakeFetcher({f"{A}/feed": moved("/feed/"), f"{A}/feed/": {"body": FEED}}, answers_404=True)
    shared = SharedFetches(internet)
    shared.read_all([f"{A}/feed"], within_s=always)
    sent = len(internet.requests)
    result = canonicalize(f"{A}/feed", fetcher=shared, read=shared.read)
    assert result.outcome is Outcome.OK
    assert [url for url in internet.requests[sent:] if url in internet.requests[:sent]] == []
    assert parsed.count(f"{A}/feed/") == 1


def test_document_is_parsed_once_for_all_fetches_that_return_it(parsed: list[str]) -> None:
    shared = SharedFetches(FakeFetcher(chain("x", 1)))
    for path in ("x0", "x1", "x0"):
        answer = shared.read(shared.fetch(f"{A}/{path}"))
        assert answer.feed
        assert len(answer.fetch.hops) == (path == "x0")
    assert parsed == [f"{A}/x1"]


# --- one budget ----------------------------------------------------------------------------------------


def test_budget_counts_redirects_and_is_never_overdrawn() -> None:
    internet = FakeFetcher(chain("x", 3) | chain("y", 3))
    shared = SharedFetches(internet, budget=5)
    assert shared.fetch(f"{A}/x0").outcome is Outcome.OK
    assert shared.left == 1
    assert shared.fetch(f"{A}/y0").outcome is Outcome.TOO_MANY_REDIRECTS
    late = shared.fetch(f"{A}/y1")
    assert (late.outcome, late.requests, len(internet.requests)) == (Outcome.TIMEOUT, 0, 5)


def test_requests_in_flight_count_with_all_their_possible_redirects() -> None:
    left: list[int] = []

    class Watched(FakeFetcher):
        def fetch(self, url: str, **options: Any) -> FetchResult:
            left.append(shared.left)
            return super().fetch(url, **options)

    shared = SharedFetches(Watched({f"{A}/feed": {"body": FEED}}), budget=5)
    shared.fetch(f"{A}/feed", max_redirects=2)
    assert (left, shared.left) == ([2], 4)


def test_redirects_that_were_not_followed_for_a_limit_of_one_call_are_followed_by_the_next() -> None:
    shared = SharedFetches(FakeFetcher(chain("x", 2)))
    assert shared.fetch(f"{A}/x0", max_redirects=1).outcome is Outcome.TOO_MANY_REDIRECTS
    assert shared.fetch(f"{A}/x0").outcome is Outcome.OK


def test_chain_that_the_budget_left_on_its_way_is_no_answer_and_the_others_are() -> None:
    shared = SharedFetches(FakeFetcher(chain("x", 0) | chain("y", 3) | chain("z", 3)), budget=5)
    urls = [f"{A}/x0", f"{A}/y0", f"{A}/z0"]
    assert outcomes(shared.read_all(urls, within_s=always)) == ["ok", None, None]
    assert (shared.left, *map(shared.knows, urls)) == (0, True, False, False)


def test_circle_is_seen_also_where_a_chain_goes_round_it_in_parts() -> None:
    circle = {f"{A}/x{step}": moved(f"/x{(step + 1) % 3}") for step in range(3)}
    internet = FakeFetcher(circle | chain("a", 0) | chain("b", 0))
    shared = SharedFetches(internet, budget=6)
    answers = shared.read_all([f"{A}/x0", f"{A}/a0", f"{A}/b0"], within_s=always)
    assert outcomes(answers) == ["redirect_loop", "ok", "ok"]


@pytest.mark.parametrize("budget", range(13))
@pytest.mark.parametrize("lengths", [[0, 0, 0], [3, 0, 0], [0, 0, 3], [2, 2, 2], [5, 1, 0]])
def test_wave_keeps_the_budget_and_gives_unused_redirects_to_chains_that_need_them(
    lengths: list[int], budget: int
) -> None:
    network: dict[str, Any] = {}
    for place, length in enumerate(lengths):
        network |= chain(f"c{place}-", length)
    internet = FakeFetcher(network)
    shared = SharedFetches(internet, budget=budget)
    answers = shared.read_all([f"{A}/c{place}-0" for place in range(3)], within_s=always)
    assert len(internet.requests) == shared.spent <= budget
    assert set(outcomes(answers)) <= {"ok", None}
    if budget >= 3 + sum(lengths):
        assert outcomes(answers) == ["ok"] * 3
        assert [answer and len(answer.fetch.hops) for answer in answers] == lengths
    assert len(set(internet.requests)) == len(internet.requests)


def test_chain_that_goes_on_ends_where_any_chain_ends() -> None:
    loop = {f"{A}/l{n}": moved(f"/l{(n + 1) % 3}") for n in range(3)}
    network = chain("x", 6) | loop | {f"{A}/in": moved("/in2"), f"{A}/in2": moved("http://10.0.0.1/")}
    shared = SharedFetches(FakeFetcher(network), budget=24)
    wave = [f"{A}/x0", f"{A}/l0", f"{A}/in", *(f"http://dead{n}.example/" for n in range(17))]
    answers = shared.read_all(wave, within_s=always)
    assert outcomes(answers)[:3] == ["too_many_redirects", "redirect_loop", "blocked"]
    assert len(answers[0].fetch.hops if answers[0] else ()) == 5


@pytest.mark.parametrize(
    ("most", "length", "outcome"), [(8, 8, "ok"), (8, 9, "too_many_redirects"), (2, 3, "too_many_redirects")]
)
def test_limit_of_redirects_is_that_of_the_deployment(most: int, length: int, outcome: str) -> None:
    network = chain("x", length) | chain("y", 0) | chain("z", 0)
    for budget in (24, 14):  # also where a chain goes on in parts
        shared = SharedFetches(FakeFetcher(network, max_redirects=most), budget=budget)
        answers = shared.read_all([f"{A}/x0", f"{A}/y0", f"{A}/z0"], within_s=always)
        assert outcomes(answers) == [outcome, "ok", "ok"]
    assert SharedFetches(FakeFetcher(network, max_redirects=most)).fetch(f"{A}/x0").outcome == outcome


# --- time ------------------------------------------------------------------------------------------------


def test_without_time_nothing_is_sent_and_nothing_is_said() -> None:
    internet = FakeFetcher({f"{A}/feed": {"body": FEED}})
    shared = SharedFetches(internet)
    assert shared.read_all([f"{A}/feed", f"{A}/x"], within_s=lambda: 0.0) == [None, None]
    assert internet.fetched == []


def test_document_that_came_too_late_to_be_parsed_is_not_judged(parsed: list[str]) -> None:
    left = iter([1.0, 0.0, 0.0])
    shared = SharedFetches(FakeFetcher({f"{A}/feed": {"body": FEED}}))
    assert shared.read_all([f"{A}/feed"], within_s=lambda: next(left)) == [None]
    assert (parsed, shared.spent) == ([], 1)


# --- as a browser ------------------------------------------------------------------------------------------


def walled(*paths: str) -> dict[str, Any]:
    page = {"body": FEED, "ua_require": "Mozilla", "ua_else": {"status": 403}}
    return {f"{A}{path}": page for path in paths}


def test_host_that_wants_a_browser_is_remembered() -> None:
    shared = SharedFetches(FakeFetcher(walled("/one", "/two")))
    assert shared.fetch(f"{A}/one").outcome is Outcome.FORBIDDEN
    assert shared.fetch(f"{A}/one", as_browser=True).outcome is Outcome.OK
    assert (shared.fetch(f"{A}/one").outcome, shared.fetch(f"{A}/two").outcome) == (Outcome.OK, Outcome.OK)
    assert shared.spent == 3


def test_earlier_refused_urls_are_requested_again_once_a_browser_is_accepted() -> None:
    shared = SharedFetches(FakeFetcher(walled("/one", "/two")))
    shared.read_all([f"{A}/one", f"{A}/two"], within_s=always)
    shared.read_all([f"{A}/one"], within_s=always, as_browser=True)
    assert not shared.knows(f"{A}/two")
    assert outcomes(shared.read_all([f"{A}/two"], within_s=always)) == ["ok"]


def test_host_that_refuses_a_browser_too_is_asked_as_before() -> None:
    shared = SharedFetches(FakeFetcher({f"{A}/one": {"status": 403}}))
    shared.fetch(f"{A}/one")
    assert shared.fetch(f"{A}/one", as_browser=True).outcome is Outcome.FORBIDDEN
    assert not shared.asks_as_browser(f"{A}/one")
    assert shared.fetch(f"{A}/one").requests == 0


# --- side by side --------------------------------------------------------------------------------------------


class Crowd:
    """A Fetcher that counts concurrent fetches, in all and for a host, and ends them in any order.

    The first ones last until so many run at once.
    """

    def __init__(self, delays: Mapping[str, float] | None = None, *, until: int = 1) -> None:
        self.delays, self.until, self.is_there = delays or {}, until, threading.Event()
        self.now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.lock = threading.Lock()

    def fetch(self, url: str, **_: Any) -> FetchResult:
        host = url.split("/")[2]
        with self.lock:
            for name in (host, "all"):
                self.now[name] += 1
                self.most[name] = max(self.most[name], self.now[name])
            if self.now["all"] >= self.until:
                self.is_there.set()
        self.is_there.wait(60)
        time.sleep(self.delays.get(url, 0.01))
        with self.lock:
            self.now.subtract([host, "all"])
        return FetchResult(outcome=Outcome.NOT_FOUND, url=url, status=404, requests=1)


def test_no_more_than_eight_run_at_once_and_six_for_one_host() -> None:
    crowd = Crowd(until=8)
    urls = [*(f"{A}/{n}" for n in range(12)), *(f"http://b.example/{n}" for n in range(6))]
    SharedFetches(crowd).read_all(urls, within_s=always)
    assert (crowd.most["all"], crowd.most["a.example"]) == (8, 6)
    assert crowd.now["all"] == 0


def test_results_are_in_the_order_of_the_urls_and_not_of_completion() -> None:
    urls = [f"{A}/{n}" for n in range(6)]
    crowd = Crowd({url: 0.05 - 0.01 * place for place, url in enumerate(urls)})
    answers = SharedFetches(crowd).read_all(urls, within_s=always)
    assert [answer and answer.fetch.url for answer in answers] == urls


def test_an_unexpected_exception_of_a_fetcher_is_not_swallowed_and_leaves_no_thread() -> None:
    class Broken:
        def fetch(self, url: str, **_: Any) -> FetchResult:
            raise RuntimeError("a bug")

    before = threading.active_count()
    shared = SharedFetches(Broken())
    with pytest.raises(RuntimeError, match="a bug"):
        shared.read_all([f"{A}/1", f"{A}/2"], within_s=always)
    assert (threading.active_count(), shared.left) == (before, 24)
