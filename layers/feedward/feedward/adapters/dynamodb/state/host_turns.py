"""Turns at a host: ports.HostTurns over StateTable. Over all workers, so long between two requests (design section 3).

A host's row says when it may be asked next, and whoever takes a turn moves that on by the pause, in one step. Nobody
asks twice because another was quicker: a turn costs one write at a host that is free, and two at one that is busy.
"""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.state.state_rows import turn_key
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import absent, at_most, either
from feedward.errors import Conflict

# A row may expire between the two steps, and then they begin anew.
_ROUNDS: Final = 3
_KEPT_S: Final = 3600


class DynamoHostTurns(TableStore):
    """ports.HostTurns. One object serves all threads."""

    def take(self, host: str, *, now_ms: int, pause_ms: int, wait_ms: int) -> int:
        """Take the next turn, and return in how many milliseconds it is, or when to ask again if it is too far away.

        A turn that was taken though nobody heard of it is left out: the host has more peace.
        """
        tables = self._tables
        for _ in range(_ROUNDS):
            free_at = _take_now(tables, host, now_ms, pause_ms)
            if free_at is None:
                return 0
            if free_at - now_ms > wait_ms:
                return free_at - now_ms
            turn_at = _take_next(tables, host, now_ms + wait_ms, pause_ms)
            if turn_at is not None:
                return max(turn_at - now_ms, 0)
        raise Conflict("the turns of this host kept changing")

    def rest(self, host: str, *, until_ms: int) -> None:
        """Let nobody ask the host before then. A later turn or rest that is known stays: rests do not add up."""
        tables = self._tables
        tables.change(
            tables.names.state,
            turn_key(host),
            either(absent("next_at"), at_most("next_at", until_ms)),
            assign={"next_at": until_ms, "expires_at": _expires_at(until_ms)},
        )


def _take_now(tables: Tables, host: str, now_ms: int, pause_ms: int) -> int | None:
    """Take a turn at once, if the host is free. None: taken; else when it will be free."""
    refusal = tables.change(
        tables.names.state,
        turn_key(host),
        either(absent("next_at"), at_most("next_at", now_ms)),
        assign={"next_at": now_ms + pause_ms, "expires_at": _expires_at(now_ms + pause_ms)},
    )
    return int(refusal.item["next_at"]) if refusal is not None and refusal.item else None


def _take_next(tables: Tables, host: str, latest_ms: int, pause_ms: int) -> int | None:
    """Take the next turn, and return when it is; None if it would be later than that."""
    answer = tables.update(
        tables.names.state,
        turn_key(host),
        at_most("next_at", latest_ms),
        assign={"expires_at": _expires_at(latest_ms + pause_ms)},
        add={"next_at": pause_ms},
    )
    return None if isinstance(answer, Refusal) else int(answer["next_at"]) - pause_ms


def _expires_at(at_ms: int) -> int:
    return at_ms // 1000 + _KEPT_S
