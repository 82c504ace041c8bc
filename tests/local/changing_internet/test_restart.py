"""A stack that is stopped and started again goes on with the pages that it has collected."""

from __future__ import annotations

import pytest

from tests.local.changing_internet.conftest import Running
from tests.local.collecting_stack import Stack
from tests.local.stack_aws import StackAws

pytestmark = pytest.mark.local_stack
FRONT = "https://tidings.example/"


def test_stored_bodies_survive_a_restart(running: Running) -> None:
    before = stack_of(running).run(urls=[FRONT])
    running.restart()
    stack = stack_of(running)
    (kept,) = stack.items_of(before)

    again = stack.run(reprocessing_of_run_id=stack.collected_before([kept]))

    assert (again["counters"]["sightings"], kept["title"]) == (1, "The Tidings")
    same = stack.get(f"/v1/items/{kept['id']}/edges")["sightings"]
    assert again["id"] in [each["run_id"] for each in same]


def stack_of(running: Running) -> Stack:
    return Stack(process=running.process, aws=StackAws(running.process.state / "demo"))
