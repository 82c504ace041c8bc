"""What each end of a fetch means for a row, and the names that `last_error` can hold (spec F3, F4). Pure.

An empty answer is no page here: it is what broken servers and cut connections send, and all empty pages would be one
content. It is asked for again, as anything else that failed.
"""

from __future__ import annotations

from typing import Final

from feedward.model import Outcome

ROBOTS_DISALLOWED: Final = "robots_disallowed"
"""The host's robots.txt forbids the page: no outcome of a fetch, for there was none."""

SUCCESSES: Final = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})
DEAD_AT_ONCE: Final = frozenset({Outcome.NOT_FOUND.value, Outcome.GONE.value, ROBOTS_DISALLOWED})
# The server says when to come again, not that anything is wrong with the page.
USES_NO_ATTEMPT: Final = frozenset({Outcome.RATE_LIMITED.value})

REASONS: Final = frozenset({outcome.value for outcome in Outcome if outcome not in SUCCESSES} | {ROBOTS_DISALLOWED})
"""All that `last_error` can hold: what the list of rows can be asked for."""
