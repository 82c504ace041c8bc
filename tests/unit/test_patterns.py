"""Regular expressions mean the same on every Python from 3.11.0 on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "layers" / "feedward" / "feedward"
# Before 3.11.5 a group that is repeated possessively leaves the position moved when a round fails midway
# (https://github.com/python/cpython/issues/106052).
POSSESSIVE_GROUP = re.compile(r"(?<!\()\)(?:[*+?]|\{[^()\[\]|\\?]*?\})\+")
# Here a round fails midway only where the whole pattern fails, or at the end of the text. Others use `run_of`.
HARMLESS = {"feeds/text.py": 2, "feeds/jsonfeed.py": 2}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_group_is_repeated_possessively_where_a_round_can_fail_midway(path: Path) -> None:
    found = POSSESSIVE_GROUP.findall(path.read_text())
    assert len(found) == HARMLESS.get(str(path.relative_to(PACKAGE)), 0)
