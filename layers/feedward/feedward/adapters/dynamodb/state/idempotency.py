"""Responses by idempotency key: ports.IdempotencyRecords over StateTable.

One conditional write starts an attempt, another one stores its response. The response is compressed and split into
rows. The rows after the first are written before it, with the attempt's id in their keys, so attempts never mix.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any, Final

from feedward.adapters.dynamodb.state.state_rows import answer_prefix, answer_row_key, request_key
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import absent, at_most, either, equals
from feedward.ports.idempotency import IdempotencyRecord, KeyedRequest

# An item has at most 400 KB.
ROW_CHARACTERS: Final = 350_000


class DynamoIdempotencyRecords(TableStore):
    """ports.IdempotencyRecords. Thread-safe."""

    def begin(self, request: KeyedRequest, *, now: int) -> IdempotencyRecord | None:
        """Start an attempt, or return the record of the request."""
        tables = self._tables
        found = tables.update(
            tables.names.state,
            request_key(request.request_id),
            either(absent("until"), at_most("until", now)),
            assign={
                "fingerprint": request.fingerprint,
                "attempt_id": request.attempt_id,
                "until": request.until,
                "expires_at": request.until,
                **_owner(request),
            },
            remove=("answer", "further_rows"),
        )
        row: Mapping[str, Any] = (found.item or {}) if isinstance(found, Refusal) else found
        if row.get("attempt_id") == request.attempt_id:
            return None
        return IdempotencyRecord(
            fingerprint=row["fingerprint"], until=row["until"], answer=_answer(tables, request.request_id, row)
        )

    def finish(self, request: KeyedRequest, *, answer: str, until: int) -> None:
        """Store the response until `until`, if no other attempt has started."""
        tables = self._tables
        first, *further = _pieces(answer)
        for number, piece in enumerate(further):
            key = answer_row_key(request.request_id, request.attempt_id, number)
            assign = {"answer": piece, "expires_at": until, **_owner(request)}
            tables.update(tables.names.state, key, None, assign=assign)
        self._close(tables, request, answer=first, further_rows=len(further), until=until, expires_at=until)

    def forget(self, request: KeyedRequest) -> None:
        """Expire the record, if no other attempt has started."""
        self._close(self._tables, request, until=0)

    def _close(self, tables: Tables, request: KeyedRequest, **members: Any) -> None:
        key, is_ours = request_key(request.request_id), equals("attempt_id", request.attempt_id)
        tables.update(tables.names.state, key, is_ours, assign=members)


def _owner(request: KeyedRequest) -> dict[str, str]:
    return {"tenant_id": request.tenant_id} if request.tenant_id is not None else {}


def _answer(tables: Tables, request_id: str, row: Mapping[str, Any]) -> str | None:
    if "answer" not in row:
        return None
    pieces = [row["answer"]]
    if row["further_rows"]:
        prefix = answer_prefix(row["attempt_id"])
        rows = tables.query(tables.names.state, ("pk", request_key(request_id)["pk"]), prefix=("sk", prefix))
        pieces += [further["answer"] for further in rows]
    return zlib.decompress(base64.b85decode("".join(pieces))).decode()


def _pieces(answer: str) -> list[str]:
    text = base64.b85encode(zlib.compress(answer.encode())).decode()
    return [text[start : start + ROW_CHARACTERS] for start in range(0, len(text), ROW_CHARACTERS)]
