"""One attempt at a delivery: the receiver's answer, the next attempt, and the log entry. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from feedward.model import Outcome
from feedward.webhooks.delivery import Delivery
from feedward.webhooks.retry_schedule import retry_at

ANSWER_CHARS: Final = 1000
LOGGED_S: Final = 7 * 24 * 3600
SUCCESSES: Final = 100
FAILURES: Final = 1000
"""This many of the last successes, and of the failures of seven days, are listed (rule K17)."""
SUCCESS: Final = range(200, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """The answer to a POST. The status decides; without one, `outcome` says why there is none.

    `answer` is the start of the body, `location` the target of a redirect. `detail` is for people and has no address.
    """

    outcome: Outcome
    status: int | None = None
    retry_after_s: int | None = None
    answer: bytes = field(default=b"", repr=False)
    detail: str = ""
    location: str | None = None

    @property
    def has_arrived(self) -> bool:
        """Return whether the receiver accepted the event: any 2xx (rule K7)."""
        return self.status in SUCCESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An entry of the delivery log (rule K15). `next_at` is the time of the next attempt, None if there is none."""

    delivery_id: str
    event_type: str
    number: int
    at_ms: int
    took_ms: int
    outcome: Outcome
    status: int | None = None
    answer: str = ""
    next_at: int | None = None
    host: str = ""
    url_hash: str = ""

    @property
    def has_arrived(self) -> bool:
        """Return whether the receiver accepted the event."""
        return self.status in SUCCESS


def outcome_of_status(status: int) -> Outcome:
    """Return the outcome of an answer. Redirects are not followed and count as failures (rule K6)."""
    by_status = {404: Outcome.NOT_FOUND, 410: Outcome.GONE, 429: Outcome.RATE_LIMITED, 401: Outcome.UNAUTHORIZED,
                 403: Outcome.FORBIDDEN}  # fmt: skip
    by_class = {2: Outcome.OK, 4: Outcome.CLIENT_ERROR, 5: Outcome.SERVER_ERROR}
    return by_status.get(status) or by_class.get(status // 100, Outcome.UNEXPECTED_STATUS)


def next_attempt_at(delivery: Delivery, posted: Posted, now: int) -> int | None:
    """Return when a delivery is tried again after a failed attempt; None if it was the last."""
    return retry_at(
        delivery.delivery_id,
        delivery.attempts,
        now,
        retry_after_s=posted.retry_after_s,
        is_blocked=posted.outcome is Outcome.BLOCKED,
    )


def answer_text(posted: Posted) -> str:
    """Return the start of the answer as printable text; empty for a blocked attempt (rules K14, K15)."""
    if posted.outcome is Outcome.BLOCKED:
        return ""
    text = posted.answer.decode("utf-8", "replace")
    return "".join(each if each.isprintable() else " " for each in text[:ANSWER_CHARS])
