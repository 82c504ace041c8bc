"""A due feed: the attributes that the due indexes project and that a message of the sweep carries.

Names and shapes are those of FEED, so one function reads an item of the index, a message, and the item that a failed
condition returns. A check starts from these attributes and reads nothing more (rule R12). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from feedward.errors import InvalidInput
from feedward.health.feed_health import PROJECTED, FeedHealth, read_health, stored_health
from feedward.health.validators import StoredValidators
from feedward.scheduling.lateness import LONGEST_DELAY_S, is_late
from feedward.scheduling.messages import EntryFormat, WorkMessage
from feedward.scheduling.slots import DAY_MIN, Place, Slot

# An attribute of FEED that a person sets; it is stored only while it is on.
COLLECT_ITEMS = "collect_items"
VALIDATOR_ATTRIBUTES = tuple(each.name for each in fields(StoredValidators))
SLOT, SLOT_FROM, NEXT_CHECK_AT = "slot", "slot_from", "next_check_at"
_OWN = ("feed_id", "url", "url_hash", "host", "rev", "owner", "content_hash", "sent_at", "minute", "pushed_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class DueFeed:
    """A due feed as read from the index.

    - rev: the revision of FEED; place: its due time, in its slot or by exception
    - owner: the tenant of a private feed; None for a shared one
    - validators: `validators_url` is set if there are any, although FEED omits it when it is the feed's own URL
    - content_hash: hex sha256 of the last complete document that was parsed
    - health: without the attributes that only people read
    - collect_items: the links of its new items go to the frontier
    - sent_at: when its message became visible (send time plus delay); None if it did not come in a message
    - minute: the epoch minute of its slot for which it was sent; None by exception, or for a requested check
    - asked: a person requested this check, so its time is written even if nothing is new
    - pushed_at: when the push that caused this check arrived; None for a scheduled check (rule W20)
    """

    feed_id: str
    url: str
    url_hash: str
    host: str
    rev: int
    place: Place
    owner: str | None = None
    validators: StoredValidators = field(default_factory=StoredValidators)
    content_hash: str | None = None
    collect_items: bool = False
    health: FeedHealth
    sent_at: int | None = None
    minute: int | None = None
    asked: bool = False
    pushed_at: int | None = None

    @property
    def longest_delay_s(self) -> int:
        """The longest wait after its minute: after that, its next minute is nearer than two thirds of its class."""
        slot = self.place.slot
        return LONGEST_DELAY_S if slot is None else min(LONGEST_DELAY_S, slot.every_s - slot.least_s)

    def slot_time(self, now: int) -> int:
        """Return `now`, but never a time before its minute: a worker's clock may be behind that of the sweep."""
        return now if self.minute is None else max(now, self.minute * 60)

    def is_late(self, now: int) -> bool:
        """Tell whether the check must be dropped: its message is old, or the feed's next minute is near."""
        if is_late(self, now):
            return True
        slot = self.place.slot
        if slot is None or self.minute is None or slot.every == DAY_MIN:
            return False
        return now - self.minute * 60 > slot.every_s - slot.least_s

    @property
    def entry_id(self) -> str:
        """The id of this entry in a batch."""
        return self.feed_id

    def to_message(self) -> dict[str, Any]:
        """Return the feed as a JSON object."""
        own = {name: getattr(self, name) for name in _OWN} | {COLLECT_ITEMS: self.collect_items or None}
        own |= {"asked": self.asked or None, **place_attributes(self.place)}
        message = {**own, **stored_validators(self.validators, self.url), **stored_health(self.health, PROJECTED)}
        return {name: value for name, value in message.items() if value is not None}

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> DueFeed:
        """Read a message, or an item of the index or of the table. Unknown members are ignored.

        Raises InvalidInput, which names the member, if a member is missing or has another type.
        """
        url, validated = _needed_text(message, "url"), _text(message, "etag") or _text(message, "last_modified")
        feed_id = _needed_text(message, "feed_id")
        return cls(
            feed_id=feed_id,
            url=url,
            url_hash=_needed_text(message, "url_hash"),
            host=_needed_text(message, "host"),
            rev=_needed_number(message, "rev"),
            place=_needed_place(message),
            owner=_text(message, "owner"),
            validators=StoredValidators(
                etag=_text(message, "etag"),
                last_modified=_text(message, "last_modified"),
                validators_url=_text(message, "validators_url") or (url if validated else None),
                validators_at=_number(message, "validators_at"),
                validators_untrusted=message.get("validators_untrusted") is True,
            ),
            content_hash=_text(message, "content_hash"),
            collect_items=message.get(COLLECT_ITEMS) is True,
            health=read_health(feed_id, message),
            sent_at=_number(message, "sent_at"),
            minute=_number(message, "minute"),
            asked=message.get("asked") is True,
            pushed_at=_number(message, "pushed_at"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stops:
    """Hosts and feeds that must not be fetched now: hosts in cooldown, with its end, and feeds that were just paused.

    `paused` maps each paused feed to its rev. An older copy of the feed has a smaller rev, a resumed feed a larger one.
    """

    hosts: Mapping[str, int] = field(default_factory=dict)
    paused: Mapping[str, int] = field(default_factory=dict)

    def is_paused(self, feed: DueFeed) -> bool:
        """Return whether the feed was paused after it was read."""
        return feed.rev < self.paused.get(feed.feed_id, 0)


def stored_validators(validators: StoredValidators, url: str) -> dict[str, Any]:
    """Return the validators as attributes of FEED; `validators_url` is None if it is the feed's own URL `url`."""
    given = {name: getattr(validators, name) or None for name in VALIDATOR_ATTRIBUTES}
    return given | {"validators_url": None} if given["validators_url"] == url else given


def place_attributes(place: Place) -> dict[str, Any]:
    """Return the place as attributes of FEED and members of a message; missing ones are None."""
    if place.slot is None:
        return {SLOT: None, SLOT_FROM: None, NEXT_CHECK_AT: place.from_s}
    return {SLOT: place.slot.key, SLOT_FROM: place.from_s, NEXT_CHECK_AT: None}


def read_place(message: Mapping[str, Any]) -> Place | None:
    """Return the place of a feed; None for a paused one. Raises InvalidInput."""
    if message.get(SLOT) is not None:
        return Place(slot=Slot.from_key(message[SLOT]), from_s=_needed_number(message, SLOT_FROM))
    due_at = _number(message, NEXT_CHECK_AT)
    return None if due_at is None else Place(from_s=due_at)


def _needed_place(message: Mapping[str, Any]) -> Place:
    place = read_place(message)
    if place is None:
        raise InvalidInput(NEXT_CHECK_AT, "expected a whole number")
    return place


def _needed_text(message: Mapping[str, Any], name: str) -> str:
    value = _text(message, name)
    if value is None:
        raise InvalidInput(name, "expected a text")
    return value


def _text(message: Mapping[str, Any], name: str) -> str | None:
    value = message.get(name)
    if value is not None and not (isinstance(value, str) and value):
        raise InvalidInput(name, "expected a text")
    return value


def _needed_number(message: Mapping[str, Any], name: str) -> int:
    value = _number(message, name)
    if value is None:
        raise InvalidInput(name, "expected a whole number")
    return value


def _number(message: Mapping[str, Any], name: str) -> int | None:
    value = message.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise InvalidInput(name, "expected a whole number")
    return value


class HealthMessage(WorkMessage[DueFeed]):
    """A message of HealthQueue: up to 10 feeds to check, as read from the index (rule M2)."""

    format = EntryFormat(type="check", member="feeds", write=DueFeed.to_message, read=DueFeed.from_message)
