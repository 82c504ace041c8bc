"""Masks the tokens in URLs for read-only keys, since a token would give access elsewhere (rule AK8).

Every document for such a key is masked here, so a new field cannot be forgotten. Files are masked when they are
written, and the services omit links to files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from feedward.api.route import Reply
from feedward.urls.secrets import mask_tokens


def for_readers(found: object) -> object:
    """Return the response of a route, a document or a Reply, with the tokens of its URLs masked."""
    if isinstance(found, Reply):
        return found if found.file is not None else replace(found, document=_masked(found.document))
    return _masked(found)


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return {name: _masked(member) for name, member in value.items()}
    return [_masked(member) for member in value] if isinstance(value, (list, tuple)) else value


def _text(text: str) -> str:
    """Return a text with the tokens of its URLs masked. The text may be a URL alone, as a person typed it."""
    if "://" not in text:
        return mask_tokens(text) if ("/" in text or "?" in text) and " " not in text else text
    return " ".join(mask_tokens(word) if "://" in word else word for word in text.split(" "))
