"""Reads imports and the results of their entries (GET /v1/imports; rules IM3, G2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from feedward.access.caller import Caller
from feedward.errors import NotFound
from feedward.intake.entry import Entry
from feedward.intake.job import Chunk, Ended, Import, Result
from feedward.page_cursor import decode_cursor, encode_cursor, is_count, is_ulid, own_list
from feedward.services.intake.ports import ImportPorts

PAGE: Final = 50
PAGE_AT_MOST: Final = 200
_LIST, _ENTRIES = "imports", "import entries"
_CHUNKS_AT_ONCE: Final = 8
_CHUNKS_AT_MOST: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage:
    """A page of a tenant's imports, newest first. `cursor` is that of the next page, None on the last one."""

    imports: tuple[Import, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    """A page of entries with their results, None for those that have none yet. `cursor` as above."""

    entries: tuple[tuple[Entry, Ended | None], ...]
    cursor: str | None


def find_import(caller: Caller, import_id: str, *, ports: ImportPorts) -> Import:
    """Return the tenant's import. Raises NotFound, also for another tenant's (rule I8), and the errors of the store."""
    found = ports.imports.get(caller.tenant_id, import_id)
    if found is None:
        raise NotFound("there is no import with this id")
    return found


def list_imports(caller: Caller, *, ports: ImportPorts, cursor: str | None = None, limit: int = PAGE) -> ImportPage:
    """Return a page of the tenant's imports. Raises InvalidInput (`cursor`), and the errors of the store."""
    name = own_list(_LIST, caller.tenant_id)
    before = str(*decode_cursor(name, cursor, parts=(is_ulid,))) if cursor is not None else None
    found = ports.imports.page(caller.tenant_id, before=before, limit=limit + 1)
    page = tuple(found[:limit])
    return ImportPage(imports=page, cursor=encode_cursor(name, page[-1].import_id) if len(found) > limit else None)


def list_entries(
    caller: Caller,
    import_id: str,
    *,
    ports: ImportPorts,
    result: Result | None = None,
    cursor: str | None = None,
    limit: int = PAGE,
) -> EntryPage:
    """Return a page of the import's entries, in the order of the file, all or those with a result.

    A page may be short or empty while its cursor is not None. Raises NotFound, InvalidInput (`cursor`), and the errors
    of the store.
    """
    found = find_import(caller, import_id, ports=ports)
    chunk, after = _place(cursor)
    entries: list[tuple[Entry, Ended | None]] = []
    for first in range(chunk, min(found.chunks, chunk + _CHUNKS_AT_MOST), _CHUNKS_AT_ONCE):
        for at, entry, ended in _results(found, range(first, min(first + _CHUNKS_AT_ONCE, found.chunks)), ports):
            if entry.number <= after or (result is not None and (ended is None or ended.result is not result)):
                continue
            if len(entries) == limit:
                last = entries[-1][0].number
                return EntryPage(entries=tuple(entries), cursor=encode_cursor(_ENTRIES, at, last))
            entries.append((entry, ended))
    following = chunk + _CHUNKS_AT_MOST
    more = encode_cursor(_ENTRIES, following, after) if following < found.chunks else None
    return EntryPage(entries=tuple(entries), cursor=more)


def _place(cursor: str | None) -> tuple[int, int]:
    """The chunk to start with, and the number of the last returned entry."""
    if cursor is None:
        return 0, 0
    chunk, after = decode_cursor(_ENTRIES, cursor, parts=(is_count, is_count))
    return chunk, after


def _results(found: Import, numbers: range, ports: ImportPorts) -> Iterator[tuple[int, Entry, Ended | None]]:
    """Yield each entry of these chunks with the number of its chunk and its result, which may be a later one."""
    chunks = ports.imports.chunks(found.tenant_id, found.import_id, numbers)
    later = _later(found, chunks, ports)
    for chunk in chunks:
        for place, entry in enumerate(chunk.entries):
            ended = chunk.results[place] if place < len(chunk.results) else None
            yield chunk.number, entry, later.get(entry.number, ended)


def _later(found: Import, chunks: Sequence[Chunk], ports: ImportPorts) -> Mapping[int, Ended]:
    if not any(each.result is Result.PENDING for chunk in chunks for each in chunk.results):
        return {}
    first, last = chunks[0].entries[0].number, chunks[-1].entries[-1].number
    return ports.imports.ends(found.tenant_id, found.import_id, first=first, last=last)
