"""Every store of webhooks: claims, limits, races, deliveries and due rows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.webhooks.deliveries import DynamoDeliveries
from feedward.adapters.dynamodb.webhooks.sweep_store import DynamoTaskSweepStore
from feedward.adapters.dynamodb.webhooks.webhooks import DynamoWebhooks
from feedward.errors import WrongState
from feedward.model import Outcome
from feedward.ports.webhooks import Follower
from feedward.ulid import derived_ulid
from feedward.webhooks.attempt import Attempt
from feedward.webhooks.circuit_breaker import Standing, after_failure
from feedward.webhooks.delivery import Delivery, DeliveryStatus, Job, WebhookTask
from feedward.webhooks.webhook import SealedSecrets, Webhook
from tests.contract.benches.feeds import NOW
from tests.contract.benches.subscribed import registered, subscribed
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

URL = "https://receiver.example/hook"


class Hooks:
    """The stores in the tables of a bench."""

    def __init__(self, bench: Bench) -> None:
        tables = Tables(bench.faults, bench.contents.names, PATIENT)  # type: ignore[arg-type]
        self.webhooks, self.deliveries = DynamoWebhooks(tables), DynamoDeliveries(tables)
        self.sweeps = DynamoTaskSweepStore(tables)


@pytest.fixture
def hooks(bench: Bench) -> Hooks:
    return Hooks(bench)


def webhook(name: str = "one", url: str = URL, **members: Any) -> Webhook:
    given: dict[str, Any] = {"tenant_id": None, "events": ("feed.moved",), "tags": ("a", "b"), **members}
    return Webhook(
        webhook_id=derived_ulid(NOW, name), url=url, secrets=SealedSecrets(current="sealed"), created_at=NOW,
        updated_at=NOW, **given,
    )  # fmt: skip


def delivery(name: str = "1", of: Webhook | None = None, **members: Any) -> Delivery:
    of = of or webhook()
    given: dict[str, Any] = {"created_at": NOW, "due_at": NOW + 90, **members}
    return Delivery(
        tenant_id=of.tenant_id, webhook_id=of.webhook_id, delivery_id=derived_ulid(NOW, "delivery", name),
        event_id=f"event {name}", type="feed.moved", happened_at=NOW, **given,
    )  # fmt: skip


# --- webhooks -------------------------------------------------------------------------------------


def test_a_webhook_is_read_as_it_was_written(hooks: Hooks) -> None:
    new = webhook(standing=Standing(failures=3, is_slow=True, last_success_at=NOW))

    assert hooks.webhooks.create(new, at_most=20) == new
    assert hooks.webhooks.get(None, new.webhook_id) == new
    assert hooks.webhooks.get("other", new.webhook_id) is None
    assert hooks.webhooks.of_tenant(None) == [new]
    assert hooks.webhooks.with_webhooks([None, "other"]) == frozenset({None})


def test_a_tenant_has_a_url_for_events_once_and_another_tenant_has_it_too(hooks: Hooks) -> None:
    first = hooks.webhooks.create(webhook("one"), at_most=20)

    assert hooks.webhooks.create(webhook("two"), at_most=20) == first
    theirs, others = webhook("three", tenant_id="t1"), webhook("four", events=("feed.stale",))
    assert hooks.webhooks.create(theirs, at_most=20) == theirs
    assert hooks.webhooks.create(others, at_most=20) == others


def test_of_many_at_once_as_many_are_made_as_there_may_be(hooks: Hooks) -> None:
    new = [webhook(str(number), f"https://r{number}.example/") for number in range(12)]

    with ThreadPoolExecutor(12) as pool:
        made = list(pool.map(lambda each: hooks.webhooks.create(each, at_most=5), new))

    assert sum(each is not None for each in made) == 5 == len(hooks.webhooks.of_tenant(None))


def test_a_deleted_webhook_gives_its_place_and_its_url_free(hooks: Hooks) -> None:
    first = hooks.webhooks.create(webhook(), at_most=1)
    assert first is not None

    assert hooks.webhooks.delete(first)
    assert hooks.webhooks.get(None, first.webhook_id) is None
    assert hooks.webhooks.create(webhook("two"), at_most=1) == webhook("two")


def test_a_change_counts_once_and_takes_the_claim_with_it(hooks: Hooks) -> None:
    first, second = webhook("one"), webhook("two", "https://other.example/")
    for each in (first, second):
        hooks.webhooks.create(each, at_most=20)
    moved = replace(first, url="https://new.example/")

    assert hooks.webhooks.save(first, moved)
    assert not hooks.webhooks.save(first, replace(first, tags=()))
    with pytest.raises(WrongState):
        hooks.webhooks.save(second, replace(second, url=moved.url))
    assert hooks.webhooks.create(webhook("three"), at_most=20) == webhook("three")


def test_a_standing_is_written_over_the_one_that_was_read(hooks: Hooks) -> None:
    new = webhook()
    hooks.webhooks.create(new, at_most=20)
    failed = after_failure(new.standing, NOW)

    assert hooks.webhooks.save_standing(new, failed) is None
    stored = hooks.webhooks.save_standing(new, failed)
    assert stored == replace(failed, rev=1)
    assert hooks.webhooks.save_standing(webhook("gone"), failed) is None
    assert hooks.webhooks.get(None, webhook("gone").webhook_id) is None


def test_followers_of_a_feed_come_page_by_page_with_their_tags(hooks: Hooks, bench: Bench) -> None:
    feed = registered(bench)
    made = [
        subscribed(bench, feed, f"n{number}", tenant_id=f"t{number}", tags=(f"tag{number}",)) for number in range(5)
    ]
    after, found = None, list[Follower]()
    while True:
        page = hooks.webhooks.followers(feed, after=after, limit=2)
        found += page.followers
        after = page.after
        if after is None:
            break

    assert {each.tenant_id for each in found} == {each.tenant_id for each in made}
    assert len(found) == 5
    assert set(hooks.webhooks.tags(found).values()) == {(f"tag{number}",) for number in range(5)}


# --- deliveries -----------------------------------------------------------------------------------


def test_a_delivery_is_opened_once_and_keeps_its_body(hooks: Hooks) -> None:
    new = delivery()

    assert hooks.deliveries.open(b'{"a":1}', [new]) == [new]
    assert hooks.deliveries.open(b'{"b":2}', [new]) == [new]  # no worker has begun it
    assert hooks.deliveries.body(new) == b'{"a":1}'
    assert hooks.deliveries.claim(new, holder="me", until=NOW + 60) is not None
    assert hooks.deliveries.open(b"{}", [new]) == []


def test_of_many_claims_at_once_one_holds_and_its_attempt_counts(hooks: Hooks) -> None:
    hooks.deliveries.open(b"{}", [delivery()])

    with ThreadPoolExecutor(8) as pool:
        claims = list(pool.map(lambda n: hooks.deliveries.claim(delivery(), holder=str(n), until=NOW + 60), range(8)))

    (held,) = [each for each in claims if each is not None]
    assert hooks.deliveries.get(None, held.webhook_id, held.delivery_id) == held
    assert (held.attempts, held.due_at) == (1, NOW + 60)


def test_a_claim_whose_answer_was_lost_is_known_as_the_own(hooks: Hooks, bench: Bench) -> None:
    hooks.deliveries.open(b"{}", [delivery()])
    bench.faults.lost_answers = 1

    assert hooks.deliveries.claim(delivery(), holder="me", until=NOW + 60) is not None


def test_a_task_reads_the_webhook_and_the_delivery(hooks: Hooks) -> None:
    hooks.webhooks.create(webhook(), at_most=20)
    hooks.deliveries.open(b"{}", [delivery()])

    assert hooks.deliveries.task(delivery().task) == (webhook(), delivery())
    assert hooks.deliveries.task(delivery("2").task) == (webhook(), None)


def test_pending_deliveries_are_due_and_ended_ones_are_not(hooks: Hooks) -> None:
    one, two = delivery("1"), delivery("2")
    hooks.deliveries.open(b"{}", [one, two])
    hooks.deliveries.save(replace(one, status=DeliveryStatus.DELIVERED, due_at=None))
    hooks.deliveries.put_job(None, webhook().webhook_id, Job.PROBE, due_at=NOW + 5, members={})

    pages = [hooks.sweeps.due(shard.shard, after=None, until=NOW + 90) for shard in hooks.sweeps.shards()]

    assert {task.what for page in pages for task in page.due} == {two.delivery_id, "probe"}


def test_waiting_deliveries_are_listed_oldest_first_and_deleted_with_their_delivery(hooks: Hooks) -> None:
    made = sorted((delivery(str(number)) for number in range(4)), key=lambda each: each.delivery_id)
    hooks.deliveries.open(b"{}", made)
    for each in reversed(made):
        hooks.deliveries.wait(each, until=NOW + 3600)

    waiting = hooks.deliveries.waiting(None, webhook().webhook_id, limit=3)
    assert [each.delivery_id for each in waiting] == [each.delivery_id for each in made[:3]]
    assert all(each.is_waiting for each in waiting)
    hooks.deliveries.waits_no_more(waiting[0])
    assert hooks.deliveries.waiting(None, webhook().webhook_id, limit=1)[0].delivery_id == made[1].delivery_id
    assert hooks.deliveries.waiting("other", webhook().webhook_id, limit=3) == []


def test_a_job_is_claimed_once_and_ends_unless_it_was_written_again(hooks: Hooks) -> None:
    hook_id = webhook().webhook_id
    job = hooks.deliveries.put_job(None, hook_id, Job.REPLAY, due_at=NOW, members={"after": "x"})
    claimed = hooks.deliveries.claim_job(job.task, until=NOW + 60)
    assert claimed is not None
    assert claimed.members == {"after": "x"}
    assert hooks.deliveries.claim_job(job.task, until=NOW + 60) is None

    again = hooks.deliveries.put_job(None, hook_id, Job.REPLAY, due_at=NOW, members={"after": "y"})
    hooks.deliveries.end_job(claimed)
    assert hooks.deliveries.claim_job(again.task, until=NOW + 60) is not None
    assert (
        hooks.deliveries.claim_job(WebhookTask(tenant_id=None, webhook_id=hook_id, what="tell", rev=1), until=NOW)
        is None
    )


def test_the_log_has_the_last_attempts_of_each_kind_newest_first(hooks: Hooks) -> None:
    for number in range(6):
        status = 204 if number % 2 else 500
        attempt = Attempt(
            delivery_id=derived_ulid(NOW, str(number)), event_type="feed.moved", number=1, at_ms=NOW * 1000 + number,
            took_ms=5, outcome=Outcome.OK if number % 2 else Outcome.SERVER_ERROR, status=status, answer="é",
            host="receiver.example", url_hash="00000000",
        )  # fmt: skip
        hooks.deliveries.log(delivery(), attempt)

    arrived = hooks.deliveries.logged(None, webhook().webhook_id, has_arrived=True, limit=2)
    failed = hooks.deliveries.logged(None, webhook().webhook_id, has_arrived=False, limit=10)
    assert [each.at_ms - NOW * 1000 for each in arrived] == [5, 3]
    assert [each.at_ms - NOW * 1000 for each in failed] == [4, 2, 0]
    assert failed[0].answer == "é"
