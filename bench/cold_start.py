"""What a cold start costs beside its floor: processor time of fresh processes, paired and interleaved.

The floor is what any function on this stack pays: a boto3 client for DynamoDB and the Powertools Logger. Both sides run
the same interpreter with compiled code, and the lowest of several rounds counts: noise only ever adds.
"""

from __future__ import annotations

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
# Everything that the first request needs: the handler's module, the services, and the routes.
START = """
import app
from feedward import bootstrap
services = bootstrap.services()
services.store, services.fetcher  # what a first request makes
app.handler({{"version": "2.0", "routeKey": "{route}", "rawPath": "", "headers": {{}}}}, Context())
"""
CANONICALIZE = START.format(route="GET /v1/health")
DISCOVER = START.format(route="GET /v1/sites/{id}")  # which is no id, so that nothing is asked
DIRECTORY = START.format(route="GET /v1/feeds/{id}")  # the same
HEALTH_CHECK = """
import app
from feedward import bootstrap
services = bootstrap.services()
services.store, services.fetcher  # what a first request makes
app.handler({"Records": []}, Context())
"""
COLLECT = HEALTH_CHECK
CONTEXT = """
class Context:
    function_name = invoked_function_arn = aws_request_id = "canonicalize"
    memory_limit_in_mb = 1024
    def get_remaining_time_in_millis(self): return 25000
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
    """Where the function is measured: an interpreter, and the folders of the function and of its layer."""

    python: str
    folders: tuple[Path, ...]


SOURCE = Installation(python=sys.executable, folders=(ROOT / "functions/canonicalize", ROOT / "layers/feedward"))
SOURCE_OF_DISCOVER = Installation(
    python=sys.executable, folders=(ROOT / "functions/discover", ROOT / "layers/feedward")
)
SOURCE_OF_DIRECTORY = Installation(
    python=sys.executable, folders=(ROOT / "functions/directory", ROOT / "layers/feedward")
)
SOURCE_OF_HEALTH_CHECK = Installation(
    python=sys.executable, folders=(ROOT / "functions/health_check", ROOT / "layers/feedward")
)
SOURCE_OF_COLLECT = Installation(python=sys.executable, folders=(ROOT / "functions/collect", ROOT / "layers/feedward"))


def seconds_of(code: str, installation: Installation = SOURCE) -> float:
    """Processor seconds that `code` takes in a fresh process, the interpreter's own start not counted."""
    run = subprocess.run(
        [installation.python, "-c", MEASURE.format(setup=CONTEXT, code=code)],
        env=environment(installation),
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=True,
    )
    return float(run.stdout.split()[-1])


def environment(installation: Installation = SOURCE) -> dict[str, str]:
    """A deployed function's environment, with nothing of this machine's."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": os.pathsep.join(map(str, installation.folders)),
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "URLS_TABLE": "urls",
        "FEEDS_TABLE": "feeds",
        "STATE_TABLE": "state",
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
    """Processor seconds of the floor and of a function's `start`, round by round, after one to warm up."""
    floors, functions = [], []
    for count in range(rounds + 1):
        floor, function = seconds_of(FLOOR, installation), seconds_of(start, installation)
        if count:
            floors.append(floor)
            functions.append(function)
    return floors, functions


def ratio(floors: list[float], functions: list[float]) -> float:
    """How many floors the function costs, by the best round of each."""
    return min(functions) / min(floors)


def main() -> None:
    """Print the cold starts of the functions beside the floor."""
    floors, canonicalize = measure()
    more_floors, discover = measure(installation=SOURCE_OF_DISCOVER, start=DISCOVER)
    yet_more_floors, directory = measure(installation=SOURCE_OF_DIRECTORY, start=DIRECTORY)
    floors += more_floors + yet_more_floors
    rows = [
        (name, f"{min(times) * 1000:.0f}", f"{statistics.median(times) * 1000:.0f}", f"{min(times) / min(floors):.2f}")
        for name, times in (
            ("boto3 client + Logger", floors),
            ("canonicalize", canonicalize),
            ("discover", discover),
            ("directory", directory),
        )
    ]
    print_table(
        f"Cold start: processor time of a fresh process, {ROUNDS} paired rounds",
        ("what", "best ms", "median ms", "x floor"),
        rows,
    )
