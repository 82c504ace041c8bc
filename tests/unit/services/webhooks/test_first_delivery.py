"""From an event to a signed request at the receiver."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from standardwebhooks.webhooks import Webhook as Verifier

from tests.fakes.webhooks import RECEIVER, FakeWebhooks
from tests.unit.services.webhooks.notified import FEED, items_published


@pytest.fixture
def hooks() -> FakeWebhooks:
    return FakeWebhooks()


def test_an_event_about_a_feed_that_a_tenant_follows_arrives_once(hooks: FakeWebhooks) -> None:
    hooks.create()
    hooks.follow(FEED)

    hooks.work(items_published())

    (request,) = hooks.poster.got()
    assert request.url == RECEIVER
    assert request.document["type"] == "items.published"
    assert request.document["data"]["feed_id"] == FEED


def test_a_delivery_can_be_checked_with_the_secret_that_was_shown(
    hooks: FakeWebhooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = hooks.create().secret
    hooks.follow(FEED)
    hooks.work(items_published())
    (request,) = hooks.poster.got()

    assert secret is not None
    verifier = Verifier(secret)
    monkeypatch.setattr(verifier, "_Webhook__verify_timestamp", lambda _: _at(hooks), raising=False)
    assert verifier.verify(request.body, dict(request.headers)) == request.document


def _at(hooks: FakeWebhooks) -> datetime:
    return datetime.fromtimestamp(hooks.clock.time, UTC)
