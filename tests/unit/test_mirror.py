"""tests/unit has the folders of the packages, and a test that is called like a module stands where the module does."""

from __future__ import annotations

import functools
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "layers" / "feedward" / "feedward"
LOCAL = ROOT / "local" / "feedward_local"
# The bench has a flat folder, and so have its tests.
BENCH = Path("bench")
TESTS = sorted((ROOT / "tests" / "unit").rglob("test_*.py"))


def folder_of(test: Path) -> Path:
    return test.parent.relative_to(ROOT / "tests" / "unit")


def is_local(test: Path) -> bool:
    return folder_of(test).parts[:1] == ("local",)


def package_of(test: Path) -> Path:
    """The folder of the package that the folder of a test mirrors."""
    folder = folder_of(test)
    return LOCAL / folder.relative_to("local") if is_local(test) else PACKAGE / folder


@functools.cache
def places(package: Path) -> dict[str, set[Path]]:
    """The folders of a package in which there is a module of a name."""
    found = defaultdict[str, set[Path]](set)
    for path in package.rglob("*.py"):
        found[path.stem].add(path.parent)
    return found


@pytest.mark.parametrize("test", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_test_stands_in_a_folder_of_the_package(test: Path) -> None:
    assert folder_of(test) == BENCH or (package_of(test) / "__init__.py").exists()


@pytest.mark.parametrize(
    "test",
    # Tests of services are named after their actions, which may be the name of a module elsewhere.
    [path for path in TESTS if folder_of(path) != BENCH and "services" not in folder_of(path).parts],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_test_called_like_a_module_stands_where_it_does(test: Path) -> None:
    found = places(LOCAL if is_local(test) else PACKAGE).get(test.stem.removeprefix("test_"))

    assert not found or package_of(test) in found
