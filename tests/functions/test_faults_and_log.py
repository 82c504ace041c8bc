"""Failures of our own, and the function's log and counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.errors import StoreUnavailable, Throttled
from tests.functions.conftest import (
    CLEAN,
    FEED,
    NETWORK,
    SENT,
    BrokenStore,
    Function,
    MakeFunction,
    load_function,
    read_event,
)

# --- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Throttled("secret-table is busy"), 503, "throttled"),
        (StoreUnavailable("secret-table failed"), 503, "store_unavailable"),
        (RuntimeError("secret-table"), 500, "internal_error"),
    ],
)
def test_a_fault_gives_advice_and_no_internals(
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
def test_a_fault_of_a_request_is_no_error_of_ours_in_the_log(body: str, function: Function) -> None:
    function.post(body)

    assert "ERROR" not in {line["level"] for line in function.log_lines}


def test_a_setting_that_is_missing_is_our_fault_and_named_in_the_log(log: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("URLS_TABLE", "FEEDS_TABLE", "STATE_TABLE"):
        monkeypatch.delenv(variable, raising=False)
    function = Function(load_function("canonicalize").handler, None, log)  # type: ignore[arg-type]

    answer = function.canonicalize(url=CLEAN)

    assert (answer.status, answer.body["code"]) == (500, "internal_error")
    assert any("URLS_TABLE is not set" in line.get("exception", "") for line in function.log_lines)


# --- log lines and metrics -------------------------------------------------------------------------


def test_each_url_has_one_log_line_without_secrets(function: Function) -> None:
    secret = "https://example.com/private/s3cret5/feed?token=s3cret"
    function.canonicalize(urls=[secret, 'https://example.com/\n{"level":"forged"}'])

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
