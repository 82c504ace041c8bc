"""Each rule about versions (rules V1 to V6) has a test with its number, and a line in docs/lineage.md."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RULES = ("V2.1", "V2.2", "V2.3", "V3.1", "V3.2", "V3.3", "V4.1", "V4.2", "V4.3", "V5", "V6.1", "V6.2", "V6.3", "V6.4")


@functools.cache
def names_of_tests() -> set[str]:
    texts = (path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_test(rule: str) -> None:
    start = f"test_rule_{rule.lower().replace('.', '_')}_"
    assert any(name.startswith(start) for name in names_of_tests())


def test_the_document_has_every_rule() -> None:
    table = (ROOT / "docs" / "lineage.md").read_text().partition("| rule |")[2]
    assert tuple(re.findall(r"^\| (V\d(?:\.\d)?) ", table, re.MULTILINE)) == RULES
