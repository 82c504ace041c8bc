"""A limit that came from a parameter becomes a number."""
# ruff: noqa: N803 - the names are those of the AWS API

from __future__ import annotations

from typing import Any

import pytest

from feedward_local.deployment.event_sources import number_concurrency
from feedward_local.deployment.routes import Resource

RESOURCES = {
    "Queue": Resource(kind="AWS::SQS::Queue", physical_id="http://queue"),
    "QueueToFunction": Resource(kind="AWS::Lambda::EventSourceMapping", physical_id="id-1"),
}


class Functions:
    """Keeps event source mappings as the lambda client does, and counts the writes."""

    def __init__(self, scaling: dict[str, Any] | None) -> None:
        self.mappings: dict[str, Any] = {"id-1": {"ScalingConfig": scaling} if scaling is not None else {}}
        self.writes = 0

    def get_event_source_mapping(self, UUID: str) -> dict[str, Any]:
        found: dict[str, Any] = self.mappings[UUID]
        return found

    def update_event_source_mapping(self, UUID: str, ScalingConfig: dict[str, Any]) -> None:
        self.writes += 1
        self.mappings[UUID] = {"ScalingConfig": ScalingConfig}


@pytest.mark.parametrize("limit", ["4", 4])
def test_a_limit_becomes_a_number(limit: object) -> None:
    functions = Functions({"MaximumConcurrency": limit})

    for _ in range(2):
        number_concurrency(functions, RESOURCES)

    assert functions.mappings["id-1"] == {"ScalingConfig": {"MaximumConcurrency": 4}}


@pytest.mark.parametrize("scaling", [{}, None])
def test_an_event_source_without_a_limit_gets_none(scaling: dict[str, Any] | None) -> None:
    functions = Functions(scaling)

    number_concurrency(functions, RESOURCES)

    assert functions.writes == 0
