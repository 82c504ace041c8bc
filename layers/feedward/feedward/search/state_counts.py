"""Counts the feeds of an index by state. Pure: every engine counts the same conditions (rules G9, Q22)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from feedward.model import FeedState
from feedward.search.condition import AllOf, Condition, Term
from feedward.search.fields import FACETS, NEVER_FETCHED, state_token


@dataclass(frozen=True, slots=True)
class StateCounts:
    """The feeds of each state, and beside them the seeded feeds that wait for their first answer."""

    by_state: Mapping[str, int]
    never_fetched: int


def count_states(count: Callable[[Condition], int]) -> StateCounts:
    """Return the counts. `count` returns the number of documents of a condition.

    A feed that was never fetched is stored as healthy, but is not counted so. A paused one is counted as paused.
    """
    by_state = {state.value: count(_facet(state_token(state))) for state in FeedState}
    waiting = count(AllOf((_facet(NEVER_FETCHED), _facet(state_token(FeedState.HEALTHY)))))
    by_state[FeedState.HEALTHY.value] = max(by_state[FeedState.HEALTHY.value] - waiting, 0)
    return StateCounts(by_state, waiting)


def _facet(token: str) -> Condition:
    return Term((FACETS,), (token,))
