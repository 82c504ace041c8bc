"""One run's memory of its fetches."""

from __future__ import annotations

import pytest

from feedward.canonical.fetch_results import Visit, Visits
from feedward.canonical.result import CandidateState, Reason
from feedward.canonical.same_feed import Sameness, Verdict
from feedward.model import FetchResult, Hop, Outcome

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


def visit(
    asked: str,
    *hops: tuple[str, int],
    landing: str | None = None,
    sameness: Sameness | None = Sameness.BYTES,
    outcome: Outcome = Outcome.OK,
    requests: int = 1,
) -> Visit:
    end = landing or asked
    fetch = FetchResult(
        outcome=outcome, url=end, hops=tuple(Hop(url=url, status=status) for url, status in hops), requests=requests
    )
    return Visit(asked=asked, landing=end, fetch=fetch, verdict=Verdict(sameness=sameness) if sameness else None)


def test_every_url_of_a_chain_is_known_and_only_its_end_is_proven() -> None:
    visits = Visits()
    moved = visit(A, (A, 301), (B, 301), landing=C)
    visits.add(moved)
    assert [visits.of(url) for url in (A, B, C)] == [moved] * 3
    assert [moved.proves(url) for url in (A, B, C)] == [False, False, True]
    assert [visits.state(url) for url in (A, B, C)] == [
        CandidateState.REDIRECTED,
        CandidateState.REDIRECTED,
        CandidateState.VERIFIED,
    ]


def test_the_result_of_an_earlier_visit_stays() -> None:
    visits = Visits()
    first = visit(C)
    visits.add(first)
    visits.add(visit(A, (A, 302), landing=C))
    assert visits.of(C) is first
    assert visits.requests() == (C, A)


@pytest.mark.parametrize(
    ("sameness", "outcome", "state"),
    [
        (Sameness.DIFFERENT, Outcome.OK, CandidateState.DIFFERENT),
        (Sameness.NOT_A_FEED, Outcome.OK, CandidateState.FAILED),
        (None, Outcome.NOT_FOUND, CandidateState.FAILED),
    ],
)
def test_a_url_that_is_not_the_feed_says_so_and_is_no_alias(
    sameness: Sameness | None, outcome: Outcome, state: CandidateState
) -> None:
    visits = Visits()
    visits.add(visit(A, sameness=sameness, outcome=outcome))
    assert visits.state(A) is state
    assert visits.state(B) is CandidateState.UNTESTED
    assert visits.aliases() == ()


def test_the_first_document_is_confirmed_and_then_counts_as_the_feed() -> None:
    visits = Visits()
    first = visit(A, (A, 301), landing=B, sameness=None)
    visits.add(first)
    confirmed = visits.confirm(first)
    assert confirmed.same
    assert visits.of(A) is confirmed
    assert visits.of(B) is confirmed
    assert visits.aliases() == (A, B)


@pytest.mark.parametrize(
    ("proven", "reason"),
    [
        (visit(A), Reason.CONTENT_VERIFIED),
        (visit(A, sameness=Sameness.SIGNATURE), Reason.SIGNATURE_VERIFIED),
        (visit(A, (A, 301), landing=B), Reason.REDIRECT_VERIFIED),
    ],
)
def test_the_reason_tells_how_the_landing_url_was_proven(proven: Visit, reason: Reason) -> None:
    assert proven.reason is reason


@pytest.mark.parametrize(
    ("outcome", "requests", "refused"),
    [
        (Outcome.BLOCKED, 0, True),
        (Outcome.BAD_URL, 0, True),
        (Outcome.BLOCKED, 1, False),
        (Outcome.CONNECT_ERROR, 0, False),
    ],
)
def test_refused_means_that_nothing_was_sent(outcome: Outcome, requests: int, *, refused: bool) -> None:
    assert visit(A, outcome=outcome, requests=requests, sameness=None).refused is refused
