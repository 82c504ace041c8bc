"""The callback of a subscription: verifications and pushes of a hub (rules W7 to W9, W14, W15, W17, W18).

A request takes one read. The only writes are the answer to a requested verification, and the time of a check. The body
of a push is never trusted: it only signals news.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from feedward.push.callback_token import Credentials, is_token, is_token_of
from feedward.push.hub_signature import is_signed
from feedward.push.planned_check import planned_check
from feedward.push.push_record import PushRecord, SubscriptionState
from feedward.push.verification import Question, judge
from feedward.scheduling.messages import DELAY_AT_MOST_S
from feedward.services.check.enqueue_check import enqueue_check
from feedward.services.push.ports import CallbackPorts, secret_place

_ROUNDS: Final = 3
_ID_CHARS: Final = 64


class PushResult(StrEnum):
    """The result of a request to the callback.

    - verified, denied; refused: a verification without a request of ours
    - sent: a check was sent; covered: one is planned; badly_signed: the push is ignored
    - unknown: the subscription does not exist; unsent: the queue did not accept the check, which is sent later
    """

    VERIFIED = "verified"
    DENIED = "denied"
    REFUSED = "refused"
    SENT = "sent"
    COVERED = "covered"
    BADLY_SIGNED = "badly_signed"
    UNKNOWN = "unknown"
    UNSENT = "unsent"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackAnswer:
    """The result, with the challenge of a verification, and the hub if the subscription is known."""

    result: PushResult
    challenge: str = ""
    hub: str = ""


UNKNOWN: Final = CallbackAnswer(result=PushResult.UNKNOWN)
REFUSED: Final = CallbackAnswer(result=PushResult.REFUSED)


def answer_hub(feed_id: str, token: str, *, query: str, ports: CallbackPorts) -> CallbackAnswer:
    """Answer the question of a hub by the current intent. Raises the errors of the store."""
    if not _may_be(feed_id, token):
        return REFUSED
    for _ in range(_ROUNDS):
        record = ports.store.get(feed_id)
        if record is None:
            return REFUSED
        asked = Question.of(query)
        verdict = judge(record, token, asked, ports.clock.now())
        if verdict.after is None or ports.store.save(record, verdict.after) is not None:
            return _verdict_answer(record, asked, is_yes=verdict.is_yes, challenge=verdict.challenge)
    return REFUSED


def _verdict_answer(record: PushRecord, asked: Question, *, is_yes: bool, challenge: str) -> CallbackAnswer:
    if not is_yes:
        return REFUSED
    result = PushResult.DENIED if asked.mode == "denied" else PushResult.VERIFIED
    return CallbackAnswer(result=result, challenge=challenge, hub=record.hub)


def receive_push(
    feed_id: str, token: str, *, body: bytes, signature: str | None, ports: CallbackPorts
) -> CallbackAnswer:
    """Accept a push, and send a check for its feed. Raises the errors of the store and the key service.

    If a planned check covers it, the push is ignored before its signature is checked: a flood costs one read a push.
    """
    record = ports.store.get(feed_id) if _may_be(feed_id, token) else None
    if record is None or not is_token_of(token, record.token_hash) or not _takes_pushes(record):
        return UNKNOWN
    if planned_check(record, ports.clock.now()) is None:
        return CallbackAnswer(result=PushResult.COVERED, hub=record.hub)
    sealed = ports.secrets.open(record.sealed, place=secret_place(feed_id))
    if not is_signed(signature, body, Credentials.unpacked(sealed).secret):
        return CallbackAnswer(result=PushResult.BADLY_SIGNED, hub=record.hub)
    return CallbackAnswer(result=_send_check(record, ports), hub=record.hub)


def _sent(feed_id: str, ports: CallbackPorts, *, now: int, delay_s: int) -> PushResult:
    is_sent = send_check(feed_id, ports, now=now, delay_s=delay_s)
    return PushResult.SENT if is_sent else PushResult.UNSENT


def send_check(feed_id: str, ports: CallbackPorts, *, now: int, delay_s: int = 0) -> bool:
    """Send a check for a push at `now`. False: the pass of subscriptions sends it later."""
    if delay_s > DELAY_AT_MOST_S:
        return False
    code = enqueue_check(
        feed_id, checks=ports.checks, queue=ports.queue, now=now, delay_s=delay_s, asked=False, pushed_at=now
    )
    return code is None


def _may_be(feed_id: str, token: str) -> bool:
    """Return whether such a callback can exist, from its form alone."""
    return len(feed_id) <= _ID_CHARS and feed_id.isascii() and feed_id.isalnum() and is_token(token)


def _takes_pushes(record: PushRecord) -> bool:
    return record.state in (SubscriptionState.ASKED, SubscriptionState.VERIFIED, SubscriptionState.WANTED)


def _send_check(record: PushRecord, ports: CallbackPorts) -> PushResult:
    """Plan a check, write its time, and send it. The pass of subscriptions sends an unsent check."""
    seen: PushRecord | None = record
    for _ in range(_ROUNDS):
        now = ports.clock.now()
        planned = planned_check(seen, now) if seen is not None else None
        if seen is None or planned is None:
            return PushResult.COVERED
        if ports.store.save_push_check(seen, planned.after):
            return _sent(record.feed_id, ports, now=now, delay_s=planned.delay_s)
        seen = ports.store.get(record.feed_id)
    return PushResult.COVERED
