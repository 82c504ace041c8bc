"""Ends the entry of an import whose pending subscription is settled. The result and the counts change in the
transaction that settles it, so the sums of an import hold at every moment (rule IM3).
"""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.store.transaction import Transaction
from feedward.adapters.dynamodb.tenants.import_items import counter_key, end_item
from feedward.intake.job import Ended, Result
from feedward.intake.plan import result_of
from feedward.subscriptions.subscription import Subscription

_DELETED: Final = Ended(result=Result.FAILED, reason="the subscription was deleted before its feed was found")


def end_entry(transaction: Transaction, table: str, settled: Subscription) -> None:
    """Add: end the entry that waits for this subscription, which is settled in the same transaction, or deleted."""
    _end(transaction, table, settled, _DELETED if settled.is_pending else result_of(settled))


def _end(transaction: Transaction, table: str, of: Subscription, ended: Ended) -> None:
    import_id, shard, number = str(of.import_entry).split("#")
    transaction.put(table, end_item(of.tenant_id, import_id, int(number), ended))
    counts = {Result.PENDING.value: -1, ended.result.value: 1}
    transaction.update(table, counter_key(of.tenant_id, import_id, int(shard)), None, add=counts)
