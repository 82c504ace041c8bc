"""The canonicalize function over recorded events: what a client sends, and what it gets."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from feedward.errors import StoreUnavailable, Throttled
from feedward.model import FetchResult, Known, NewFeed, Outcome, Registration, Validators
from tests.functions.conftest import FEED, NETWORK, Function, LambdaContext, load_function, read_event

MakeFunction = Callable[..., Function]
SENT = "http://www.example.com/feed/?utm_source=twitter"
CLEAN = "https://example.com/feed"


class BrokenStore:
    """A store of which every call fails in the same way."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def find(self, urls: Sequence[str], *, scope: str = "", within_s: float | None = None) -> Known | None:
        raise self.error

    def register(self, feed: NewFeed, *, within_s: float | None = None) -> Registration:
        raise self.error


# --- one URL --------------------------------------------------------------------------------------


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


def test_what_is_stored_is_known_without_registering(function: Function) -> None:
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


# --- options --------------------------------------------------------------------------------------


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


# --- several URLs ---------------------------------------------------------------------------------


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


def test_a_batch_of_nothing_good_asks_nobody(function: Function) -> None:
    results = function.canonicalize(urls=[None, ""]).body["results"]

    assert [entry["problem"]["field"] for entry in results] == ["urls[0]", "urls[1]"]


def test_fifty_urls_run_side_by_side_and_leave_nothing_behind(make_function: MakeFunction) -> None:
    class SlowFetcher:
        """No fetch ends before 25 run at once. Counts how many do."""

        def __init__(self) -> None:
            self.now = self.most = 0
            self.all_here = threading.Barrier(25)
            self.lock = threading.Lock()

        def fetch(
            self, url: str, *, validators: Validators | None = None, within_s: float | None = None
        ) -> FetchResult:
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


def test_what_lambda_leaves_no_time_for_gets_a_deadline(function: Function) -> None:
    function.context = LambdaContext(remaining_ms=2100)

    results = function.canonicalize(urls=[SENT, 7]).body["results"]

    assert [entry["problem"]["code"] for entry in results] == ["deadline", "invalid_input"]
    single = function.canonicalize(url=SENT)
    assert (single.status, single.body["code"]) == (503, "deadline")
    assert int(single.headers["Retry-After"]) > 0


# --- what cannot be used --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": CLEAN, "urls": [CLEAN]}, "urls"),
        ({"url": 7}, "url"),
        ({"url": None}, "url"),
        ({"url": " "}, "url"),
        ({"url": "x" * 2049}, "url"),
        ({"url": "https://example.com/\udfff"}, "url"),
        ({"urls": CLEAN}, "urls"),
        ({"urls": []}, "urls"),
        ({"urls": [CLEAN] * 51}, "urls"),
        ({"url": CLEAN, "preset": "aggressive"}, "preset"),
        ({"url": CLEAN, "max_requests": 11}, "max_requests"),
        ({"url": CLEAN, "max_requests": -1}, "max_requests"),
        ({"url": CLEAN, "max_requests": True}, "max_requests"),
        ({"url": CLEAN, "max_requests": "3"}, "max_requests"),
        ({"url": CLEAN, "max_requests": 1.5}, "max_requests"),
        ({"url": CLEAN, "max_requests": 1e400}, "max_requests"),
        ({"url": CLEAN, "use_signature": 1}, "use_signature"),
        ({"url": CLEAN, "check_before_fetch": "yes"}, "check_before_fetch"),
        ({"url": CLEAN, "prefer_https": None}, "prefer_https"),
        ({"url": CLEAN, "register": "true"}, "register"),
        ({"url": CLEAN, "debug": []}, "debug"),
        ({"url": CLEAN, "explain": {}}, "explain"),
        ({"url": CLEAN, "candidates": 0}, "candidates"),
        ({"url": CLEAN, "presets": "aggressive"}, "presets"),
        ({"url": CLEAN, "presets": ["aggressive", "cleanest"]}, "presets[1]"),
        ({"url": CLEAN, "presets": [5]}, "presets[0]"),
        ({"url": CLEAN, "presets": ["moderate"] * 11}, "presets"),
        ({"url": CLEAN, "presets": [{"strip_www": "true"}]}, "presets[0].strip_www"),
        ({"url": CLEAN, "presets": ["moderate", {"www": True}]}, "presets[1].www"),
        ({"url": CLEAN, "presets": [{"strip_params": ["a", 1]}]}, "presets[0].strip_params[1]"),
        ({"url": CLEAN, "presets": [{"strip_params": "all"}]}, "presets[0].strip_params"),
        ({"url": CLEAN, "presets": [{"strip_protocol": True}]}, "presets[0].strip_protocol"),
        ({"url": CLEAN, "levels": [{"strip_protocol": True}]}, "levels[0].strip_protocol"),
        ({"url": CLEAN, "levels": [5, 4, 3]}, "levels[0]"),
        ({"url": CLEAN, "levels": ["moderate"], "presets": ["moderate"]}, "levels"),
        ({"url": CLEAN, "tracking_params": "utm_source"}, "tracking_params"),
        ({"url": CLEAN, "tracking_params": ["ok", ""]}, "tracking_params[1]"),
        ({"url": CLEAN, "rewrites": ["feedburner", "youtube"]}, "rewrites[1]"),
        ({"url": CLEAN, "probes": "wordpress"}, "probes"),
        ({"url": CLEAN, "probes": [{}]}, "probes[0]"),
        ([CLEAN], ""),
        (CLEAN, ""),
        (None, ""),
    ],
)
def test_a_field_that_cannot_be_used_is_named(function: Function, body: Any, field: str) -> None:
    answer = function.post(json.dumps(body).replace("Infinity", "1e400"))

    assert (answer.status, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert (answer.body["code"], answer.body["field"]) == ("invalid_input", field)
    assert answer.body["type"] == "urn:feedward:problem:invalid_input"
    assert answer.body["instance"] == "urn:feedward:request:JKJaXmPLvHcESHA="


@pytest.mark.parametrize(
    "body",
    [
        "",
        "  ",
        "{",
        "{'url': 'x'}",
        '{"url": NaN}',
        '{"url": "x"} {}',
        "[" * 100_000,
        '{"max_requests": ' + "9" * 5000 + "}",
        '{"url": "\x00"}',
    ],
)
def test_what_is_no_json_is_a_problem(function: Function, body: str) -> None:
    answer = function.post(body)

    assert (answer.status, answer.body["code"]) == (400, "malformed_json")


def test_a_field_given_twice_is_refused(function: Function) -> None:
    answer = function.post('{"url": "https://a.example/", "url": "https://b.example/"}')

    assert (answer.status, answer.body["field"]) == (400, "url")


@pytest.mark.parametrize(
    "sent", ["not base64!", base64.b64encode(b"\xff\xfe").decode(), base64.b64encode(b'{"url": "\xe9"}').decode()]
)
def test_a_binary_body_that_is_no_utf8_is_a_problem(function: Function, sent: str) -> None:
    answer = function.call(read_event("http_canonicalize_base64") | {"body": sent})

    assert (answer.status, answer.body["code"]) == (400, "malformed_json")


def test_a_byte_order_mark_does_not_matter(function: Function) -> None:
    assert function.post("\ufeff" + json.dumps({"url": CLEAN})).status == 200


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=UTF-8", 200),
        ('application/json; charset="utf-8"', 200),
        ("application/vnd.feedward+json", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 200),
        ("multipart/form-data", 415),
        ("application/json; charset=utf-16", 415),
    ],
)
def test_only_json_is_read(function: Function, content_type: str, status: int) -> None:
    assert function.post({"url": CLEAN}, **{"content-type": content_type}).status == status


def test_a_request_that_does_not_say_what_it_sends_is_believed(function: Function) -> None:
    event = read_event("http_canonicalize_one") | {"headers": {}}

    assert function.call(event).status == 200


@pytest.mark.parametrize("is_base64", [False, True])
def test_a_body_larger_than_any_request_needs_is_refused(function: Function, is_base64: bool) -> None:
    body = json.dumps({"urls": ["x" * 20_000] * 40})
    sent = base64.b64encode(body.encode()).decode() if is_base64 else body

    answer = function.call(read_event("http_canonicalize_one") | {"body": sent, "isBase64Encoded": is_base64})

    assert (answer.status, answer.body["code"]) == (413, "body_too_large")


# --- other routes ---------------------------------------------------------------------------------


def test_health_answers_without_the_store(make_function: MakeFunction) -> None:
    answer = make_function(store=BrokenStore(StoreUnavailable("down"))).call(read_event("http_health"))

    assert (answer.status, answer.body["status"]) == (200, "ok")


def with_route(method: str, path: str) -> dict[str, Any]:
    event = read_event("http_health")
    context = event["requestContext"] | {"http": event["requestContext"]["http"] | {"method": method, "path": path}}
    return event | {"routeKey": "$default", "rawPath": path, "requestContext": context}


def test_a_path_that_is_not_there_is_a_problem(function: Function) -> None:
    answer = function.call(with_route("GET", "/v1/nothing"))

    assert (answer.status, answer.body["code"]) == (404, "route_not_found")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_method_that_a_path_does_not_have_is_a_problem(function: Function) -> None:
    answer = function.call(with_route("DELETE", "/v1/canonicalize"))

    assert (answer.status, answer.body["code"], answer.headers["Allow"]) == (405, "method_not_allowed", "POST")


@pytest.mark.parametrize(
    "event",
    [{}, None, [], "x", {"requestContext": "x"}, {"requestContext": {"http": "x"}}, {"routeKey": 5, "rawPath": []}],
)
def test_an_event_that_is_none_of_the_gateways_finds_no_route(function: Function, event: Any) -> None:
    answer = function.call(event)

    assert (answer.status, answer.body["code"]) == (404, "route_not_found")
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "odd",
    [
        {"body": 5},
        {"body": {"url": CLEAN}},
        {"body": ["x"]},
        {"headers": [], "body": "{"},
        {"headers": {"content-type": None}, "body": "{"},
    ],
)
def test_an_event_with_odd_members_is_a_bad_request(function: Function, odd: dict[str, Any]) -> None:
    answer = function.call(read_event("http_canonicalize_one") | odd)

    assert (answer.status, answer.body["code"]) == (400, "malformed_json")


def test_a_default_route_finds_the_path_too(function: Function) -> None:
    assert function.call(with_route("GET", "/v1/health")).status == 200


# --- faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Throttled("secret-table is busy"), 503, "throttled"),
        (StoreUnavailable("secret-table failed"), 503, "store_unavailable"),
        (RuntimeError("secret-table"), 500, "internal_error"),
    ],
)
def test_a_fault_says_what_to_do_and_not_what_is_inside(
    make_function: MakeFunction, error: Exception, status: int, code: str
) -> None:
    function = make_function(store=BrokenStore(error))

    answer = function.canonicalize(url=CLEAN, register=True)
    (entry,) = function.canonicalize(urls=[CLEAN], register=True).body["results"]

    assert (answer.status, answer.body["code"]) == (status, code)
    assert (entry["problem"]["status"], entry["problem"]["code"]) == (status, code)
    assert "secret-table" not in json.dumps([answer.body, entry])
    assert ("Retry-After" in answer.headers) is (status == 503)


@pytest.mark.parametrize("body", [{"url": CLEAN}, {"urls": [CLEAN]}])
def test_our_own_fault_is_in_the_log_once_with_its_trace_and_the_instance(
    make_function: MakeFunction, body: dict[str, Any]
) -> None:
    function = make_function(store=BrokenStore(RuntimeError("secret-table")))

    function.post(body)

    (line,) = [line for line in function.log_lines if line["level"] == "ERROR"]
    assert line["message"] == "unexpected failure"
    assert "secret-table" in line["exception"]
    assert line["instance"] == "urn:feedward:request:JKJaXmPLvHcESHA="
    assert line["correlation_id"] == "JKJaXmPLvHcESHA="


@pytest.mark.parametrize("body", ["no JSON", '{"url": ""}', '{"urls": [""]}', '{"url": "https://a.example/", "x": 1}'])
def test_what_is_wrong_with_a_request_is_no_error_of_ours_in_the_log(body: str, function: Function) -> None:
    function.post(body)

    assert "ERROR" not in {line["level"] for line in function.log_lines}


def test_a_setting_that_is_missing_is_our_fault_and_named_in_the_log(log: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("URLS_TABLE", "FEEDS_TABLE", "STATE_TABLE"):
        monkeypatch.delenv(variable, raising=False)
    function = Function(load_function("canonicalize").handler, None, log)  # type: ignore[arg-type]

    answer = function.canonicalize(url=CLEAN)

    assert (answer.status, answer.body["code"]) == (500, "internal_error")
    assert any("URLS_TABLE is not set" in line.get("exception", "") for line in function.log_lines)


# --- log lines and metrics ------------------------------------------------------------------------


def test_each_url_has_one_log_line_without_what_is_secret_in_it(function: Function) -> None:
    function.canonicalize(urls=["https://example.com/feed?token=s3cret", 'https://example.com/\n{"level":"forged"}'])

    lines = [line for line in function.log_lines if line["message"] == "canonicalized"]
    assert len(lines) == len(function.log_lines) == 2
    assert "s3cret" not in function.log.getvalue()
    assert {line["level"] for line in lines} == {"INFO"}
    assert lines[0]["reason"] == "error"
    assert lines[0]["correlation_id"] == "JKJaXmPLvHcESHA="


@pytest.mark.parametrize(
    ("error", "code"), [(Throttled("busy"), "throttled"), (RuntimeError("secret-table"), "internal_error")]
)
@pytest.mark.parametrize("body", [{"url": f"{CLEAN}?token=s3cret"}, {"urls": [f"{CLEAN}?token=s3cret", "ftp://x/"]}])
def test_a_url_without_a_result_has_its_log_line_and_is_counted(
    make_function: MakeFunction, capsys: pytest.CaptureFixture[str], error: Exception, code: str, body: dict[str, Any]
) -> None:
    function = make_function({f"{CLEAN}?token=s3cret": {"body": FEED}}, store=BrokenStore(error))

    function.post(body)

    (line,) = [line for line in function.log_lines if line["message"] == "not canonicalized"]
    assert (line["level"], line["input"], line["code"]) == ("WARNING", f"{CLEAN}?...", code)
    assert "s3cret" not in function.log.getvalue()
    metrics = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(m["code"], m["NotCanonicalized"]) for m in metrics if "NotCanonicalized" in m] == [(code, [1.0])]


def test_metrics_count_urls_by_reason_and_requests_of_each(
    function: Function, capsys: pytest.CaptureFixture[str]
) -> None:
    function.canonicalize(urls=[SENT, CLEAN, "http://127.0.0.1/", "http://10.0.0.1/"])

    metrics = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    counted = {line["reason"]: line["Canonicalized"] for line in metrics if "Canonicalized" in line}
    assert counted == {"upgrade_https": [1.0], "response_url": [1.0], "unsafe_url": [2.0]}
    (requests,) = [line["RequestsPerCanonicalize"] for line in metrics if "RequestsPerCanonicalize" in line]
    assert requests == [3.0, 1.0, 0.0, 0.0]
    assert {line["_aws"]["CloudWatchMetrics"][0]["Namespace"] for line in metrics} == {"feedward"}


def test_a_call_without_a_url_emits_no_metric(function: Function, capsys: pytest.CaptureFixture[str]) -> None:
    function.call(read_event("http_health"))

    assert capsys.readouterr().out == ""


def test_network_of_these_tests_is_never_left(function: Function) -> None:
    function.canonicalize(url=SENT)

    assert set(function.services.fetcher.fetched) <= set(NETWORK)  # type: ignore[attr-defined]
