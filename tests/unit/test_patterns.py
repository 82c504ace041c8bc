"""Regular expressions mean the same on every Python from 3.11.0 on."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "layers" / "feedward" / "feedward"
# Before 3.11.5 a group that is repeated possessively leaves the position moved when a round fails midway
# (https://github.com/python/cpython/issues/106052).
POSSESSIVE_GROUP = re.compile(r"(?<!\()\)(?:[*+?]|\{[^()\[\]|\\?]*?\})\+")
# Here a round fails midway only where the whole pattern fails, or at the end of the text. Others use `run_of`.
HARMLESS = {"feeds/text.py": 2, "feeds/jsonfeed.py": 2}


def test_no_group_is_repeated_possessively_where_a_round_can_fail_midway() -> None:
    files = {str(path.relative_to(PACKAGE)): path.read_text() for path in PACKAGE.rglob("*.py")}
    found = {name: len(POSSESSIVE_GROUP.findall(text)) for name, text in files.items()}

    assert {name: number for name, number in found.items() if number} == HARMLESS
