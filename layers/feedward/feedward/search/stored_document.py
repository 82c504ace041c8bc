"""Documents and changes as JSON lines: the files of the index (rule Q16). Pure."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from feedward.model import FeedState
from feedward.search.document import DocumentChange, FeedDocument


def encode_document(document: FeedDocument) -> str:
    """Return the document as one line of JSON, the same for the same document."""
    return json.dumps(asdict(document), sort_keys=True, separators=(",", ":"))


def decode_document(line: str) -> FeedDocument:
    """Return the document of a line."""
    return _document(json.loads(line))


def encode_change(change: DocumentChange) -> str:
    """Return the change as one line of JSON."""
    document = asdict(change.document) if change.document else None
    said = {"feed_id": change.feed_id, "version": change.version, "document": document}
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def decode_change(line: str) -> DocumentChange:
    """Return the change of a line."""
    said = json.loads(line)
    document = _document(said["document"]) if said["document"] else None
    return DocumentChange(said["feed_id"], said["version"], document)


def _document(said: dict[str, Any]) -> FeedDocument:
    lists = {name: tuple(said[name]) for name in ("topics", "item_titles")}
    return FeedDocument(**{**said, **lists, "state": FeedState(said["state"])})
