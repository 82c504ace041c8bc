"""Events of the index function other than batches of records: the task of a schedule, or of a manual call."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from feedward.api.fields import choice


class Task(StrEnum):
    """The task, in `do`: the work that is due, or an immediate rebuild."""

    MAINTAIN = "maintain"
    REBUILD = "rebuild"


def decode_task(event: object) -> Task:
    """Decode the input of a schedule, such as {"do": "maintain"}. Raises InvalidInput (`do`)."""
    asked = event.get("do") if isinstance(event, Mapping) else None
    return Task(choice(asked, "do", of=tuple(Task)))
