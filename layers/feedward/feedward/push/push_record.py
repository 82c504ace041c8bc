"""The stored subscription of a feed to a hub (rules W5, W7, W24). Pure data.

Times are whole epoch seconds. The callback reads this record only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HUBS_AT_MOST: Final = 3
TOPICS_AT_MOST: Final = 2
FORMER_AT_MOST: Final = 3
ANSWER_CHARS: Final = 200
_CREDENTIAL: Final = re.compile(r"[0-9A-Fa-f]{16,}", re.ASCII)
ENDED_S: Final = 24 * 3600
"""The hub of an abandoned subscription may verify its end for this long (rule W24)."""
CHECK_LOST_S: Final = 5 * 60
"""A check requested by a push is requested again if it has not reported within this time."""
GRACE_S: Final = 6 * 3600
"""A subscription counts as live for this long after its lease, while its renewal fails (rule W11)."""
UNTOLD_S: Final = 10 * 60
"""News that a poll found counts as missed if no push comes within this time after it (rule W21)."""


class SubscriptionState(StrEnum):
    """The state of a subscription.

    - wanted: to be requested; asked: requested, not verified yet; verified: the hub has verified it
    - denied, failed: the hub refused, or cannot be used; tried again later
    - ended: no longer wanted; the callback still answers for the old subscription
    """

    WANTED = "wanted"
    ASKED = "asked"
    VERIFIED = "verified"
    DENIED = "denied"
    FAILED = "failed"
    ENDED = "ended"


class Trust(StrEnum):
    """The trust in the pushes of a feed, as shown by the API."""

    NONE = "none"
    ON_TRIAL = "on trial"
    TRUSTED = "trusted"
    DISTRUSTED = "distrusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """An abandoned subscription. Until `until` its hub may verify that it ends."""

    token_hash: str
    hub: str
    topic: str
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PushRecord:
    """The subscription of one feed.

    - hub, topic: those of the request; hubs, topics: those that the feed names, best first, for a retry
    - sent_to: where the hub permanently redirects its requests
    - token_hash: sha256 of the callback's token in hex; sealed: the token and the secret, encrypted
    - base: the public base URL of the callback that was last sent to the hub
    - try_at: when the hub is asked next; tries: failed attempts in a row
    - asked_at: when the hub was asked, until it verifies or refuses; lease_until: end of the verified lease
    - last_answer: the hub's last answer, as text
    - told, missed, empty: news announced by push first, other news, pushes without news
    - told_in_row, empty_in_row: the same counts, since the last opposite result
    - distrusted_until: before this time no push earns trust
    - push_check_at: the last or next check that a push requested; looked_at: the last one that reported
    - look_at, looks: the next follow-up check after a push without news, and the number of them so far
    - told_at: when the last announced news was found; untold_at: when a poll found news that is still unannounced
    - rate: news a day, times 1000, that the hub is trusted to announce; every: the feed's own class in minutes
    """

    feed_id: str
    hub: str
    topic: str
    token_hash: str
    sealed: str
    state: SubscriptionState = SubscriptionState.WANTED
    state_since: int
    rev: int = 0
    hubs: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    sent_to: str | None = None
    base: str = ""
    try_at: int | None = None
    tries: int = 0
    has_tried_topic: bool = False
    asked_at: int | None = None
    lease_until: int | None = None
    last_answer: str = ""
    trust: Trust = Trust.NONE
    told: int = 0
    missed: int = 0
    empty: int = 0
    told_in_row: int = 0
    told_at: int | None = None
    empty_in_row: int = 0
    distrusted_until: int | None = None
    push_check_at: int | None = None
    pushed_at: int | None = None
    looked_at: int | None = None
    look_at: int | None = None
    looks: int = 0
    untold_at: int | None = None
    rate: int = 0
    every: int = 0
    former: tuple[Former, ...] = ()

    @property
    def ends_until(self) -> int:
        """Return until when the hub may verify the end of an ended subscription."""
        return self.state_since + ENDED_S

    @property
    def is_wanted(self) -> bool:
        """Return whether the feed should be subscribed."""
        return self.state not in (SubscriptionState.ENDED, SubscriptionState.DENIED, SubscriptionState.FAILED)

    @property
    def awaits_check(self) -> bool:
        """Return whether a check requested by a push has not reported yet."""
        return self.push_check_at is not None and self.push_check_at > (self.looked_at or 0)

    @property
    def due_at(self) -> int | None:
        """Return when the subscription is processed next; None if never."""
        times = [
            self.try_at,
            self.push_check_at + CHECK_LOST_S if self.push_check_at is not None and self.awaits_check else None,
            self.look_at + CHECK_LOST_S if self.look_at is not None else None,
            self.untold_at + UNTOLD_S if self.untold_at is not None else None,
            self._untrusted_at,
        ]
        return min((each for each in times if each is not None), default=None)

    @property
    def _untrusted_at(self) -> int | None:
        """Return when the feed returns to its own class because its pushes have stopped."""
        if self.trust is not Trust.TRUSTED:
            return None
        is_verified = self.state is SubscriptionState.VERIFIED and self.lease_until is not None
        return self.lease_until + GRACE_S if is_verified and self.lease_until is not None else self.state_since

    @property
    def is_ended(self) -> bool:
        """Return whether the subscription was abandoned."""
        return self.state is SubscriptionState.ENDED

    def is_live(self, now: int) -> bool:
        """Return whether the hub has verified the subscription, and its lease is valid or ended a short time ago."""
        return self.lease_until is not None and now < self.lease_until + GRACE_S


def said(text: str) -> str:
    """Return a hub's text as one short printable line, for people.

    A hub may echo the request, so anything that could be a token or a secret, or the start of one, is removed.
    """
    masked = _CREDENTIAL.sub("***", text)
    return "".join(each if each.isprintable() else " " for each in masked[:ANSWER_CHARS]).strip()
