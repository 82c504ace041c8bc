"""Deliveries have a daily quota: deliveries above it are held until it resets, and reported once (rule K21)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.errors import Throttled
from feedward.events.envelope import DELIVERIES_HELD
from feedward.quotas.quota import Quota
from feedward.services.webhooks.deliver import Deliverer, Result
from feedward.services.webhooks.manage import send_test_event
from feedward.services.webhooks.quota import SPREAD_S
from feedward.services.webhooks.send_again import redeliver, replay_since
from feedward.webhooks.delivery import DAY_S
from tests.fakes.directory import NOW
from tests.fakes.webhooks import RECEIVER, FakeWebhooks, answered, caller_of
from tests.unit.services.webhooks.notified import FEED, items_published

OPENS_AT = NOW - NOW % DAY_S + DAY_S
ACME = caller_of("acme")


def followed(limit: int, *tenants: str) -> FakeWebhooks:
    """Webhooks of tenants that follow a feed, with so many deliveries a day."""
    hooks = FakeWebhooks(limits={Quota.DELIVERIES_PER_DAY: limit})
    for tenant in tenants or ("acme",):
        hooks.create(f"https://{tenant}.example/hook" if tenants else RECEIVER, tenant_id=tenant)
        hooks.follow(FEED, tenant_id=tenant, name=tenant)
    return hooks


def hear(hooks: FakeWebhooks, number: int, *, first: int = 0) -> list[Result]:
    """So many events, one after the other; the results of their tasks."""
    events = [items_published(str(first + each), at=hooks.clock.now()) for each in range(number)]
    reports = [report for event in events for report in hooks.work(event)]
    return [answer.result for report in reports for answer in report.answers]


def told(hooks: FakeWebhooks) -> list[dict[str, Any]]:
    return [
        detail
        for entry, detail in zip(hooks.bus.events.entries, hooks.bus.details, strict=True)
        if entry["DetailType"] == DELIVERIES_HELD
    ]


def used(hooks: FakeWebhooks, tenant: str = "acme") -> int | None:
    states = hooks.ports.charges.state(tenant, {})  # type: ignore[attr-defined]
    (found,) = [state.used for state in states if state.quota is Quota.DELIVERIES_PER_DAY]
    return found  # type: ignore[no-any-return]


def test_deliveries_above_the_quota_are_held_and_sent_after_its_reset() -> None:
    hooks = followed(3)
    assert hear(hooks, 5) == [Result.DELIVERED] * 3 + [Result.OVER_QUOTA] * 2
    assert len(hooks.poster.got()) == 3
    hooks.clock.advance(OPENS_AT - hooks.clock.now() - 60)
    hooks.sweep()
    assert len(hooks.poster.got()) == 3
    hooks.pass_time(SPREAD_S + 180)
    assert len({each.message_id for each in hooks.poster.got()}) == len(hooks.poster.got()) == 5
    assert used(hooks) == 2


def test_it_is_told_once_a_day() -> None:
    hooks = followed(1)
    hear(hooks, 4)
    assert [(each["tenant_id"], each["limit"], each["opens_at"]) for each in told(hooks)] == [("acme", 1, OPENS_AT)]
    hooks.clock.advance(DAY_S)
    hear(hooks, 3, first=10)
    assert len(told(hooks)) == 2
    assert len({each["id"] for each in told(hooks)}) == 2


def test_an_unsent_event_is_sent_by_the_next_call() -> None:
    hooks = followed(0)
    hooks.bus.events.fails = 1_000
    hear(hooks, 1)
    hooks.bus.events.fails = 0
    hooks.clock.advance(61)
    hear(hooks, 1, first=1)
    assert len(told(hooks)) == 1


def test_a_delivery_is_charged_once_however_often_it_is_sent() -> None:
    hooks = followed(1)
    hooks.poster.answers[RECEIVER] = answered(500)
    hear(hooks, 1)
    hooks.pass_time(3600)
    assert len(hooks.poster.got()) > 2
    hooks.poster.answers[RECEIVER] = answered(204)
    (delivery_id,) = {each.message_id for each in hooks.poster.got()}
    (webhook,) = hooks.ports.webhooks.of_tenant("acme")
    hooks.pass_time(3600)
    redeliver(ACME, webhook.webhook_id, delivery_id, ports=hooks.ports)
    before = len(hooks.poster.got())
    hooks.work()
    assert (len(hooks.poster.got()), used(hooks)) == (before + 1, 1)


def test_a_test_event_is_free() -> None:
    hooks = followed(0)
    (webhook,) = hooks.ports.webhooks.of_tenant("acme")
    hooks.clock.advance(60)
    send_test_event(ACME, webhook.webhook_id, ports=hooks.ports)
    reports = hooks.work()
    assert [answer.result for report in reports for answer in report.answers] == [Result.DELIVERED]


def test_one_tenants_quota_holds_up_no_other() -> None:
    hooks = followed(2, "acme", "other")
    hear(hooks, 2)
    hooks.ports.charges._counters.set_limits("other", {Quota.DELIVERIES_PER_DAY: 100})  # type: ignore[attr-defined]
    hooks.clock.advance(60)
    hear(hooks, 3, first=10)
    got = {name: len(hooks.poster.got(f"https://{name}.example/hook")) for name in ("acme", "other")}
    assert got == {"acme": 2, "other": 5}


def test_a_replay_sends_held_deliveries_after_the_limit_was_raised() -> None:
    hooks = followed(1)
    hear(hooks, 3)
    hooks.ports.charges._counters.set_limits("acme", {Quota.DELIVERIES_PER_DAY: None})  # type: ignore[attr-defined]
    hooks.clock.advance(60)
    (webhook,) = hooks.ports.webhooks.of_tenant("acme")
    replay_since(ACME, webhook.webhook_id, NOW, ports=hooks.ports)
    hooks.work()
    assert len({each.message_id for each in hooks.poster.got()}) == len(hooks.poster.got()) == 3


def test_nothing_is_sent_while_the_counters_cannot_be_reached() -> None:
    hooks = followed(5)
    failing = hooks.ports.charges._counters  # type: ignore[attr-defined]
    add = failing.add

    def fail(*_: object, **__: object) -> None:
        raise Throttled("no")

    failing.add = fail
    hear(hooks, 1)
    assert hooks.poster.got() == []
    failing.add = add
    hooks.pass_time(600)
    assert (len(hooks.poster.got()), used(hooks)) == (1, 1)


@pytest.mark.parametrize("limit", [3, 0])
def test_the_deployments_own_user_has_no_limit(limit: int) -> None:
    hooks = FakeWebhooks(limits={Quota.DELIVERIES_PER_DAY: limit})
    hooks.create()
    hooks.follow(FEED)
    assert hear(hooks, 5) == [Result.DELIVERED] * 5


def test_a_worker_that_comes_too_late_charges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = followed(5)
    seen: list[Any] = []
    take = type(hooks.ports.deliveries).task

    def late(store: Any, task: Any) -> Any:
        seen.append(take(store, task))
        return seen[0]

    monkeypatch.setattr(type(hooks.ports.deliveries), "task", late)
    hear(hooks, 1)
    [delivery] = [found for _, found in seen]
    again = Deliverer.over(hooks.ports).take(delivery.task)
    assert (again.result, len(hooks.poster.got()), used(hooks)) == (Result.STALE, 1, 1)
