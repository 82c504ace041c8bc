"""A stack that is stopped and started again goes on with the pages that it has collected."""

from __future__ import annotations

import pytest

from tests.local.changing_internet.conftest import Running
from tests.local.collecting_stack import Stack

pytestmark = pytest.mark.local_stack
COLLECTED_ONLY_HERE = "https://almanac.example/"


def test_stored_bodies_survive_a_restart(running: Running) -> None:
    before = stack_of(running).run(urls=[COLLECTED_ONLY_HERE])
    running.restart()
    stack = stack_of(running)
    (kept,) = stack.items_of(before)

    again = stack.run(reprocessing_of_run_id=stack.collected_before([kept]))

    assert (again["counters"]["sightings"], kept["title"]) == (1, "The Almanac")
    same = stack.get(f"/v1/items/{kept['id']}/edges")["sightings"]
    assert again["id"] in [each["run_id"] for each in same]


def stack_of(running: Running) -> Stack:
    return Stack(process=running.process, aws=running.aws)
