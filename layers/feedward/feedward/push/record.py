"""The subscription of a feed to a hub, as it is stored beside the feed (rules W5, W7, W24). Pure data.

Times are whole epoch seconds. One record is all that the callback reads.
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
"""A subscription that was given up may be verified to end for this long (rule W24)."""
KICK_LOST_S: Final = 5 * 60
"""A check that a push asked for and that did not report within this is asked for again."""
GRACE_S: Final = 6 * 3600
"""A subscription counts as live for this long after its lease, while its renewal fails (rule W11)."""
UNTOLD_S: Final = 10 * 60
"""News that a poll found counts as missed if no push comes within this time after it (rule W21)."""


class SubscriptionState(StrEnum):
    """How far a subscription is.

    - wanted: to be asked for; asked: the hub was asked and has not verified; verified: it has
    - denied, failed: the hub refused, or cannot be used; tried again later
    - ended: not wanted any more; the callback still answers for the old one
    """

    WANTED = "wanted"
    ASKED = "asked"
    VERIFIED = "verified"
    DENIED = "denied"
    FAILED = "failed"
    ENDED = "ended"


class Trust(StrEnum):
    """How far the pushes of a feed are trusted, as the API says it."""

    NONE = "none"
    ON_TRIAL = "on trial"
    TRUSTED = "trusted"
    DISTRUSTED = "distrusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """A subscription that was given up. Until `until` its hub may verify that it ends."""

    token_hash: str
    hub: str
    topic: str
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PushRecord:
    """The subscription of one feed.

    - hub, topic: what is asked for; hubs, topics: what the feed names, best first, for another try
    - sent_to: where the hub permanently redirects its requests
    - token_hash: sha256 of the callback's token in hex; sealed: the token and the secret, encrypted
    - base: the public base URL of the callback that the hub was given last
    - try_at: when the hub is asked next; tries: attempts in a row that came to nothing
    - asked_at: when the hub was asked, until it verifies or refuses; lease_until: end of the verified lease
    - last_answer: what the hub said last, as text
    - told, missed, empty: news that came by push first, news that did not, pushes that brought nothing
    - told_in_row, empty_in_row: the same, since the opposite
    - distrusted_until: before this time no push earns trust
    - kick_at: the last or next check that a push asked for; looked_at: the last one that reported
    - look_at, looks: the next look after a push that brought nothing, and how many there were
    - told_at: when the last news was found that a push told; untold_at: when a poll found some that none has told yet
    - rate: pieces of news a day, times 1000, that the hub is trusted to tell; every: the feed's own class in minutes
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
    kick_at: int | None = None
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
        """Return until when the hub of an ended subscription may verify that."""
        return self.state_since + ENDED_S

    @property
    def is_wanted(self) -> bool:
        """Tell whether the feed is to be subscribed."""
        return self.state not in (SubscriptionState.ENDED, SubscriptionState.DENIED, SubscriptionState.FAILED)

    @property
    def is_kicked(self) -> bool:
        """Tell whether a check that a push asked for has not reported yet."""
        return self.kick_at is not None and self.kick_at > (self.looked_at or 0)

    @property
    def due_at(self) -> int | None:
        """Return when the subscription has to be looked at next; None if never."""
        times = [
            self.try_at,
            self.kick_at + KICK_LOST_S if self.kick_at is not None and self.is_kicked else None,
            self.look_at + KICK_LOST_S if self.look_at is not None else None,
            self.untold_at + UNTOLD_S if self.untold_at is not None else None,
            self._untrusted_at,
        ]
        return min((each for each in times if each is not None), default=None)

    @property
    def _untrusted_at(self) -> int | None:
        """Return when the feed has to have its own class back, since nothing is pushed any more."""
        if self.trust is not Trust.TRUSTED:
            return None
        is_verified = self.state is SubscriptionState.VERIFIED and self.lease_until is not None
        return self.lease_until + GRACE_S if is_verified and self.lease_until is not None else self.state_since

    @property
    def is_ended(self) -> bool:
        """Tell whether the subscription was given up."""
        return self.state is SubscriptionState.ENDED

    def is_live(self, now: int) -> bool:
        """Tell whether the hub has verified the subscription, and its lease runs or ended a short time ago."""
        return self.lease_until is not None and now < self.lease_until + GRACE_S


def said(text: str) -> str:
    """Return what a hub said as one short printable line, for people.

    A hub may repeat the request: nothing that could be a token or a secret is kept, not even the begin of one.
    """
    masked = _CREDENTIAL.sub("***", text)
    return "".join(each if each.isprintable() else " " for each in masked[:ANSWER_CHARS]).strip()
