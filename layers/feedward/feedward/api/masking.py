"""What a key that may only read is not shown: tokens in URLs, by which somebody could read elsewhere (rule AK8).

Every document for such a key goes through here, so that a new field cannot be forgotten. Files are masked as they are
made, and links to files are left out by their services.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from feedward.api.route import Reply
from feedward.urls.secrets import mask_tokens


def for_readers(found: object) -> object:
    """Return what a route answered, a document or a Reply, without tokens in any URL."""
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
    """Return a text with the tokens of the URLs in it masked. A URL may stand alone as a person typed it."""
    if "://" not in text:
        return mask_tokens(text) if ("/" in text or "?" in text) and " " not in text else text
    return " ".join(mask_tokens(word) if "://" in word else word for word in text.split(" "))
