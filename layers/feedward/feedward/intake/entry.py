"""An entry of an imported file: as found in the file, and the numbered entry made from it. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
