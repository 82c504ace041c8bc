"""A refusal is a `challenge` if its page is a bot wall's; how that page is sent changes nothing else."""

from __future__ import annotations

import pytest

from feedward.adapters.fetching.refusals import judged
from feedward.model import Outcome
from tests.unit.pages.bot_walls import WALLS

WALL = WALLS["Anubis"].encode()
HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize("status", [400, 402, 403, 405, 406, 418, 503, 999])
def test_a_wall_is_a_challenge_with_any_status(status: int) -> None:
    outcome = {403: Outcome.FORBIDDEN, 503: Outcome.SERVER_ERROR}.get(status)
    assert judged(outcome or Outcome.CLIENT_ERROR, status, HTML, lambda: WALL) is Outcome.CHALLENGE
    assert judged(Outcome.FORBIDDEN, status, HTML, lambda: b"<h1>Forbidden</h1>") is Outcome.FORBIDDEN
    assert judged(Outcome.FORBIDDEN, status, HTML, bytes) is Outcome.FORBIDDEN


@pytest.mark.parametrize(
    ("outcome", "status", "headers"),
    [
        (Outcome.NOT_FOUND, 404, HTML),
        (Outcome.GONE, 410, HTML),
        (Outcome.UNAUTHORIZED, 401, HTML),
        (Outcome.RATE_LIMITED, 429, HTML),
        (Outcome.SERVER_ERROR, 500, HTML),
        (Outcome.SERVER_ERROR, 502, HTML),
        (Outcome.FORBIDDEN, 403, {"content-type": "application/json"}),
    ],
)
def test_the_page_of_any_other_failure_is_not_read(outcome: Outcome, status: int, headers: dict[str, str]) -> None:
    def unread() -> bytes:
        raise AssertionError("it was read")

    assert judged(outcome, status, headers, unread) is outcome
