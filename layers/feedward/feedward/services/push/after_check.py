"""Learns about a feed's pushes from its checks: ports.push.PushTrusts (rules W19, W21, W23)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import FeedwardError
from feedward.push.hub import PROVEN_FEEDS, TOLD_EVERY_S, HubStanding, counted_pieces
from feedward.push.hub_choice import Named
from feedward.push.push_record import PushRecord, Trust
from feedward.push.trust import Found, Lesson, PushNote, learn, pushed_class
from feedward.services.push.hub_breaker import note_late, note_untold, suspect
from feedward.services.push.ports import PushPorts
from feedward.services.push.receive import send_check
from feedward.services.push.subscribe import wish

_ROUNDS: Final = 3


class CheckTrusts:
    """Implements ports.push.PushTrusts. The ports are built at the first check that concerns pushes."""

    is_on: Final = True

    def __init__(self, ports: Callable[[], PushPorts], deadline: Deadline = NO_DEADLINE) -> None:
        self._ports = ports
        self._deadline = deadline

    def within(self, deadline: Deadline) -> CheckTrusts:
        """Return the same with ports that keep to the deadline."""
        return CheckTrusts(self._ports, deadline)

    def after_check(
        self, feed_id: str, url: str, owner: str | None, *, found: Found, named: Named | None
    ) -> PushNote | None:
        """Process a check. Errors of stores are not raised: the next check repeats the information."""
        ports = self._ports().within(self._deadline)
        try:
            note = _learn(feed_id, found, ports)
            if named is not None:
                before = ports.store.get(feed_id)
                if named.hubs or before is not None:
                    wish(feed_id, url, owner, named, before=before, ports=ports)
        except FeedwardError:
            return None
        return note


def _learn(feed_id: str, found: Found, ports: PushPorts) -> PushNote | None:
    """Store the conclusions of a check, if any. A record that changed meanwhile is read again."""
    if found.pushed_at is None and found.push_every is None:
        return None
    for _ in range(_ROUNDS):
        record = ports.store.get(feed_id)
        if record is None or record.is_ended:
            return None
        lesson = learn(record, found)
        is_changed = lesson.after != record
        standing = ports.hubs.get(record.hub) if is_changed and lesson.after.trust is Trust.TRUSTED else None
        stored = _store(record, lesson.after, found, standing, ports) if is_changed else record
        if stored is not None:
            _follow(stored, lesson, standing, ports)
            return PushNote(
                hub=record.hub,
                told_after_s=lesson.told_after_s,
                is_empty=lesson.is_empty,
                is_suspect=lesson.is_suspect,
            )
    return None


def _store(
    before: PushRecord, after: PushRecord, found: Found, standing: HubStanding | None, ports: PushPorts
) -> PushRecord | None:
    """Write the record, with the class under its pushes if they are trusted. `standing` is None if they are not."""
    if standing is None:
        return ports.store.save(before, after)
    if standing.is_suspended(ports.clock.now()) and before.trust is not Trust.TRUSTED:
        held = replace(after, trust=Trust.DISTRUSTED, distrusted_until=standing.suspended_until, told_in_row=0)
        return ports.store.save(before, held)
    every = pushed_class(found.own_every, is_proven=standing.is_proven)
    if before.trust is Trust.TRUSTED and every == found.push_every:
        return ports.store.save(before, after)
    stored = ports.store.trust(before, replace(after, rate=after.rate or found.news_a_day), every=every)
    if stored is not None and _becomes_proven(before, standing):
        ports.hubs.watch(after.hub, is_on=True)
    return stored


def _becomes_proven(before: PushRecord, standing: HubStanding) -> bool:
    return before.trust is not Trust.TRUSTED and standing.trusted + 1 >= PROVEN_FEEDS


def _follow(stored: PushRecord, lesson: Lesson, standing: HubStanding | None, ports: PushPorts) -> None:
    """Act on the lesson: schedule a further check, check other feeds of a doubted hub, record the announcement."""
    now = ports.clock.now()
    if lesson.look_in_s is not None:
        send_check(stored.feed_id, ports, now=now, delay_s=lesson.look_in_s)
    if stored.trust is Trust.TRUSTED and (lesson.is_untold or lesson.is_late):
        note = note_untold if lesson.is_untold else note_late
        note(stored, ports=ports)
    if lesson.is_suspect:
        suspect(stored, ports=ports)
    if standing is not None and stored.trust is Trust.TRUSTED and lesson.is_told:
        pieces = counted_pieces(standing, stored.feed_id, now)
        if pieces or now - standing.told_at >= TOLD_EVERY_S:
            ports.hubs.note_told(stored.hub, now=now, told=pieces, slow=pieces if lesson.is_slow else 0)
