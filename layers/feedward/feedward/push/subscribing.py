"""The lifecycle of a subscription: the requests to the hub, and the results of its answers. Pure.

Rules W3, W5, W11, W13 and W24. The intent is stored before the request: each step is a new record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from feedward.push.callback_token import Credentials, callback_url
from feedward.push.lease import REFUSED_FOR_S, WISH_S, try_again_at
from feedward.push.push_record import (
    FORMER_AT_MOST,
    TOPICS_AT_MOST,
    Former,
    PushRecord,
    SubscriptionState,
    Trust,
    said,
)

TRIES_A_HUB: Final = 4
"""After this many failed attempts in a row, the next hub of the feed is tried."""
_TRY_LATER: Final = frozenset({408, 425, 429})
"""4xx that do not refuse the subscription."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubAnswer:
    """A hub's answer to a request; its status is None without one. `sent_to` is the target of a permanent redirect."""

    status: int | None = None
    text: str = ""
    retry_after_s: int | None = None
    sent_to: str | None = None

    @property
    def is_taken(self) -> bool:
        """Return whether the hub accepted the request: it verifies later, or has done so."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_refusal(self) -> bool:
        """Return whether the hub refused this very request, so that repeating it is of no use."""
        return self.status is not None and 400 <= self.status < 500 and self.status not in _TRY_LATER


def wished(
    feed_id: str,
    *,
    hubs: Sequence[str],
    topics: Sequence[str],
    token_hash: str,
    sealed: str,
    now: int,
    before: PushRecord | None = None,
) -> PushRecord:
    """Return the record of a wanted subscription: new, or in place of `before`, whose callback answers for a day."""
    return PushRecord(
        feed_id=feed_id,
        hub=hubs[0],
        topic=topics[0],
        hubs=tuple(hubs),
        topics=tuple(topics)[:TOPICS_AT_MOST],
        token_hash=token_hash,
        sealed=sealed,
        state_since=now,
        try_at=now,
        rev=before.rev if before else 0,
        former=_with_former(before, now) if before else (),
        push_check_at=before.push_check_at if before else None,
        pushed_at=before.pushed_at if before else None,
        looked_at=before.looked_at if before else None,
        told=before.told if before else 0,
        missed=before.missed if before else 0,
        empty=before.empty if before else 0,
        distrusted_until=before.distrusted_until if before else None,
        every=before.every if before else 0,
    )


def _with_former(before: PushRecord, now: int) -> tuple[Former, ...]:
    ended_at = before.state_since if before.is_ended else now
    until = replace(before, state_since=ended_at).ends_until
    own = Former(token_hash=before.token_hash, hub=before.hub, topic=before.topic, until=until)
    return tuple(each for each in (own, *before.former) if each.until > now)[:FORMER_AT_MOST]


def asked(record: PushRecord, *, base: str, now: int) -> PushRecord:
    """Return the record before the hub is asked. A live subscription stays verified while it is renewed."""
    is_kept = record.state is SubscriptionState.VERIFIED and record.is_live(now)
    return replace(
        record,
        state=SubscriptionState.VERIFIED if is_kept else SubscriptionState.ASKED,
        state_since=record.state_since if is_kept or record.state is SubscriptionState.ASKED else now,
        asked_at=now,
        base=base,
        tries=record.tries + 1,
        try_at=try_again_at(record.tries + 1, now),
    )


def answered(record: PushRecord, answer: HubAnswer, now: int) -> PushRecord:
    """Return the record after the hub's answer to `asked`. If the hub has verified meanwhile, only its text is kept."""
    sent_to = answer.sent_to or (record.sent_to if answer.is_taken else None)
    noted = replace(record, last_answer=_line(answer), sent_to=sent_to)
    if answer.is_taken or record.asked_at is None:
        return noted
    if answer.is_refusal and not record.is_live(now):
        return _refused(noted, now)
    return replace(noted, try_at=try_again_at(record.tries, now, retry_after_s=answer.retry_after_s))


def _refused(record: PushRecord, now: int) -> PushRecord:
    """Try the other topic once, immediately; then pause for a week."""
    has_other = not record.has_tried_topic and len(record.topics) > 1
    return replace(
        record,
        state=SubscriptionState.WANTED if has_other else SubscriptionState.FAILED,
        state_since=now,
        asked_at=None,
        try_at=now if has_other else now + REFUSED_FOR_S,
    )


def _line(answer: HubAnswer) -> str:
    return said(f"{answer.status or 'no answer'} {answer.text}")


def next_choice(record: PushRecord, now: int) -> PushRecord:
    """Return the record with the hub and topic to request now: others than before if those failed.

    A new choice needs new credentials (`with_credentials`).
    """
    if record.is_live(now):
        return record
    if record.state is SubscriptionState.WANTED and record.asked_at is None and record.tries:
        other = next((each for each in record.topics if each != record.topic), record.topic)
        return replace(record, topic=other, has_tried_topic=True)
    gave_up = record.state in (SubscriptionState.FAILED, SubscriptionState.DENIED)
    if gave_up or record.tries >= TRIES_A_HUB:
        return replace(record, hub=_after(record.hubs, record.hub), topic=record.topics[0], has_tried_topic=False)
    return record


def asked_url(record: PushRecord, now: int) -> str:
    """Return the URL that gets the next request: the hub's, or where it permanently redirects."""
    chosen = next_choice(record, now)
    return chosen.hub if is_other_choice(chosen, record) else record.sent_to or record.hub


def _after(choices: Sequence[str], chosen: str) -> str:
    place = choices.index(chosen) + 1 if chosen in choices else 0
    return choices[place % len(choices)]


def is_other_choice(record: PushRecord, before: PushRecord) -> bool:
    """Return whether a record requests another hub or topic than before."""
    return (record.hub, record.topic) != (before.hub, before.topic)


def with_credentials(record: PushRecord, before: PushRecord, *, token_hash: str, sealed: str, now: int) -> PushRecord:
    """Give a record that requests another hub or topic its own token and secret (rule W13)."""
    former = _with_former(before, now)
    return replace(record, token_hash=token_hash, sealed=sealed, former=former, sent_to=None, tries=0)


def ended(record: PushRecord, now: int) -> PushRecord:
    """Return the record of a subscription that is no longer wanted. The hub may verify the end for a day."""
    return replace(
        record,
        state=SubscriptionState.ENDED,
        state_since=now,
        asked_at=None,
        try_at=None,
        look_at=None,
        untold_at=None,
        push_check_at=None,
        trust=Trust.NONE,
        rate=0,
        told_in_row=0,
    )


# --- the request -----------------------------------------------------------------------------------


def form_of(record: PushRecord, credentials: Credentials, *, mode: str, base: str) -> bytes:
    """Return the body of a request to the hub: `mode` is subscribe or unsubscribe."""
    fields = {
        "hub.callback": callback_url(base, record.feed_id, credentials.token),
        "hub.mode": mode,
        "hub.topic": record.topic,
        "hub.verify": "async",
    }
    if mode == "subscribe":
        fields |= {"hub.lease_seconds": str(WISH_S), "hub.secret": credentials.secret}
    return urlencode(fields).encode("ascii")
