"""Groups due feeds or pages into messages: hosts stay together, and messages are full (rule M2). Pure.

Only hosts with at most 10 due entries, and no wait, share a message, so that one host does not delay others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

TOGETHER_AT_MOST: Final = 10


class OfHost(Protocol):
    """A due entry of a host: a feed or a page."""

    @property
    def host(self) -> str:
        """The host, in the same spelling for all its entries."""
        ...


Due = TypeVar("Due", bound=OfHost)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostGroup(Generic[Due]):
    """The entries of one host, in due order, in as few parts of up to 10 as possible."""

    host: str
    parts: tuple[tuple[Due, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping(Generic[Due]):
    """`alone`: hosts with separate messages. `shared`: messages of several hosts, each host in one of them."""

    alone: tuple[HostGroup[Due], ...]
    shared: tuple[tuple[Due, ...], ...]


def grouped(feeds: Iterable[Due], waiting: Collection[str] = ()) -> Grouping[Due]:
    """Return each entry in exactly one group; the hosts in `waiting` get separate messages."""
    by_host: dict[str, list[Due]] = {}
    for feed in feeds:
        by_host.setdefault(feed.host, []).append(feed)
    is_alone = {host: host in waiting or len(theirs) > TOGETHER_AT_MOST for host, theirs in by_host.items()}
    alone = [HostGroup(host=host, parts=_parts(theirs)) for host, theirs in by_host.items() if is_alone[host]]
    small = [theirs for host, theirs in by_host.items() if not is_alone[host]]
    return Grouping(alone=tuple(alone), shared=_packed(small))


def _parts(feeds: Sequence[Due]) -> tuple[tuple[Due, ...], ...]:
    starts = range(0, len(feeds), TOGETHER_AT_MOST)
    return tuple(tuple(feeds[start : start + TOGETHER_AT_MOST]) for start in starts)


def _packed(hosts: Iterable[Sequence[Due]]) -> tuple[tuple[Due, ...], ...]:
    """Fill messages with whole hosts, largest first, each into the fullest message with enough room."""
    messages: list[list[Due]] = []
    by_room: dict[int, list[int]] = {}
    for feeds in sorted(hosts, key=len, reverse=True):
        room = next((room for room in range(len(feeds), TOGETHER_AT_MOST + 1) if by_room.get(room)), None)
        if room is None:
            messages.append([])
            index, room = len(messages) - 1, TOGETHER_AT_MOST
        else:
            index = by_room[room].pop()
        messages[index] += feeds
        by_room.setdefault(room - len(feeds), []).append(index)
    return tuple(map(tuple, messages))
