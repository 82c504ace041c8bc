"""The wheel in an environment of its own: a library without AWS, and a command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = ROOT / ".tools" / "uv" / "bin" / "uv"
MADE_UP = (Path(__file__).parent / "made_up.py").read_text()
DOCUMENT = (ROOT / "docs" / "library.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL)
NEVER = ("boto3", "botocore", "aws_lambda_powertools", "protego", "tqdm")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command that finds only the packages of its own environment."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, check=False, timeout=240, env=variables
    )


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a clean environment that has the wheel, and its requests to the set-up."""
    folder = tmp_path_factory.mktemp("clean")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    install = (UV, "pip", "install", "--quiet", "--python", python, "--no-config", wheel)
    done = run(*install, "--offline")
    done = run(*install) if done.returncode else done  # on a machine whose cache has been emptied
    assert done.returncode == 0, done.stderr
    return python


def test_each_part_of_the_document_has_an_example_of_about_ten_lines() -> None:
    assert len(EXAMPLES) == len(re.findall(r"^## ", DOCUMENT, re.MULTILINE)) == 5
    assert max(len(code.strip().splitlines()) for code, _ in EXAMPLES) <= 13


@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=lambda text: text.splitlines()[0])
def test_an_example_prints_the_documented_output(python: Path, code: str, printed: str) -> None:
    done = run(python, "-I", "-c", f"{MADE_UP}\nexec({code!r}, {{}})")

    assert (done.stdout, done.stderr) == (printed, "")


def test_it_brings_nothing_of_aws(python: Path) -> None:
    code = "import importlib.util, sys; print([name for name in sys.argv[1:] if importlib.util.find_spec(name)])"

    assert run(python, "-I", "-c", code, *NEVER).stdout == "[]\n"


def test_it_is_typed_and_fetches_with_the_guard_by_default(python: Path) -> None:
    code = """
from importlib.resources import files
from feedward import canonicalize, discover
assert files("feedward").joinpath("py.typed").is_file()
print(canonicalize("http://127.0.0.1/feed").outcome, discover("http://169.254.169.254/").outcome)
"""
    done = run(python, "-I", "-c", code)

    assert (done.stdout, done.stderr) == ("blocked blocked\n", "")


@pytest.mark.parametrize("command", [("-m", "feedward"), ("-I", "-m", "feedward_local.command")])
def test_the_command_line_runs_as_a_module(python: Path, command: tuple[str, ...]) -> None:
    assert re.fullmatch(r"feedward \d+\.\d+\.\d+\n", run(python, *command, "--version").stdout)
    assert run(python.parent / "feedward", "canonicalize", "--help").returncode == 0


def test_a_command_says_which_extra_it_needs(python: Path) -> None:
    done = run(python, "-m", "feedward", "canonicalize", "http://127.0.0.1/feed")

    assert (done.returncode, "pip install 'feedward[cli]'" in done.stderr) == (1, True)
