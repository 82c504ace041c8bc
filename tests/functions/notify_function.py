"""The notify function over webhooks in memory: woken by its schedules, and by its queue."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from feedward.webhooks.events import BusEvent
from tests.fakes.webhooks import FakeWebhooks
from tests.functions.conftest import LambdaContext, load_function, read_event


class NotifyFunction:
    """The function, and the webhooks that it serves."""

    def __init__(self, hooks: FakeWebhooks | None = None) -> None:
        self.hooks = hooks or FakeWebhooks()
        self.context = LambdaContext(remaining_ms=60_000, function_name="notify")
        services: Any = SimpleNamespace(
            webhook_ports=self.hooks.ports, task_sweeps=self.hooks.sweeps, clock=self.hooks.clock
        )
        self.handler = load_function("notify").make_handler(lambda: services)

    def do(self, task: str) -> dict[str, Any]:
        """Do the task of a schedule."""
        answer: dict[str, Any] = self.handler({"do": task}, self.context)
        return answer

    def receive(self, *bodies: str) -> list[str]:
        """Deliver messages, and return the ids of those to deliver again."""
        (sample,) = read_event("sqs_webhook_event")["Records"]
        records = [{**sample, "messageId": str(number), "body": body} for number, body in enumerate(bodies)]
        answer = self.handler({"Records": records}, self.context)
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def hear(self, event: BusEvent) -> list[str]:
        """Deliver an event of the bus."""
        return self.receive(json.dumps({"detail-type": event.detail_type, "detail": event.detail}))

    def work(self) -> None:
        """Deliver the messages of the queue until none can be read immediately."""
        while bodies := [body for body, delay in self.hooks.queue.sqs.sent if not delay]:
            self.hooks.queue.sqs.sent = [each for each in self.hooks.queue.sqs.sent if each[1]]
            assert self.receive(*bodies[:10]) == []
            self.hooks.queue.sqs.sent += [(body, 0) for body in bodies[10:]]
