"""The discover function: API requests, and messages of DiscoverQueue. Each: decode, call one service, encode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.api.discover_routes import discover_routes
from feedward.api.event import Event
from feedward.api.router import Api
from feedward.deadline import Deadline, task_time_s
from feedward.errors import WorkerLost
from feedward.messages.partial_batch import Received, Worker, answer_batch, is_batch, reason_of
from feedward.observability.log import logged

# A message that killed three workers fails at each further receive, until it is in the dead-letter queue. The first
# receive is not counted: two messages of one job may run at the same time without a death.
COUNTED_DEATHS_AT_MOST = 2


def make_worker(services: Callable[[], bootstrap.Services]) -> Worker:
    """Return the worker for messages of the queue. Its imports are local, so that requests do not load them."""

    def work(received: Received, within_s: float) -> None:
        from feedward.messages.discover_message import decode_message, message_id  # noqa: PLC0415
        from feedward.services.work.poison_tasks import begun_task  # noqa: PLC0415

        message, known = decode_message(received.body), services()
        task = partial(begun_task, begun=known.begun, now=known.clock.now(), at_most=COUNTED_DEATHS_AT_MOST)
        with task(message_id(message)) if received.receives > 1 else nullcontext(False) as has_killed:
            if has_killed:
                raise WorkerLost("workers died while processing this message")
            discover(message, known, Deadline.after(within_s, known.clock.monotonic))

    def give_up(body: object, error: Exception) -> None:
        from feedward.messages.discover_message import DiscoverJob, decode_message  # noqa: PLC0415
        from feedward.services.discover.discover_site import fail_job  # noqa: PLC0415

        if isinstance(message := decode_message(body), DiscoverJob):
            fail_job(message.job_id, reason_of(error), directory=services())

    return Worker(work=work, give_up=give_up)


def discover(message: Any, directory: bootstrap.Services, deadline: Deadline) -> None:
    """Run the discovery or the revival of a message, and emit its metrics."""
    from feedward.messages.discover_message import DiscoverJob, SubscriptionCreated  # noqa: PLC0415
    from feedward.observability.discover import record_discovery, record_foreign, record_revival  # noqa: PLC0415
    from feedward.services.discover.discover_site import run_job  # noqa: PLC0415
    from feedward.services.revive.revive import revive  # noqa: PLC0415
    from feedward.services.subscribe.discover import Foreign, discover_for_subscription  # noqa: PLC0415

    if isinstance(message, DiscoverJob):
        record_discovery(run_job(message.job_id, directory=directory, deadline=deadline))
    elif isinstance(message, SubscriptionCreated):
        found = discover_for_subscription(message.detail, directory=directory, deadline=deadline)
        if isinstance(found, Foreign):
            record_foreign("subscription", found.subscription_id)
        else:
            record_discovery(found)
    else:
        record_revival(revive(message, directory=directory, deadline=deadline))


def reconcile(event: Event, context: Any, ports: bootstrap.Services) -> dict[str, Any]:
    """Reconcile unfinished work in a deployment without the health check. Return the report."""
    from feedward.messages.discover_message import decode_task  # noqa: PLC0415
    from feedward.observability.health import record_reconciliation  # noqa: PLC0415
    from feedward.services.sweep.reconcile import reconcile_directory  # noqa: PLC0415

    decode_task(event)
    reconciled = reconcile_directory(ports=ports, within_s=task_time_s(context))
    record_reconciliation(reconciled)
    return asdict(reconciled)


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Callable[[Event, Any], dict[str, Any]]:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)
    api, worker = Api(discover_routes(services), services), make_worker(services)

    def handle(event: Event, context: Any) -> dict[str, Any]:
        if is_batch(event):
            return answer_batch(event, context, worker)
        if "do" in event:
            return reconcile(event, context, services())
        return api.answer(event, context)

    return logged(handle)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
