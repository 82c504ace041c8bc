"""Events that wake the health check: a known task, and messages of which each may be bad."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.errors import InvalidInput, StoreUnavailable
from feedward.health.due_feed import HealthMessage
from feedward.messages.health_event import Task, decode_batch, decode_task
from feedward.messages.partial_batch import Received


@pytest.mark.parametrize("task", Task)
def test_a_task_is_known_by_its_name(task: Task) -> None:
    assert decode_task({"do": task.value, "since": "then"}) is task


@pytest.mark.parametrize("event", [{}, {"do": ""}, {"do": "Sweep"}, {"do": 1}, {"do": None}, [], None, "sweep"])
def test_an_invalid_task_names_the_member(event: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode_task(event)
    assert refused.value.field == "do"


def test_failures_stand_where_their_messages_do() -> None:
    good = [HealthMessage(entries=(), sent_at=at).to_text() for at in (1, 2)]
    decoded = decode_batch([Received(body=body) for body in ("bad", good[0], None, good[1])])
    away = StoreUnavailable("away")

    assert [message.sent_at for message in decoded.readable] == [1, 2]
    first, second, third, fourth = decoded.failures([None, away])
    assert isinstance(first, InvalidInput)
    assert isinstance(third, InvalidInput)
    assert (second, fourth) == (None, away)
