"""The directory function over a made-up internet that is collected as soon as anything is sent for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from feedward.frontier.messages import JobMessage
from feedward.ports.work import Message
from feedward.services.collect.collect_batch import collect_batch
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.run_jobs import run_job_step
from tests.fakes.directory import FakeDirectory
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.fakes.frontier_queue import FakeFrontierQueue
from tests.functions.conftest import load_function
from tests.functions.directory_function import DirectoryFunction
from tests.unit.services.collect.collecting import Collecting


class CollectingDirectory:
    """The pages are in `world`, the tests call `function`. While it `sleeps` no work is done."""

    def __init__(self, network: Mapping[str, Mapping[str, Any]]) -> None:
        self.world = Collecting(network)
        self.queue = WorkedQueue()
        self.queue.ports = replace(self.world.ports, queue=self.queue)
        directory = FakeDirectory({})
        ports = DirectoryParts(directory, self.queue.ports)
        handler = load_function("directory").make_handler(lambda: ports)
        self.function = DirectoryFunction(directory, ports, handler)


class DirectoryParts(FakeDirectoryParts):
    """The parts of the directory function, with those of collecting."""

    def __init__(self, directory: FakeDirectory, collect: CollectPorts) -> None:
        super().__init__(directory)
        self.collect = collect


class WorkedQueue(FakeFrontierQueue):
    """A queue whose messages are processed as they are sent, unless the worker sleeps."""

    ports: CollectPorts
    sleeps = False

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        taken = super().send_batch(messages)
        if not self.sleeps:
            self.work()
        return taken

    def work(self) -> None:
        """Process all waiting messages."""
        collect_batch(self.take(), ports=self.ports, do_job=self._do_job, within_s=600.0)

    def _do_job(self, message: JobMessage, left_s: float) -> None:
        rekeys: Any = None
        run_job_step(message, ports=self.ports, rekeys=rekeys, within_s=left_s)
