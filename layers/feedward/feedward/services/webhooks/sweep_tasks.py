"""The sweep of due tasks, on the engine of the feeds' sweep (rules M1, K3, K11).

New deliveries have messages. The sweep sends retries after more than 15 minutes, and tasks whose message was lost. It
also probes receivers that were on hold or failed slowly, since no other call waits for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.ports import DueStore, WorkQueue
from feedward.services.sweep.sweep import DEFAULT_S, SweepReport, sweep_due
from feedward.services.webhooks.deliver import Deliverer
from feedward.services.webhooks.jobs import RESERVE_S, Jobs
from feedward.services.webhooks.ports import WebhookPorts
from feedward.webhooks.delivery import PACE, Job, TaskMessage, WebhookTask

PROBES_AT_ONCE: Final = 20


def sweep_tasks(*, store: DueStore[WebhookTask], ports: WebhookPorts, within_s: float = DEFAULT_S) -> SweepReport:
    """Send every task that is due now and was not sent yet, and probe the receivers that are due; see `sweep`."""
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    queue = _ProbesAside(ports.queue)
    report = sweep_due(PACE, store=store, queue=queue, clock=ports.clock, within_s=within_s)
    look_at(queue.probes, ports=ports, deadline=deadline)
    return report


def look_at(probes: Sequence[WebhookTask], *, ports: WebhookPorts, deadline: Deadline) -> None:
    """Probe receivers in parallel. Probes without time left go to the queue."""
    bound = ports.within(deadline)
    jobs = Jobs(bound, Deliverer.over(bound, is_patient=True), deadline)

    def look(task: WebhookTask) -> None:
        try:
            if deadline.left_s() >= RESERVE_S:
                jobs.run(task)
            else:
                bound.queue.send_batch([TaskMessage(entries=(task,), sent_at=ports.clock.now())])
        except FeedwardError:
            return  # its row is due again when its lease ends

    if probes:
        with ThreadPoolExecutor(PROBES_AT_ONCE, thread_name_prefix="feedward-probe") as pool:
            list(pool.map(look, probes))


@dataclass(slots=True)
class _ProbesAside:
    """Implements WorkQueue: sends messages as the queue does, but keeps their probes."""

    queue: WorkQueue
    probes: list[WebhookTask] = field(default_factory=list)

    def within(self, deadline: Deadline) -> _ProbesAside:
        """Return the same with a deadline; both keep the probes."""
        return replace(self, queue=self.queue.within(deadline))

    def send_batch(self, messages: Sequence[Any]) -> Sequence[Any]:
        """Return the accepted messages."""
        for message in messages:
            self.probes += [task for task in message.entries if task.what == Job.PROBE]
        rest = {id(each): _without_probes(each) for each in messages}
        left = [each for each in rest.values() if each.entries]
        sent = self.queue.send_batch(left) if left else ()
        return [each for each in messages if not rest[id(each)].entries or rest[id(each)] in sent]


def _without_probes(message: TaskMessage) -> TaskMessage:
    entries = tuple(task for task in message.entries if task.what != Job.PROBE)
    return TaskMessage(entries=entries, sent_at=message.sent_at, delay_s=message.delay_s, is_alone=message.is_alone)
