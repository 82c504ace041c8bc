"""Which new URL of a feed may be stored (rules F1, F2)."""

from __future__ import annotations

import pytest

from feedward.health.moves import (
    Move,
    MoveObservation,
    MoveReason,
    announced,
    may_adopt,
    observed,
    redirected,
    sent_elsewhere,
)
from feedward.model import FetchResult, Hop, Outcome
from tests.unit.health.times import DAY, HOUR, NOW

UPGRADE, PERMANENT, ANNOUNCED = MoveReason.HTTPS_UPGRADE, MoveReason.PERMANENT_REDIRECT, MoveReason.NEW_FEED_URL
TARGET = "https://new.example/feed"
MOVE = Move(target=TARGET, reason=PERMANENT)


def fetched(*chain: str | int) -> FetchResult:
    """`fetched(url, 301, url, 302, url)`: each status with the URL that sent it, then the final URL."""
    hops = tuple(Hop(url=str(url), status=int(status)) for url, status in zip(chain[::2], chain[1::2], strict=False))
    return FetchResult(outcome=Outcome.OK, url=str(chain[-1]), status=200, hops=hops)


@pytest.mark.parametrize(
    ("chain", "moves"),
    [
        (["https://a.example/f"], []),
        (["https://a.example/f", 301, "https://b.example/f"], [("https://b.example/f", PERMANENT)]),
        (["https://a.example/f", 308, "https://b.example/f"], [("https://b.example/f", PERMANENT)]),
        (["https://a.example/f", 302, "https://b.example/f"], []),
        (["https://a.example/f", 303, "https://b.example/f"], []),
        (["https://a.example/f", 307, "https://b.example/f"], []),
        (["https://a.example/f", 302, "https://b.example/f", 301, "https://c.example/f"], []),
        (
            ["https://a.example/f", 301, "https://b.example/f", 302, "https://c.example/f", 301, "https://d.example/f"],
            [("https://b.example/f", PERMANENT)],
        ),
        (
            ["https://a.example/f", 301, "https://b.example/f", 308, "https://c.example/f"],
            [("https://c.example/f", PERMANENT)],
        ),
        (["http://a.example/f", 301, "https://a.example/f"], [("https://a.example/f", UPGRADE)]),
        (["http://a.example/f?x=1", 302, "https://a.example/f?x=1"], [("https://a.example/f?x=1", UPGRADE)]),
        (["http://a.example/f", 307, "https://a.example/f"], [("https://a.example/f", UPGRADE)]),
        (["http://a.example/f", 303, "https://a.example/f"], []),
        (["http://a.example/f", 302, "https://a.example/g"], []),
        (["http://a.example/f", 302, "https://www.a.example/f"], []),
        (["http://a.example/f", 301, "https://www.a.example/f"], [("https://www.a.example/f", PERMANENT)]),
        (["http://a.example:8080/f", 302, "https://a.example/f"], []),
        (
            ["http://a.example/f", 302, "https://a.example/f", 301, "https://b.example/f"],
            [("https://b.example/f", PERMANENT), ("https://a.example/f", UPGRADE)],
        ),
        (
            ["http://a.example/f", 301, "https://a.example/f", 302, "https://b.example/f"],
            [("https://a.example/f", UPGRADE)],
        ),
        (["https://a.example/f", 301, "http://a.example/f"], []),
        (["https://a.example/f", 301, "http://b.example/f", 301, "https://b.example/f"], []),
        (
            ["https://a.example/f", 301, "https://b.example/f", 301, "http://b.example/g"],
            [("https://b.example/f", PERMANENT)],
        ),
        (["http://a.example/f", 301, "http://b.example/f"], [("http://b.example/f", PERMANENT)]),
        (["https://a.example/f", 301, "https://a.example/f?utm_source=feed"], []),
        (
            ["http://a.example/f", 301, "https://a.example/f", 301, "https://a.example/f?utm_source=feed"],
            [("https://a.example/f", UPGRADE)],
        ),
    ],
)
def test_only_the_leading_run_of_permanent_redirects_is_proposed(
    chain: list[str | int], moves: list[tuple[str, MoveReason]]
) -> None:
    assert [(move.target, move.reason) for move in redirected(fetched(*chain))] == moves


@pytest.mark.parametrize(
    ("url", "said", "target"),
    [
        ("https://a.example/f", TARGET, TARGET),
        ("https://a.example/f", f"  {TARGET}#top\n", TARGET),
        ("https://a.example/f", "/g", "https://a.example/g"),
        ("http://a.example/f", "https://a.example/f", "https://a.example/f"),
        ("https://a.example/f", "http://a.example/f", None),
        ("https://a.example/f", "https://a.example/f", None),
        ("https://a.example/f", "https://u:p@b.example/f", None),
        ("https://a.example/f", "javascript:alert(1)", None),
        ("https://a.example/f", "https://", None),
        ("https://a.example/f", "  ", None),
        ("https://a.example/f", None, None),
    ],
)
def test_a_document_may_announce_another_url(url: str, said: str | None, target: str | None) -> None:
    move = announced(url, said)
    assert (move and move.target) == target
    assert move is None or move.reason is ANNOUNCED


def test_https_of_the_same_url_is_taken_at_once() -> None:
    assert may_adopt(Move(target="https://a.example/f", reason=UPGRADE), same_feed=False)


@pytest.mark.parametrize("reason", [PERMANENT, ANNOUNCED])
def test_a_move_needs_proof(reason: MoveReason) -> None:
    move = Move(target=TARGET, reason=reason)
    assert may_adopt(move, same_feed=True)
    assert not may_adopt(move, same_feed=False)


@pytest.mark.parametrize(
    ("checks", "adopted"),
    [
        ([(0, TARGET)], False),
        ([(0, TARGET), (DAY - 1, TARGET)], False),
        ([(0, TARGET), (DAY, TARGET)], True),
        ([(0, TARGET), (HOUR, TARGET), (2 * HOUR, TARGET)], False),
        ([(0, TARGET), (HOUR, TARGET), (DAY, TARGET)], True),
        ([(0, TARGET), (HOUR, "https://other.example/"), (DAY, TARGET)], False),
        ([(0, "https://other.example/"), (DAY, TARGET), (2 * DAY, TARGET)], True),
        ([(0, TARGET), (7 * DAY, TARGET)], True),
        ([(0, TARGET), (30 * DAY, TARGET)], False),
    ],
)
def test_without_proof_the_same_target_must_be_seen_a_day_apart(checks: list[tuple[int, str]], adopted: bool) -> None:
    observation: MoveObservation | None = None
    for after, target in checks:
        move = Move(target=target, reason=PERMANENT)
        observation = observed(observation, move, NOW + after)
    assert may_adopt(move, same_feed=False, observation=observation) is adopted


def test_an_observation_of_another_target_proves_nothing() -> None:
    other = MoveObservation(target="https://other.example/", first_seen_at=NOW, last_seen_at=NOW + 9 * DAY)
    assert not may_adopt(MOVE, same_feed=False, observation=other)


def test_a_late_message_does_not_take_an_observation_back() -> None:
    seen = MoveObservation(target=TARGET, first_seen_at=NOW, last_seen_at=NOW + DAY)
    assert observed(seen, MOVE, NOW + HOUR) == seen


@pytest.mark.parametrize("reason", list(MoveReason))
def test_no_move_to_a_shared_target_is_adopted(reason: MoveReason) -> None:
    seen = MoveObservation(target=TARGET, first_seen_at=NOW, last_seen_at=NOW + 2 * DAY)
    assert not may_adopt(Move(target=TARGET, reason=reason), same_feed=True, observation=seen, is_shared_target=True)


@pytest.mark.parametrize(
    ("chain", "elsewhere"),
    [
        (["https://name.blogs.example/rss", 302, "https://www.blogs.example/privacy/consent?redirect=x"], True),
        (["https://a.example/f", 301, "https://b.example/", 307, "https://c.example/"], True),
        (["https://a.example/f", 301, "https://b.example/"], False),
        (["https://a.example/f", 302, "https://www.a.example/404"], False),
        (["https://a.example/f"], False),
    ],
)
def test_a_temporary_redirect_to_another_host_is_told(chain: list[str | int], elsewhere: bool) -> None:
    assert sent_elsewhere(fetched(*chain)) is elsewhere
