"""The table of outcomes is complete, and agrees with the known facts of each fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from feedward.health.outcomes import OUTCOMES
from feedward.model import Outcome

FAULTS = json.loads((Path(__file__).parents[2] / "cases" / "faults.json").read_text())["cases"]
STATED = [case for case in FAULTS if "transient" in case and case["expected"] != "client_error"]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_a_row_that_tells_a_person_something(outcome: Outcome) -> None:
    assert len(OUTCOMES[outcome].says) > 10


def test_every_outcome_is_told_in_its_own_words() -> None:
    assert len({row.says for row in OUTCOMES.values()}) == len(OUTCOMES)


@pytest.mark.parametrize("case", STATED, ids=lambda case: str(case["id"]))
def test_a_fault_is_transient_as_stated(case: dict[str, Any]) -> None:
    assert OUTCOMES[Outcome(case["expected"])].transient is case["transient"]


def test_a_304_is_a_success_that_stores_nothing() -> None:
    row = OUTCOMES[Outcome.NOT_MODIFIED]
    assert (row.is_success, row.counts_as_failure, row.stores_validators) == (True, False, False)


def test_only_a_complete_document_stores_validators() -> None:
    assert [outcome for outcome, row in OUTCOMES.items() if row.stores_validators] == [Outcome.OK]


def test_being_asked_to_slow_down_is_neither_failure_nor_success() -> None:
    neither = [outcome for outcome, row in OUTCOMES.items() if not (row.counts_as_failure or row.is_success)]
    assert neither == [Outcome.RATE_LIMITED]


def test_no_outcome_is_both_failure_and_success() -> None:
    assert not [outcome for outcome, row in OUTCOMES.items() if row.counts_as_failure and row.is_success]
