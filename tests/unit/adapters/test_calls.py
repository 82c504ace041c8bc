"""Waiting for a busy store: jittered, growing, and bounded."""

from __future__ import annotations

from feedward.adapters.calls import Backoff


def pauses(draw: float, **settings: object) -> list[float]:
    slept: list[float] = []
    backoff = Backoff(sleep=slept.append, draw=lambda: draw, **settings)  # type: ignore[arg-type]
    lasts = list(backoff.tries())
    assert lasts == [False] * (backoff.attempts - 1) + [True]
    return slept


def test_pauses_double_up_to_the_longest() -> None:
    assert pauses(1.0, attempts=6, first_s=0.1, longest_s=0.5) == [0.2, 0.4, 0.5, 0.5, 0.5]


def test_jitter_takes_any_part_of_a_pause() -> None:
    assert pauses(0.0) == [0.0] * 6
    assert pauses(0.5, attempts=2, first_s=0.1) == [0.1]


def test_the_default_leaves_a_url_most_of_its_4_seconds() -> None:
    assert sum(pauses(1.0)) <= 1.5


def test_nothing_is_waited_for_where_the_first_try_works() -> None:
    slept: list[float] = []
    next(Backoff(sleep=slept.append).tries())
    assert slept == []
