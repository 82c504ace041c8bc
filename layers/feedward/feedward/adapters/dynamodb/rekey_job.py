"""How far the move to a version of the key is: one row of StateTable, with a lease, and a row for each duplicate.

The row's writes are over the revision that was seen and name their holder, as the sweep's are; what is counted in it is
added with what it counts, so that it is right whoever is killed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from typing import Any, Final

from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.errors import Refusal
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import absent, equals
from feedward.urls.rekey import Duplicate, Rekeying

_DUPLICATE_PREFIX: Final = "DUPLICATE#"
_MEMBERS: Final = tuple(field.name for field in fields(Rekeying) if field.name != "version")
_OF_A_DUPLICATE: Final = tuple(field.name for field in fields(Duplicate))


def job_key(version: str) -> dict[str, str]:
    """Return the key of how far the move to a version is."""
    return {"pk": f"REKEY#{version}", "sk": "JOB"}


def read_job(tables: Tables, version: str) -> Rekeying:
    """Return how far the move is; at its beginning where nobody began it."""
    row = tables.get(tables.names.state, job_key(version))
    return _read(version, row) if row else Rekeying(version=version)


def write_job(tables: Tables, seen: Rekeying, wanted: Rekeying) -> Rekeying | None:
    """Write place, lease and end over the revision that was seen; None: another was quicker."""
    after = replace(wanted, rev=seen.rev + 1)
    answer = tables.update(
        tables.names.state,
        job_key(seen.version),
        equals("rev", seen.rev) if seen.rev else absent("rev"),
        assign={
            "rev": after.rev,
            "holder": after.holder,
            "lease_until": after.lease_until,
            "done": after.done,
            **({"place": after.place} if after.place is not None else {}),
        },
        remove=("place",) if after.place is None else (),
    )
    if not isinstance(answer, Refusal):
        return _read(seen.version, answer)
    found = answer.item
    is_ours = found is not None and (found["rev"], found["holder"]) == (after.rev, after.holder)
    return _read(seen.version, found) if found and is_ours else None


def write_duplicate(tables: Tables, version: str, url_hash: str, duplicate: Duplicate) -> None:
    """Write down a duplicate that the row of this old hash met; the same again changes nothing."""
    key = {"pk": job_key(version)["pk"], "sk": f"{_DUPLICATE_PREFIX}{url_hash}#{duplicate.kind}#{duplicate.url_hash}"}
    tables.update(tables.names.state, key, None, assign=asdict(duplicate))


def read_duplicates(tables: Tables, version: str) -> Iterator[Duplicate]:
    """Yield what was written down, page by page."""
    rows = tables.query(tables.names.state, ("pk", job_key(version)["pk"]), prefix=("sk", _DUPLICATE_PREFIX))
    return (Duplicate(**{name: row[name] for name in _OF_A_DUPLICATE}) for row in rows)


def _read(version: str, row: Item) -> Rekeying:
    members: dict[str, Any] = {name: row[name] for name in _MEMBERS if name in row}
    return Rekeying(version=version, **members)
