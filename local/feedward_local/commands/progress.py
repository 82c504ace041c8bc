"""Progress bars of the command line, on stderr. Without tqdm, which the extra `cli` brings, there is no bar."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from typing import Protocol


class Bar(Protocol):
    """A progress bar: `n` of `total` units are done."""

    total: float | None
    n: float

    def update(self, n: float | None = 1) -> bool | None:
        """Add finished units."""
        ...

    def clear(self) -> None:
        """Remove the bar from the terminal until its next update."""
        ...


class _NoBar:
    """A bar that is not shown."""

    def __init__(self) -> None:
        self.total: float | None = None
        self.n: float = 0

    def update(self, n: float | None = 1) -> bool | None:
        self.n += n or 0
        return None

    def clear(self) -> None:
        """Do nothing."""


@contextmanager
def progress_bar(unit: str, *, total: float | None = None, wanted: bool = True) -> Iterator[Bar]:
    """Show a bar while the context is open, if it is wanted and tqdm is installed."""
    if not wanted or find_spec("tqdm") is None:
        yield _NoBar()
        return
    from tqdm import tqdm  # noqa: PLC0415 - most commands show no bar

    with tqdm(total=total, unit=unit, file=sys.stderr, leave=False) as bar:
        yield bar


def beside_bars() -> AbstractContextManager[object]:
    """Return the context in which lines may be printed without tearing the bars that are shown."""
    shown = sys.modules.get("tqdm")
    return shown.tqdm.external_write_mode(file=sys.stderr) if shown else nullcontext()
