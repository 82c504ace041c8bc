"""Webhooks of tenants: ports.webhooks.WebhookStore over WebhooksTable and TenantsTable."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from feedward.adapters.dynamodb.store.keys import subscription_sk, tenant_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, either, equals, holds_fewer, present
from feedward.adapters.dynamodb.tenants.subscription_items import owner_and_id
from feedward.adapters.dynamodb.webhooks.webhook_items import (
    HOOK,
    claim_key,
    hooks_key,
    pk_of,
    read_webhook,
    standing_map,
    tenant_of,
    webhook_item,
    webhook_key,
)
from feedward.errors import Conflict, WrongState
from feedward.ports.webhooks import Follower, FollowerPage
from feedward.webhooks.circuit_breaker import Standing
from feedward.webhooks.webhook import Webhook

_ROUNDS: Final = 10


class DynamoWebhooks(TableStore):
    """ports.webhooks.WebhookStore. Thread-safe."""

    # --- webhooks ---------------------------------------------------------------------------------

    def create(self, new: Webhook, *, at_most: int) -> Webhook | None:
        """Write a new webhook with its claim and its entry in the tenant's list, in one transaction."""
        table = self._tables.names.webhooks
        for _ in range(_ROUNDS):
            transaction = Transaction()
            transaction.put(table, {**claim_key(new), "webhook_id": new.webhook_id}, absent("sk"))
            is_room = holds_fewer("hooks", at_most)
            transaction.update(table, hooks_key(new.tenant_id), is_room, unite={"hooks": {new.webhook_id}})
            transaction.put(table, webhook_item(new), absent("sk"))
            refusals = {refusal.index: refusal.item for refusal in self._tables.transact(transaction)}
            if not refusals:
                return new
            claim = refusals.get(0)
            if claim is None:
                return None
            known = self.get(new.tenant_id, claim["webhook_id"])
            if known is not None:
                return known
        raise Conflict("the webhooks with this URL kept changing")

    def get(self, tenant_id: str | None, webhook_id: str) -> Webhook | None:
        """Return the tenant's webhook, or None."""
        item = self._tables.get(self._tables.names.webhooks, webhook_key(tenant_id, webhook_id))
        return read_webhook(item) if item else None

    def of_tenant(self, tenant_id: str | None) -> Sequence[Webhook]:
        """Return the tenant's webhooks, oldest first."""
        rows = self._tables.query(self._tables.names.webhooks, ("pk", pk_of(tenant_id)), prefix=("sk", HOOK))
        return [read_webhook(row) for row in rows]

    def save(self, before: Webhook, after: Webhook) -> bool:
        """Write the webhook and its claim, with optimistic locking on its rev."""
        table, transaction = self._tables.names.webhooks, Transaction()
        written = webhook_item(replace(after, rev=before.rev + 1))
        key = {name: written.pop(name) for name in ("pk", "sk")}
        if after.standing == before.standing:
            del written["standing"], written["standing_rev"]
        else:
            written["standing_rev"] = before.standing.rev + 1
        gone = [name for name, value in written.items() if value is None]
        kept = {name: value for name, value in written.items() if value is not None}
        transaction.update(table, key, equals("rev", before.rev), assign=kept, remove=gone)
        if after.claim != before.claim:
            claim = {**claim_key(after), "webhook_id": after.webhook_id}
            transaction.put(table, claim, either(absent("sk"), equals("webhook_id", after.webhook_id)))
            transaction.delete(table, claim_key(before), equals("webhook_id", before.webhook_id))
        refusals = {refusal.index for refusal in self._tables.transact(transaction)}
        if refusals == {1}:
            raise WrongState("another webhook has this URL for these events")
        return not refusals

    def save_standing(self, webhook: Webhook, after: Standing) -> Standing | None:
        """Write the standing with optimistic locking. Returns None if it was written, else the stored standing."""
        tables = self._tables
        refusal = tables.change(
            tables.names.webhooks,
            webhook_key(webhook.tenant_id, webhook.webhook_id),
            both(present("sk"), equals("standing_rev", after.rev)),
            assign={"standing": standing_map(after), "standing_rev": after.rev + 1},
        )
        return read_webhook(refusal.item).standing if refusal is not None and refusal.item else None

    def delete(self, webhook: Webhook) -> bool:
        """Delete the webhook with its claim and its entry in the list."""
        table, transaction = self._tables.names.webhooks, Transaction()
        transaction.delete(table, webhook_key(webhook.tenant_id, webhook.webhook_id), equals("rev", webhook.rev))
        own = either(absent("sk"), equals("webhook_id", webhook.webhook_id))
        transaction.delete(table, claim_key(webhook), own)
        transaction.update(table, hooks_key(webhook.tenant_id), None, take_out={"hooks": {webhook.webhook_id}})
        return not self._tables.transact(transaction)

    # --- the receivers of an event ----------------------------------------------------------------

    def with_webhooks(self, tenants: Collection[str | None]) -> frozenset[str | None]:
        """Return those of the tenants that have webhooks, with one batch read."""
        keys = [hooks_key(tenant_id) for tenant_id in dict.fromkeys(tenants)]
        found = self._tables.batch_get(self._tables.names.webhooks, keys)
        return frozenset(tenant_of(item["pk"]) for item in found if item.get("hooks"))

    def followers(self, feed_id: str, *, after: Mapping[str, Any] | None, limit: int) -> FollowerPage:
        """Return a page of the subscriptions to a feed, from the index by_feed."""
        rows = self._tables.query(
            self._tables.names.tenants, ("feed_id", feed_id), index="by_feed", after=after, page_items=limit
        )
        found = list(islice(rows, limit))
        owners = (owner_and_id(row) for row in found)
        followers = tuple(Follower(tenant_id=tenant_id, subscription_id=own) for tenant_id, own in owners)
        last = {name: found[-1][name] for name in ("feed_id", "tenant_id", "sk")} if len(found) == limit else None
        return FollowerPage(followers=followers, after=last)

    def tags(self, followers: Collection[Follower]) -> Mapping[Follower, tuple[str, ...]]:
        """Return the tags of subscriptions, with one batch read."""
        keys = [tenant_key(each.tenant_id, subscription_sk(each.subscription_id)) for each in followers]
        found = self._tables.batch_get(self._tables.names.tenants, keys, ("tenant_id", "sk", "tags"))
        owned = ((owner_and_id(item), item.get("tags", ())) for item in found)
        return {Follower(tenant_id=owner[0], subscription_id=owner[1]): tuple(tags) for owner, tags in owned}
