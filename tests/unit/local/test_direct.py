"""Calls of functions on the local stack with the rights of its account."""

from __future__ import annotations

import json
import threading
from collections import Counter
from typing import Any

import pytest

from feedward_local import direct
from feedward_local.deployment.routes import Resource
from feedward_local.direct import DIRECTORY, PAGE, warm_first_view

WITHIN_S = 60


class Functions:
    """Stands in for MiniStack and its client: a call ends once there is a second one beside it."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self._both = threading.Barrier(2, timeout=WITHIN_S)

    def client(self, _service: str) -> Functions:
        return self

    def invoke(self, *, FunctionName: str, Payload: str) -> None:  # noqa: N803 - boto3's names
        assert json.loads(Payload)["version"] == "2.0"
        self.calls[FunctionName] += 1
        self._both.wait()


def test_a_first_view_meets_as_many_warm_workers_as_it_has_requests_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    functions: Any = Functions()
    known = {name: Resource(physical_id=name, kind="AWS::Lambda::Function") for name in (PAGE, DIRECTORY)}
    monkeypatch.setattr(direct, "resources", lambda _: known)

    warm_first_view(functions)

    assert functions.calls == {PAGE: 2, DIRECTORY: 4}
