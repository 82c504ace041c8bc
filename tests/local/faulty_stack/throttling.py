"""microburst between the functions and their AWS: calls of DynamoDB that are throttled, in AWS's own words."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

from feedward_local.aws.ministack import answers, free_port

_START_WITHIN_S: Final = 240.0
_STOP_WITHIN_S: Final = 15.0
CODES: Final = ("ThrottlingException", "ProvisionedThroughputExceededException")


class Throttling:
    """A proxy before `upstream` that passes everything except one in so many calls of DynamoDB."""

    def __init__(self, upstream: str, log: Path, *, one_in: int) -> None:
        """Start it; it writes its actions to `log`."""
        port = free_port()
        # It takes a name with dots for a service's own, and loads the models of all services to find out whose: 4 s.
        self.url = f"http://localhost:{port}"
        command = [sys.executable, "-m", "microburst", "--upstream", upstream, "--host", "127.0.0.1"]
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                [*command, "--port", str(port)], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )
        try:
            self._wait_until_ready(log)
            self._ask("POST", "rules", [_rule(code, one_in) for code in CODES])
        except BaseException:
            self.stop()
            raise

    def counts(self) -> tuple[int, int]:
        """The number of calls of DynamoDB, and of the throttled ones."""
        by_service = {each["service"]: each for each in self._ask("GET", "stats")["by_service"]}
        counted = by_service.get("dynamodb", {"requests": 0, "faulted": 0})
        return counted["requests"], counted["faulted"]

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_until_ready(self, log: Path) -> None:
        ends_at = time.monotonic() + _START_WITHIN_S
        while not answers(f"{self.url}/_microburst/health"):
            if self._process.poll() is not None or time.monotonic() > ends_at:
                raise AssertionError(f"microburst does not run: {log.read_text(errors='replace')[-1000:]}")
            time.sleep(0.05)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_microburst/{path}", data=data, method=method)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as answer:
            return json.load(answer)


def _rule(code: str, one_in: int) -> dict[str, Any]:
    """The first rule took a few of the calls that reach the second rule; that is less than the random variation."""
    return {"service": "dynamodb", "probability": 1 / one_in / len(CODES), "error": {"code": code}}
