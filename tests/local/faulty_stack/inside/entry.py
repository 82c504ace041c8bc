"""The entry of the health check in a stack that is tried by faults: the function's own handler, over mortal services.

These tests add it to the function's archive; the function's own code is the shipped one.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from feedward import bootstrap
from feedward.adapters.fetching.resolver import Endpoint
from feedward.config import from_environment
from tests.local.faulty_stack.inside.controls import FOLDER_VARIABLE, Controls
from tests.local.faulty_stack.inside.mortal import (
    Lifespan,
    MortalCheckStore,
    MortalFetcher,
    MortalSweepStore,
    MovedClock,
    NotedQueue,
)

LOOPBACK: Final = "127.0.0.1"

controls = Controls(Path(os.environ[FOLDER_VARIABLE]))
lifespan = Lifespan(controls)


class FeedServer:
    """A resolver for which every name is served by the feed server of the test, and the policy that allows no other."""

    def resolve(self, _host: str, _port: int, *, within_s: float) -> Sequence[Endpoint]:
        """Answer as a Resolver."""
        return [Endpoint(LOOPBACK, controls.feed_port)]

    def allows(self, address: str) -> bool:
        """The address policy: no connection leaves this machine."""
        return address == LOOPBACK


class MortalServices(bootstrap.Services):
    """The function's services as deployed, except for its clock, its sleeps, its route to the feeds, and the deaths."""

    def __init__(self) -> None:
        server = FeedServer()
        guard = {"resolver": server, "address_policy": server.allows}
        super().__init__(from_environment(), guard=guard, clock=MovedClock(controls))
        self.sleep = lambda _: None  # the pause between two feeds of a host has tests of its own

    @cached_property
    def fetcher(self) -> Any:
        """The route to the feeds."""
        return MortalFetcher(super().fetcher, lifespan)

    @cached_property
    def checks(self) -> Any:
        """The reads and writes of checks."""
        return MortalCheckStore(super().checks, lifespan)

    @cached_property
    def sweeps(self) -> Any:
        """The feeds that are due."""
        return MortalSweepStore(super().sweeps, lifespan, controls)

    @cached_property
    def health_queue(self) -> Any:
        """The queue of checks."""
        return NotedQueue(super().health_queue, controls)


# `app` is the function's own module, next to this package in the archive.
handle = importlib.import_module("app").make_handler(MortalServices)


def handler(event: Mapping[str, Any], context: Any) -> Any:
    """Answer like the function, as long as this worker lives."""
    records = event.get("Records")
    if not records:
        lifespan.begin_task()
        return handle(event, context)
    lifespan.begin_batch(records, sum(len(json.loads(each["body"])["feeds"]) for each in records))
    try:
        return handle(event, context)
    finally:
        controls.note(what="done")
