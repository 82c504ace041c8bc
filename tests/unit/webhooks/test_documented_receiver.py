"""The receiver of docs/webhooks.md works as documented, with real deliveries of the product."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.webhooks import FakeWebhooks, Request, answered
from tests.unit.services.webhooks.notified import FEED, items_published

DOCUMENT = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text()
(SOURCE,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.S)


class Documented:
    """The code of the document as a server runs it."""

    def __init__(self, secret: str, now: float) -> None:
        self.handled: list[tuple[str, Any]] = []
        self.names: dict[str, Any] = {
            "SECRET": secret, "SEEN": set(), "handle": lambda kind, data: self.handled.append((kind, data))
        }  # fmt: skip
        exec(SOURCE, self.names)

    def post(self, request: Request) -> int:
        status: int = self.names["receive"](dict(request.headers), request.body)
        return status


def sent(hooks: FakeWebhooks) -> tuple[str, Request]:
    secret = hooks.create().secret
    hooks.follow(FEED)
    hooks.work(items_published())
    assert secret is not None
    return secret, hooks.poster.got()[-1]


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> FakeWebhooks:
    """Webhooks with the current time: the verifier checks the clock."""
    hooks = FakeWebhooks()
    hooks.clock.time = float(int(time.time()))
    return hooks


def test_it_has_ten_lines() -> None:
    assert len([line for line in SOURCE.splitlines() if line.strip()]) == 10


def test_it_handles_an_event_once_however_often_it_comes(hooks: FakeWebhooks) -> None:
    secret, request = sent(hooks)
    receiver = Documented(secret, hooks.clock.time)

    assert [receiver.post(request) for _ in range(3)] == [204] * 3
    ((kind, data),) = receiver.handled
    assert (kind, data["feed_id"]) == ("items.published", FEED)


def test_it_refuses_deliveries_not_signed_by_its_secret(hooks: FakeWebhooks) -> None:
    secret, request = sent(hooks)
    receiver = Documented(secret, hooks.clock.time)
    forged = Request(request.url, request.headers, request.body.replace(b"items", b"iteMs"), request.at)
    bare = Request(request.url, {"webhook-id": "1"}, request.body, request.at)

    assert [receiver.post(each) for each in (forged, bare)] == [401, 401]
    assert receiver.handled == []
    assert answered(401).has_arrived is False
