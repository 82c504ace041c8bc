"""Calls of functions on the local stack with the rights of its account."""

from __future__ import annotations

import json
import threading
from collections import Counter
from typing import Any

import pytest

from feedward.api.event import query_values
from feedward_local.deployment.routes import Resource
from feedward_local.direct import DIRECTORY, PAGE, warm_first_view

WITHIN_S = 60


def as_it_is(value: str, _name: str) -> str:
    return value


ANY_TEXT = dict.fromkeys(("parts", "state", "limit"), as_it_is)


class Functions:
    """Stands in for MiniStack and its client: a call ends once there is a second one beside it."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.queries: dict[str, dict[str, str]] = {}
        self._both = threading.Barrier(2, timeout=WITHIN_S)

    def client(self, _service: str) -> Functions:
        return self

    def invoke(self, *, FunctionName: str, Payload: str) -> None:  # noqa: N803 - boto3's names
        event = json.loads(Payload)
        assert event["version"] == "2.0"
        self.calls[FunctionName] += 1
        self.queries[event["rawPath"]] = query_values(event, ANY_TEXT)
        self._both.wait()


@pytest.fixture
def functions() -> Any:
    """The functions that the page uses, after they were warmed up."""
    functions: Any = Functions()
    known = {name: Resource(physical_id=name, kind="AWS::Lambda::Function") for name in (PAGE, DIRECTORY)}
    warm_first_view(functions, known)
    return functions


def test_a_first_view_meets_as_many_warm_workers_as_it_has_requests_at_once(functions: Functions) -> None:
    assert functions.calls == {PAGE: 2, DIRECTORY: 4}


def test_the_functions_read_only_the_parts_that_a_first_view_shows(functions: Functions) -> None:
    assert functions.queries == {
        "/": {},
        "/v1/stats": {"parts": "directory"},
        "/v1/feeds": {"state": "unhealthy", "limit": "5"},
    }
