"""Due tasks of webhooks and their sweep cursors: ports.DueStore over WebhooksTable and StateTable (rules M1, K3)."""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.feeds.sweep_store import DynamoDueStore
from feedward.adapters.dynamodb.state.state_rows import TASK_SWEEP
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.due_index import DueIndex
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.webhooks.webhook_items import task_key
from feedward.webhooks.delivery import WebhookTask, task_of


def _task(item: Item) -> WebhookTask:
    return task_of(str(item["due_id"]), int(item["rev"]))


TASKS: Final = DueIndex(
    table=lambda names: names.webhooks,
    id_attribute="due_id",
    time_attribute="due_at",
    key=lambda due_id: task_key(task_of(due_id, 0)),
    read=_task,
    sweep=TASK_SWEEP,
)


class DynamoTaskSweepStore(DynamoDueStore[WebhookTask]):
    """ports.DueStore of tasks. Its cursors have their own partition."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(TASKS, tables)
