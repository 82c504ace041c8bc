"""The wheel in an environment of its own: a library without AWS, and a command line."""

from __future__ import annotations

import json
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
PROGRAM = """
import asyncio
from collections.abc import Sequence

from feedward import (
    CanonicalizeOptions, Feed, Fetcher, FetchResult, InvalidInput, Item, Kind, Known, Outcome, Rejection, canonicalize,
    discover, key, parse_feed,
)

BODY = b"<rss version='2.0'><channel><title>Mine</title><item><title>One</title></item></channel></rss>"


class Mine:
    def fetch(self, url: str, **options: object) -> FetchResult:
        found = url.endswith("/feed")
        return FetchResult(url=url, outcome=Outcome.OK if found else Outcome.NOT_FOUND, body=BODY if found else b"")


def known(urls: Sequence[str]) -> Known | None:
    return None


def titles(feed: Feed | Rejection) -> list[str | None]:
    items: tuple[Item, ...] = () if isinstance(feed, Rejection) else feed.items
    return [item.title for item in items]


async def clean(count: int) -> set[str | None]:
    urls = [f"https://{number}.example/feed" for number in range(count)]
    found = await asyncio.gather(*(asyncio.to_thread(canonicalize, url, fetcher=fetcher) for url in urls))
    return {result.url for result in found}


fetcher: Fetcher = Mine()
options = CanonicalizeOptions(max_requests=1)
url: str | None = canonicalize("mine.example/feed", fetcher=fetcher, options=options, exists=known, within_s=2).url
outcome: str = discover("https://mine.example/x/", fetcher=fetcher, intent=Kind.COMMENTS).outcome
try:
    key("no url")
except InvalidInput as error:
    assert titles(parse_feed(BODY)) == ["One"]
    print(url, len(asyncio.run(clean(8))), outcome, error.field)
"""
NEVER = ("boto3", "botocore", "aws_lambda_powertools", "protego", "tqdm")


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command that finds only the packages of its own environment."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(each) for each in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=variables,
        cwd=cwd,
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


@pytest.mark.parametrize("command", ["canonicalize", "discover"])
def test_the_command_line_answers_without_the_packages_of_its_extra(python: Path, command: str) -> None:
    done = run(python, "-m", "feedward", command, "--json", "http://127.0.0.1/feed", "no url")

    first, second = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (1, "")
    assert first["outcome"] == "blocked"
    assert second["outcome"] == "bad_url"


def test_a_strict_type_checker_accepts_a_program_that_uses_it(python: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    checker = (sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--python-executable", python)

    done = run(*checker, program, cwd=tmp_path)

    assert (done.stdout, done.returncode) == ("Success: no issues found in 1 source file\n", 0)
    assert run(python, "-I", program).stdout == "https://mine.example/feed 8 found url\n"


def test_a_command_says_which_extra_it_needs(python: Path) -> None:
    done = run(python, "-m", "feedward", "canonicalize", "--demo", "https://garden.example/feed")

    assert (done.returncode, "pip install 'feedward[cli]'" in done.stderr) == (1, True)
