"""Every error of the tree has its problem, and no problem reveals internals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from feedward import errors
from feedward.api import problems
from feedward.api.problems import problem_of


def subclasses(kind: type[Exception]) -> Iterator[type[Exception]]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def made(kind: type[Exception]) -> Exception:
    arguments = {
        errors.InvalidInput: ("urls[3]", "no"),
        errors.InvalidSetting: ("URLS_TABLE", "is not set"),
        problems.MethodNotAllowed: ("no", ("GET", "POST")),
        errors.TooManyAtOnce: (2,),
    }
    if kind is errors.QuotaExceeded:
        return kind("pages_per_day", limit=1, used=1, window="day", opens_at=120, retry_after_s=60)
    return kind(*arguments.get(kind, ("no",)))


ALL = [kind for kind in subclasses(errors.FeedwardError) if kind.__module__.startswith("feedward.")]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_error_has_a_problem(kind: type[Exception]) -> None:
    problem = problem_of(made(kind), instance="urn:feedward:request:1")

    assert problem.body["type"] == f"urn:feedward:problem:{problem.body['code']}"
    assert problem.body["status"] == problem.status
    assert 400 <= problem.status <= 599
    assert problem.body["title"]
    assert problem.body["detail"]
    assert problem.body["instance"] == "urn:feedward:request:1"


def test_an_error_of_the_tree_without_a_status_is_ours() -> None:
    unmapped = {kind for kind in ALL if not problems.is_expected(made(kind))}

    assert unmapped == {errors.InvalidSetting, errors.WorkerLost}


@pytest.mark.parametrize("error", [RuntimeError("secret"), errors.FeedwardError("secret"), KeyError("secret")])
def test_a_fault_of_ours_says_nothing_of_the_inside(error: Exception) -> None:
    problem = problem_of(error)

    assert (problem.status, problem.body["code"]) == (500, "internal_error")
    assert "secret" not in str(problem)


def test_wrong_input_names_the_field_in_field_and_detail() -> None:
    problem = problem_of(errors.InvalidInput("presets[0].strip_www", "expected a boolean, not a string"))

    assert problem.body["field"] == "presets[0].strip_www"
    assert problem.body["detail"] == "presets[0].strip_www: expected a boolean, not a string"
    assert "instance" not in problem.body


def test_a_retryable_problem_has_a_retry_after() -> None:
    assert problem_of(errors.Throttled("x")).headers == {"Retry-After": "5"}
    assert problem_of(errors.DeadlinePassed("x")).headers == {"Retry-After": "5"}
    assert problem_of(errors.InvalidInput("url", "x")).headers == {}


def test_a_wrong_method_lists_the_right_ones() -> None:
    assert problem_of(problems.MethodNotAllowed("x", ("GET", "POST"))).headers == {"Allow": "GET, POST"}
