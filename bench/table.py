"""Prints rows under a heading, aligned, first column to the left and the others to the right."""

from __future__ import annotations

from collections.abc import Sequence


def print_table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print `rows` under `title`, each column as wide as its widest cell."""
    widths = [max(len(line[column]) for line in (heading, *rows)) for column in range(len(heading))]
    print(f"\n{title}")
    for line in (heading, *rows):
        cells = [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        print("  " + "  ".join(cells), flush=True)
