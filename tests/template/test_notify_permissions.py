"""The notify function's role allows its actions, action by action and resource by resource, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.webhooks.sweep_store import DynamoTaskSweepStore
from feedward.adapters.kms import KmsSecretBox
from feedward.quotas.quota import Quota
from feedward.services.webhooks.manage import create_webhook, send_test_event
from feedward.services.webhooks.send_again import replay_since
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.kms import InMemoryKms
from tests.fakes.webhooks import RECEIVER, FakeWebhooks, answered, caller_of
from tests.functions.notify_function import NotifyFunction
from tests.template.test_collect_permissions import Noting
from tests.template.test_permissions import EVENT_SOURCE, AwsClient, Recorder, granted
from tests.unit.services.webhooks.notified import FEED, items_published

ME = caller_of("acme")


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cached metrics of this process, if they were made here first."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "feedward")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "feedward")


def test_the_notify_function_has_exactly_the_permissions_that_it_uses() -> None:
    directory, kms, bus = FakeDirectory({}), InMemoryKms(), AwsClient()
    owner = FakeWebhooks(directory)
    owner.ports = replace(owner.ports, secrets=KmsSecretBox("key", lambda: kms))
    recorder = Recorder(directory.faults)
    hooks = FakeWebhooks(directory, recorder, limits={Quota.DELIVERIES_PER_DAY: 1000})
    hooks.queue, hooks.poster = owner.queue, owner.poster
    box, sqs = KmsSecretBox("key", lambda: kms), Noting(owner.queue.sqs)
    hooks.bus._client = bus  # type: ignore[assignment]
    hooks.queue._client = sqs  # type: ignore[assignment]
    hooks.ports = replace(hooks.ports, secrets=box, queue=hooks.queue, poster=hooks.poster)
    hooks.sweeps = DynamoTaskSweepStore(hooks.tables)
    function = NotifyFunction(hooks)
    webhook_id = create_webhook(ME, RECEIVER, events=("items.*",), tags=("x",), ports=owner.ports).webhook.webhook_id
    owner.follow(FEED, tenant_id="acme", tags=("x",))
    kms.asked.clear()

    function.work()  # the test event
    use_a_receiver_that_fails_and_comes_back(function)
    hooks.poster.answers[RECEIVER] = answered(410)
    function.hear(items_published("gone"))
    function.work()
    hooks.poster.answers[RECEIVER] = answered(204)
    send_test_event(ME, webhook_id, ports=owner.ports)
    function.work()
    replay_since(ME, webhook_id, NOW, ports=owner.ports)
    function.work()
    for task in ("sweep", "repair"):
        function.do(task)

    names = {
        directory.contents.names.webhooks: "WebhooksTable",
        directory.contents.names.tenants: "TenantsTable",
        directory.contents.names.state: "StateTable",
    }
    asked = {(action, _named(resource, names)) for action, resource in recorder.asked}
    asked |= {(f"sqs:{name}", "WebhookQueue") for name in sqs.asked}
    asked |= {(name, "WebhookQueue") for name in EVENT_SOURCE}
    asked |= {(f"events:{name}", "EventBus") for name in bus.asked}
    asked |= {(f"kms:{name}", "WebhookKey") for name in kms.asked}
    assert granted("NotifyFunctionRole") == asked


def use_a_receiver_that_fails_and_comes_back(function: NotifyFunction) -> None:
    """Attempts that fail until the receiver is held, the wait of others, and the probe of the receiver."""
    hooks = function.hooks
    hooks.poster.answers[RECEIVER] = answered(500)
    for number in range(8):
        function.hear(items_published(str(number), at=NOW + number))
        function.work()
    hooks.poster.answers[RECEIVER] = answered(204)
    for _ in range(3):
        hooks.clock.advance(120)
        function.do("sweep")
        function.work()


def _named(resource: str, names: dict[str, Any]) -> str:
    table, _, index = resource.partition("/")
    return f"{names[table]}/index/{index.removeprefix('index/')}" if index else str(names[table])
