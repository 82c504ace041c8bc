"""Distinguishes the refusal of a bot wall from that of the site, by the start of its page (rule H1)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from urllib3.response import BaseHTTPResponse

from feedward.adapters.fetching.body import coding_of, read_start, require_known_transfer
from feedward.adapters.fetching.connection import Budget
from feedward.model import Outcome
from feedward.pages.media_types import bare_type

WALL_BYTES: Final = 32 << 10
WITHIN_S: Final = 1.0
# Not a 429: it is not a failure, moves nothing, and asks the client to wait.
_REFUSALS: Final = frozenset((Outcome.FORBIDDEN, Outcome.CLIENT_ERROR, Outcome.SERVER_ERROR, Outcome.BAD_RESPONSE))


def refused(outcome: Outcome, response: BaseHTTPResponse, headers: Mapping[str, str], budget: Budget) -> Outcome:
    """Return `challenge` if the page of a refusal is that of a bot wall, else `outcome`."""
    return judged(outcome, response.status, headers, lambda: start_of_page(response, headers, budget))


def judged(outcome: Outcome, status: int, headers: Mapping[str, str], start: Callable[[], bytes]) -> Outcome:
    """Judge a refusal as `refused` does.

    `start` reads the first WALL_BYTES of the body. It is called only where a page may be a wall: of 5xx only 503.
    """
    content_type = headers.get("content-type", "text/html")
    is_refusal = outcome in _REFUSALS and (status < 500 or status in (503, 999))
    if not is_refusal or "html" not in bare_type(content_type):
        return outcome
    from feedward.pages.bot_wall import is_bot_wall  # noqa: PLC0415 - most answers are no refusals

    return Outcome.CHALLENGE if is_bot_wall(start(), content_type) else outcome


def start_of_page(response: BaseHTTPResponse, headers: Mapping[str, str], budget: Budget) -> bytes:
    """Return the first bytes of a page, as far as they arrive within a second. Errors are ignored."""
    budget.deadline = min(budget.deadline, time.monotonic() + WITHIN_S)
    with suppress(Exception):
        require_known_transfer(headers.get("transfer-encoding", ""))
        return read_start(response, coding_of(headers.get("content-encoding", "")), WALL_BYTES)
    return b""
