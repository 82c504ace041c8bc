"""Folders as tags (rule IM6): a tag is the path of a folder, its names separated by `/`. Pure.

A slash inside a name is written as `\\/`, so that tags and paths correspond one to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from feedward.errors import InvalidInput
from feedward.subscriptions.labels import TAG_CHARS, TAGS_AT_MOST, clean_tags

_PARTS: Final = re.compile(r"(?:\\.|[^\\/]|\\$)+")
_ESCAPED: Final = re.compile(r"\\([\\/])")
_TO_ESCAPE: Final = re.compile(r"\\(?=[\\/]|$)|/")


def tag_of(path: Sequence[str]) -> str:
    """Return the tag of a folder. If it is too long for a tag, the innermost names are kept."""
    names = [_TO_ESCAPE.sub(lambda found: "\\" + found[0], name) for name in path if name]
    tag = "/".join(names)
    while len(tag) > TAG_CHARS and len(names) > 1:
        names = names[1:]
        tag = "/".join(names)
    return tag[:TAG_CHARS].rstrip("\\ ") if len(tag) > TAG_CHARS else tag


def path_of(tag: str) -> tuple[str, ...]:
    """Return the folder of a tag: the names of its path, outermost first."""
    return tuple(_ESCAPED.sub(r"\1", part) for part in _PARTS.findall(tag))


def tags_of(paths: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the tags of folders, at most as many as a subscription takes. Invalid tags are left out."""
    found: dict[str, None] = {}
    for path in paths:
        try:
            found |= dict.fromkeys(clean_tags([tag_of(path)]))
        except InvalidInput:
            continue
    return tuple(found)[:TAGS_AT_MOST]
