"""An entry of an imported file: as found in the file, with plain texts, and the numbered entry made from it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Path = tuple[str, ...]
"""A folder as its names, outermost first. A name may contain a slash (rule IM6)."""


class FileKind(StrEnum):
    """The kinds of files that can be imported."""

    OPML = "opml"
    SEEDS = "seeds"
    CSV = "csv"
    LIST = "list"


class Beyond(StrEnum):
    """Why a part of a file is counted and not read (rule IM2)."""

    ENTRIES = "entries"
    DEPTH = "depth"
    TAG = "tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entry as found in the file. `line` is its first line. `problem` is the fault that a reader found, if any.

    `category`, `language` and `description` are those of a seed file.
    """

    line: int
    url: str = ""
    title: str | None = None
    site_url: str | None = None
    paths: tuple[Path, ...] = ()
    category: str | None = None
    language: str | None = None
    description: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of an import. `number` counts from 1, in the order of the file.

    - url: as written; url_hash: the same for all spellings, empty for an entry with a `problem`
    - site_url: the site, which is searched if the URL leads to no feed
    - folders: the folders of all places where the file has this URL
    - repeats: the number of the first entry with the same URL
    """

    number: int
    line: int
    url: str
    url_hash: str = ""
    title: str | None = None
    site_url: str | None = None
    folders: tuple[Path, ...] = ()
    category: str | None = None
    language: str | None = None
    description: str | None = None
    problem: str | None = None
    repeats: int | None = None


class UnusableFile(Exception):
    """The file holds no list of feeds. The message is a sentence for the person who sent it (rule IM1)."""


_TAG: Final = re.compile(r"</?[A-Za-z!][^<>]{0,2000}>")
_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_ADDRESS: Final = re.compile(r"(?:https?|feed|rss|pcast|itpc|podcast):/{0,2}[^\s/]{1,300}\S{0,4000}", re.IGNORECASE)


def words(text: str | None) -> str | None:
    """Return a text without control characters, with collapsed white space; None for an empty one."""
    return " ".join(_CONTROL.sub("", text).split()) or None if text else None


def without_tags(text: str) -> str:
    """Return a text without its tags, for a file with unescaped text."""
    return _TAG.sub("", text) if "<" in text else text


def is_address(text: str) -> bool:
    """Return whether a text is an address with a scheme that leads to a feed or a site."""
    return _ADDRESS.fullmatch(text) is not None
