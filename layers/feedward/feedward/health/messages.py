"""A message of HealthQueue: up to 10 feeds to check, as they were when they were looked up (design section 3). Pure.

All feeds of one host that are due together travel together; see grouping.py and pacing.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from feedward.errors import InvalidInput
from feedward.health.due_feed import DueFeed
from feedward.scheduling.grouping import TOGETHER_AT_MOST

FEEDS_AT_MOST: Final = TOGETHER_AT_MOST
DELAY_AT_MOST_S: Final = 900
VERSION: Final = 1
CHECK: Final = "check"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthMessage:
    """Check these feeds, one after the other.

    `sent_at` (epoch seconds) is when the message could be read first: when it was sent, and its delay. `delay_s` is
    for the queue and is not part of the text. `unreadable` counts the entries that could not be read; nothing is lost
    with them, for what stays due is sent again.
    """

    feeds: tuple[DueFeed, ...]
    sent_at: int
    delay_s: int = 0
    unreadable: int = 0

    def to_text(self) -> str:
        """Return the message as JSON, in ASCII. The feeds' own `sent_at` is the message's."""
        feeds = [_without(feed.to_message(), "sent_at") for feed in self.feeds]
        message = {"version": VERSION, "type": CHECK, "sent_at": self.sent_at, "feeds": feeds}
        return json.dumps(message, separators=(",", ":"))

    @classmethod
    def from_text(cls, body: object) -> HealthMessage:
        """Read the text of a message. Raises InvalidInput, which names the member, for what no version here can use."""
        message = _object(body)
        if message.get("version") != VERSION:
            raise InvalidInput("version", f"expected {VERSION}")
        if message.get("type") != CHECK:
            raise InvalidInput("type", f"expected {CHECK!r}")
        sent_at, entries = message.get("sent_at"), message.get("feeds")
        if not isinstance(sent_at, int) or isinstance(sent_at, bool):
            raise InvalidInput("sent_at", "expected a whole number")
        if not isinstance(entries, list):
            raise InvalidInput("feeds", "expected a list")
        feeds = tuple(_readable(entries, sent_at))
        return cls(feeds=feeds, sent_at=sent_at, unreadable=len(entries) - len(feeds))


def _readable(entries: Iterable[object], sent_at: int) -> Iterable[DueFeed]:
    for entry in entries:
        try:
            feed = DueFeed.from_message(entry) if isinstance(entry, Mapping) else None
        except InvalidInput:
            continue
        if feed is not None:
            yield replace(feed, sent_at=sent_at)


def _object(body: object) -> Mapping[str, Any]:
    try:
        message = json.loads(body) if isinstance(body, str) else None
    except (ValueError, RecursionError):
        raise InvalidInput("", "the message is no JSON") from None
    if not isinstance(message, dict):
        raise InvalidInput("", "the message is no JSON object")
    return message


def _without(message: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in message.items() if each != name}
