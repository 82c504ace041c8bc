"""The answer to a hub's verification of intent, and to its denial (rules W7 to W10, W24). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self
from urllib.parse import parse_qsl

from feedward.push.callback_token import is_token_of
from feedward.push.lease import REFUSED_FOR_S, believed_lease_s, renew_at
from feedward.push.push_record import Former, PushRecord, SubscriptionState, Trust, said

_CHALLENGE: Final = re.compile(r"[!#$%()*+,\-./0-9:;=?@A-Z\[\\\]^_a-z{|}~]{1,512}", re.ASCII)
_FIELDS: Final = ("hub.mode", "hub.topic", "hub.challenge", "hub.lease_seconds", "hub.reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A hub's GET request to the callback. A missing or repeated field is None."""

    mode: str | None = None
    topic: str | None = None
    challenge: str | None = None
    lease_seconds: str | None = None
    reason: str | None = None

    @classmethod
    def of(cls, query: str) -> Self:
        """Parse a raw query string."""
        given: dict[str, list[str]] = {name: [] for name in _FIELDS}
        for name, value in parse_qsl(query, keep_blank_values=True):
            if name in given:
                given[name].append(value)
        return cls(**{name.removeprefix("hub."): _only(values) for name, values in given.items()})


def _only(values: Sequence[str]) -> str | None:
    return values[0] if len(values) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer: yes or no, and the record to store, or None if it is unchanged."""

    is_yes: bool
    challenge: str = ""
    after: PushRecord | None = None


NO: Final = Verdict(is_yes=False)


def is_challenge(text: str | None) -> bool:
    """Return whether a challenge can be echoed: visible ASCII that no browser could take for markup (rule W8)."""
    return text is not None and _CHALLENGE.fullmatch(text) is not None


def judge(record: PushRecord, token: str, asked: Question, now: int) -> Verdict:
    """Answer a hub's request to the callback of a feed with this record. `now` is the time of the request."""
    if not is_token_of(token, record.token_hash):
        former = next((each for each in record.former if is_token_of(token, each.token_hash)), None)
        return _judge_former(former, asked, now) if former is not None else NO
    if asked.topic != record.topic:
        return NO
    if asked.mode == "denied":
        return _denied(record, asked, now)
    if not is_challenge(asked.challenge):
        return NO
    judges: Mapping[str | None, Verdict] = {
        "subscribe": _subscribed(record, asked, now),
        "unsubscribe": _yes(asked) if record.is_ended and now < record.ends_until else NO,
    }
    return judges.get(asked.mode, NO)


def _yes(asked: Question, after: PushRecord | None = None) -> Verdict:
    return Verdict(is_yes=True, challenge=asked.challenge or "", after=after)


def _subscribed(record: PushRecord, asked: Question, now: int) -> Verdict:
    """Confirm a requested or live subscription. Only the first answer to a request sets the lease."""
    if not record.is_wanted or (record.asked_at is None and not record.is_live(now)):
        return NO
    if record.asked_at is None:
        return _yes(asked)
    lease_s = believed_lease_s(asked.lease_seconds)
    return _too_short(record, now) if lease_s is None else _yes(asked, _verified(record, lease_s, now))


def _verified(record: PushRecord, lease_s: int, now: int) -> PushRecord:
    is_new = record.state is not SubscriptionState.VERIFIED
    return replace(
        record,
        state=SubscriptionState.VERIFIED,
        state_since=now if is_new else record.state_since,
        trust=Trust.ON_TRIAL if record.trust is Trust.NONE else record.trust,
        asked_at=None,
        tries=0,
        lease_until=now + lease_s,
        try_at=renew_at(record.feed_id, now, lease_s),
    )


def _too_short(record: PushRecord, now: int) -> Verdict:
    """Refuse a lease that is too short to renew in time. The hub is not asked again for a week."""
    failed = replace(
        record,
        state=SubscriptionState.FAILED,
        state_since=now,
        asked_at=None,
        try_at=now + REFUSED_FOR_S,
        last_answer="the lease that it offered is shorter than 2 days, or no number",
    )
    return Verdict(is_yes=False, after=failed)


def _denied(record: PushRecord, asked: Question, now: int) -> Verdict:
    """Record a denial, which needs no challenge. A repeated one changes nothing."""
    if record.is_ended:
        return Verdict(is_yes=now < record.ends_until)
    if record.state is SubscriptionState.DENIED:
        return Verdict(is_yes=True)
    denied = replace(
        record,
        state=SubscriptionState.DENIED,
        state_since=now,
        asked_at=None,
        lease_until=None,
        try_at=now + REFUSED_FOR_S,
        last_answer=said(f"denied: {asked.reason}" if asked.reason else "denied"),
    )
    return Verdict(is_yes=True, after=denied)


def _judge_former(former: Former, asked: Question, now: int) -> Verdict:
    """Confirm the end of an abandoned subscription, for a day."""
    is_its = asked.topic == former.topic and now < former.until
    if is_its and asked.mode == "denied":
        return Verdict(is_yes=True)
    return _yes(asked) if is_its and asked.mode == "unsubscribe" and is_challenge(asked.challenge) else NO
