"""Documents and changes as JSON lines: the format of an index's documents and of change files. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from feedward.model import FeedState
from feedward.search.document import DocumentChange, FeedDocument

_TEXTS = ("title", "site_title", "site_url", "description", "language")
_LISTS = ("topics", "item_titles")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def encoded_document(document: FeedDocument) -> str:
    """Return a document as one line of JSON without line break; empty fields are left out."""
    fields: dict[str, Any] = {
        "feed_id": document.feed_id,
        "version": document.version,
        "url": document.url,
        "domain": document.domain,
        **{name: getattr(document, name) for name in (*_TEXTS, *_LISTS) if getattr(document, name)},
        "state": document.state.value,
        "is_canonical": document.is_canonical,
        "is_main": document.is_main,
        "is_stale": document.is_stale,
        **({"is_never_fetched": True} if document.is_never_fetched else {}),
    }
    line = _ENCODER.encode(fields)
    return line if line.isascii() else line.encode("utf-8", "replace").decode()


def decoded_document(line: str | bytes) -> FeedDocument:
    """Return the document of a line. Raises ValueError for any other text."""
    return _document(_object(line))


def encoded_change(change: DocumentChange) -> str:
    """Return a change as one line of JSON without line break: a document, or the id and version of a removed one."""
    if change.document is not None:
        return encoded_document(change.document)
    return _ENCODER.encode({"feed_id": change.feed_id, "version": change.version, "gone": True})


def decoded_change(line: str | bytes) -> DocumentChange:
    """Return the change of a line. Raises ValueError for any other text."""
    fields = _object(line)
    document = None if fields.get("gone") is True else _document(fields)
    try:
        return DocumentChange(str(fields["feed_id"]), int(fields["version"]), document)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no change of a document: {str(line[:80])!r}") from error


def _object(line: str | bytes) -> Mapping[str, Any]:
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise ValueError(f"no object: {str(line[:80])!r}")  # noqa: TRY004 - a text of the wrong form, not a type
    return fields


def _document(fields: Mapping[str, Any]) -> FeedDocument:
    try:
        return FeedDocument(
            feed_id=str(fields["feed_id"]),
            version=int(fields["version"]),
            url=str(fields["url"]),
            domain=str(fields["domain"]),
            **{name: str(fields.get(name, "")) for name in _TEXTS},
            topics=tuple(map(str, fields.get("topics", ()))),
            item_titles=tuple(map(str, fields.get("item_titles", ()))),
            state=FeedState(fields["state"]),
            is_canonical=bool(fields.get("is_canonical", False)),
            is_main=bool(fields.get("is_main", True)),
            is_stale=bool(fields.get("is_stale", False)),
            is_never_fetched=bool(fields.get("is_never_fetched", False)),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"no document: {error}") from error
