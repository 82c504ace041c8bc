"""Each rule of the normalization contract has a test with its number, and a line in docs/lineage.md."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RULES = ("2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "5", "6.1", "6.2", "6.3", "6.4")


@functools.cache
def names_of_tests() -> set[str]:
    texts = (path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_test(rule: str) -> None:
    start = f"test_contract_{rule.replace('.', '_')}_"
    assert any(name.startswith(start) for name in names_of_tests())


def test_the_document_has_every_rule() -> None:
    table = (ROOT / "docs" / "lineage.md").read_text().partition("| rule |")[2]
    assert tuple(re.findall(r"^\| (\d(?:\.\d)?) ", table, re.MULTILINE)) == RULES
