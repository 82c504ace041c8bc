"""Concurrent attempts, and the remains of a deleted tenant."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.access.tenant_data import DynamoTenantData
from feedward.services.webhooks.attempt_leases import HELD_S, OF_HOST, OF_TENANT, OF_WEBHOOK, Places
from feedward.services.work.tasks import HostBusy
from feedward.webhooks.webhook import SealedSecrets, Webhook
from tests.fakes.directory import NOW
from tests.fakes.webhooks import FakeWebhooks, answered
from tests.unit.services.webhooks.notified import FEED, items_published


@pytest.fixture(autouse=True)
def _without_waits(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A wait would let the leases of others end: here the test sets the time."""
    if "workers" not in request.node.name:
        monkeypatch.setattr("feedward.services.webhooks.attempt_leases._WAIT_S", 0.0)


class NoObjects:
    """An empty bucket."""

    def within(self, _deadline: object) -> NoObjects:
        return self

    def remove(self, _tenant_id: str) -> tuple[int, None]:
        return 0, None


def webhook(number: int, *, tenant: str = "t", host: str = "receiver.example") -> Webhook:
    return Webhook(
        tenant_id=tenant, webhook_id=f"w{number}", url=f"https://{host}/hook", events=("feed.moved",),
        secrets=SealedSecrets(current=""), created_at=NOW, updated_at=NOW,
    )  # fmt: skip


def held_at_once(webhooks: list[Webhook]) -> int:
    """The number of these that get their slots while all want them."""
    places, held = Places(FakeWebhooks().ports), 0
    with ExitStack() as stack:
        for number, each in enumerate(webhooks):
            try:
                stack.enter_context(places.taken(each, f"d{number}"))
            except HostBusy:
                continue
            held += 1
    return held


def test_at_most_five_of_a_webhook_are_under_way() -> None:
    assert held_at_once([webhook(1)] * 12) == OF_WEBHOOK == 5


def test_at_most_ten_are_under_way_at_a_host_over_all_tenants() -> None:
    assert held_at_once([webhook(number, tenant=f"t{number}") for number in range(30)]) == OF_HOST == 10


def test_at_most_twenty_of_a_tenant_are_under_way() -> None:
    held = held_at_once([webhook(number, host=f"r{number}.example") for number in range(60)])

    assert OF_TENANT - 3 <= held <= OF_TENANT == 20


def test_places_are_free_again_after_their_work_and_after_a_death() -> None:
    hooks = FakeWebhooks()
    places = Places(hooks.ports)
    for number in range(20):
        with places.taken(webhook(1), f"d{number}"):
            pass
    dead = [Places(hooks.ports).taken(webhook(1), f"dead{number}") for number in range(OF_WEBHOOK)]
    for each in dead:
        each.__enter__()  # and never left
    with pytest.raises(HostBusy):
        places.taken(webhook(1), "late").__enter__()
    hooks.clock.advance(HELD_S + 1)

    with places.taken(webhook(1), "later"):
        pass


def test_a_receiver_never_has_more_than_five_requests_though_many_workers_are_at_it() -> None:
    hooks = FakeWebhooks()
    hooks.create()
    hooks.follow(FEED)

    def slow(_: Any) -> Any:
        time.sleep(0.002)
        return answered(204)

    hooks.poster.answers["https://receiver.example/hook"] = slow
    hooks.ports = replace(hooks.ports, sleep=lambda seconds: time.sleep(seconds / 100))
    events = [items_published(str(number), at=NOW + number) for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda start: hooks.work(*events[start : start + 10]), range(0, 40, 10)))
    hooks.pass_time(1200)

    assert hooks.poster.most_at_once["https://receiver.example/hook"] <= OF_WEBHOOK
    assert len({each.message_id for each in hooks.poster.got()}) == 40


def test_nothing_is_left_of_the_webhooks_of_a_deleted_tenant_and_all_of_anothers() -> None:
    hooks = FakeWebhooks()
    for tenant in ("gone", "stays"):
        hooks.create(f"https://{tenant}.example/hook", tenant_id=tenant)
        hooks.follow(FEED, tenant_id=tenant, name=tenant)
    hooks.work(items_published())
    before = stored(hooks, "stays")

    data = DynamoTenantData(hooks.tables, NoObjects())  # type: ignore[arg-type]
    for stage in range(data.stages):
        place: Any = None
        while True:
            _, place = data.remove("gone", stage, place)
            if place is None:
                break

    assert stored(hooks, "gone") == []
    assert stored(hooks, "stays") == before != []
    hooks.work(items_published("2"))
    assert len(hooks.poster.got("https://gone.example/hook")) == 1
    assert len(hooks.poster.got("https://stays.example/hook")) == 2


def stored(hooks: FakeWebhooks, tenant: str) -> list[dict[str, Any]]:
    """A tenant's items in WebhooksTable."""
    names = hooks.directory.contents.names
    items, _ = hooks.tables.scan(names.webhooks, after=None, at_most=10_000)
    return sorted((each for each in items if each["pk"].partition("#")[0] == tenant), key=str)
