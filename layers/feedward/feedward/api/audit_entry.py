"""An entry of a feed's audit log as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward.health.relocation import AuditEntry
from feedward.urls.secrets import mask_tokens


def encode_entry(entry: AuditEntry) -> dict[str, Any]:
    """Return the entry, with the tokens of its URLs masked (rule T4)."""
    return {
        "id": entry.entry_id,
        "action": entry.action,
        "at": entry.at,
        "by": entry.by,
        "details": {name: _masked(value) for name, value in entry.details.items()},
    }


def _masked(detail: Any) -> Any:
    """Return a detail of the audit log, the tokens of its URLs masked (rule T4)."""
    if isinstance(detail, str):
        return mask_tokens(detail) if detail.startswith(("http:", "https:")) else detail
    if isinstance(detail, Mapping):
        return {name: _masked(value) for name, value in detail.items()}
    return [_masked(value) for value in detail] if isinstance(detail, (list, tuple)) else detail
