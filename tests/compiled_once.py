"""In a new checkout the first worker compiles the tests, and the others load what it has compiled.

Rewriting the assertions of all tests takes longer than all other parts of a collection, and each worker did it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

FIRST: Final = "gw0"
WITHIN_S: Final = 300
_CACHE: Final = Path(__file__).parent / "unit" / "__pycache__"


class CompiledOnce:
    """The plugin of the process that starts the workers."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="feedward-tests-")
        self._mark = Path(self._folder.name, "compiled")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell every worker but the first what to wait for."""
        if node.gateway.id != FIRST:
            node.workerinput["compiled"] = str(self._mark)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self) -> None:
        """The first worker has compiled all files, or fails."""
        self._mark.touch()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self) -> None:
        """Let nothing wait for a worker that has ended."""
        self._mark.touch()

    def pytest_unconfigure(self) -> None:
        """Remove the mark."""
        self._folder.cleanup()


class Waiting:
    """The plugin of a worker that loads what the first one compiles."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        """Begin once the files are compiled."""
        ends_at = time.monotonic() + WITHIN_S
        while not self._mark.exists() and time.monotonic() < ends_at:
            time.sleep(0.2)
        return (yield)


def register(config: pytest.Config) -> None:
    """Register the plugin of this process, if the checkout is new."""
    mark = getattr(config, "workerinput", {}).get("compiled")
    if mark:
        config.pluginmanager.register(Waiting(Path(mark)), "waiting")
    elif not hasattr(config, "workerinput") and not _CACHE.exists():
        config.pluginmanager.register(CompiledOnce(), "compiled_once")
