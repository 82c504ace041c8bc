"""The index function: records of FeedsTable's stream, and the scheduled maintenance of the search index."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.messages.index_event import Task, answer_stream, decode_stream, decode_task
from feedward.messages.partial_batch import is_batch
from feedward.observability.log import logged
from feedward.observability.search import record_indexed, record_maintained
from feedward.services.search.index_feeds import index_feeds

Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


def do_task(task: Task, ports: bootstrap.Services) -> dict[str, Any]:
    """Do the task of a schedule or of a manual call, and return its report. Records do not load this."""
    from feedward.services.search.maintain_index import maintain_index, rebuild_index  # noqa: PLC0415

    done = rebuild_index(ports=ports) if task is Task.REBUILD else maintain_index(ports=ports)
    record_maintained(done)
    return {"did": done.did.value, "documents": done.documents}


def index_records(event: Mapping[str, Any], ports: bootstrap.Services) -> dict[str, Any]:
    """Index the feeds in a batch of records, and return the first record to receive again."""
    batch = decode_stream(event)
    indexed = index_feeds(batch.feed_ids, ports=ports)
    record_indexed(indexed, oldest_at=batch.oldest_at, now=ports.clock.now())
    return answer_stream(batch, indexed.done, indexed.error)


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Handler:
    """Return a Lambda handler. `build_services` is called once, when the services are first needed."""
    services = functools.cache(build_services)

    def handle(event: Mapping[str, Any], _context: Any) -> dict[str, Any]:
        return index_records(event, services()) if is_batch(event) else do_task(decode_task(event), services())

    return logged(handle)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
