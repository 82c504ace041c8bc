"""One demo stack for all tests of this folder, which change no phase of its internet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from feedward_local.demo.sites import load_sites
from tests.local.stack_process import StackProcess

BATCH = 50


@pytest.fixture(scope="package")
def new_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackProcess]:
    """The whole stack with the made-up internet and an empty directory. The functions' roles are enforced."""
    running = StackProcess(tmp_path_factory.mktemp("stack"), "--demo", "--iam")
    try:
        assert running.url
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="package")
def answers(new_stack: StackProcess) -> dict[str, Any]:
    """The API's answers for each URL that the sites file suggests to try, requested before any feed is registered."""
    urls = [one.url for one in load_sites().tries]
    entries: list[dict[str, Any]] = []
    for start in range(0, len(urls), BATCH):
        entries += new_stack.canonicalize(urls=urls[start : start + BATCH])["results"]
    return dict(zip(urls, entries, strict=True))


@pytest.fixture
def stack(new_stack: StackProcess, answers: dict[str, Any]) -> StackProcess:
    """The stack, after the stories were requested: tests may register feeds."""
    return new_stack
