"""A batch of texts, each decoded by itself: one that cannot be read fails alone, and the others are worked on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from feedward.errors import InvalidInput

Message = TypeVar("Message")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded(Generic[Message]):
    """A batch's messages in order, each decoded, or the error that says why it cannot be."""

    messages: tuple[Message | InvalidInput, ...]

    @property
    def readable(self) -> list[Message]:
        """Those that can be worked on."""
        return [each for each in self.messages if not isinstance(each, InvalidInput)]

    def failures(self, of_readable: Sequence[Exception | None]) -> list[Exception | None]:
        """Return why each message failed, given that of each readable one."""
        theirs = iter(of_readable)
        return [each if isinstance(each, InvalidInput) else next(theirs) for each in self.messages]


def decode_all(bodies: Sequence[object], read: Callable[[object], Message]) -> Decoded[Message]:
    """Read the texts of a batch's messages; `read` raises InvalidInput for one that nobody can use."""

    def decode(body: object) -> Message | InvalidInput:
        try:
            return read(body)
        except InvalidInput as error:
            return error

    return Decoded(messages=tuple(map(decode, bodies)))
