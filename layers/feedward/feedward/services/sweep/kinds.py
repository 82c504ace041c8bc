"""What is swept: how its messages are planned, and what of it a message carries (design section 3, Sweep).

The sweep itself knows of places in a due index only, so that feeds and rows of the frontier are swept by one engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from feedward.health.due_feed import DueFeed
from feedward.health.messages import HealthMessage
from feedward.health.pacing import planned

Due = TypeVar("Due")
Message = TypeVar("Message")


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPlan(Generic[Message]):
    """The messages to send now, and until when (epoch seconds) which hosts will be busy with them.

    `later`: by id, what no message carries, and when it is to be due instead.
    """

    messages: Sequence[Message]
    busy: Mapping[str, int]
    later: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepKind(Generic[Due, Message]):
    """`plan` is given what is due, which hosts are busy until when, and now. `ids` says what a message carries."""

    plan: Callable[[Sequence[Due], Mapping[str, int], int], SweepPlan[Message]]
    ids: Callable[[Message], Iterable[str]]


def _plan_feeds(feeds: Sequence[DueFeed], busy: Mapping[str, int], now: int) -> SweepPlan[HealthMessage]:
    plan = planned(feeds, busy, now)
    return SweepPlan(messages=plan.messages, busy=plan.busy)


FEEDS: Final[SweepKind[DueFeed, HealthMessage]] = SweepKind(
    plan=_plan_feeds, ids=lambda message: (feed.feed_id for feed in message.feeds)
)
