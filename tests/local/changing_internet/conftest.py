"""One demo stack for all tests of this folder, which change its internet: each at hosts of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from feedward_local.demo.deployment import PHASE_FILE
from tests.local.stack_process import StackProcess


@dataclass(slots=True)
class Running:
    """The running stack, which a test may restart."""

    process: StackProcess

    def restart(self) -> None:
        """Stop it, so that it saves its state, and start it on this state."""
        state = self.process.state
        self.process.stop()
        self.process = StackProcess(state, "--demo")
        assert self.process.url


@pytest.fixture(scope="package")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(StackProcess(tmp_path_factory.mktemp("changing"), "--demo"))
    try:
        assert running.process.url
        yield running
    finally:
        running.process.stop()


@pytest.fixture
def running(started: Running) -> Running:
    """The running stack, in the first phase of its internet."""
    (started.process.state / "demo" / PHASE_FILE).unlink(missing_ok=True)
    return started
