"""Subscribes feeds to the hubs that they name, renews and ends subscriptions (rules W3 to W5, W11 to W13, W24)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import Final

from feedward.errors import FeedwardError
from feedward.push import hub as standings
from feedward.push.callback_token import Credentials
from feedward.push.hub import HubStanding
from feedward.push.hub_choice import Named, topics, usable_hubs
from feedward.push.push_record import PushRecord, SubscriptionState, Trust
from feedward.push.subscribing import (
    HubAnswer,
    answered,
    asked,
    ended,
    form_of,
    is_other_choice,
    next_choice,
    wished,
    with_credentials,
)
from feedward.scheduling.jitter import stable_hash
from feedward.services.push.ports import PushPorts, secret_place
from feedward.services.push.post_to_hub import REQUEST_S, post_to_hub, take_hub_slot
from feedward.urls.key import key_or_text
from feedward.urls.secrets import has_token

POSTPONED_S: Final = 600
NEXT_PASS_S: Final = 60
"""A record whose hub has a slot within this time stays due: the next pass asks the hub."""
_ROUNDS: Final = 3
_RATE_LIMITED: Final = 429


class Asked(StrEnum):
    """The result of a due subscription.

    - asked: the hub accepted the request; failed: it did not; held: the hub is on hold; ended: the feed was deleted
    - nothing: another worker was faster, or nothing is due
    """

    ASKED = "asked"
    FAILED = "failed"
    HELD = "held"
    ENDED = "ended"
    NOTHING = "nothing"


# --- a feed's intent -------------------------------------------------------------------------------


def wish(
    feed_id: str, url: str, owner: str | None, named: Named, *, before: PushRecord | None, ports: PushPorts
) -> None:
    """Store the intent of the feed's document: a subscription to its hub, or none. `before` is stored.

    A private feed, and one with a token in its URL, is never subscribed (rule W4). Raises the errors of the stores.
    """
    hubs = usable_hubs(named.hubs, ports.own_hosts) if owner is None and not has_token(url) else ()
    wanted = _topics(feed_id, url, named, ports) if hubs else []
    if not hubs or not wanted:
        if before is not None and not before.is_ended:
            end(before, ports=ports)
        return
    if before is not None and not before.is_ended and before.hub in hubs and _is_right_topic(before, wanted):
        if (before.hubs, before.topics) != (hubs, tuple(wanted)):
            ports.store.save(before, replace(before, hubs=hubs, topics=tuple(wanted)))
        return
    _replace(feed_id, before, hubs, wanted, ports)


def _is_right_topic(before: PushRecord, wanted: Sequence[str]) -> bool:
    """Return whether the topic may stay: it announced news, or was chosen after the hub refused the self link."""
    is_second = before.told == 0 and not before.has_tried_topic and before.topic != wanted[0]
    return before.topic in wanted and not is_second


def _topics(feed_id: str, url: str, named: Named, ports: PushPorts) -> list[str]:
    """Return the topics to request. The registry is read only if the self link is another URL."""
    is_own = named.self_url is None or key_or_text(named.self_url) == key_or_text(url)
    proven = () if is_own else ports.checks.owned_urls(feed_id)
    return topics(url, named.self_url, proven, ports.own_hosts)


def _replace(
    feed_id: str, before: PushRecord | None, hubs: Sequence[str], wanted: Sequence[str], ports: PushPorts
) -> None:
    """Store the intent for a new subscription in place of another one, which ends first."""
    if before is not None and not before.is_ended:
        before = end(before, ports=ports)
        if before is None:
            return
    credentials, sealed = _new_credentials(feed_id, ports)
    new = wished(
        feed_id,
        hubs=hubs,
        topics=wanted,
        token_hash=credentials.token_hash,
        sealed=sealed,
        now=ports.clock.now(),
        before=before,
    )
    ports.store.save(before, new)


def _new_credentials(feed_id: str, ports: PushPorts) -> tuple[Credentials, str]:
    credentials = Credentials.new()
    return credentials, ports.secrets.seal(credentials.packed(), place=secret_place(feed_id))


# --- asking and renewing ---------------------------------------------------------------------------


def ask(record: PushRecord, *, ports: PushPorts) -> Asked:
    """Ask the hub for a due record. The intent is stored before the request is sent (rule W5)."""
    now = ports.clock.now()
    chosen = _chosen(record, ports)
    standing = ports.hubs.get(chosen.hub)
    if standing.is_held(now):
        return postpone(record, standing.held_until, ports)
    wait_s = take_hub_slot(_address(chosen), ports)
    if wait_s:
        return postpone(record, now + wait_s, ports) if wait_s > NEXT_PASS_S else Asked.HELD
    intended = ports.store.save(record, asked(chosen, base=ports.base, now=now))
    if intended is None:
        return Asked.NOTHING
    answer = _post(intended, "subscribe", ports)
    _keep(intended, answer, ports)
    note_answer(standing, answer, ports)
    return Asked.ASKED if answer.is_taken else Asked.FAILED


def _chosen(record: PushRecord, ports: PushPorts) -> PushRecord:
    """Return the record with the hub and topic to request now; another choice has its own credentials."""
    now = ports.clock.now()
    chosen = next_choice(record, now)
    if not is_other_choice(chosen, record):
        return chosen
    credentials, sealed = _new_credentials(record.feed_id, ports)
    return with_credentials(chosen, record, token_hash=credentials.token_hash, sealed=sealed, now=now)


def _address(record: PushRecord) -> str:
    """Return the URL of the hub's requests: where it permanently redirects them, else its own."""
    return record.sent_to or record.hub


def postpone(record: PushRecord, until: int, ports: PushPorts) -> Asked:
    """Retry later, spread by the feed's id, so that a recovered hub does not get all requests together."""
    spread_s = stable_hash(f"hub\n{record.feed_id}") % POSTPONED_S
    ports.store.save(record, replace(record, try_at=until + spread_s))
    return Asked.HELD


def _post(record: PushRecord, mode: str, ports: PushPorts) -> HubAnswer:
    credentials = Credentials.unpacked(ports.secrets.open(record.sealed, place=secret_place(record.feed_id)))
    form = form_of(record, credentials, mode=mode, base=record.base or ports.base)
    return post_to_hub(_address(record), form, ports=ports)


def _keep(intended: PushRecord, answer: HubAnswer, ports: PushPorts) -> None:
    """Store the answer. If the hub has verified before it answered, only its text is added."""
    seen: PushRecord | None = intended
    for _ in range(_ROUNDS):
        if seen is None or seen.token_hash != intended.token_hash or seen.is_ended:
            return
        if ports.store.save(seen, answered(seen, answer, ports.clock.now())) is not None:
            return
        seen = ports.store.get(intended.feed_id)


def note_answer(standing: HubStanding, answer: HubAnswer, ports: PushPorts) -> None:
    """Record whether the hub answers, for all its feeds (rule W12)."""
    after = _after_answer(standing, answer, ports.clock.now())
    with suppress(FeedwardError):
        if after != standing:
            ports.hubs.save(standing, after)


def _after_answer(standing: HubStanding, answer: HubAnswer, now: int) -> HubStanding:
    if answer.status == _RATE_LIMITED:
        return standings.limited(standing, now, retry_after_s=answer.retry_after_s)
    if answer.status is None or answer.status >= 500:
        return standings.failed(standing, now, retry_after_s=answer.retry_after_s)
    return standings.answered(standing)


# --- the end ---------------------------------------------------------------------------------------


def end(record: PushRecord, *, ports: PushPorts) -> PushRecord | None:
    """End a subscription: it is stored first, then the hub is notified once, with the old topic. None: it has changed.

    A feed that trusted its pushes returns to its own class.
    """
    now = ports.clock.now()
    was_told = record.state in (SubscriptionState.ASKED, SubscriptionState.VERIFIED)
    stored = save_without_trust(record, ended(record, now), ports=ports)
    if stored is not None and was_told:
        with suppress(FeedwardError):
            _unsubscribe(stored, ports)
    return stored


def _unsubscribe(record: PushRecord, ports: PushPorts) -> None:
    """Notify the hub, if it may get a request now. Otherwise its next push is told: it gets a 410."""
    standing = ports.hubs.get(record.hub)
    if standing.is_held(ports.clock.now()) or ports.deadline.left_s() < REQUEST_S:
        return
    if not take_hub_slot(_address(record), ports):
        note_answer(standing, _post(record, "unsubscribe", ports), ports)


def save_without_trust(before: PushRecord, after: PushRecord, *, ports: PushPorts) -> PushRecord | None:
    """Write a record. If it ends the feed's trust, the feed returns to its own class."""
    if before.trust is Trust.TRUSTED and after.trust is not Trust.TRUSTED:
        now = ports.clock.now()
        longest_s = min(max(before.every, 1) * 60, FREED_WITHIN_S)
        at = now + stable_hash(f"freed\n{before.feed_id}") % longest_s
        return ports.store.free(before, after, at=at)
    return ports.store.save(before, after)


FREED_WITHIN_S: Final = 10 * 60
"""The longest time to the next check of a freed feed, which its own class may shorten."""
