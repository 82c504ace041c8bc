"""The seed files of a new directory: the project's own, and that of the demo's made-up internet."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SEED_FILE: Final = Path(__file__).parents[2] / "seed" / "feed-directory.json"
DEMO_SEED_FILE: Final = Path(__file__).parent / "demo" / "seed" / "feed-directory.json"


def shown_path(path: Path) -> str:
    """Return the path from the current folder, if the file is below it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
