"""A function's JSON log lines become lines that a person reads."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from feedward_local import logs
from feedward_local.console import Console
from feedward_local.logs import LogFollower, readable

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
def test_values_without_meaning_to_a_person_are_not_shown(line: str) -> None:
    assert readable(line, now=NOW) is None


@pytest.mark.parametrize("line", ["plain text", "[1, 2]", '"text"', "{broken"])
def test_a_line_that_is_no_json_object_stands_as_it_is(line: str) -> None:
    shown = readable(line, now=NOW)
    assert shown is not None
    assert shown.strip() == line


@pytest.mark.parametrize("field", ["message", "url", "other"])
def test_control_sequences_of_a_terminal_are_escaped(field: str) -> None:
    shown = readable(json.dumps({"level": "INFO", "message": "m", field: "\x1b[2J\r\nFAKE 12:00"}), now=NOW)
    assert shown is not None
    assert shown.isprintable()


class BusyLogs:
    """CloudWatch Logs with a stream of one line, which it deletes only at the third request."""

    def __init__(self) -> None:
        self.deletes = 0

    def describe_log_groups(self) -> dict[str, Any]:
        silent = {"logGroupName": "/aws/lambda/silent", "storedBytes": 0}
        return {"logGroups": [silent, {"logGroupName": "/aws/lambda/f", "storedBytes": 9}]}

    def filter_log_events(self, **asked: str) -> dict[str, Any]:
        assert asked["logGroupName"] == "/aws/lambda/f", "a group without a line was read"
        event = {"logStreamName": "s", "message": "said once", "timestamp": 0}
        return {"events": [event] if self.deletes < 3 else []}

    def delete_log_stream(self, **_: str) -> None:
        self.deletes += 1
        if self.deletes < 3:
            raise EndpointConnectionError(endpoint_url="http://127.0.0.1")


def test_a_line_is_shown_once_though_its_stream_could_not_be_deleted(tmp_path: Path) -> None:
    out, cloud = StringIO(), BusyLogs()
    follower = LogFollower(cloud, Console(out), tmp_path / "functions.log")

    for _ in range(4):
        with contextlib.suppress(EndpointConnectionError):
            follower._show_new()

    assert cloud.deletes == 3
    assert (tmp_path / "functions.log").read_text() == "said once\n"
    assert out.getvalue().count("said once") == 1


def test_the_file_of_raw_lines_begins_anew_while_the_stack_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "KEPT_BYTES", 20)
    follower = LogFollower(BusyLogs(), Console(StringIO()), tmp_path / "functions.log")
    for number in range(5):
        follower._show([{"message": f"line {number}", "timestamp": 0}])

    assert (tmp_path / "functions.old.log").read_text() == "line 0\nline 1\nline 2\n"
    assert (tmp_path / "functions.log").read_text() == "line 3\nline 4\n"


class KilledLogs(BusyLogs):
    """MiniStack is killed while it answers: the answer is empty."""

    def filter_log_events(self, **_: str) -> dict[str, Any]:
        return {}


def test_an_answer_that_was_cut_off_shows_nothing_and_ends_nothing(tmp_path: Path) -> None:
    out, cloud = StringIO(), KilledLogs()
    LogFollower(cloud, Console(out), tmp_path / "functions.log")._show_new()

    assert out.getvalue() == ""
    assert cloud.deletes == 0
