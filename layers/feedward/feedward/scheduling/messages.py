"""Messages of due entries, such as feeds to check or pages to collect, and their JSON format. Pure.

Due entries of one host share a message; see grouping.py and message_plan.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from feedward.errors import InvalidInput
from feedward.scheduling.grouping import TOGETHER_AT_MOST

ENTRIES_AT_MOST: Final = TOGETHER_AT_MOST
DELAY_AT_MOST_S: Final = 900
"""The longest delay that a queue offers."""
BYTES_AT_MOST: Final = 256 * 1024
"""The largest message that a queue accepts."""
VERSION: Final = 1
_ROOM: Final = BYTES_AT_MOST - 200  # minus brackets, version and time


class DueEntry(Protocol):
    """An entry that is due at a host. `entry_id` identifies it; `rev` is the revision of the item it was read from."""

    @property
    def entry_id(self) -> str:
        """The feed_id or row_id."""
        ...

    @property
    def host(self) -> str:
        """The host, in the same spelling for all its entries."""
        ...

    @property
    def rev(self) -> int:
        """Grows with each write."""
        ...

    @property
    def sent_at(self) -> int | None:
        """The epoch second from which its message could be read; None without a message."""
        ...


Entry = TypeVar("Entry", bound=Any)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFormat(Generic[Entry]):
    """The JSON format of a kind of message: its `type`, the name of its list of entries, and both codecs."""

    type: str
    member: str
    write: Callable[[Entry], Mapping[str, Any]]
    read: Callable[[Mapping[str, Any]], Entry]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkMessage(Generic[Entry]):
    """A message of due entries. A worker processes the entries of each host one after the other.

    `sent_at` (epoch seconds) is when the message can first be read: its send time plus its delay. `delay_s` is for the
    queue and is not part of the text. `is_alone`: it is one of several messages of one host, which must not be
    processed concurrently. `unreadable` counts the entries that could not be decoded; the due index still has them.
    `receives` is how often the message was received, this time included; more than one may mean that a worker died.
    """

    format: ClassVar[EntryFormat[Any]]

    entries: tuple[Entry, ...]
    sent_at: int
    delay_s: int = 0
    is_alone: bool = False
    unreadable: int = 0
    receives: int = 1

    @property
    def group(self) -> str | None:
        """The tenant that owns all entries: the group of a fair queue (rule QT7).

        None if no tenant owns all, or if this kind of entry has no owners.
        """
        owners = {getattr(entry, "owner", None) for entry in self.entries}
        return owners.pop() if len(owners) == 1 else None

    def to_text(self) -> str:
        """Return the message as ASCII JSON. `sent_at` of the entries is stored once, in the message."""
        entries = [_without(self.format.write(entry), "sent_at") for entry in self.entries]
        text: dict[str, Any] = {"version": VERSION, "type": self.format.type, "sent_at": self.sent_at}
        return _json({**text, **({"alone": True} if self.is_alone else {}), self.format.member: entries})

    @classmethod
    def from_text(cls, body: object) -> Self:
        """Decode the text of a message. Raises InvalidInput, which names the member, if it cannot be used."""
        return cls.from_object(json_object(body))

    @classmethod
    def from_object(cls, message: Mapping[str, Any]) -> Self:
        """Decode the JSON object of a message; raises as `from_text` does."""
        sent_at = sent_at_of(message)
        if message.get("type") != cls.format.type:
            raise InvalidInput("type", f"expected {cls.format.type!r}")
        stored = message.get(cls.format.member)
        if not isinstance(stored, list):
            raise InvalidInput(cls.format.member, "expected a list")
        entries = tuple(_readable(stored, sent_at, cls.format))
        is_alone = message.get("alone") is True
        return cls(entries=entries, sent_at=sent_at, is_alone=is_alone, unreadable=len(stored) - len(entries))

    @classmethod
    def fitting(cls, entries: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
        """Yield the entries, in order, in as few messages as possible. An entry that exceeds a message is left out.

        Ten entries of this code always fit. A larger one must not block the others.
        """
        part: list[Entry] = []
        size = 0
        for entry in entries:
            needed = len(_json(cls.format.write(entry))) + 1
            if needed > _ROOM:
                continue
            if part and size + needed > _ROOM:
                yield tuple(part)
                part, size = [], 0
            part.append(entry)
            size += needed
        if part:
            yield tuple(part)


def sent_at_of(message: Mapping[str, Any]) -> int:
    """Return when a message of this version could first be read. Raises InvalidInput."""
    if message.get("version") != VERSION:
        raise InvalidInput("version", f"expected {VERSION}")
    sent_at = message.get("sent_at")
    if not isinstance(sent_at, int) or isinstance(sent_at, bool):
        raise InvalidInput("sent_at", "expected a whole number")
    return sent_at


def json_object(body: object) -> Mapping[str, Any]:
    """Decode a text as a JSON object. Raises InvalidInput."""
    try:
        message = json.loads(body) if isinstance(body, str) else None
    except (ValueError, RecursionError):
        raise InvalidInput("", "the message is not JSON") from None
    if not isinstance(message, dict):
        raise InvalidInput("", "the message is not a JSON object")
    return message


def _readable(stored: Iterable[object], sent_at: int, entry_format: EntryFormat[Entry]) -> Iterable[Entry]:
    for each in stored:
        try:
            entry = entry_format.read(each) if isinstance(each, Mapping) else None
        except InvalidInput:
            continue
        if entry is not None:
            yield replace(entry, sent_at=sent_at)


def _without(message: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in message.items() if each != name}


_json = json.JSONEncoder(separators=(",", ":")).encode
