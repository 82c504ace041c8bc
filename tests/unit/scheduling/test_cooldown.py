"""The cooldown of a host after its answer: it is the host's, and not that of one feed or page."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.model import FetchResult, Outcome
from feedward.scheduling.cooldown import cooldown_until, rate_limit_s
from feedward.urls.safety import host_of_url

NOW = 1_790_000_000
HOUR, DAY = 3600, 24 * 3600
LIMITED = {"outcome": Outcome.RATE_LIMITED, "status": 429}
FAILED = {"outcome": Outcome.SERVER_ERROR}


def answer(**members: Any) -> FetchResult:
    return FetchResult(**{"url": "https://example.com/", **members})


@pytest.mark.parametrize(
    ("members", "wait"),
    [
        (LIMITED, HOUR),
        (LIMITED | {"retry_after_s": 0}, None),
        (LIMITED | {"retry_after_s": 600}, 600),
        (LIMITED | {"status": None, "retry_after_s": 600}, 600),
        (LIMITED | {"retry_after_s": 99 * DAY}, 7 * DAY),
        (FAILED | {"status": 503, "retry_after_s": 600}, 600),
        (FAILED | {"status": 503}, None),
        (FAILED | {"status": 500, "retry_after_s": 600}, None),
        ({"outcome": Outcome.OK, "status": 200}, None),
        ({"outcome": Outcome.OK, "status": 200, "retry_after_s": 600}, None),
    ],
)
def test_the_cooldown_of_a_host_is_as_long_as_its_answer_asks(members: dict[str, Any], wait: int | None) -> None:
    fetch = answer(**members)
    assert cooldown_until(fetch, NOW) == (None if wait is None else NOW + wait)
    assert rate_limit_s(fetch.outcome, fetch.status, fetch.retry_after_s) == (wait or 0)


def test_a_request_that_was_not_sent_says_nothing_of_its_host() -> None:
    assert cooldown_until(answer(**LIMITED, retry_after_s=600, held_back_until=NOW + 600), NOW) is None


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.com:8443/x?y#z", "example.com"),
        ("http://user:secret@example.com/", "example.com"),
        ("ftp://example.com/", ""),
        ("no URL", ""),
        ("", ""),
    ],
)
def test_a_host_has_one_cooldown_for_all_its_ports_and_schemes(url: str, host: str) -> None:
    assert host_of_url(url) == host
