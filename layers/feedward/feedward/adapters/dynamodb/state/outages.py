"""Outages of our own network: ports.Outages over StateTable (rule H5).

One row per minute holds digests of the checked domains. One row per marked minute holds the mark; all marks are in one
partition, and one query reads them. Domains are sets, so repeated calls and domains that many invocations check count
once.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Final

from feedward.adapters.dynamodb.state.state_rows import OUTAGE, minute_key, outage_key, outage_sk
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, holds_exactly, holds_fewer, present
from feedward.health.outage import LEAST_HOSTS, MEMORY_S, MinuteDomains, domains_by_minute, minute_of
from feedward.model import Outcome

# Limits the size of a minute's row, which every write rewrites. This is a sufficient sample of domains.
DOMAINS_AT_MOST: Final = 1000
_DIGEST_BYTES: Final = 6
_MINUTE_LASTS_S: Final = 3600


class DynamoOutages(TableStore):
    """ports.Outages. Thread-safe."""

    def marked(self, *, now: int) -> frozenset[int]:
        """Return the marked minutes of the last 27 h, with one query."""
        tables = self._tables
        # The clock of another worker may be a little ahead.
        first, last = minute_of(now - MEMORY_S), minute_of(now) + 1
        rows = tables.query(tables.names.state, ("pk", OUTAGE), between=("sk", outage_sk(first), outage_sk(last)))
        return frozenset(int(row["sk"]) for row in rows if row["marked"])

    def add(self, checks: Sequence[tuple[int, str, Outcome]], *, now: int) -> frozenset[int]:
        """Add an invocation's checks, with one write per minute. Returns the marked ones of these minutes."""
        tables = self._tables
        by_minute = domains_by_minute(checks)
        return frozenset(minute for minute, domains in by_minute.items() if _add(tables, minute, domains, now))

    def doubt(self, minute: int, *, now: int) -> bool:
        """Return True once if the minute needs an outage probe, with one conditional write."""
        tables = self._tables
        row = tables.update(
            tables.names.state,
            minute_key(minute),
            both(present("checked"), absent("doubted"), holds_fewer("checked", LEAST_HOSTS)),
            assign={"doubted": True, "expires_at": now + _MINUTE_LASTS_S},
        )
        return not isinstance(row, Refusal) and _domains(row).totals.is_doubtful


def _add(tables: Tables, minute: int, domains: MinuteDomains, now: int) -> bool:
    """Add domains to the minute's row. Marks the minute if they show an outage."""
    answer = tables.update(
        tables.names.state,
        minute_key(minute),
        holds_fewer("checked", DOMAINS_AT_MOST),
        unite={"checked": _digests(domains.checked), "reached": _digests(domains.reached)},
        assign={"expires_at": now + _MINUTE_LASTS_S},
    )
    if isinstance(answer, Refusal):
        return bool(answer.item and answer.item.get("marked"))
    is_outage = _domains(answer).totals.is_outage
    if is_outage != bool(answer.get("marked")):
        _mark(tables, minute, answer, is_outage=is_outage, now=now)
    return is_outage


def _mark(tables: Tables, minute: int, row: Item, *, is_outage: bool, now: int) -> None:
    """Set or delete the mark of the minute, if its row is unchanged. Otherwise the later writer decides."""
    domains = _domains(row)
    is_unchanged = both(
        holds_exactly("checked", len(domains.checked)),
        holds_exactly("reached", len(domains.reached)),
    )
    totals = domains.totals
    mark = {"marked": is_outage, "hosts": totals.hosts, "failed": totals.failed, "expires_at": now + MEMORY_S}
    transaction = Transaction()
    transaction.update(tables.names.state, minute_key(minute), is_unchanged, assign={"marked": is_outage})
    transaction.put(tables.names.state, {**outage_key(minute), **mark})
    tables.transact(transaction)


def _domains(row: Item) -> MinuteDomains:
    return MinuteDomains(checked=frozenset(row["checked"]), reached=frozenset(row.get("reached", ())))


def _digests(domains: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_digest, domains))


def _digest(domain: str) -> str:
    digest = hashlib.sha256(domain.encode("utf-8", "surrogatepass")).digest()
    return b64encode(digest[:_DIGEST_BYTES]).decode("ascii")
