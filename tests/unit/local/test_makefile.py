"""The Makefile sets up missing and outdated parts, and otherwise does nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
DONE = "Nothing to be done"


def make(folder: Path, *arguments: str) -> str:
    """The commands that make would run, or the output of `help`."""
    command = ["make", "-C", str(folder), "--no-print-directory", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    return done.stdout + done.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a space in its name, set up with this Python, as far as make can see."""
    folder = tmp_path / "a checkout"
    (folder / "requirements").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", *(f"requirements/{one.name}" for one in ROOT.glob("requirements/*"))):
        shutil.copyfile(ROOT / name, folder / name)
    (folder / ".tools" / "uv" / "bin").mkdir(parents=True)
    (folder / ".tools" / "uv" / "bin" / "uv").touch()
    for environment in (".venv", ".tools/ministack"):
        (folder / environment).mkdir()
        (folder / environment / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion_info = {VERSION}.1\n")
        (folder / environment / ".ready").write_text(str(folder))
    return folder


@pytest.mark.parametrize("asked", [(), (f"PYTHON={sys.executable}",)])
def test_a_second_set_up_does_nothing(checkout: Path, asked: tuple[str, ...]) -> None:
    assert DONE in make(checkout, "-n", "setup", *asked)


def test_a_checkout_that_has_moved_is_set_up_anew(checkout: Path) -> None:
    told = make(checkout.rename(checkout.with_name("elsewhere")), "-n", "setup")
    assert "setting up .venv" in told
    assert "setting up MiniStack" in told
    assert "--clear" in told


def test_another_version_of_python_is_set_up_when_it_is_asked_for(checkout: Path) -> None:
    (checkout / ".venv" / "pyvenv.cfg").write_text("version_info = 3.10.4\n")
    assert DONE in make(checkout, "-n", "setup")
    told = make(checkout, "-n", "setup", f"PYTHON={sys.executable}")
    assert "setting up .venv" in told
    assert "setting up MiniStack" not in told


@pytest.mark.parametrize(
    "changed", ["requirements/dev.txt", "requirements/ministack.txt", "pyproject.toml", ".tools/uv/bin/uv"]
)
def test_a_changed_source_of_an_environment_sets_it_up_again(checkout: Path, changed: str) -> None:
    told = make(checkout, "-n", "setup", "--what-if", changed)
    assert "setting up" in told
    assert "--clear" not in told


@pytest.mark.parametrize("script", ["echo 3.10; exit 1", "exit 127"])
def test_a_python_that_will_not_do_leaves_the_environment_alone(checkout: Path, script: str) -> None:
    other = checkout / "python"
    other.write_text(f"#!/bin/sh\n{script}\n")
    other.chmod(0o755)
    assert "Error" in make(checkout, "setup", "PYTHON=./python")
    assert (checkout / ".venv" / "pyvenv.cfg").exists()


def test_help_lists_every_target_that_a_person_types() -> None:
    text = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^\.PHONY: (\S+)$", text, re.MULTILINE)) - {"anew"}
    listed = dict(re.findall(r"^  (\S+) +(\S.*)$", make(ROOT, "help"), re.MULTILINE))
    assert listed.keys() == targets
    assert {"help", "setup", "run", "demo", "test", "lint", "bench", "build", "deploy"} <= targets


@pytest.mark.parametrize("slower", ["stacks", "others"])
@pytest.mark.parametrize(("stacks", "others", "is_right"), [(0, 0, True), (1, 0, False), (0, 1, False), (1, 1, False)])
def test_the_tests_fail_if_those_of_stacks_or_the_others_fail(
    checkout: Path, slower: str, stacks: int, others: int, is_right: bool
) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir()
    python.write_text(
        f"""#!/bin/sh
case "$*" in *--ignore*) part=others code={others};; *) part=stacks code={stacks};; esac
test $part != {slower} || sleep 0.3
echo $part ended
exit $code
"""
    )
    python.chmod(0o755)

    told = make(checkout, "test")

    assert {"stacks  stacks ended", "others  others ended"} <= set(told.splitlines())
    assert ("Error" not in told) is is_right
