"""The canonicalize function over recorded events: requests of clients and their answers."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from feedward.model import FetchResult, Outcome
from tests.functions.conftest import (
    CLEAN,
    FEED,
    SENT,
    Function,
    LambdaContext,
    MakeFunction,
    read_event,
)

# --- one URL ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["http_canonicalize_one", "http_canonicalize_base64"])
def test_one_url_gets_its_clean_url_with_the_proof_and_is_stored(function: Function, event: str) -> None:
    answer = function.call(read_event(event))

    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.body["input"] == SENT
    assert answer.body["url"] == CLEAN
    assert answer.body["reason"] == "upgrade_https"
    assert answer.body["requests"] == [SENT, "http://example.com/feed", CLEAN]
    assert answer.body["request_count"] == 2
    assert set(answer.body["aliases"]) == {SENT, "http://example.com/feed", CLEAN}
    assert answer.body["created"] is True
    known = function.services.store.find([CLEAN])
    assert known is not None
    assert known.data["feed_id"] == answer.body["feed_id"]


def test_second_spelling_of_a_url_is_not_created_again(function: Function) -> None:
    first = function.canonicalize(url=SENT, register=True).body
    second = function.canonicalize(url="https://example.com/feed", register=True).body

    assert second["reason"] == "exists_in_db"
    assert (second["feed_id"], second["created"]) == (first["feed_id"], False)


def test_nothing_is_stored_unless_asked(function: Function) -> None:
    body = function.canonicalize(url=SENT).body

    assert "created" not in body
    assert function.services.store.find([CLEAN]) is None


def test_stored_feeds_are_known_without_registering(function: Function) -> None:
    feed_id = function.canonicalize(url=SENT, register=True).body["feed_id"]

    body = function.canonicalize(url="http://example.com/feed", check_before_fetch=True).body

    assert (body["url"], body["reason"], body["feed_id"], body["requests"]) == (CLEAN, "exists_in_db", feed_id, [])


def test_a_failing_site_is_a_result_that_says_why(function: Function) -> None:
    answer = function.canonicalize(url="https://example.com/gone", register=True)

    assert answer.status == 200
    assert answer.body["url"] is None
    assert (answer.body["reason"], answer.body["outcome"], answer.body["status"]) == ("error", "gone", 410)
    assert answer.body["detail"] == "the server says that the feed is gone for good"
    assert answer.body["transient"] is False
    assert answer.body["created"] is False


@pytest.mark.parametrize(
    ("url", "reason", "outcome"),
    [
        ("http://127.0.0.1/feed", "unsafe_url", "blocked"),
        ("http://169.254.169.254/latest/meta-data/", "unsafe_url", "blocked"),
        ("https://user:secret@example.com/feed", "unsafe_url", "blocked"),
        ("javascript:alert(1)", "bad_url", "bad_url"),
        ("https://example.com/page", "error", "not_feed"),
    ],
)
def test_a_url_that_leads_nowhere_is_a_result(function: Function, url: str, reason: str, outcome: str) -> None:
    answer = function.canonicalize(url=url)

    assert answer.status == 200
    assert (answer.body["url"], answer.body["reason"], answer.body["outcome"]) == (None, reason, outcome)


# --- options ---------------------------------------------------------------------------------------


def test_candidates_explanation_and_debug_come_as_asked(function: Function) -> None:
    plain = function.canonicalize(url=SENT).body
    full = function.canonicalize(url=SENT, candidates=False, explain=True, debug=True).body

    assert plain["candidates"][0]["url"] == CLEAN
    assert "explanation" not in plain
    assert "debug" not in plain
    assert "candidates" not in full
    assert full["explanation"][-1].startswith("Answer: ")
    assert full["debug"]


def test_budget_is_kept(function: Function) -> None:
    body = function.canonicalize(url=SENT, max_requests=0).body

    assert body["requests"] == [SENT]
    assert body["reason"] == "fallback"


def test_an_option_set_of_ones_own_can_strip_all_parameters(make_function: MakeFunction) -> None:
    function = make_function({f"https://example.com/feed{query}": {"body": FEED} for query in ("", "?id=1")})

    body = function.canonicalize(url="https://example.com/feed?id=1", presets=[{"strip_query": True}]).body

    assert body["url"] == "https://example.com/feed"


def test_tracking_in_an_option_set_means_the_requests_own_list(make_function: MakeFunction) -> None:
    urls = ("https://example.com/feed?from=x&utm_source=y", "https://example.com/feed?utm_source=y")
    function = make_function({url: {"body": FEED} for url in urls})

    body = function.canonicalize(
        url=urls[0], presets=[{"strip_params": "tracking"}], tracking_params=["FROM"], probes=False
    ).body

    assert body["url"] == urls[1]


def test_levels_is_another_name_of_presets(make_function: MakeFunction) -> None:
    network = {f"https://{host}/feed": {"body": FEED} for host in ("www.example.com", "example.com")}
    function = make_function(network)

    kept = function.canonicalize(url="https://www.example.com/feed", levels=["conservative"]).body["url"]
    stripped = function.canonicalize(url="https://www.example.com/feed", presets=["aggressive"]).body["url"]

    assert (kept, stripped) == ("https://www.example.com/feed", "https://example.com/feed")


@pytest.mark.parametrize(("off", "asked"), [({}, True), ({"probes": False}, False), ({"probes": []}, False)])
def test_probes_are_on_and_can_be_turned_off(make_function: MakeFunction, off: dict[str, Any], asked: bool) -> None:
    function = make_function({"https://example.com/?feed=rss2": {"body": FEED}})

    requests = function.canonicalize(url="https://example.com/?feed=rss2", **off).body["requests"]

    assert ("https://example.com/feed" in requests) is asked


@pytest.mark.parametrize(
    ("off", "host"), [({}, "https://feeds.feedburner.com"), ({"rewrites": False}, "https://feedproxy.google.com")]
)
def test_rewrites_are_on_and_can_be_turned_off(make_function: MakeFunction, off: dict[str, Any], host: str) -> None:
    function = make_function({f"{host}/Blog": {"body": FEED}})

    body = function.canonicalize(url="https://feedproxy.google.com/Blog", **off).body

    assert body["requests"][0] == f"{host}/Blog"


# --- several URLs ----------------------------------------------------------------------------------


def test_each_url_of_a_batch_has_its_own_result_or_problem_in_order(function: Function) -> None:
    sent: list[Any] = [SENT, 7, "https://example.com/gone", "", None, "x" * 3000, "\ud800", CLEAN]

    answer = function.canonicalize(urls=sent)

    assert answer.status == 200
    results = answer.body["results"]
    assert len(results) == len(sent)
    assert [entry["result"]["url"] for entry in results if "result" in entry] == [CLEAN, None, CLEAN]
    problems = {index: entry["problem"] for index, entry in enumerate(results) if "problem" in entry}
    assert sorted(problems) == [1, 3, 4, 5, 6]
    for index, problem in problems.items():
        assert (problem["code"], problem["status"], problem["field"]) == ("invalid_input", 400, f"urls[{index}]")
    assert [entry["input"] for entry in results if "result" in entry] == [SENT, "https://example.com/gone", CLEAN]


def test_a_batch_of_one_is_answered_as_a_batch(function: Function) -> None:
    assert [entry["result"]["url"] for entry in function.canonicalize(urls=[CLEAN]).body["results"]] == [CLEAN]


def test_a_batch_of_invalid_urls_makes_no_request(function: Function) -> None:
    results = function.canonicalize(urls=[None, ""]).body["results"]

    assert [entry["problem"]["field"] for entry in results] == ["urls[0]", "urls[1]"]


def test_fifty_urls_run_side_by_side_and_leave_nothing_behind(make_function: MakeFunction) -> None:
    class SlowFetcher:
        """No fetch ends before 25 run concurrently. Counts them."""

        def __init__(self) -> None:
            self.now = self.most = 0
            self.all_here = threading.Barrier(25)
            self.lock = threading.Lock()

        def fetch(self, url: str, **_how: object) -> FetchResult:
            with self.lock:
                self.now += 1
                self.most = max(self.most, self.now)
            self.all_here.wait(timeout=10)
            with self.lock:
                self.now -= 1
            return FetchResult(outcome=Outcome.NOT_FOUND, url=url, status=404)

    fetcher = SlowFetcher()
    function = make_function(fetcher=fetcher)

    results = function.canonicalize(urls=[f"https://example.com/{n}" for n in range(50)]).body["results"]

    assert [entry["input"] for entry in results] == [f"https://example.com/{n}" for n in range(50)]
    assert {entry["result"]["outcome"] for entry in results} == {"not_found"}
    assert fetcher.most == 25
    assert fetcher.now == 0


def test_urls_without_time_left_get_a_deadline_problem(function: Function) -> None:
    function.context = LambdaContext(remaining_ms=2100)

    results = function.canonicalize(urls=[SENT, 7]).body["results"]

    assert [entry["problem"]["code"] for entry in results] == ["deadline", "invalid_input"]
    single = function.canonicalize(url=SENT)
    assert (single.status, single.body["code"]) == (503, "deadline")
    assert int(single.headers["Retry-After"]) > 0
