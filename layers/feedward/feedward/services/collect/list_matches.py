"""Lists the items of a URL or of a content, which are linked by their edges, newest first (rules G1, L2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Final, TypeAlias

from feedward.errors import InvalidInput
from feedward.lineage.item import Item
from feedward.lineage.version import newest_first
from feedward.page_cursor import decode_cursor, encode_cursor, is_ulid, own_list
from feedward.ports import LineageStore
from feedward.urls.key import key

NO_TEXT: Final = sha256(b"").hexdigest()

Page: TypeAlias = tuple[tuple[Item, ...], str | None]
"""Items, and the cursor of the next page."""


def list_matches(
    scope: str,
    lineage: LineageStore,
    *,
    url: str | None,
    content_sha256: str | None,
    cursor: str | None,
    limit: int,
) -> Page:
    """Return a page of the items of a URL, or else of a content: of the newest version, then of older ones.

    Raises InvalidInput (`url`, `content_sha256`, `cursor`).
    """
    wanted = _of_url(url, lineage) if url is not None else _of_content(content_sha256 or "", lineage)
    return _chained(wanted, scope, lineage, cursor, limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    """Linked items: the name of the list, its ids by version, and whether an item belongs to it."""

    name: str
    ids: Callable[..., Iterator[str]]
    has: Callable[[Item], bool]


def _of_url(url: str, lineage: LineageStore) -> _List:
    try:
        uri = key(url)
    except InvalidInput as error:
        raise InvalidInput("url", error.message) from None
    return _List(
        name=f"items:url:{sha256(uri.encode('utf-8', 'surrogatepass')).hexdigest()}",
        ids=partial(lineage.items_of_uri, uri),
        has=lambda item: item.canonical_uri == uri,
    )


def _of_content(content_sha256: str, lineage: LineageStore) -> _List:
    if content_sha256 == NO_TEXT:
        raise InvalidInput("content_sha256", "pages without text cannot be found by content: give their url")
    return _List(
        name=f"items:content:{content_sha256}",
        ids=partial(lineage.items_of_content, content_sha256),
        has=lambda item: item.content_sha256 == content_sha256,
    )


def _chained(wanted: _List, scope: str, lineage: LineageStore, cursor: str | None, limit: int) -> Page:
    versions = newest_first(lineage.versions(scope=scope))
    after = _after(wanted, cursor, scope, lineage) if cursor else None
    if after is not None:
        versions = versions[versions.index(after.normalization_version) :]

    def ids() -> Iterator[str]:
        for version in versions:
            is_first = after is not None and version == after.normalization_version
            yield from wanted.ids(version, scope=scope, after=after.item_id if after and is_first else None)

    found = list(islice(ids(), limit + 1))
    items = tuple(lineage.items(found[:limit]))
    name = own_list(wanted.name, scope or None)
    return items, encode_cursor(name, found[limit - 1]) if len(found) > limit else None


def _after(wanted: _List, cursor: str, scope: str, lineage: LineageStore) -> Item:
    """Return the item at which the last page ended. Raises InvalidInput (`cursor`)."""
    name = own_list(wanted.name, scope or None)
    item = lineage.item(str(decode_cursor(name, cursor, parts=(is_ulid,))[0]))
    if item is None or item.scope != scope or not wanted.has(item):
        raise InvalidInput("cursor", "not a cursor of this list")
    return item
