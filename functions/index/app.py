"""The index function: records of FeedsTable's stream, and the scheduled maintenance of the search index."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.deadline import Deadline, call_time_s
from feedward.messages.index_event import Task, answer_stream, decode_stream, decode_task
from feedward.messages.partial_batch import is_batch
from feedward.observability.log import logged
from feedward.observability.search import record_indexed, record_maintained
from feedward.services.search.index_feeds import index_feeds

# An attempt that starts at the deadline has this long: sending a file to the bucket takes the longest.
LONGEST_ATTEMPT_S = 25.0
Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


def do_task(task: Task, ports: bootstrap.Services, deadline: Deadline) -> dict[str, Any]:
    """Do the task of a schedule or of a manual call, and return its report. Records do not load this."""
    from feedward.services.search.maintain_index import maintain_index, rebuild_index  # noqa: PLC0415

    work = rebuild_index if task is Task.REBUILD else maintain_index
    done = work(ports=ports, deadline=deadline)
    record_maintained(done)
    return {"did": done.did.value, "documents": done.documents}


def index_records(event: Mapping[str, Any], ports: bootstrap.Services, deadline: Deadline) -> dict[str, Any]:
    """Index the feeds in a batch of records, and return the first record to receive again."""
    batch = decode_stream(event)
    indexed = index_feeds(batch.feed_ids, ports=ports, deadline=deadline)
    record_indexed(indexed, oldest_at=batch.oldest_at, now=ports.clock.now())
    return answer_stream(batch, indexed.done, indexed.error)


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Handler:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        ports = services()
        deadline = Deadline.after(call_time_s(context) - LONGEST_ATTEMPT_S, ports.clock.monotonic)
        if is_batch(event):
            return index_records(event, ports, deadline)
        return do_task(decode_task(event), ports, deadline)

    return logged(handle)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
