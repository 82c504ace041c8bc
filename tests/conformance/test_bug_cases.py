"""Bugs of other projects, with the right ending: each story names the tests that tell it here, or is disputed.

bug_cases.json has the tests of each story of the areas health, http, import, search and store. The
expectations of the stories are beside the checkout, where that is.
"""

from __future__ import annotations

import ast
import functools
import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STORIES = ROOT.parent / "shared" / "conformance" / "bug-cases.json"
AREAS = ("health", "http", "import", "search", "store")
DISPUTED: dict[str, str] = json.loads((HERE / "disputed.json").read_text())
TESTS_OF: dict[str, list[str]] = json.loads((HERE / "bug_cases.json").read_text())


@functools.cache
def names_in(path: str) -> frozenset[str]:
    """The names of the tests in a file."""
    tree = ast.parse((ROOT / path).read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("story", sorted(TESTS_OF))
def test_a_story_is_told_by_tests_or_disputed(story: str) -> None:
    named = [test.partition("::") for test in TESTS_OF[story]]

    assert named or DISPUTED[story]
    assert [name for path, _, name in named if name not in names_in(path)] == []


def test_every_story_of_these_areas_is_there() -> None:
    if not STORIES.exists():
        pytest.skip("the stories are beside the checkout, and not in this clone (../shared/conformance)")
    stories = json.loads(STORIES.read_text())
    assert {story["id"] for story in stories if story["area"] in AREAS} == set(TESTS_OF)
