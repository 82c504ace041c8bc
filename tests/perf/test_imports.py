"""What a cold start loads: nothing that the first request does not need, and not much more than the floor."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bench import cold_start

# Each costs more than all of feedward's own modules: 0.5 to 1.2 times the floor when it was measured.
NEVER = (
    "aws_xray_sdk",
    "pydantic",
    "boto3",
    "aws_lambda_powertools.event_handler",
    "publicsuffixlist",
    "selectolax",
    "requests",
    "asyncio",
    "feedward.feeds.parse",
)
# The target is 1.2. The test leaves room for what else runs on the machine; `make bench` prints the ratio itself.
RATIO_AT_MOST = 1.35


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", cold_start.CONTEXT + code],
        env=cold_start.environment(),
        cwd=cold_start.ROOT,
        text=True,
        capture_output=True,
        check=False,
    )


def loaded_by(code: str) -> set[str]:
    done = run(code + "\nimport json, sys; print(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    return loaded_by(cold_start.CANONICALIZE)


@pytest.mark.parametrize("module", NEVER)
def test_a_cold_start_does_not_load(module: str, loaded: set[str]) -> None:
    assert not [name for name in loaded if name == module or name.startswith(f"{module}.")]


def test_the_list_of_what_is_not_loaded_can_fail() -> None:
    assert "pydantic" in loaded_by("import pydantic")


def test_no_certificates_are_loaded_before_the_first_https_request() -> None:
    code = """
import ssl
made = []
create = ssl.create_default_context
ssl.create_default_context = lambda *arguments, **options: made.append(1) or create(*arguments, **options)
import app
fetcher = app.bootstrap.services().fetcher
assert made == []
fetcher.tls_context()
assert made == [1]
"""
    done = run(code)
    assert done.returncode == 0, done.stderr


def test_importing_the_handler_makes_no_client_and_reads_no_settings() -> None:
    code = """
import botocore.session
def refuse(*arguments, **options): raise AssertionError("a client was made")
botocore.session.Session.create_client = refuse
import os
for name in ("URLS_TABLE", "FEEDS_TABLE", "STATE_TABLE"): del os.environ[name]
import app
"""
    done = run(code)
    assert done.returncode == 0, done.stderr


def test_the_collector_works_again_after_the_start() -> None:
    done = run("import app, gc; assert gc.isenabled() and gc.get_freeze_count() > 1000")
    assert done.returncode == 0, done.stderr


def test_cold_start_costs_little_more_than_the_floor() -> None:
    floors, functions = cold_start.measure(rounds=5)

    assert cold_start.ratio(floors, functions) <= RATIO_AT_MOST
