"""Plans the write of a check: the decision, and all data to store (rules H1 to H7).

A plan is made from the feed that was read, and made again if that was out of date.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.events.check_events import events_of
from feedward.feeds.signature import signature
from feedward.health.cadence import hint_s, median_gap_s, rhythm_times
from feedward.health.content_hash import kept_content_hash
from feedward.health.decision import Check, Decision, FeedUpdate, Reading, Remembered
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import unchanged, without_push
from feedward.health.feed_texts import FeedTexts, texts_of
from feedward.health.moves import sent_elsewhere
from feedward.health.next_check import Schedule
from feedward.health.outcomes import OUTCOMES
from feedward.health.phase import MinuteLoads, seen_times
from feedward.health.recent_items import Recent, RecentItem, updated
from feedward.health.revival import host_fails
from feedward.health.state_machine import decide
from feedward.health.validators import StoredValidators, after_check, caught_lying
from feedward.model import Feed, FeedState
from feedward.ports import CheckStore, TopicClassifier
from feedward.ports.feeds import no_topics
from feedward.scheduling.heartbeat import is_heartbeat
from feedward.services.check.fetch_feed import Visit
from feedward.services.check.moves import NO_MOVE, MoveDecision, MoveEvaluator
from feedward.services.check.ports import CheckPorts

# At most this many other feeds of a host are read. If all of them fail, the host fails.
_HOST_FEEDS: Final = 200
_LOADS_S: Final = 3.0  # the time limit of an optional read


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The planned write and the data to report. `seen` is the visit that counts, perhaps to another URL.

    `published` are the dates of the new items. `is_unchanged`: nothing to store, except for a heartbeat.
    """

    update: FeedUpdate
    seen: Visit
    check: Check
    decision: Decision
    move_decision: MoveDecision
    new_items: int
    published: tuple[int | None, ...] = ()
    is_unchanged: bool = False

    @property
    def writes(self) -> bool:
        """True if the update must be written."""
        return not self.is_unchanged or self.update.is_heartbeat


def plan(judge: MoveEvaluator, seen: Visit, ports: CheckPorts, outage_minutes: frozenset[int]) -> Plan | None:
    """Decide on the feed. None: it is paused, so nothing is written. Raises the errors of the store."""
    due, now, store = judge.due, judge.now, ports.store
    is_read = seen.feed is not None or seen.elsewhere is not None
    known = store.remembered(due.feed_id) if is_read else Remembered()
    seen, move_decision = _judged(judge, seen, known.recent)
    recent, new = _items(seen, known.recent, move_decision, now) if seen.feed else (None, [])
    check = _check(seen, recent, len(new), outage_minutes)
    decision = _decide(judge, check, ports, recent)
    if decision.place is None:
        return None
    told = new if known.recent is not None else []
    after = _after(due, seen, decision, move_decision, now)
    document = _Document(seen=seen, known=known, recent=recent, told=told)
    update = _update(due, after, document, decision, ports.classifier)
    is_unchanged = _is_unchanged(update, move_decision)
    return Plan(
        update=_heartbeat(update, now) if is_unchanged else update,
        seen=seen,
        check=check,
        decision=decision,
        move_decision=move_decision,
        new_items=len(told),
        published=tuple(each.item.published_at for each in told),
        is_unchanged=is_unchanged,
    )


def _after(due: DueFeed, seen: Visit, decision: Decision, move_decision: MoveDecision, now: int) -> DueFeed:
    """Return the feed as stored after the check; data of its message only is dropped."""
    return replace(
        due,
        rev=due.rev + 1,
        place=decision.place or due.place,
        validators=_validators(due, seen, move_decision, now),
        content_hash=kept_content_hash(due.content_hash, seen.content_hash, forget=move_decision.forget),
        health=decision.health,
        sent_at=None,
        minute=None,
        pushed_at=None,
        asked=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Document:
    """The seen and the known items: the last ones before and after the document, and the new ones to announce."""

    seen: Visit
    known: Remembered
    recent: Recent | None
    told: Sequence[RecentItem]


def _update(
    due: DueFeed, after: DueFeed, document: _Document, decision: Decision, classifier: TopicClassifier
) -> FeedUpdate:
    """Return the write: only the changes of the document to the last items and the texts."""
    seen, known, recent = document.seen, document.known, document.recent
    texts = _texts(seen.feed, seen) if seen.feed else None
    has_news = seen.feed is not None and (recent != known.recent or texts != known.texts)
    return FeedUpdate(
        before=due,
        after=after,
        recent=None if recent == known.recent else recent,
        texts=None if texts == known.texts else texts,
        suggested=_suggested(seen.feed, known, classifier) if seen.feed and has_news else None,
        events=events_of(after, decision, seen.outcome, document.told, after.health.last_attempt_at or 0),
        state_change=decision.state_change,
    )


def tells_of_push(written: Plan) -> bool:
    """Return whether a check concerns pushes: a push requested it, or it read a new document that affects them.

    That is a document that names a hub, one with changed texts, since it may no longer name one, and news of a feed
    with trusted pushes.
    """
    before, feed = written.update.before, written.seen.feed
    if before.pushed_at is not None:
        return True
    if feed is None or before.owner is not None or written.move_decision.waits:
        return False
    names_hub = bool(feed.hub_urls) or "hub" in written.seen.fetch.headers.get("link", "").lower()
    return names_hub or written.update.texts is not None or before.health.push_every is not None


def _is_unchanged(update: FeedUpdate, move_decision: MoveDecision) -> bool:
    """Return whether a healthy feed keeps its slot, and only fields that every check rewrites are new (rule S9)."""
    before, after = update.before, update.after
    drops_proofs = (before.content_hash, before.validators) != (after.content_hash, after.validators)
    return (
        after.place == before.place
        and after.place.slot is not None
        and update.is_single
        and not (move_decision.forget and drops_proofs)
        and before.validators.validators_untrusted == after.validators.validators_untrusted
        and unchanged(before.health, after.health)
    )


def _heartbeat(update: FeedUpdate, now: int) -> FeedUpdate:
    """Return the update without fields that need no write, and whether this check records its time."""
    before, after, slot = update.before, update.after, update.after.place.slot
    is_same = before.validators.names_same(after.validators)
    after = replace(after, rev=before.rev, validators=before.validators if is_same else after.validators)
    is_due = before.asked or (slot is not None and is_heartbeat(after.feed_id, slot, before.slot_time(now)))
    return replace(update, after=after, is_heartbeat=is_due)


def _check(seen: Visit, recent: Recent | None, new_items: int, outage_minutes: frozenset[int]) -> Check:
    """Return the check's effect on the feed's health."""
    return Check(
        outcome=seen.outcome,
        status=seen.fetch.status,
        reason=seen.reason,
        retry_after_s=seen.fetch.retry_after_s,
        new_items=new_items,
        reading=_reading(seen.feed, recent, seen) if seen.feed and recent else None,
        sent_elsewhere=sent_elsewhere(seen.fetch),
        as_browser_at=seen.as_browser_at,
        outage_minutes=outage_minutes,
    )


def _judged(judge: MoveEvaluator, seen: Visit, known: Recent | None) -> tuple[Visit, MoveDecision]:
    """Return the visit that counts, and the decision on its moves: if the feed's URL failed, another may count."""
    if seen.elsewhere is not None:
        returned = judge.judge_elsewhere(seen.elsewhere, known)
        if returned.adopt is not None:
            return seen.elsewhere, returned
    return seen, judge.judge(seen, known) if OUTCOMES[seen.outcome].is_success else NO_MOVE


# --- the document ----------------------------------------------------------------------------------


def _items(
    seen: Visit, before: Recent | None, move_decision: MoveDecision, now: int
) -> tuple[Recent | None, list[RecentItem]]:
    """Return the last items after this document, and the new ones. Only a proven document changes the signature."""
    if seen.feed is None:
        return before, []
    recent, new = updated(before or Recent(), seen.feed.items, now, site_url=seen.feed.site_url)
    return recent if move_decision.waits else replace(recent, signature=signature(seen.feed, seen.fetch.url)), new


def _reading(feed: Feed, recent: Recent, seen: Visit) -> Reading:
    times = rhythm_times((each.item, each.first_seen_at) for each in recent.items)
    return Reading(
        median_gap_s=median_gap_s(times),
        hint_s=hint_s(feed, seen.fetch.headers),
        latest_item_published_at=times[0] if times else None,
    )


def _suggested(feed: Feed, known: Remembered, classifier: TopicClassifier) -> tuple[str, ...] | None:
    """Return all suggested topics if there is a new one. A document without categories loads no module for it."""
    if classifier is no_topics and not (feed.categories or feed.item_categories):
        return None
    from feedward.services.check.suggest_topics import new_suggestions  # noqa: PLC0415

    return new_suggestions(feed, known.topics, classifier)


def _texts(feed: Feed, seen: Visit) -> FeedTexts:
    return texts_of(
        title=feed.title,
        description=feed.description,
        site_url=feed.site_url,
        language=feed.language,
        hub_urls=_hubs(feed, seen),
        format=feed.format,
    )


def _hubs(feed: Feed, seen: Visit) -> tuple[str, ...]:
    """Return the hubs of the Link header, else those of the document (rule W1)."""
    link = seen.fetch.headers.get("link", "")
    if "hub" not in link.lower():
        return feed.hub_urls
    from feedward.push.hub_choice import header_hubs  # noqa: PLC0415 - few answers name hubs in their headers

    return header_hubs(link, seen.fetch.url) or feed.hub_urls


# --- the decision ----------------------------------------------------------------------------------


def _decide(judge: MoveEvaluator, check: Check, ports: CheckPorts, recent: Recent | None) -> Decision:
    """Decide on the feed. Read only relevant data: the host's other feeds before a revival is requested (rule H6), and
    the last items and the loads of all minutes before a healthy feed gets another slot.
    """
    due, now, store = judge.due, judge.now, ports.store
    every = due.place.slot.every if due.place.slot else None
    times = None if recent is None else seen_times(recent, every)
    schedule = Schedule(
        current=due.place, times=times, is_pushed=due.pushed_at is not None, slot_time=due.slot_time(now)
    )
    health = due.health if ports.push.is_on else without_push(due.health)
    decision = decide(health, check, now, schedule)
    if decision.revival is not None and host_fails(_others(due, store)):
        return decide(health, replace(check, host_fails=True), now, schedule)
    if decision.place == due.place or decision.health.state is not FeedState.HEALTHY:
        return decision
    known = recent or store.remembered(due.feed_id).recent or Recent()
    schedule = replace(schedule, times=seen_times(known, every), loads=_loads(ports))
    return decide(health, check, now, schedule)


def _loads(ports: CheckPorts) -> MinuteLoads | None:
    """Return the number of feeds due at each minute. Only the spreading depends on it, so errors are ignored."""
    with contextlib.suppress(FeedwardError):
        return ports.loads.within(Deadline.after(_LOADS_S)).read() if ports.loads else None
    return None


def _others(due: DueFeed, store: CheckStore) -> Iterator[tuple[FeedState, int]]:
    """Yield the host's other feeds up to the first healthy one, which settles the question."""
    others = (each for each in store.host_feeds(due.host, due.owner) if each[0] != due.feed_id)
    for _, state, failures in islice(others, _HOST_FEEDS):
        yield state, failures
        if state is not FeedState.PAUSED and not failures:
            return


# --- validators ------------------------------------------------------------------------------------


def _validators(due: DueFeed, seen: Visit, move_decision: MoveDecision, now: int) -> StoredValidators:
    changed = seen.feed is not None
    is_lie = caught_lying(seen.asked, due.validators, due.health, changed=changed, now=now)
    kept = after_check(due.validators, seen.fetch, seen.outcome, now, untrusted=is_lie)
    return StoredValidators(validators_untrusted=kept.validators_untrusted) if move_decision.forget else kept
