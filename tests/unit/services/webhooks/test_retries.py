"""Failed deliveries: retries, the breaker, disabling, and sending again."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from feedward.adapters.dynamodb.webhooks.deliveries import DynamoDeliveries
from feedward.deadline import Deadline
from feedward.errors import NotFound, StoreUnavailable, WrongState
from feedward.model import Outcome
from feedward.services.webhooks.deliver import Deliverer
from feedward.services.webhooks.jobs import RESERVE_S, Jobs
from feedward.services.webhooks.manage import change_webhook, delete_webhook, find_webhook, send_test_event
from feedward.services.webhooks.send_again import list_attempts, redeliver, replay_since
from feedward.services.webhooks.work_batch import work_batch
from feedward.webhooks.attempt import Posted
from feedward.webhooks.circuit_breaker import DisabledBecause
from feedward.webhooks.delivery import Delivery, DeliveryStatus, Job
from feedward.webhooks.events import TEST
from feedward.webhooks.retry_schedule import ATTEMPTS, STEPS_S
from feedward.webhooks.webhook import WebhookStatus
from tests.fakes.directory import NOW
from tests.fakes.webhooks import RECEIVER, FakeWebhooks, Request, answered, caller_of, unanswered
from tests.unit.services.webhooks.notified import FEED, items_published

DAY_S = 24 * 3600
ME = caller_of(None)


@pytest.fixture
def hooks() -> FakeWebhooks:
    hooks = FakeWebhooks()
    hooks.follow(FEED)
    return hooks


def live_id(hooks: FakeWebhooks, url: str = RECEIVER) -> str:
    return hooks.create(url).webhook.webhook_id


def test_a_failed_delivery_is_tried_ten_times_with_the_same_id_and_body_and_new_signatures(hooks: FakeWebhooks) -> None:
    live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(500)

    hooks.work(items_published())
    hooks.work(delays_too=True)  # after 5 seconds
    hooks.work(delays_too=True)  # after 5 minutes
    hooks.pass_time(4.5 * DAY_S, step_s=600)

    got = hooks.poster.got()
    assert len(got) == len(STEPS_S) + 1
    assert len({each.message_id for each in got}) == len({each.body for each in got}) == 1
    assert len({each.headers["webhook-timestamp"] for each in got[2:]}) == len(got[2:])
    waits = [later.at - one.at for one, later in pairwise(got[2:])]
    assert all(step <= wait <= step * 1.2 + 1260 for step, wait in zip(STEPS_S[2:], waits, strict=True))


def test_a_second_message_of_a_delivery_sends_nothing(hooks: FakeWebhooks) -> None:
    live_id(hooks)
    hooks.work(items_published(), items_published())
    hooks.work(items_published())

    assert len(hooks.poster.got()) == 1


def test_a_message_that_comes_again_after_a_failure_brings_no_retry_forward(hooks: FakeWebhooks) -> None:
    live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(500)
    work_batch([items_published()], ports=hooks.ports, within_s=50.0)
    messages = hooks.queue.take()

    for _ in range(3):
        work_batch(messages, ports=hooks.ports, within_s=50.0)

    assert len(hooks.poster.got()) == 1


def test_a_delivery_whose_ten_workers_died_is_given_up(hooks: FakeWebhooks) -> None:
    own = live_id(hooks)
    work_batch([items_published()], ports=hooks.ports, within_s=50.0)
    (found,) = [each for each in hooks.ports.deliveries.page(None, own, after=None, limit=9) if each.type != TEST]
    for number in range(ATTEMPTS):
        claimed = hooks.ports.deliveries.claim(found, holder=str(number), until=int(hooks.clock.time))
        assert claimed is not None
        found = claimed

    hooks.pass_time(180)

    assert hooks.poster.got() == []
    given_up = hooks.ports.deliveries.get(None, own, found.delivery_id)
    assert given_up is not None
    assert given_up.status is DeliveryStatus.FAILED


def test_a_delivery_whose_message_was_lost_is_sent_by_the_sweep(hooks: FakeWebhooks) -> None:
    live_id(hooks)
    hooks.queue.sqs.fails = 100  # it competes for the event's task
    hooks.work(items_published())
    hooks.queue.sqs.fails = 0

    hooks.pass_time(180)

    assert len(hooks.poster.got()) == 1


def test_five_failures_hold_a_receiver_and_only_one_delivery_is_tried_until_it_is_back(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = unanswered(Outcome.CONNECT_ERROR)

    hooks.work(*(items_published(str(number), at=NOW + number) for number in range(40)))

    assert 5 <= len(hooks.poster.got()) <= 10  # those of a batch that had begun
    webhook = find_webhook(ME, webhook_id, ports=hooks.ports)
    assert webhook.standing.held_until is not None
    before = len(hooks.poster.got())
    hooks.pass_time(3600)
    assert len(hooks.poster.got()) - before < 12


def test_of_the_events_that_come_after_a_hold_one_is_the_probe(hooks: FakeWebhooks) -> None:
    live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(500)
    hooks.work(*(items_published(str(number)) for number in range(5)))
    assert len(hooks.poster.got()) == 5
    hooks.clock.advance(61)

    hooks.work(*(items_published(str(number)) for number in range(5, 15)))

    assert len(hooks.poster.got()) == 6


def test_waiting_deliveries_are_sent_oldest_first_and_five_at_a_time_after_recovery(hooks: FakeWebhooks) -> None:
    live_id(hooks)
    hooks.poster.answers[RECEIVER] = unanswered(Outcome.TIMEOUT)
    for start in range(0, 60, 10):
        hooks.work(*(items_published(str(number), at=NOW + number) for number in range(start, start + 10)))
    failed = {each.message_id for each in hooks.poster.got()}

    hooks.poster.answers[RECEIVER] = answered(204)
    before = len(hooks.poster.requests)
    hooks.pass_time(2 * 3600)

    waited = [each.message_id for each in hooks.poster.requests[before:] if each.message_id not in failed]
    assert len(waited) == len(set(waited)) == 60 - len(failed)
    assert all(abs(sorted(waited).index(each) - place) < 5 for place, each in enumerate(waited))
    assert hooks.poster.most_at_once[RECEIVER] <= 5
    arrived = {each.message_id for each in hooks.poster.requests[before:]}
    assert len(arrived) == 60


def test_410_disables_a_webhook_and_the_bus_gets_one_event(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(410)

    hooks.work(items_published())
    hooks.work(items_published("2"))
    hooks.pass_time(600)

    webhook = find_webhook(ME, webhook_id, ports=hooks.ports)
    assert (webhook.status, webhook.disabled_because) == (WebhookStatus.DISABLED, DisabledBecause.GONE)
    assert len(hooks.poster.got()) == 1
    (told,) = [each for each in hooks.bus.details if each.get("webhook_id") == webhook_id]
    assert told["reason"] == "gone"

    hooks.ports.deliveries.put_job(None, webhook_id, Job.TELL, due_at=int(hooks.clock.time), members={})
    hooks.pass_time(120)  # a worker had died after it told the bus
    again = [each for each in hooks.bus.details if each.get("webhook_id") == webhook_id]
    assert again == [told, told]


def test_five_days_without_success_disable_a_webhook_and_one_success_does_not_let_it(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(503)
    for day in range(7):
        hooks.work(*(items_published(f"{day}-{number}", at=hooks.clock.now()) for number in range(3)))
        hooks.pass_time(DAY_S, step_s=3600)

    webhook = find_webhook(ME, webhook_id, ports=hooks.ports)
    assert (webhook.status, webhook.disabled_because) == (WebhookStatus.DISABLED, DisabledBecause.FAILING)
    assert webhook.disabled_at is not None
    assert webhook.disabled_at - NOW >= 5 * DAY_S


def test_a_test_event_that_arrives_enables_a_webhook_with_no_failure_counted(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(410)
    hooks.work(items_published())
    hooks.poster.answers[RECEIVER] = answered(204)
    hooks.clock.advance(60)

    send_test_event(ME, webhook_id, ports=hooks.ports)
    hooks.work()

    webhook = find_webhook(ME, webhook_id, ports=hooks.ports)
    assert webhook.status is WebhookStatus.LIVE
    assert (webhook.standing.failures, webhook.standing.failed) == (0, 0)


@pytest.mark.parametrize("later_s", [0, 5])
def test_a_test_event_under_way_enables_no_webhook_that_its_owner_switched_off_since(
    hooks: FakeWebhooks, later_s: int
) -> None:
    webhook_id = hooks.create(is_live=False).webhook.webhook_id
    hooks.clock.advance(later_s)
    change_webhook(ME, webhook_id, enabled=False, ports=hooks.ports)

    hooks.work(delays_too=True)

    assert hooks.poster.requests == []
    assert find_webhook(ME, webhook_id, ports=hooks.ports).status is WebhookStatus.DISABLED
    send_test_event(ME, webhook_id, ports=hooks.ports)  # in the same second: this one was meant
    hooks.work(delays_too=True)
    assert find_webhook(ME, webhook_id, ports=hooks.ports).status is WebhookStatus.LIVE


def test_a_webhook_that_is_switched_off_while_its_test_event_is_at_the_receiver_stays_off(hooks: FakeWebhooks) -> None:
    webhook_id = hooks.create(is_live=False).webhook.webhook_id

    def switched_off(_: Request) -> Posted:
        hooks.clock.advance(2)
        change_webhook(ME, webhook_id, enabled=False, ports=hooks.ports)
        return answered(204)

    hooks.poster.answers[RECEIVER] = switched_off
    hooks.work(delays_too=True)

    assert find_webhook(ME, webhook_id, ports=hooks.ports).disabled_because is DisabledBecause.OWNER


def test_a_test_event_that_arrives_at_the_old_url_makes_no_new_one_live(hooks: FakeWebhooks) -> None:
    webhook = hooks.create(is_live=False).webhook

    def move(_: Request) -> Posted:
        change_webhook(ME, webhook.webhook_id, url="https://new.example/hook", ports=hooks.ports)
        return answered(204)

    hooks.poster.answers = {RECEIVER: move, "https://new.example/hook": answered(500)}
    hooks.work(delays_too=True)

    assert {each.url for each in hooks.poster.requests} == {RECEIVER, "https://new.example/hook"}
    assert find_webhook(ME, webhook.webhook_id, ports=hooks.ports).status is WebhookStatus.UNTESTED


def test_any_number_of_changes_sends_a_test_event_each_10_seconds(hooks: FakeWebhooks) -> None:
    webhook_id = hooks.create(is_live=False).webhook.webhook_id
    times = [NOW + delay for _, delay in hooks.queue.sqs.sent]
    for number in range(40):
        known = len(hooks.queue.sqs.sent)
        url = f"https://{number}.example/hook"  # each is another stranger's
        change_webhook(ME, webhook_id, url=url, enabled=bool(number % 2), ports=hooks.ports)
        change_webhook(ME, webhook_id, enabled=True, ports=hooks.ports)
        times += [hooks.clock.now() + delay for _, delay in hooks.queue.sqs.sent[known:]]
        hooks.clock.advance(1)

    assert min(later - earlier for earlier, later in pairwise(times)) >= 10
    assert len(times) <= 11
    with pytest.raises(WrongState):
        send_test_event(ME, webhook_id, ports=hooks.ports)


def test_a_webhook_that_gets_another_url_and_is_switched_off_at_once_is_sent_no_test_event(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    before = len(hooks.poster.requests)

    change_webhook(ME, webhook_id, url="https://other.example/hook", enabled=False, ports=hooks.ports)
    hooks.work(delays_too=True)

    assert len(hooks.poster.requests) == before
    assert find_webhook(ME, webhook_id, ports=hooks.ports).status is WebhookStatus.DISABLED


def test_events_lost_while_a_webhook_was_disabled_are_sent_again_on_request(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(410)
    hooks.work(items_published("0"))
    hooks.clock.advance(3600)
    hooks.work(*(items_published(str(number), at=hooks.clock.now()) for number in range(1, 6)))
    hooks.poster.answers[RECEIVER] = answered(204)
    send_test_event(ME, webhook_id, ports=hooks.ports)
    hooks.work()
    before = len(hooks.poster.requests)

    replay_since(ME, webhook_id, NOW, ports=hooks.ports)
    hooks.work()
    hooks.pass_time(300)

    again = [each.message_id for each in hooks.poster.requests[before:]]
    assert len(again) == len(set(again)) == 6
    hooks.pass_time(3 * 3600)
    assert len(hooks.poster.requests) == before + 6


def test_a_host_gets_test_events_a_second_apart_from_all_tenants(hooks: FakeWebhooks) -> None:
    for number in range(5):
        hooks.create(f"https://stranger.example/{number}", tenant_id=f"t{number}", is_live=False)

    delays = sorted(delay for _, delay in hooks.queue.sqs.sent)
    assert delays == [0, 1, 2, 3, 4]
    for number in range(5, 61):
        hooks.create(f"https://stranger.example/{number}", tenant_id=f"t{number}", is_live=False)
    with pytest.raises(WrongState):
        hooks.create("https://stranger.example/last", tenant_id="last", is_live=False)


def test_one_delivery_is_sent_again_with_its_id(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.work(items_published())
    (first,) = hooks.poster.got()

    redeliver(ME, webhook_id, first.message_id, ports=hooks.ports)
    hooks.work()

    again = hooks.poster.got()[-1]
    assert (again.message_id, again.body) == (first.message_id, first.body)
    assert len(hooks.poster.got()) == 2


def test_a_delivery_is_sent_again_within_seven_days(hooks: FakeWebhooks) -> None:
    own = live_id(hooks)
    hooks.work(items_published())
    (sent,) = hooks.poster.got()
    hooks.clock.advance(7 * DAY_S)
    assert redeliver(ME, own, sent.message_id, ports=hooks.ports).attempts == 0
    hooks.clock.advance(1)
    with pytest.raises(NotFound):
        redeliver(ME, own, sent.message_id, ports=hooks.ports)


def test_the_log_has_the_result_of_each_attempt_and_shows_no_url(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks, "https://receiver.example/hook/s3cret-path")
    hooks.poster.answers["https://receiver.example/hook/s3cret-path"] = answered(500, b"not\x00now \xff" * 500)
    hooks.clock.advance(1)
    hooks.work(items_published())

    newest, tested = list_attempts(ME, webhook_id, ports=hooks.ports)

    assert (newest.status, newest.outcome, newest.event_type) == (500, Outcome.SERVER_ERROR, "items.published")
    assert newest.next_at is not None
    assert len(newest.answer) == 1000
    assert newest.answer.isprintable()
    assert tested.has_arrived
    assert "s3cret" not in json.dumps([newest.host, newest.url_hash, newest.answer])


@pytest.mark.parametrize("status", [204, 500])
@pytest.mark.parametrize("broken", ["log", "save_standing"])
def test_a_result_counts_though_its_log_or_the_standing_cannot_be_written(
    hooks: FakeWebhooks, monkeypatch: pytest.MonkeyPatch, broken: str, status: int
) -> None:
    live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(status)

    def fails(*_: object, **__: object) -> None:
        raise StoreUnavailable("no")

    store = hooks.ports.deliveries if broken == "log" else hooks.ports.webhooks
    monkeypatch.setattr(type(store), broken, fails)
    reports = hooks.work(items_published())

    assert [error for report in reports for error in report.failures if error] == []
    assert sum(report.again for report in reports) == 0
    assert len(hooks.poster.got()) == 1
    assert len([delay for _, delay in hooks.queue.sqs.sent if delay in (5, 6)]) == (status == 500)


def test_blocked_is_tried_again_from_the_half_hour_on_and_tells_no_answer(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = unanswered(Outcome.BLOCKED)

    hooks.work(items_published())

    (attempt,) = list_attempts(ME, webhook_id, ports=hooks.ports, outcome="failed")
    assert attempt.next_at is not None
    assert attempt.next_at - NOW >= 1800
    assert attempt.answer == ""


def test_deliveries_of_a_webhook_that_was_deleted_end_silently(hooks: FakeWebhooks) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = answered(500)
    hooks.work(items_published())
    delete_webhook(ME, webhook_id, ports=hooks.ports)
    before = len(hooks.poster.requests)

    hooks.work(delays_too=True)
    hooks.pass_time(DAY_S, step_s=1800)

    assert len(hooks.poster.requests) == before


def test_the_deliveries_that_wait_for_a_disabled_webhook_end_within_the_time_of_the_calls(
    hooks: FakeWebhooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook_id = live_id(hooks)
    hooks.poster.answers[RECEIVER] = unanswered(Outcome.TIMEOUT)
    for start in range(0, 40, 10):
        hooks.work(*(items_published(str(number), at=NOW + number) for number in range(start, start + 10)))
    change_webhook(ME, webhook_id, ports=hooks.ports, enabled=False)
    deliveries = hooks.ports.deliveries
    ends = DynamoDeliveries.waits_no_more

    def slowly(store: DynamoDeliveries, delivery: Delivery) -> None:
        hooks.clock.advance(1.0)
        ends(store, delivery)

    monkeypatch.setattr(DynamoDeliveries, "waits_no_more", slowly)
    job, began = deliveries.put_job(None, webhook_id, Job.PROBE, due_at=hooks.clock.now(), members={}), hooks.clock.time
    deadline = Deadline.after(RESERVE_S + 10, hooks.clock.monotonic)

    Jobs(hooks.ports, Deliverer.over(hooks.ports), deadline).run(job.task)

    assert hooks.clock.time - began <= 11
    assert deliveries.waiting(None, webhook_id, limit=1)
    hooks.work(within_s=600.0)
    assert not deliveries.waiting(None, webhook_id, limit=1)
