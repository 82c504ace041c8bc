"""Is it the feed that fails, or its whole host (spec H6)? Pure."""

from __future__ import annotations

from collections.abc import Iterable

from feedward.model import FeedState


def host_fails(others: Iterable[tuple[FeedState, int]]) -> bool:
    """Tell whether every other feed of the host fails too, given each one's state and failures in a row.

    Paused ones are not asked, so they say nothing; a host with no other feed is no host event.
    """
    failing = [failures > 0 for state, failures in others if state is not FeedState.PAUSED]
    return bool(failing) and all(failing)
