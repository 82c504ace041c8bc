"""Seed files: a JSON array with one entry a line, from which another directory can be seeded. Pure."""

from __future__ import annotations

import json
from typing import Any

from feedward.exports.entry import ExportEntry, line_text


def seed_line(entry: ExportEntry, *, is_first: bool) -> str:
    """Return the line of a feed, with the comma of the line before. Only a tenant's feeds have folders."""
    said: dict[str, Any] = {
        "title": _text(entry.title),
        "url": entry.url,
        "site_url": entry.site_url,
        "category": _text(entry.category),
        "language": entry.language,
        "description": _text(entry.description),
    }
    if entry.folders:
        said["tags"] = [list(folder) for folder in entry.folders]
    return ("" if is_first else ",\n") + json.dumps(said, ensure_ascii=False)


def _text(text: str | None) -> str | None:
    return line_text(text) or None if text else None
