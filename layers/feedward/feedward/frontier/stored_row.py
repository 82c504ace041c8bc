"""How a row is written down: in the table, in its due index and in a message alike (design section 3). Pure.

What is None, empty, False or 0 is left out, so that a row stays small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from feedward.errors import InvalidInput
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.model import Validators

_TEXTS: Final = ("last_error", "final_url", "owner", "content_version", "item_id")
_NUMBERS: Final = ("http_status", "next_fetch_at", "last_fetched_at", "sent_at")
_NEEDED_TEXTS: Final = ("row_id", "url", "url_hash", "host")


def stored_row(row: FrontierRow) -> dict[str, Any]:
    """Return the row's attributes; `runs` is a sorted list."""
    plain: dict[str, Any] = {name: getattr(row, name) for name in (*_NEEDED_TEXTS, *_TEXTS, *_NUMBERS)}
    plain |= {"status": row.status.value, "rev": row.rev, "created_at": row.created_at}
    plain |= {"attempts": row.attempts or None, "runs": sorted(row.runs) or None}
    plain |= {"scheme_open": row.scheme_open or None}
    plain |= {"etag": row.validators.etag, "last_modified": row.validators.last_modified}
    return {name: value for name, value in plain.items() if value is not None}


def read_row(stored: Mapping[str, Any]) -> FrontierRow:
    """Read the attributes of a row; what else there is is let be. Raises InvalidInput, which names the attribute."""
    members: dict[str, Any] = {name: _needed(_text(stored, name), name) for name in _NEEDED_TEXTS}
    members |= {name: _text(stored, name) for name in _TEXTS}
    members |= {name: _number(stored, name) for name in _NUMBERS}
    return FrontierRow(
        **members,
        status=_status(stored.get("status")),
        rev=_needed(_number(stored, "rev"), "rev"),
        attempts=_number(stored, "attempts") or 0,
        created_at=_number(stored, "created_at") or 0,
        runs=_runs(stored.get("runs")),
        scheme_open=stored.get("scheme_open") is True,
        validators=Validators(etag=_text(stored, "etag"), last_modified=_text(stored, "last_modified")),
    )


def _status(value: object) -> RowStatus:
    if not isinstance(value, str) or value not in tuple(RowStatus):
        raise InvalidInput("status", f"expected one of {', '.join(RowStatus)}")
    return RowStatus(value)


def _runs(value: object) -> frozenset[str]:
    if value is None:
        return frozenset()
    if not isinstance(value, (list, set, frozenset, tuple)) or not all(isinstance(each, str) for each in value):
        raise InvalidInput("runs", "expected a list of texts")
    return frozenset(value)


def _text(stored: Mapping[str, Any], name: str) -> str | None:
    value = stored.get(name)
    if value is not None and not (isinstance(value, str) and value):
        raise InvalidInput(name, "expected a text")
    return value


def _number(stored: Mapping[str, Any], name: str) -> int | None:
    value = stored.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise InvalidInput(name, "expected a whole number")
    return value


def _needed(value: Any, name: str) -> Any:
    if value is None:
        raise InvalidInput(name, "is missing")
    return value
