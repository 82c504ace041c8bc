"""The authorizer's cost for a key that the gateway has not cached: processor time of a warm call.

The store answers from memory, so that this is feedward's own part: decoding, hashing, one read, and the result.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench.rounds import paired_seconds
from bench.table import print_table
from feedward.access.caller import Scope
from feedward.access.key import new_key
from feedward.access.stored_key import StoredKey, used_hour
from feedward.access.tenant import Tenant
from feedward.adapters.aws_calls import Backoff
from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.access.presented_keys import DynamoPresentedKeys
from feedward.adapters.dynamodb.store.tables import Tables
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.template_tables import create_tables

APP = Path(__file__).parents[1] / "functions" / "authorize" / "app.py"
CALLS = 200


class Parts:
    """The authorizer's ports over tables in memory, with one key, which was used in this hour."""

    def __init__(self) -> None:
        client: Any = InMemoryDynamoDB()
        tables = Tables(client, create_tables(client), Backoff())
        self.clock = SystemClock()
        self.presented_keys = DynamoPresentedKeys(tables)
        self.key = new_key()
        now = self.clock.now()
        stored = StoredKey(
            key_id=self.key.key_id,
            sha256=self.key.sha256,
            tenant_id="acme",
            scope=Scope.READ,
            name="bench",
            created_at=now,
        )
        DynamoKeyStore(tables).save(Tenant(tenant_id="acme", created_at=now), new=[stored])
        self.presented_keys.touch(self.key.key_id, hour=used_hour(now))


def ask(handler: Callable[[Any, Any], Any], authorization: str) -> None:
    """Call the function as the gateway does, as often as one round takes."""
    for _ in range(CALLS):
        handler({"version": "2.0", "identitySource": [authorization]}, None)


def main() -> None:
    """Print the table of the authorizer."""
    parts = Parts()
    spec = importlib.util.spec_from_file_location("authorize_app", APP)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler = module.make_handler(lambda: parts)
    sent = {
        "a right key": f"Bearer {parts.key.text}",
        "an unknown key": f"Bearer {new_key().text}",
        "no key's form": "Bearer nonsense",
    }
    seconds = paired_seconds({name: partial(ask, handler, text) for name, text in sent.items()}, rounds=7)
    rows = [(name, f"{taken / CALLS * 1000:.3f}") for name, taken in seconds.items()]
    print_table("Authorizer: a warm call, with a store in memory", ("", "ms a call"), rows)
