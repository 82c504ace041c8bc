"""What MiniStack saved fits the port that it has the next time."""

from __future__ import annotations

import json
from pathlib import Path

from feedward_local.ministack import move_queues

QUEUE = "http://localhost:41001/000000000000/feedward-frontier"


def test_saved_queues_are_those_of_the_new_port(tmp_path: Path) -> None:
    (tmp_path / "sqs.json").write_text(json.dumps({QUEUE: {"attributes": {}}}))
    (tmp_path / "lambda.json").write_text(
        json.dumps({"FRONTIER_QUEUE_URL": QUEUE, "CONTACT_URL": "http://localhost:80/me"})
    )

    move_queues(tmp_path, 42002)

    moved = "http://localhost:42002/000000000000/feedward-frontier"
    assert json.loads((tmp_path / "sqs.json").read_text()) == {moved: {"attributes": {}}}
    assert json.loads((tmp_path / "lambda.json").read_text()) == {
        "FRONTIER_QUEUE_URL": moved,
        "CONTACT_URL": "http://localhost:80/me",
    }


def test_there_may_be_no_state_yet(tmp_path: Path) -> None:
    move_queues(tmp_path / "aws", 42002)

    assert not list(tmp_path.iterdir())
