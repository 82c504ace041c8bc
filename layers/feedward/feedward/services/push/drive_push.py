"""The minutely pass of subscriptions: requests, renewals, missed news, lost checks, and the state of hubs.

Hubs are requested in parallel, one request at a time each (rule W12). Due work is stored in the table (rule I7): a pass
that dies leaves it to the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.push.hub_choice import Named
from feedward.push.push_record import CHECK_LOST_S, UNTOLD_S, PushRecord, SubscriptionState, Trust
from feedward.push.subscribing import asked_url
from feedward.services.push.hub_breaker import confirm_missed, watch_hubs
from feedward.services.push.ports import PushPorts
from feedward.services.push.receive import send_check
from feedward.services.push.subscribe import Asked, ask, end, postpone, save_without_trust, wish
from feedward.services.work.tenant_shares import TenantShares
from feedward.urls.safety import host_of_url

RESERVE_S: Final = 15.0
"""No request starts with less than its time limit left."""
GIVEN_UP_S: Final = 3600
"""A check that a push requested this long ago is not sent again: the scheduled check covers it."""
PASS_REQUESTS: Final = 60
"""A hub gets at most as many requests in a pass as the pass has seconds."""
HUBS_AT_ONCE: Final = 10
LOOKED_AT: Final = 1000
"""The number of due subscriptions that a pass processes."""


@dataclass(slots=True, kw_only=True)
class PushReport:
    """The result of a pass.

    - asked: the results of the due subscriptions; by_hub: the same for each hub
    - missed: feeds with news without push; freed: feeds that returned to their own class; resent: checks sent again
    - failures: error codes; the next pass retries the failed work
    """

    asked: Counter[Asked] = field(default_factory=Counter)
    by_hub: dict[str, Counter[Asked]] = field(default_factory=dict)
    missed: int = 0
    freed: int = 0
    resent: int = 0
    failures: list[str] = field(default_factory=list)
    is_complete: bool = True

    def add(self, other: PushReport) -> None:
        """Add the result of a part of the pass."""
        self.asked += other.asked
        for hub, results in other.by_hub.items():
            self.by_hub.setdefault(hub, Counter()).update(results)
        self.missed += other.missed
        self.freed += other.freed
        self.resent += other.resent
        self.failures += other.failures
        self.is_complete = self.is_complete and other.is_complete

    def as_document(self) -> Mapping[str, object]:
        """Return the report for a direct invocation."""
        return {
            "asked": {each.value: number for each, number in self.asked.items()},
            "missed": self.missed,
            "freed": self.freed,
            "resent": self.resent,
            "failures": list(self.failures),
            "complete": self.is_complete,
        }


def drive_push(*, ports: PushPorts, within_s: float) -> PushReport:
    """Do the due work within `within_s` seconds. A failure does not stop the other work; none is raised."""
    ends = Deadline.after(within_s, ports.clock.monotonic)
    ports, deadline = ports.within(ends), ends.before(RESERVE_S)
    report = PushReport()
    try:
        report.freed = watch_hubs(ports=ports, deadline=deadline)
        _wish_for_new(ports, deadline, report)
        _drive_due(ports, deadline, report)
        report.freed += watch_hubs(ports=ports, deadline=deadline)
    except FeedwardError as error:
        report.failures.append(error.code)
    return report


def _wish_for_new(ports: PushPorts, deadline: Deadline, report: PushReport) -> None:
    """Store the wanted subscriptions of new feeds before they have news."""
    for feed_id, url, hubs in ports.store.newly_named(now=ports.clock.now()):
        if deadline.left_s() <= 0:
            return
        try:
            before = ports.store.get(feed_id)
            if before is None:
                wish(feed_id, url, None, Named(hubs=tuple(hubs)), before=None, ports=ports)
            ports.store.seen_named(feed_id)
        except FeedwardError as error:
            report.failures.append(error.code)


def _drive_due(ports: PushPorts, deadline: Deadline, report: PushReport) -> None:
    """Process the due subscriptions, the hosts of hubs in parallel."""
    parts = [(records, PushReport()) for records in _due_by_host(ports, deadline, report)]
    calls = [(None, partial(_drive, records, ports, deadline, part)) for records, part in parts]
    TenantShares(calls, places=HUBS_AT_ONCE).run("feedward-push")
    for _, part in parts:
        report.add(part)


def _due_by_host(ports: PushPorts, deadline: Deadline, report: PushReport) -> Sequence[Sequence[PushRecord]]:
    """Return the due records by hub host; those that need no request come first."""
    hosts: dict[str, list[PushRecord]] = {}
    for feed_id in islice(ports.store.due(now=ports.clock.now()), LOOKED_AT):
        if deadline.left_s() <= 0:
            report.is_complete = False
            break
        try:
            record = ports.store.get(feed_id)
        except FeedwardError as error:
            report.failures.append(error.code)
            continue
        now = ports.clock.now()
        if record is not None and record.due_at is not None and record.due_at <= now:
            hosts.setdefault(host_of_url(asked_url(record, now)), []).append(record)
    return [sorted(records, key=partial(_waits_for_hub, now=ports.clock.now())) for records in hosts.values()]


def _waits_for_hub(record: PushRecord, *, now: int) -> bool:
    return record.try_at is not None and record.try_at <= now


def _drive(records: Sequence[PushRecord], ports: PushPorts, deadline: Deadline, report: PushReport) -> None:
    """Process the records of one host. Those beyond the limit are postponed, so that they do not block other hosts."""
    waiting = [each for each in records if _waits_for_hub(each, now=ports.clock.now())]
    behind = waiting[PASS_REQUESTS:]
    for place, record in enumerate(behind):
        _guarded(partial(postpone, record, ports.clock.now() + place, ports), deadline, report)
    for record in records[: len(records) - len(behind)]:
        _guarded(partial(_attend, record, ports, report), deadline, report)


def _guarded(act: Callable[[], object], deadline: Deadline, report: PushReport) -> None:
    """Call `act` if there is time. A failure affects only this record."""
    if deadline.left_s() <= 0:
        report.is_complete = False
        return
    try:
        act()
    except FeedwardError as error:
        report.failures.append(error.code)


def _attend(record: PushRecord, ports: PushPorts, report: PushReport) -> None:
    """Do the first due action. Others follow in the next pass."""
    now = ports.clock.now()
    if record.untold_at is not None and record.untold_at + UNTOLD_S <= now:
        report.missed += confirm_missed(record, ports=ports)
    elif record.trust is Trust.TRUSTED and not _is_pushing(record, now):
        untrusted = replace(record, trust=Trust.NONE, told_in_row=0, rate=0)
        report.freed += save_without_trust(record, untrusted, ports=ports) is not None
    elif record.try_at is not None and record.try_at <= now:
        result = _ask(record, ports)
        report.asked[result] += 1
        report.by_hub.setdefault(record.hub, Counter())[result] += 1
    else:
        report.resent += _send_again(record, ports)


def _is_pushing(record: PushRecord, now: int) -> bool:
    return record.state is SubscriptionState.VERIFIED and record.is_live(now)


def _ask(record: PushRecord, ports: PushPorts) -> Asked:
    """Ask the hub, unless the feed is paused, merged or deleted: then its subscription ends."""
    if ports.checks.due_feed(record.feed_id) is None:
        return Asked.ENDED if end(record, ports=ports) is not None else Asked.NOTHING
    return ask(record, ports=ports)


def _send_again(record: PushRecord, ports: PushPorts) -> bool:
    """Send a planned check that has not reported."""
    now = ports.clock.now()
    if ports.checks.due_feed(record.feed_id) is None:
        end(record, ports=ports)
        return False
    if record.look_at is not None and record.look_at + CHECK_LOST_S <= now:
        saved = ports.store.save(record, replace(record, look_at=None, looks=0))
        return saved is not None and send_check(record.feed_id, ports, now=now)
    if (record.pushed_at or 0) + GIVEN_UP_S <= now:
        ports.store.save(record, replace(record, looked_at=now))
        return False
    if not ports.store.save_push_check(record, replace(record, push_check_at=now)):
        return False
    return send_check(record.feed_id, ports, now=now)
