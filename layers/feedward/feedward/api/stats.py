"""The stats and dead letters as JSON (rule G9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from feedward.api.event import Event, query_values
from feedward.api.fields import choice
from feedward.errors import InvalidInput
from feedward.search.state_counts import StateCounts
from feedward.services.stats.read_stats import Stats
from feedward.stats.counts import Bounded, Checked, QueueDepth, StatsPart
from feedward.stats.dead_letters import DeadLetter, QueueName


def decode_parts(event: Event) -> dict[str, Any]:
    """Return the parts that `parts` names, separated by commas; all parts without it. Raises InvalidInput."""
    return {"parts": query_values(event, {"parts": _parts}).get("parts", frozenset(StatsPart))}


def _parts(value: str, name: str) -> frozenset[StatsPart]:
    known = {part.value for part in StatsPart}
    names = [part.strip() for part in value.split(",")]
    if not set(names) <= known:
        raise InvalidInput(name, f"expected one or more of {', '.join(sorted(known))}, with commas between them")
    return frozenset(map(StatsPart, names))


def encode_stats(stats: Stats) -> dict[str, Any]:
    """Return the document. Parts that were not requested are null."""
    return {
        "directory": None if stats.directory is None else _directory(stats.directory),
        "checks": None if stats.checks is None else [_hour(hour, counts) for hour, counts in stats.checks],
        "subscriptions": None if stats.subscriptions is None else _bounded(stats.subscriptions),
        "frontier": None if stats.frontier is None else _rows(stats.frontier),
        "queues": None if stats.queues is None else [_queue(queue) for queue in stats.queues],
    }


def _directory(counts: StateCounts) -> dict[str, Any]:
    return {"by_state": dict(counts.by_state), "never_fetched": counts.never_fetched}


def _hour(at: int, counts: Mapping[Checked, int]) -> dict[str, int]:
    return {"at": at, **{kind.value: counts.get(kind, 0) for kind in Checked}}


def _bounded(counted: Bounded) -> dict[str, Any]:
    return {"count": counted.count, "more": counted.more}


def _rows(frontier: Mapping[str, Bounded]) -> list[dict[str, Any]]:
    ordered = sorted(frontier.items(), key=lambda each: (-each[1].count, each[0]))
    return [{"reason": reason, **_bounded(counted)} for reason, counted in ordered]


def _queue(queue: QueueDepth) -> dict[str, Any]:
    return {
        "name": queue.name,
        "waiting": queue.waiting,
        "in_work": queue.in_work,
        "dead_letters": queue.dead_letters,
    }


def decode_queue(event: Event) -> dict[str, Any]:
    """Return the requested `queue`. Raises InvalidInput."""
    found = query_values(event, {"queue": _queue_name})
    if not found:
        raise InvalidInput("queue", f"expected one of {', '.join(QueueName)}")
    return found


def _queue_name(value: str, name: str) -> QueueName:
    return QueueName(choice(value, name, of=tuple(QueueName)))


def encode_letters(letters: Sequence[DeadLetter]) -> dict[str, Any]:
    """Return the document."""
    return {"dead_letters": [_letter(letter) for letter in letters]}


def _letter(letter: DeadLetter) -> dict[str, Any]:
    return {
        "message_id": letter.message_id,
        "sent_at": letter.sent_at,
        "receives": letter.receives,
        "kind": letter.kind,
        "ids": list(letter.ids),
    }
