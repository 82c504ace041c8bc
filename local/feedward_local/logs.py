"""The functions' log lines: fetched from MiniStack's CloudWatch Logs, formatted for people, and stored in a file.

A JSON line (as the powertools Logger writes it) becomes `12:03:04 INFO message  reason=... url=...`; any other line,
such as a traceback, is shown as it is.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from feedward_local.console import Console, printable

PLATFORM_LINES = ("START RequestId: ", "END RequestId: ", "REPORT RequestId: ")
FIRST_FIELDS = ("reason", "outcome", "url")
# Members that the logger adds to each line, and that a person at this console knows anyway.
UNSHOWN_FIELDS = frozenset(
    {
        *("level", "message", "timestamp", "location", "service", "cold_start", "exception", "exception_name"),
        *("stack_trace", "function_name", "function_memory_size", "function_arn", "function_request_id"),
        *("xray_trace_id", "correlation_id", "sampling_rate"),
    }
)
LOOK_EVERY_S = 2.0
SETTLED_S = 0.2  # calls that follow each other are looked at together
KEPT_BYTES = 10 * 1024 * 1024


def readable(line: str, *, now: datetime) -> str | None:
    """Return the text to show for a raw log line, with a traceback if any; None for a line without interest.

    `now` is the time to show, in local time. Control characters of logged data are escaped.
    """
    text = line.rstrip()
    if not text or text.startswith(PLATFORM_LINES):
        return None
    entry = _entry(text)
    if entry is None:
        return "         " + printable(text)
    if "_aws" in entry:
        return None  # a metric in the embedded format
    level, message = str(entry.get("level", "INFO")), printable(str(entry.get("message", "")))
    shown = " ".join(f"{name}={_shown(value)}" for name, value in _fields(entry))
    first = f"{now:%H:%M:%S} {level:<7} {message}" + (f"  {shown}" if shown else "")
    trace = [f"         {printable(one)}" for one in str(entry.get("exception", "")).splitlines()]
    return "\n".join([first, *trace])


def _entry(text: str) -> dict[str, Any] | None:
    try:
        entry = json.loads(text)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _fields(entry: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in FIRST_FIELDS:
        if name in entry:
            yield name, entry[name]
    for name, value in entry.items():
        if name not in UNSHOWN_FIELDS and name not in FIRST_FIELDS:
            yield name, value


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return json.dumps(text) if isinstance(value, str) and (" " in text or not text) else printable(text)


class LogFollower:
    """Checks for new log lines every 2 seconds, and soon after a call."""

    def __init__(self, client: Any, console: Console, keep_in: Path) -> None:
        """`client` is MiniStack's CloudWatch Logs; raw lines are appended to the file `keep_in`."""
        self._client, self._console, self._keep_in = client, console, keep_in
        # Shown, but still in MiniStack, which was too busy to delete them.
        self._not_deleted = set[tuple[str, str]]()
        self._wake, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._follow, name="logs", daemon=True)

    def start(self) -> None:
        """Start to follow."""
        self._thread.start()

    def look(self) -> None:
        """Check soon, after a call."""
        self._wake.set()

    def stop(self) -> None:
        """Show the remaining lines and end."""
        self._stopped.set()
        self._wake.set()
        self._thread.join(timeout=5)

    def _follow(self) -> None:
        while True:
            ending = self._stopped.is_set()
            try:
                self._show_new()
            except (BotoCoreError, ClientError, OSError):
                if not ending:  # MiniStack is busy or has ended; its owner reports that
                    self._stopped.wait(LOOK_EVERY_S)
            if ending:
                return
            if self._wake.wait(LOOK_EVERY_S):
                self._stopped.wait(SETTLED_S)
            self._wake.clear()

    def _show_new(self) -> None:
        """Show each stream once and delete it: MiniStack writes one per call, complete from the start.

        A group without a byte is not read: reading one counts as news, which is saved. A MiniStack that is killed
        leaves empty answers, which have neither groups nor events.
        """
        groups = self._client.describe_log_groups().get("logGroups", ())
        for name in [each["logGroupName"] for each in groups if each.get("storedBytes")]:
            streams: dict[str, list[dict[str, Any]]] = {}
            for event in self._client.filter_log_events(logGroupName=name).get("events", ()):
                streams.setdefault(event["logStreamName"], []).append(event)
            for stream, events in streams.items():
                if (name, stream) not in self._not_deleted:
                    self._not_deleted.add((name, stream))
                    self._show(events)
            for stream in streams:
                self._client.delete_log_stream(logGroupName=name, logStreamName=stream)
                self._not_deleted.discard((name, stream))

    def _show(self, events: Iterable[Mapping[str, Any]]) -> None:
        if self._keep_in.exists() and self._keep_in.stat().st_size > KEPT_BYTES:
            self._keep_in.replace(self._keep_in.with_suffix(".old.log"))
        with self._keep_in.open("a") as kept:
            for event in events:
                kept.write(event["message"] + "\n")
                when = datetime.fromtimestamp(event["timestamp"] / 1000, tz=UTC).astimezone()
                shown = readable(event["message"], now=when)
                if shown is not None:
                    self._console.line(shown)
