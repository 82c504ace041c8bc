"""Each end of a discovery is a reason that a person understands."""

from __future__ import annotations

import pytest

from feedward.discovery.result import DiscoveryOutcome
from feedward.subscriptions.subscription import SAYS, Failure, failure_of
from tests.contract.benches.sites import stored_site


def test_there_is_one_for_each_outcome_but_found() -> None:
    assert set(SAYS) == set(DiscoveryOutcome) - {DiscoveryOutcome.FOUND}
    assert {failure for failure, _ in SAYS.values()} == set(Failure) - {Failure.GIVEN_UP}
    assert failure_of(stored_site().site) is None


@pytest.mark.parametrize(
    ("outcome", "detail", "expected"),
    [
        ("no_feed", "", (Failure.NO_FEED, "no feed was found there")),
        ("refused", "come less often", (Failure.REFUSED, "the site refuses to be read by us: come less often")),
        ("unreachable", "nothing is there", (Failure.UNREACHABLE, "the site could not be reached: nothing is there")),
        ("blocked", "URL refused: port 22", (Failure.BLOCKED, "this address may not be fetched: port 22")),
    ],
)  # fmt: skip
def test_the_reason_names_the_obstacle(outcome: str, detail: str, expected: tuple[Failure, str]) -> None:
    assert failure_of(stored_site(outcome=DiscoveryOutcome(outcome), detail=detail).site) == expected
