"""tests/unit has the folders of the packages, and a test that is called like a module stands where the module does."""

from __future__ import annotations

import functools
from collections import defaultdict
from pathlib import Path

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


def is_in_a_folder_of_its_package(test: Path) -> bool:
    return folder_of(test) == BENCH or (package_of(test) / "__init__.py").exists()


def stands_where_its_module_does(test: Path) -> bool:
    # Tests of services are named after their actions, which may be the name of a module elsewhere.
    if folder_of(test) == BENCH or "services" in folder_of(test).parts:
        return True
    found = places(LOCAL if is_local(test) else PACKAGE).get(test.stem.removeprefix("test_"))
    return not found or package_of(test) in found


def test_each_test_stands_in_a_folder_of_the_package() -> None:
    assert [str(test) for test in TESTS if not is_in_a_folder_of_its_package(test)] == []


def test_each_test_called_like_a_module_stands_where_it_does() -> None:
    assert [str(test) for test in TESTS if not stands_where_its_module_does(test)] == []


def test_a_test_in_another_folder_is_seen() -> None:
    tests = ROOT / "tests" / "unit"

    assert not is_in_a_folder_of_its_package(tests / "fetchers" / "test_body.py")
    assert not stands_where_its_module_does(tests / "feeds" / "test_bot_wall.py")
    assert stands_where_its_module_does(tests / "pages" / "test_bot_wall.py")
