"""Reconcile pass: relays undelivered events, finishes merges, and resumes abandoned discoveries (rule I7).

Pending marks show the unfinished work, and repeating it is harmless. Passes over other tables are given as `further`.

The health check runs the whole pass; in a deployment without checks (Refresh=false), discover does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from feedward.deadline import Deadline
from feedward.discovery.site import JobStatus, LeftJob
from feedward.errors import FeedwardError
from feedward.ports import Clock, DiscoverQueue, EventBus, Outbox, Pending, PendingMerges, SiteStore
from feedward.services.discover.site_run import discover_message
from feedward.services.relay_outbox import relay_outbox
from feedward.services.subscribe.subscribe import SubscriptionPorts
from feedward.services.sweep.reschedule import RESERVE_S
from feedward.services.sweep.resend_pending import resend_pending
from feedward.services.sweep.sweep import DEFAULT_S

# A younger event or merge is left to its writer, which is about to finish it.
UNDELIVERED_FOR_S: Final = 60
# By then DiscoverQueue has moved a job's message to its dead-letter queue: 5 receives of 450 s.
JOB_LEFT_FOR_S: Final = 40 * 60
JOB_SENT_AGAIN_AT_MOST: Final = 3

Pass = Callable[[float], int]
"""Runs the reconcile pass of another table within a time limit in seconds. Returns the number of finished entries."""


class ReconcilePorts(Protocol):
    """Ports of the reconcile pass. `pending_merges` run in order: each only after the ones before it are finished."""

    @property
    def pending(self) -> Pending: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def bus(self) -> EventBus: ...
    @property
    def pending_merges(self) -> Sequence[PendingMerges]: ...
    @property
    def sites(self) -> SiteStore: ...
    @property
    def queue(self) -> DiscoverQueue: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcileReport:
    """The result of a reconcile pass.

    - feeds_relayed, outbox_backlog: feeds without pending work now, and feeds with pending events or merges
    - jobs_sent, jobs_failed: discoveries whose message was sent again, and failed ones
    - further: the number of entries that each further pass finished, by its name
    - failures: error codes; the next pass retries failed work and work that did not fit into the time
    """

    feeds_relayed: int = 0
    outbox_backlog: int = 0
    jobs_sent: int = 0
    jobs_failed: int = 0
    further: Mapping[str, int] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    complete: bool = True


def reconcile(
    *, ports: ReconcilePorts, further: Mapping[str, Pass] | None = None, within_s: float = DEFAULT_S
) -> ReconcileReport:
    """Finish work that has been pending for a minute or more, within `within_s` seconds, and return a report.

    A failure does not stop the other work. Errors of stores, queues and the bus are not raised.
    """
    return _Reconciliation(ports, further or {}, within_s).run()


class _Reconciliation:
    """One pass, and its counts."""

    def __init__(self, ports: ReconcilePorts, further: Mapping[str, Pass], within_s: float) -> None:
        self._ports, self._further, self._clock = ports, further, ports.clock
        self._now = self._clock.now()
        self._ends_at = self._clock.monotonic() + within_s
        self._feeds_relayed = self._outbox_backlog = self._jobs_sent = self._jobs_failed = 0
        self._failures: list[str] = []
        self._complete = True

    def run(self) -> ReconcileReport:
        self._guarded(self._relay_feeds)
        self._guarded(self._resume_jobs)
        further = {name: self._run_further(run) for name, run in self._further.items()}
        return ReconcileReport(
            feeds_relayed=self._feeds_relayed,
            outbox_backlog=self._outbox_backlog,
            jobs_sent=self._jobs_sent,
            jobs_failed=self._jobs_failed,
            further=further,
            failures=tuple(self._failures),
            complete=self._complete and not self._failures,
        )

    # --- events and merges -----------------------------------------------------------------------

    def _relay_feeds(self) -> None:
        for feed_id in self._ports.pending.within(Deadline.after(self._left_s())).feeds_with_outbox(
            before=self._now - UNDELIVERED_FOR_S
        ):
            if self._is_over():
                return
            is_paid = self._guarded(partial(self._relay, feed_id))
            self._feeds_relayed += bool(is_paid)
            self._outbox_backlog += not is_paid

    def _relay(self, feed_id: str) -> bool:
        ports = self._ports
        code = relay_outbox(
            feed_id, outbox=ports.outbox, bus=ports.bus, deadline=Deadline(self._ends_at, self._clock.monotonic)
        )
        if code:
            self._failures.append(code)
        return all(pending.repoint(feed_id, now=self._now) for pending in ports.pending_merges) and code is None

    # --- discoveries -----------------------------------------------------------------------------

    def _resume_jobs(self) -> None:
        for job in self._ports.pending.within(Deadline.after(self._left_s())).left_jobs(
            before=self._now - JOB_LEFT_FOR_S
        ):
            if self._is_over():
                return
            drive = self._give_up if job.sent_again >= JOB_SENT_AGAIN_AT_MOST else self._send_again
            self._guarded(partial(drive, job))

    def _send_again(self, job: LeftJob) -> None:
        """Send first: if the process dies before the mark, the message is sent twice, which the worker tolerates."""
        self._ports.queue.within(Deadline.after(self._left_s())).send(discover_message(job.job_id))
        self._ports.pending.within(Deadline.after(self._left_s())).job_sent_again(job, now=self._now)
        self._jobs_sent += 1

    def _give_up(self, job: LeftJob) -> None:
        reason = f"no worker completed it, although it was sent again {job.sent_again} times"
        self._jobs_failed += self._ports.sites.within(Deadline.after(self._left_s())).end_job(
            job.job_id, status=JobStatus.FAILED, now=self._now, reason=reason
        )

    # --- other tables ----------------------------------------------------------------------------

    def _run_further(self, run: Pass) -> int:
        return 0 if self._is_over() else self._guarded(partial(run, self._left_s())) or 0

    # --- time and errors -------------------------------------------------------------------------

    def _guarded(self, drive: Callable[[], int | None]) -> int | None:
        """Call `drive`. On an error, record its code and return None."""
        try:
            return drive()
        except FeedwardError as error:
            self._failures.append(error.code)
            return None

    def _is_over(self) -> bool:
        if self._left_s() >= RESERVE_S:
            return False
        self._complete = False
        return True

    def _left_s(self) -> float:
        return self._ends_at - self._clock.monotonic()


class DirectoryPorts(ReconcilePorts, SubscriptionPorts, Protocol):
    """The ports of both."""


def reconcile_directory(*, ports: DirectoryPorts, within_s: float) -> ReconcileReport:
    """Finish work that has been pending for a minute or more. Returns a report; raises no store or queue error."""
    subscriptions = {"subscriptions": lambda left_s: resend_pending(ports=ports, within_s=left_s).resumed}
    return reconcile(ports=ports, further=subscriptions, within_s=within_s)
