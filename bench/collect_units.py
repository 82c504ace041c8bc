"""The cost of a page in DynamoDB units, including indexes: MiniStack reports the consumption of each call."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from botocore.session import get_session

from bench.checks import ROOT
from bench.collect_world import DAY, CollectWorld
from bench.table import print_table
from tests.ministack import PYTHON, running_ministack

PAGES = 100
WRITES = ("transact_write_items", "update_item", "put_item", "delete_item", "batch_write_item")


class Metered:
    """A DynamoDB client that adds up the units of its calls."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.written = self.read = 0.0

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._client, operation)
        if operation == "create_table":
            return method

        def call(**request: Any) -> Any:
            answer = method(ReturnConsumedCapacity="TOTAL", **request)
            units = _units(answer)
            if operation in WRITES:
                self.written += units
            else:
                self.read += units
            return answer

        return call

    def taken(self) -> tuple[float, float]:
        """Units written and read since the last call."""
        found, self.written, self.read = (self.written, self.read), 0.0, 0.0
        return found


def _units(answer: Mapping[str, Any]) -> float:
    consumed = answer.get("ConsumedCapacity", [])
    parts = consumed if isinstance(consumed, list) else [consumed]
    return float(sum(part["CapacityUnits"] for part in parts))


def units_of(port: int, endpoint: str, urls: list[str]) -> dict[str, tuple[float, float]]:
    """Units written and read per page: for a run over new pages, and for a later one over the same pages."""
    client = get_session().create_client(
        "dynamodb",
        region_name="us-east-1",
        endpoint_url=endpoint,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )
    metered = Metered(client)
    world = CollectWorld(port, client=metered, prefix="bench-")
    found = {}
    for name in ("new pages", "nothing changed"):
        metered.taken()
        world.run(urls)
        written, read = metered.taken()
        found[name] = (written / len(urls), read / len(urls))
        world.clock.skipped += DAY // 2
    client.close()
    return found


def print_units(port: int, urls: list[str]) -> None:
    """Print the units of a page, if MiniStack is installed."""
    if not PYTHON.exists():
        print(f"MiniStack is not installed in {PYTHON.relative_to(ROOT)}: `make setup` does it", file=sys.stderr)
        return
    with TemporaryDirectory() as folder, running_ministack(Path(folder)) as endpoint:
        found = units_of(port, endpoint, urls)
    rows = [(name, f"{written:.1f}", f"{read:.1f}") for name, (written, read) in found.items()]
    print_table(f"Collect: units of DynamoDB for each of {len(urls)} pages", ("", "written", "read"), rows)
