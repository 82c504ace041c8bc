"""One demo stack for all tests of this folder that only ask it questions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.local.stack_process import StackProcess


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackProcess]:
    """The whole stack beside the made-up internet."""
    running = StackProcess(tmp_path_factory.mktemp("stack"), "--demo")
    try:
        assert running.url
        yield running
    finally:
        running.stop()
