"""Deliveries and jobs of webhooks: ports.webhooks.DeliveryStore over WebhooksTable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import absent, both, equals, present
from feedward.adapters.dynamodb.webhooks.webhook_items import (
    DELIVERY,
    JOB,
    LOG,
    WAIT,
    attempt_attributes,
    body_key,
    delivery_attributes,
    delivery_key,
    due_attributes,
    log_sk,
    part_key,
    read_attempt,
    read_delivery,
    read_job,
    read_webhook,
    task_key,
    wait_key,
    webhook_key,
)
from feedward.webhooks.attempt import LOGGED_S, Attempt
from feedward.webhooks.delivery import KEPT_S, Delivery, DeliveryStatus, DueJob, Job, WebhookTask
from feedward.webhooks.webhook import Webhook


class DynamoDeliveries(TableStore):
    """ports.webhooks.DeliveryStore. Thread-safe."""

    # --- deliveries -------------------------------------------------------------------------------

    def open(self, body: bytes, deliveries: Sequence[Delivery]) -> Sequence[Delivery]:
        """Write the body, then each delivery that does not exist yet."""
        tables = self._tables
        if deliveries:
            first = deliveries[0]
            told = {"body": body.decode(), "expires_at": first.created_at + KEPT_S}
            tables.change(tables.names.webhooks, body_key(first), absent("sk"), assign=told)
        return [stored for each in deliveries if (stored := self._opened(each)) is not None]

    def _opened(self, new: Delivery) -> Delivery | None:
        """Write a delivery. Returns it, or the stored one if it has had no attempt."""
        tables = self._tables
        key = delivery_key(new.tenant_id, new.webhook_id, new.delivery_id)
        refusal = tables.change(tables.names.webhooks, key, absent("sk"), assign=_present(delivery_attributes(new)))
        stored = new if refusal is None or refusal.item is None else read_delivery(refusal.item)
        return stored if stored.status is DeliveryStatus.PENDING and stored.rev == 1 else None

    def get(self, tenant_id: str | None, webhook_id: str, delivery_id: str) -> Delivery | None:
        """Return a delivery, or None."""
        item = self._tables.get(self._tables.names.webhooks, delivery_key(tenant_id, webhook_id, delivery_id))
        return read_delivery(item) if item else None

    def task(self, task: WebhookTask) -> tuple[Webhook | None, Delivery | None]:
        """Return the webhook and the delivery of a task, with one batch read."""
        hook, own = webhook_key(task.tenant_id, task.webhook_id), task_key(task)
        found = {item["sk"]: item for item in self._tables.batch_get(self._tables.names.webhooks, [hook, own])}
        webhook, delivery = found.get(hook["sk"]), found.get(own["sk"])
        return read_webhook(webhook) if webhook else None, read_delivery(delivery) if delivery else None

    def body(self, delivery: Delivery) -> bytes | None:
        """Return the body of a delivery, None if it has expired."""
        item = self._tables.get(self._tables.names.webhooks, body_key(delivery))
        return str(item["body"]).encode() if item else None

    def claim(self, delivery: Delivery, *, holder: str, until: int) -> Delivery | None:
        """Take a pending delivery for one attempt, which counts immediately. Returns None if it has changed."""
        return self._write(replace(delivery, holder=holder, due_at=until, attempts=delivery.attempts + 1), own=holder)

    def save(self, after: Delivery) -> Delivery | None:
        """Write a delivery with optimistic locking, and return it with its new rev. None if it has changed."""
        return self._write(after, own=after.holder)

    def _write(self, after: Delivery, *, own: str) -> Delivery | None:
        """Write the attributes that can change. If a response was lost, the refusal shows our own holder and rev."""
        tables, written = self._tables, replace(after, rev=after.rev + 1)
        attributes = delivery_attributes(written)
        gone = [name for name, value in attributes.items() if value is None]
        key = delivery_key(after.tenant_id, after.webhook_id, after.delivery_id)
        refusal = tables.change(
            tables.names.webhooks, key, equals("rev", after.rev), assign=_present(attributes), remove=gone
        )
        item = refusal.item if refusal is not None else None
        is_ours = item is not None and bool(own) and (item["rev"], item.get("holder")) == (written.rev, own)
        return written if refusal is None or is_ours else None

    # --- waiting for a receiver -------------------------------------------------------------------

    def wait(self, delivery: Delivery, *, until: int) -> None:
        """Mark a delivery as waiting. It is due at `until` unless it is woken before."""
        tables = self._tables
        if self.save(replace(delivery, due_at=until, is_waiting=True, holder="")) is not None:
            mark = {"expires_at": delivery.created_at + KEPT_S}
            tables.update(tables.names.webhooks, wait_key(delivery), None, assign=mark)

    def waiting(self, tenant_id: str | None, webhook_id: str, *, limit: int) -> Sequence[Delivery]:
        """Return the oldest waiting deliveries: one query of the marks, one batch read."""
        tables, part = self._tables, ("pk", part_key(tenant_id, webhook_id, "")["pk"])
        while True:
            marks = tables.query(tables.names.webhooks, part, prefix=("sk", WAIT), page_items=limit)
            ids = [mark["sk"].removeprefix(WAIT) for mark in islice(marks, limit)]
            keys = [delivery_key(tenant_id, webhook_id, each) for each in ids]
            found = [read_delivery(item) for item in tables.batch_get(tables.names.webhooks, keys)]
            if found or not ids:
                return sorted(found, key=lambda each: each.delivery_id)
            for each in ids:  # their deliveries have expired
                tables.delete(tables.names.webhooks, part_key(tenant_id, webhook_id, f"{WAIT}{each}"), present("sk"))

    def waits_no_more(self, delivery: Delivery) -> None:
        """Delete the mark."""
        self._tables.delete(self._tables.names.webhooks, wait_key(delivery), present("sk"))

    def page(
        self, tenant_id: str | None, webhook_id: str, *, after: str | None, limit: int, newest_first: bool = False
    ) -> Sequence[Delivery]:
        """Return deliveries of a webhook after this id."""
        rows = self._tables.query(
            self._tables.names.webhooks,
            ("pk", part_key(tenant_id, webhook_id, "")["pk"]),
            prefix=("sk", DELIVERY),
            after=delivery_key(tenant_id, webhook_id, after) if after else None,
            page_items=limit,
            newest_first=newest_first,
        )
        return [read_delivery(row) for row in islice(rows, limit)]

    # --- jobs -------------------------------------------------------------------------------------

    def put_job(
        self, tenant_id: str | None, webhook_id: str, job: Job, *, due_at: int, members: Mapping[str, Any]
    ) -> DueJob:
        """Write a job of a webhook. It replaces an existing one."""
        tables, task = self._tables, WebhookTask(tenant_id=tenant_id, webhook_id=webhook_id, what=job.value, rev=0)
        assign = {**members, **due_attributes(task, due_at)}
        item = tables.update(tables.names.webhooks, task_key(task), None, assign=_present(assign), add={"rev": 1})
        assert not isinstance(item, Refusal)
        return read_job(task, item)

    def claim_job(self, task: WebhookTask, *, until: int) -> DueJob | None:
        """Take the job of a task. Returns None if it has changed or is done."""
        tables = self._tables
        answer = tables.update(
            tables.names.webhooks, task_key(task), equals("rev", task.rev), assign={"due_at": until}, add={"rev": 1}
        )
        return None if isinstance(answer, Refusal) else read_job(task, answer)

    def end_job(self, job: DueJob) -> None:
        """Delete a claimed job, unless it has changed since."""
        key = part_key(job.tenant_id, job.webhook_id, f"{JOB}{job.job.value}")
        self._tables.delete(self._tables.names.webhooks, key, both(present("sk"), equals("rev", job.rev)))

    # --- the log ----------------------------------------------------------------------------------

    def log(self, delivery: Delivery, attempt: Attempt) -> None:
        """Write an entry of the attempt log."""
        tables = self._tables
        key = part_key(delivery.tenant_id, delivery.webhook_id, log_sk(attempt))
        expires_at = attempt.at_ms // 1000 + LOGGED_S
        tables.update(
            tables.names.webhooks, key, None, assign=_present(attempt_attributes(attempt, expires_at=expires_at))
        )

    def logged(self, tenant_id: str | None, webhook_id: str, *, has_arrived: bool, limit: int) -> Sequence[Attempt]:
        """Return the last attempts that arrived, or those that failed, newest first."""
        rows = self._tables.query(
            self._tables.names.webhooks,
            ("pk", part_key(tenant_id, webhook_id, "")["pk"]),
            prefix=("sk", LOG[has_arrived]),
            page_items=limit,
            newest_first=True,
        )
        return [read_attempt(row) for row in islice(rows, limit)]


def _present(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes that have a value: an update assigns only these."""
    return {name: value for name, value in attributes.items() if value is not None}
