"""tests/unit has the folders of the package, and a test that is called like a module stands where the module does."""

from __future__ import annotations

import functools
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "layers" / "feedward" / "feedward"
# Of the other packages: the tests of each are in a flat folder of its name.
OTHERS = {"bench", "local"}
TESTS = sorted((ROOT / "tests" / "unit").rglob("test_*.py"))


def folder_of(test: Path) -> Path:
    return test.parent.relative_to(ROOT / "tests" / "unit")


@functools.cache
def places() -> dict[str, set[Path]]:
    """The folders of the package in which there is a module of a name."""
    found = defaultdict[str, set[Path]](set)
    for path in PACKAGE.rglob("*.py"):
        found[path.stem].add(path.parent.relative_to(PACKAGE))
    return found


@pytest.mark.parametrize("test", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_test_stands_in_a_folder_of_the_package(test: Path) -> None:
    folder = folder_of(test)

    assert str(folder) in OTHERS or (PACKAGE / folder / "__init__.py").exists()


@pytest.mark.parametrize(
    "test",
    # Tests of services are named after their actions, which may be the name of a module elsewhere.
    [path for path in TESTS if str(folder_of(path)) not in OTHERS and "services" not in folder_of(path).parts],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_test_called_like_a_module_stands_where_it_does(test: Path) -> None:
    found = places().get(test.stem.removeprefix("test_"))

    assert not found or folder_of(test) in found
