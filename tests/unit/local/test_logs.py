"""A function's JSON log lines become lines that a person reads."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from feedward_local.logs import readable

NOW = datetime(2026, 3, 1, 12, 3, 4, tzinfo=UTC)


def test_a_json_line_shows_level_message_reason_and_url_first() -> None:
    line = json.dumps(
        {
            "level": "INFO",
            "message": "canonicalized",
            "timestamp": "2026-03-01 12:03:04,000+0000",
            "service": "feedward",
            "location": "handler:3",
            "request_count": 2,
            "url": "https://a.example/feed",
            "reason": "content_verified",
            "note": "two words",
            "cold_start": True,
        }
    )
    assert readable(line, now=NOW) == (
        "12:03:04 INFO    canonicalized  reason=content_verified url=https://a.example/feed "
        'request_count=2 note="two words"'
    )


def test_the_trace_of_an_exception_is_shown_below() -> None:
    line = json.dumps({"level": "ERROR", "message": "failed", "exception": "Traceback\n  File x\nValueError: no"})
    shown = readable(line, now=NOW)
    assert shown is not None
    assert shown.splitlines()[0] == "12:03:04 ERROR   failed"
    assert [text.strip() for text in shown.splitlines()[1:]] == ["Traceback", "File x", "ValueError: no"]


@pytest.mark.parametrize(
    "line",
    [
        "START RequestId: 1 Version: $LATEST",
        "END RequestId: 1",
        "REPORT RequestId: 1\tDuration: 3 ms",
        "",
        '{"_aws": {"Timestamp": 1}, "Answers": 1}',
    ],
)
def test_what_says_nothing_to_a_person_is_not_shown(line: str) -> None:
    assert readable(line, now=NOW) is None


@pytest.mark.parametrize("line", ["plain text", "[1, 2]", '"text"', "{broken"])
def test_a_line_that_is_no_json_object_stands_as_it_is(line: str) -> None:
    shown = readable(line, now=NOW)
    assert shown is not None
    assert shown.strip() == line


@pytest.mark.parametrize("field", ["message", "url", "other"])
def test_what_a_terminal_would_act_on_is_escaped(field: str) -> None:
    shown = readable(json.dumps({"level": "INFO", "message": "m", field: "\x1b[2J\r\nFAKE 12:00"}), now=NOW)
    assert shown is not None
    assert shown.isprintable()
