"""A job arrives as it was sent, and FrontierQueue's two kinds of messages are distinguished."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.errors import InvalidInput
from feedward.frontier.messages import CollectMessage, Job, JobMessage, read_message
from feedward.scheduling.messages import json_object
from tests.unit.frontier.rows import NOW, row_of

JOB = JobMessage(job=Job.RUN, job_id="run", sent_at=NOW)


@pytest.mark.parametrize("job", Job)
def test_a_job_arrives_as_it_was_sent(job: Job) -> None:
    sent = JobMessage(job=job, job_id="größe", sent_at=NOW)
    assert read_message(json_object(sent.to_text())) == sent
    assert sent.to_text().isascii()


def test_the_delay_of_a_job_is_the_queues_and_not_part_of_its_text() -> None:
    assert JobMessage(job=Job.RUN, job_id="run", sent_at=NOW, delay_s=60).to_text() == JOB.to_text()


def test_rows_are_told_from_jobs_by_their_type() -> None:
    rows = CollectMessage(entries=(row_of("https://a.example/", sent_at=NOW),), sent_at=NOW)
    assert read_message(json_object(rows.to_text())) == rows
    assert type(read_message(json_object(JOB.to_text()))) is JobMessage


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 2}, "version"),
        ({"version": None}, "version"),
        ({"type": "check"}, "type"),
        ({"type": None}, "type"),
        ({"type": ["run"]}, "type"),
        ({"sent_at": "now"}, "sent_at"),
        ({"sent_at": True}, "sent_at"),
        ({"job_id": ""}, "job_id"),
        ({"job_id": None}, "job_id"),
        ({"job_id": 7}, "job_id"),
    ],
)
def test_a_job_that_no_version_here_can_do_is_refused_by_its_name(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_message({**json.loads(JOB.to_text()), **change})
    assert refused.value.field == field


def test_members_that_are_not_known_are_let_be() -> None:
    assert read_message({**json.loads(JOB.to_text()), "trace": "x"}) == JOB
