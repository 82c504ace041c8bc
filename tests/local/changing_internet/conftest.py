"""One demo stack for all tests of this folder, which change its internet: each at hosts of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from feedward_local.demo.deployment import PHASE_FILE
from tests.local.stack_aws import StackAws
from tests.local.stack_process import StackProcess


class Running:
    """The running stack, from outside and from inside. A test may restart it."""

    def __init__(self, state: Path) -> None:
        """Start it; the first use of `aws` or of the process's address waits until it is ready."""
        self._state = state
        self.process = StackProcess(state, "--demo")

    @property
    def aws(self) -> StackAws:
        """Its AWS."""
        assert self.process.url
        return StackAws(self._state / "demo")

    def turn_to(self, phase: str) -> None:
        """Switch the internet to another phase."""
        (self._state / "demo" / PHASE_FILE).write_text(phase)

    def to_first_phase(self) -> None:
        """Undo the switch to another phase."""
        (self._state / "demo" / PHASE_FILE).unlink(missing_ok=True)

    def restart(self) -> None:
        """Stop it, so that it saves its state, and start it on this state."""
        self.process.stop()
        self.process = StackProcess(self._state, "--demo")


@pytest.fixture(scope="package")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("changing"))
    try:
        yield running
    finally:
        running.process.stop()


@pytest.fixture(scope="module")
def running(started: Running) -> Running:
    """The running stack. For each file, its internet begins with the first phase."""
    started.to_first_phase()
    return started
