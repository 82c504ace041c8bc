"""Reads a file of feed addresses into numbered entries (rules IM1 to IM3): the same bytes always give the same entries.

Entries with the same address are merged: the first gets the folders of all, the others refer to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from feedward.errors import InvalidInput
from feedward.intake.csv_table import delimiter_of, read_table
from feedward.intake.entry import Beyond, Entry, FileKind, Found, UnusableFile, is_address
from feedward.intake.kinds import kind_of, sample_of, text_of_file
from feedward.intake.limits import DESCRIPTION_CHARS, ENTRIES, TITLE_CHARS, URL_CHARS
from feedward.intake.lists import read_list
from feedward.intake.opml import read_opml
from feedward.intake.seeds import array_of_lines, begins_list, read_seeds
from feedward.urls.key import url_hash
from feedward.urls.resolve import resolve_url
from feedward.urls.safety import refuse_url, refuse_userinfo

_NOTHING: Final = "No entry was found in this file."
_NAMELESS: Final = frozenset({"untitled", "unnamed", "(untitled)", "no title", "(no title)"})
_USERINFO: Final = re.compile(r"(//)[^/?#\s]*@")
_HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
FOLDERS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """The entries of a file. `beyond` counts the parts beyond the limits."""

    kind: FileKind
    entries: tuple[Entry, ...]
    beyond: Mapping[Beyond, int]


def read_file(body: bytes) -> FileRead:
    """Read a file. Raises UnusableFile, whose message says in a sentence why nothing can be imported."""
    text = array_of_lines(text_of_file(body))
    kind = kind_of(text)
    beyond: Counter[Beyond] = Counter()
    entries = _numbered(_found(text, kind, beyond), beyond)
    if not entries:
        raise UnusableFile(_NOTHING if not beyond else f"{_NOTHING} Beyond its limits: {_counts(beyond)}.")
    return FileRead(kind=kind, entries=tuple(entries), beyond=dict(beyond))


def _counts(beyond: Mapping[Beyond, int]) -> str:
    return ", ".join(f"{reason.value} {count}" for reason, count in beyond.items())


def _found(text: str, kind: FileKind, beyond: Counter[Beyond]) -> Iterator[Found]:
    match kind:
        case FileKind.OPML:
            return read_opml(text, beyond)
        case FileKind.SEEDS:
            return read_seeds(text, begins_list(text) or 0, beyond)
        case FileKind.CSV:
            return read_table(text, delimiter_of(sample_of(text)) or ",")
        case FileKind.LIST:
            return read_list(text)


def _numbered(found: Iterator[Found], beyond: Counter[Beyond]) -> list[Entry]:
    entries: list[Entry] = []
    first: dict[str, int] = {}
    for each in found:
        if len(entries) == ENTRIES:
            beyond[Beyond.ENTRIES] += 1
            continue
        entry = _entry(each, number=len(entries) + 1)
        known = first.setdefault(entry.url_hash, len(entries)) if entry.url_hash else len(entries)
        if known < len(entries):
            entries[known] = _joined(entries[known], entry)
            entry = replace(entry, repeats=entries[known].number)
        entries.append(entry)
    return entries


def _joined(first: Entry, other: Entry) -> Entry:
    folders = tuple(dict.fromkeys((*first.folders, *other.folders)))[:FOLDERS]
    return replace(
        first,
        folders=folders,
        title=first.title or other.title,
        site_url=first.site_url or other.site_url,
        category=first.category or other.category,
    )


def _entry(found: Found, *, number: int) -> Entry:
    problem, hashed = (found.problem, "") if found.problem else _judged(found.url)
    shown = _HALF_PAIR.sub("\ufffd", _USERINFO.sub(r"\1...@", found.url)) if problem else found.url
    return Entry(
        number=number,
        line=found.line,
        url=_cut(shown, URL_CHARS) or "",
        url_hash=hashed,
        title=_title(found.title),
        site_url=_site(found.site_url),
        folders=found.paths[:FOLDERS] if not problem else (),
        category=_cut(found.category, 100),
        language=_cut(found.language, 35),
        description=_cut(found.description, DESCRIPTION_CHARS),
        problem=problem,
    )


def _judged(url: str) -> tuple[str | None, str]:
    """The problem of an address; without a problem, its hash."""
    problem = _unreadable(url)
    resolved = resolve_url(url) if problem is None else None
    if resolved is None:
        return problem or "this is not an http(s) URL", ""
    refusal = refuse_userinfo(url) or refuse_url(resolved)
    if refusal is not None:
        return refusal.detail, ""
    try:
        return None, url_hash(resolved)
    except InvalidInput as error:
        return error.message, ""


def _unreadable(url: str) -> str | None:
    """Why a text cannot be parsed as an address."""
    if not url:
        return "there is no address"
    if len(url) > URL_CHARS:
        return f"the address is longer than {URL_CHARS} characters"
    return "the address has half of a surrogate pair, which is not a character" if _HALF_PAIR.search(url) else None


def _site(url: str | None) -> str | None:
    """Return a site that can be fetched; None for any other text."""
    return url if url and _judged(url)[0] is None else None


def _title(title: str | None) -> str | None:
    """The title, unless it is an address or a placeholder for a missing title."""
    if title is None or title.lower() in _NAMELESS or is_address(title):
        return None
    return _cut(title, TITLE_CHARS)


def _cut(text: str | None, limit: int) -> str | None:
    return text[:limit] or None if text else None
