"""The state of a row after a fetch (rules F1 to F3, F4)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.frontier.decide import REASONS, ROBOTS_DISALLOWED, SUCCESSES, Failed, Fetched, Path, decide, failed
from feedward.frontier.row import RowStatus
from feedward.frontier.settings import FrontierSettings, MoveOn
from feedward.model import FetchResult, Hop, Outcome, Validators
from feedward.urls.key import key
from tests.unit.frontier.rows import NOW, failure, landed, row_of

ANY = FrontierSettings()
PERMANENT = FrontierSettings(move_on=MoveOn.PERMANENT)
A, B, C = "https://a.example/", "https://b.example/x", "https://c.example/y"
DAY = 24 * 3600


def fetched(url: str, fetch: FetchResult, settings: FrontierSettings = ANY, **row: Any) -> Fetched:
    decision = decide(row_of(url, **row), fetch, settings, NOW)
    assert isinstance(decision, Fetched)
    return decision


def failed_with(outcome: Outcome, settings: FrontierSettings = ANY, **row: Any) -> Failed:
    members = {"retry_after_s": row.pop("retry_after_s", None), "status": row.pop("http_status", None)}
    decision = decide(row_of(A, **row), failure(outcome, **members), settings, NOW)
    assert isinstance(decision, Failed)
    return decision


# --- where a success leaves the row -------------------------------------------------------------------


def test_a_page_that_answers_itself_leaves_the_row_as_it_is() -> None:
    decision = fetched(A, landed(A))

    assert decision.path is Path.UPDATE_FETCHED
    assert (decision.params.url, decision.params.final_url) == (None, None)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_row_moves_to_where_any_redirect_led(status: int) -> None:
    decision = fetched(A, landed(A, status, B))

    assert decision.path is Path.UPDATE_FETCHED_WITH_FINAL_URL
    assert decision.final_url == B
    assert decision.params.final_url is None


@pytest.mark.parametrize(
    ("chain", "moves_to", "final_url"),
    [
        ((A, 301, B, 308, C), C, None),
        ((A, 301, B, 302, C), B, C),
        ((A, 308, B, 307, C), B, C),
        ((A, 302, B), None, B),
        ((A, 302, B, 301, C), None, C),
        ((A, 303, B), None, B),
        ((A, 301, "https://a.example/?utm_source=x", 302, C), None, C),
    ],
)
def test_permanent_moves_along_the_leading_permanent_run_and_records_the_rest(
    chain: tuple[str | int, ...], moves_to: str | None, final_url: str | None
) -> None:
    decision = fetched(A, landed(*chain), PERMANENT)

    assert (decision.final_url, decision.params.final_url) == (moves_to, final_url)


@pytest.mark.parametrize("settings", [ANY, PERMANENT])
@pytest.mark.parametrize(
    ("url", "to", "spelling"),
    [
        ("http://a.example/", "https://a.example/", "https://a.example/"),
        ("http://a.example/x", "http://a.example/x/", "http://a.example/x/"),
        ("http://a.example/x", "https://a.example/x/?utm_source=feed", "https://a.example/x/"),
        ("http://a.example/x?b=2&a=1", "https://a.example/x/?a=1&b=2", "https://a.example/x/?b=2&a=1"),
        ("http://a.example/x?utm_source=y", "https://a.example/x", "https://a.example/x?utm_source=y"),
        ("https://a.example/x", "http://a.example/x/", "https://a.example/x/"),
        ("https://a.example/x", "http://a.example/x", None),
        ("https://a.example:8443/x", "http://a.example:8443/x/", "https://a.example:8443/x/"),
        ("http://a.example/x", "http://a.example/x?fbclid=1", None),
    ],
)
def test_the_same_key_is_no_move_and_the_row_takes_scheme_and_path(
    url: str, to: str, spelling: str | None, settings: FrontierSettings
) -> None:
    decision = fetched(url, landed(url, 301, to), settings)

    assert decision.path is Path.UPDATE_FETCHED
    assert decision.params.url == spelling
    assert decision.params.final_url is None


def test_a_tour_that_comes_back_under_the_same_key_moves_nothing() -> None:
    decision = fetched(A, landed(A, 302, B, 302, f"{A}?utm_source=feed"))

    assert (decision.path, decision.params.url) == (Path.UPDATE_FETCHED, None)


def test_another_key_is_stored_as_it_landed_also_from_https_to_http() -> None:
    assert fetched(A, landed(A, 301, "http://b.example/?utm_source=x")).final_url == "http://b.example/?utm_source=x"


@pytest.mark.parametrize("settings", [ANY, PERMANENT])
def test_a_shared_row_never_shows_a_url_with_a_token(settings: FrontierSettings) -> None:
    decision = fetched(A, landed(A, 302, "https://a.example/in?access_token=1f3a"), settings)

    assert (decision.final_url, decision.params.url, decision.params.final_url) == (None, None, None)


def test_a_token_on_the_way_is_not_shown_either_where_a_row_moves_to_the_permanent_end() -> None:
    decision = fetched(A, landed(A, 301, "https://a.example/in?access_token=1f3a", 302, C), PERMANENT)

    assert (decision.final_url, decision.params.url, decision.params.final_url) == (None, None, C)


def test_a_tenants_own_row_moves_to_a_url_with_a_token() -> None:
    secret = "https://a.example/in?access_token=1f3a"

    assert fetched(A, landed(A, 302, secret), owner="acme").final_url == secret


def test_a_landing_url_that_is_none_is_a_bad_redirect() -> None:
    decision = decide(row_of(A), landed(A, 302, "https://"), ANY, NOW)

    assert isinstance(decision, Failed)
    assert decision.params.reason == "bad_redirect"


def test_304_is_a_success_and_keeps_the_final_url_path_and_the_validators() -> None:
    decision = fetched(A, landed(A, 301, B, outcome=Outcome.NOT_MODIFIED, status=304))

    assert decision.final_url == B
    assert decision.params.validators is None
    assert decision.params.http_status == 304


def test_a_whole_answer_replaces_the_validators_also_by_none() -> None:
    new = Validators(etag='"2"')

    assert fetched(A, landed(A, validators=new)).params.validators == new
    assert fetched(A, landed(A)).params.validators == Validators()


# --- failures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome not in SUCCESSES])
def test_every_other_outcome_is_a_failure_under_its_own_name(outcome: Outcome) -> None:
    decision = failed_with(outcome)

    assert decision.path is Path.UPDATE_FAILED
    assert decision.params.reason == outcome.value
    assert decision.params.reason in REASONS


@pytest.mark.parametrize("reason", ["not_found", "gone", ROBOTS_DISALLOWED])
def test_some_failures_are_dead_at_once_and_end_the_runs_that_wait(reason: str) -> None:
    params = failed(row_of(A, runs=frozenset({"r1", "r2"})), reason, ANY, NOW).params

    assert (params.status, params.attempts, params.next_fetch_at) == (RowStatus.DEAD, 1, None)
    assert params.ended_runs == {"r1", "r2"}


@pytest.mark.parametrize("outcome", [Outcome.TOO_MANY_REDIRECTS, Outcome.REDIRECT_LOOP, Outcome.SERVER_ERROR])
def test_all_else_is_dead_at_the_fifth_failure(outcome: Outcome) -> None:
    last_but_one = failed_with(outcome, attempts=3, runs=frozenset({"r1"})).params
    last = failed_with(outcome, attempts=4, runs=frozenset({"r1"})).params

    assert (last_but_one.status, last_but_one.attempts, last_but_one.ended_runs) == (RowStatus.FAILED, 4, frozenset())
    assert (last.status, last.attempts, last.reason) == (RowStatus.DEAD, 5, outcome.value)
    assert last.ended_runs == {"r1"}
    assert last.next_fetch_at is None


def test_the_number_of_attempts_is_a_setting() -> None:
    assert failed_with(Outcome.TIMEOUT, FrontierSettings(max_attempts=1)).params.status is RowStatus.DEAD


def test_being_rate_limited_uses_up_no_attempt_however_often() -> None:
    params = failed_with(Outcome.RATE_LIMITED, attempts=4, retry_after_s=120).params

    assert (params.status, params.attempts) == (RowStatus.FAILED, 4)


def test_redirects_that_are_switched_off_keep_the_status() -> None:
    params = failed_with(Outcome.UNEXPECTED_STATUS, http_status=302).params

    assert (params.reason, params.http_status) == ("unexpected_status", 302)


def test_a_row_that_was_given_up_has_all_its_attempts_again() -> None:
    params = failed_with(Outcome.TIMEOUT, attempts=5, status=RowStatus.DEAD).params

    assert (params.status, params.attempts) == (RowStatus.FAILED, 1)


@pytest.mark.parametrize(("attempts", "waits"), [(0, 300), (1, 600), (2, 1200), (3, 2400)])
def test_each_retry_waits_twice_as_long_with_a_jitter_that_only_adds(attempts: int, waits: int) -> None:
    at = failed_with(Outcome.TIMEOUT, attempts=attempts).params.next_fetch_at

    assert at is not None
    assert waits <= at - NOW <= waits * 1.1
    assert at == failed_with(Outcome.TIMEOUT, attempts=attempts).params.next_fetch_at


@pytest.mark.parametrize(
    ("retry_after_s", "floor"), [(7200, 7200), (30 * DAY, 7 * DAY), (1, 300), (None, 300), (-5, 300)]
)
@pytest.mark.parametrize("outcome", [Outcome.RATE_LIMITED, Outcome.SERVER_ERROR])
def test_retry_after_is_a_floor_of_at_most_seven_days(outcome: Outcome, retry_after_s: int | None, floor: int) -> None:
    at = failed_with(outcome, retry_after_s=retry_after_s).params.next_fetch_at

    assert at is not None
    assert floor <= at - NOW <= floor * 1.1


# --- invariants ---------------------------------------------------------------------------------------

HOSTS = st.sampled_from(["a.example", "b.example", "www.a.example"])
URLS = st.builds(
    "{}://{}{}{}".format,
    st.sampled_from(["http", "https"]),
    HOSTS,
    st.sampled_from(["/", "/x", "/x/", "/X"]),
    st.sampled_from(["", "?", "?b=2&a=1", "?a=1&b=2", "?utm_source=q", "?token=abc"]),
)
STATUSES = st.sampled_from([301, 302, 303, 307, 308])


@given(
    url=URLS,
    chain=st.lists(st.tuples(STATUSES, URLS), max_size=4),
    move_on=st.sampled_from(list(MoveOn)),
    outcome=st.sampled_from(sorted(SUCCESSES)),
)
def test_a_success_keeps_the_key_or_moves_and_never_both(
    url: str, chain: list[tuple[int, str]], move_on: MoveOn, outcome: Outcome
) -> None:
    asked = [url, *(to for _, to in chain)]
    hops = tuple(Hop(url=start, status=status) for start, (status, _) in zip(asked, chain, strict=False))
    fetch = FetchResult(outcome=outcome, url=asked[-1], status=200, hops=hops)

    decision = decide(row_of(url), fetch, FrontierSettings(move_on=move_on), NOW)

    assert isinstance(decision, Fetched)
    spelled = decision.params.url
    assert spelled is None or key(spelled) == key(url)
    assert decision.final_url is None or key(decision.final_url) != key(url)
    assert spelled is None or decision.final_url is None
    if url.startswith("https:") and spelled:
        assert spelled.startswith("https:")
    if move_on is MoveOn.PERMANENT and decision.final_url and chain:
        assert hops[0].permanent
