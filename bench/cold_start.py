"""The cost of a cold start above its floor: processor time of fresh processes, paired and interleaved.

The floor is the cost of any function on this stack: a boto3 client for DynamoDB and the Powertools Logger. Both sides
run the same interpreter with compiled code, and the lowest of several rounds counts, since noise only adds.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.table import print_table

ROOT = Path(__file__).parents[1]
ROUNDS = 9
FLOOR = """
import boto3
from aws_lambda_powertools import Logger
boto3.client("dynamodb")
Logger()
"""
# All steps of the first request: the handler's module, the services, and the routes.
START = """
import app
from feedward import bootstrap
services = bootstrap.services()
services.store, services.fetcher  # created by a first request
said = {{"verdict": "ok", "tenant": "_self", "key_id": "4fT9xQ2LmB7c", "scope": "operator", "expires_at": 0}}
asked = {{"version": "2.0", "routeKey": "{route}", "rawPath": "", "headers": {{}}}}
app.handler({{**asked, "requestContext": {{"authorizer": {{"lambda": said}}}}}}, Context())
"""
BATCH = """
import app
from feedward import bootstrap
services = bootstrap.services()
services.store, services.fetcher  # created by a first request
app.handler({"Records": []}, Context())
"""
AUTHORIZE = """
import app
app.handler({"version": "2.0", "identitySource": ["Bearer nonsense"]}, Context())  # no key, so no request is sent
"""
PAGE = """
import app
app.handler({"version": "2.0", "routeKey": "GET /", "rawPath": "/", "headers": {"accept-encoding": "gzip"}}, Context())
"""
CANONICALIZE = START.format(route="GET /v1/health")
DISCOVER = START.format(route="GET /v1/sites/{id}")  # not an id, so no request is sent
DIRECTORY = START.format(route="GET /v1/feeds/{id}")  # the same
PUSH = START.format(route="POST /v1/push/{feed}/{token}")  # not a callback, so no request is sent
CONTEXT = """
class Context:
    function_name = invoked_function_arn = aws_request_id = "canonicalize"
    memory_limit_in_mb = 1024
    def get_remaining_time_in_millis(self): return 25000
"""
# Names and sizes depend neither on the machine nor on the location of the code.
LOADED = """
import json, sys
from types import CodeType
def size(code):
    return len(code.co_code) + sum(size(each) for each in code.co_consts if isinstance(each, CodeType))
own = [name for name in sys.modules if name.partition(".")[0] in ("app", "feedward")]
code = [sys.modules[name].__spec__.loader.get_code(name) for name in own]
print(json.dumps({"modules": sorted(sys.modules), "own": own, "code": sum(map(size, code))}))
"""
MEASURE = """
import time
{setup}
start = time.process_time()
{code}
print(time.process_time() - start)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The measured installation: an interpreter, and the folders of the function and of its layer."""

    python: str
    folders: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The loaded modules of a start: all by name, the project's own, and the bytes of their code."""

    modules: frozenset[str]
    own_modules: frozenset[str]
    code: int


def source_of(function: str) -> Installation:
    """The function in this checkout."""
    return Installation(python=sys.executable, folders=(ROOT / "functions" / function, ROOT / "layers/feedward"))


STARTS = {
    "authorize": AUTHORIZE,
    "canonicalize": CANONICALIZE,
    "discover": DISCOVER,
    "directory": DIRECTORY,
    "health_check": BATCH,
    "collect": BATCH,
    "index": BATCH,
    "notify": BATCH,
    "page": PAGE,
    "push": PUSH,
}
SOURCE = source_of("canonicalize")


def seconds_of(code: str, installation: Installation = SOURCE) -> float:
    """Processor seconds of `code` in a fresh process, without the interpreter's own start."""
    done = run(MEASURE.format(setup=CONTEXT, code=code), installation)
    done.check_returncode()
    return float(done.stdout.split()[-1])


def loaded_by(code: str, installation: Installation = SOURCE) -> Loaded:
    """The modules loaded in a fresh process after `code` has run."""
    done = run(CONTEXT + code + LOADED, installation)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return Loaded(modules=frozenset(found["modules"]), own_modules=frozenset(found["own"]), code=found["code"])


def run(code: str, installation: Installation = SOURCE) -> subprocess.CompletedProcess[str]:
    """Run `code` in a fresh process, as the function is deployed."""
    return subprocess.run(
        [installation.python, "-c", code],
        env=environment(installation),
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )


def environment(installation: Installation = SOURCE) -> dict[str, str]:
    """A deployed function's environment, with no variable of this machine."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": os.pathsep.join(map(str, installation.folders)),
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "URLS_TABLE": "urls",
        "FEEDS_TABLE": "feeds",
        "TENANTS_TABLE": "tenants",
        "WEBHOOKS_TABLE": "webhooks",
        "WEBHOOK_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/000000000000/webhooks",
        "WEBHOOK_KEY_ARN": "arn:aws:kms:us-east-1:000000000000:key/0",
        "STATE_TABLE": "state",
        "KEYS_TABLE": "keys",
        "HEALTH_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/000000000000/health",
        "FRONTIER_TABLE": "frontier",
        "LINEAGE_TABLE": "lineage",
        "BODIES_BUCKET": "bodies",
        "FRONTIER_QUEUE_URL": "https://sqs.us-east-1.amazonaws.com/000000000000/frontier",
        "EVENT_BUS_NAME": "feedward",
        "POWERTOOLS_SERVICE_NAME": "feedward",
        "POWERTOOLS_METRICS_NAMESPACE": "feedward",
    }


def measure(
    rounds: int = ROUNDS, installation: Installation = SOURCE, start: str = CANONICALIZE
) -> tuple[list[float], list[float]]:
    """Processor seconds of the floor and of a function's `start`, round by round, after a warm-up round."""
    floors, functions = [], []
    for count in range(rounds + 1):
        floor, function = seconds_of(FLOOR, installation), seconds_of(start, installation)
        if count:
            floors.append(floor)
            functions.append(function)
    return floors, functions


def ratio(floors: list[float], functions: list[float]) -> float:
    """The function's cost in floors, by the best round of each."""
    return min(functions) / min(floors)


def main() -> None:
    """Print the cold starts of the functions next to the floor, and the modules that each loads."""
    times = {name: measure(installation=source_of(name), start=start) for name, start in STARTS.items()}
    loaded = {name: loaded_by(start, source_of(name)) for name, start in STARTS.items()}
    floors = [each for floors, _ in times.values() for each in floors]
    rows = [_row("boto3 client + Logger", floors, floors)]
    # Beside each function as many floors: the best of more rounds is lower.
    rows += [_row(name, functions, floors, loaded[name]) for name, (floors, functions) in times.items()]
    print_table(
        f"Cold start: processor time of a fresh process, {ROUNDS} paired rounds",
        ("what", "best ms", "median ms", "x floor", "modules", "code KB"),
        rows,
    )


def _row(name: str, times: list[float], floors: list[float], loaded: Loaded | None = None) -> tuple[str, ...]:
    best, median = f"{min(times) * 1000:.0f}", f"{statistics.median(times) * 1000:.0f}"
    size = (str(len(loaded.own_modules)), f"{loaded.code / 1000:.0f}") if loaded else ("", "")
    return (name, best, median, f"{ratio(floors, times):.2f}", *size)
