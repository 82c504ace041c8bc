"""Unusable requests are problems that name the field."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.functions.conftest import (
    CLEAN,
    Function,
    read_event,
)


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
def test_invalid_json_is_a_problem(function: Function, body: str) -> None:
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


def test_a_request_without_a_content_type_is_read_as_json(function: Function) -> None:
    event = read_event("http_canonicalize_one") | {"headers": {}}

    assert function.call(event).status == 200


@pytest.mark.parametrize("is_base64", [False, True])
def test_a_body_larger_than_any_request_needs_is_refused(function: Function, is_base64: bool) -> None:
    body = json.dumps({"urls": ["x" * 20_000] * 40})
    sent = base64.b64encode(body.encode()).decode() if is_base64 else body

    answer = function.call(read_event("http_canonicalize_one") | {"body": sent, "isBase64Encoded": is_base64})

    assert (answer.status, answer.body["code"]) == (413, "body_too_large")
