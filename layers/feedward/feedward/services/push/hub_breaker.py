"""Withdraws trust from a hub that misses news, and returns its feeds to their own class (rules W22, W23)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.push.hub import SILENCE_PROBES, HubStanding, with_late, with_missed, with_untold
from feedward.push.hub_doubt import (
    PROBES,
    fall_probes,
    has_fallen,
    is_doubted,
    is_silent,
    may_probe,
    probes,
    with_probe,
)
from feedward.push.hub_news import with_note
from feedward.push.push_record import PushRecord, Trust
from feedward.push.trust import distrusted, missed
from feedward.scheduling.jitter import stable_hash
from feedward.services.push.ports import PushPorts
from feedward.services.push.silent_hub import ask_for_life
from feedward.services.push.subscribe import save_without_trust

_ROUNDS: Final = 5
_PROBE_SPREAD_S: Final = 30
_LISTED: Final = 20 * SILENCE_PROBES


def confirm_missed(record: PushRecord, *, ports: PushPorts) -> bool:
    """Count news without a push in time, for the feed and its hub. False: the record has changed meanwhile."""
    now = ports.clock.now()
    if save_without_trust(record, missed(record, now), ports=ports) is None:
        return False
    _count(record, with_missed, now, ports)
    return True


def note_untold(record: PushRecord, *, ports: PushPorts) -> None:
    """Count news that a poll found before the hub announced it: if frequent, the hub is dead, or lies."""
    _count(record, with_untold, ports.clock.now(), ports)


def note_late(record: PushRecord, *, ports: PushPorts) -> None:
    """Count a push that brought an older item as well. If frequent, the hub is in doubt, and its feeds are checked."""
    now = ports.clock.now()
    after = _count(record, with_late, now, ports)
    if is_doubted(after, now):
        probe(after, but=record.feed_id, ports=ports, feeds=SILENCE_PROBES)


def _count(
    record: PushRecord, counted: Callable[[HubStanding, str, int], HubStanding], now: int, ports: PushPorts
) -> HubStanding:
    """Write a feed's evidence about its hub, and return the hub. If this suspends it, the next pass frees its feeds."""
    for _ in range(_ROUNDS):
        standing = ports.hubs.get(record.hub)
        after = counted(standing, record.feed_id, now)
        if after == standing:
            return standing
        saved = ports.hubs.save(standing, after)
        if saved is not None:
            if saved.frees:
                ports.hubs.watch(record.hub, is_on=True)
            return saved
    return standing


def suspect(record: PushRecord, *, ports: PushPorts) -> int:
    """Check further feeds of a proven hub immediately after a poll found unannounced news. Returns their number."""
    return probe(ports.hubs.get(record.hub), but=record.feed_id, ports=ports)


def probe(standing: HubStanding, *, ports: PushPorts, but: str = "", feeds: int = PROBES) -> int:
    """Check feeds of a proven hub that is in doubt: different ones each time, and not often. Returns their number."""
    return _send_audits(standing, ports, but, feeds) if may_probe(standing, ports.clock.now()) else 0


def _send_audits(standing: HubStanding, ports: PushPorts, but: str, feeds: int) -> int:
    """Check feeds of a hub, unless its standing has changed meanwhile: of two passes at once, one checks them."""
    now = ports.clock.now()
    saved = ports.hubs.save(standing, with_probe(standing, now, feeds))
    if saved is None:
        return 0
    others = (each for each in ports.store.trusting(standing.hub) if each != but)
    return sum(_send_audit(feed_id, ports, now) for feed_id in _some(others, saved, feeds))


def _some(feed_ids: Iterator[str], doubted: HubStanding, feeds: int) -> list[str]:
    """Return some of the feeds: in a doubt those that were not checked before, and different ones in each doubt."""
    listed = list(islice(feed_ids, _LISTED))
    ordered = sorted(listed, key=lambda each: stable_hash(f"{each}\n{doubted.doubted_at}"))
    checked = (doubted.checked - feeds) % max(len(ordered), 1)
    return [*ordered[checked:], *ordered[:checked]][:feeds]


def _send_audit(feed_id: str, ports: PushPorts, now: int) -> bool:
    """Send a check without a push: its new items were not announced."""
    from feedward.services.check.enqueue_check import enqueue_check  # noqa: PLC0415 - only hubs in doubt need it

    delay_s = stable_hash(f"probe\n{feed_id}") % _PROBE_SPREAD_S
    return enqueue_check(feed_id, checks=ports.checks, queue=ports.queue, now=now, asked=False, delay_s=delay_s) is None


# --- passes over hubs ------------------------------------------------------------------------------


def watch_hubs(*, ports: PushPorts, deadline: Deadline) -> int:
    """Free the feeds of suspended hubs, and doubt proven ones. Returns the number of freed feeds."""
    freed = 0
    for hub in ports.hubs.watched():
        if deadline.left_s() <= 0:
            return freed
        standing = ports.hubs.get(hub)
        if not standing.frees:
            standing = _doubt(standing, ports)
        if standing.frees:
            freed += free_feeds(standing, ports=ports, deadline=deadline)
        elif not standing.is_watched:
            ports.hubs.watch(hub, is_on=False)
    return freed


def _doubt(standing: HubStanding, ports: PushPorts) -> HubStanding:
    """Check feeds of a hub that is silent or announces less than before, and ask a silent one for a sign of life.

    Notes its counts of news. Returns its standing after it.
    """
    now = ports.clock.now()
    noted = replace(standing, news=with_note(standing.news, now)) if standing.is_watched else standing
    if noted != standing:
        standing = ports.hubs.save(standing, noted) or standing
    feeds = probes(standing) if is_silent(standing, now) else fall_probes(standing) if has_fallen(standing, now) else 0
    if feeds:
        _send_audits(standing, ports, "", feeds)
        standing = ports.hubs.get(standing.hub)
    return ask_for_life(standing, ports=ports)


def free_feeds(standing: HubStanding, *, ports: PushPorts, deadline: Deadline) -> int:
    """Return the feeds of a suspended hub to their own class while there is time. Returns their number."""
    freed = 0
    for feed_id in ports.store.trusting(standing.hub):
        if deadline.left_s() <= 0:
            return freed
        with suppress(FeedwardError):
            freed += _free(feed_id, standing, ports)
    if next(iter(ports.store.trusting(standing.hub)), None) is None:
        ports.hubs.save(standing, replace(standing, frees=False))
    return freed


def _free(feed_id: str, standing: HubStanding, ports: PushPorts) -> bool:
    for _ in range(_ROUNDS):
        record = ports.store.get(feed_id)
        if record is None or record.trust is not Trust.TRUSTED or record.hub != standing.hub:
            return False
        if save_without_trust(record, distrusted(record, standing.suspended_until), ports=ports) is not None:
            return True
    return False
