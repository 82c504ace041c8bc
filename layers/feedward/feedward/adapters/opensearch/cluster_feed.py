"""Writes documents into an OpenSearch cluster: ports.SearchFeed (rules Q20, Q21).

Readers query one alias. Writers write to every index of another alias. During a rebuild it has two indexes, so the new
one misses no change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from secrets import token_hex
from typing import Any, Final, NamedTuple

from feedward.adapters.opensearch.cluster import Cluster, is_done, may_succeed_later, reason_of
from feedward.adapters.opensearch.query_dsl import index_body, source_of
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, StoreUnavailable
from feedward.search.analyser import ANALYSER_VERSION
from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.index_status import Maintenance
from feedward.search.manifest import REBUILD_S

_AT_ONCE: Final = 500
# A small node takes requests of 10 MB. A document has up to some 100 KB, whatever its feed says.
_BULK_BYTES: Final = 5_000_000
_REFUSED_NAMED: Final = 5


class OpenSearchFeed:
    """ports.SearchFeed. Thread-safe."""

    def __init__(self, cluster: Cluster, alias: str) -> None:
        self._cluster, self._alias = cluster, alias
        self._writing = f"{alias}-writing"

    def within(self, deadline: Deadline) -> OpenSearchFeed:
        """Return the same feed with a deadline: no attempt starts after it."""
        return OpenSearchFeed(self._cluster.within(deadline), self._alias)

    def send(self, changes: Sequence[DocumentChange], *, now: int) -> None:  # noqa: ARG002 - versions count, not times
        """Write the changes to every index of the write alias. Raises FeedwardError, which names refused documents."""
        names = self._written() or [self._made(rebuilt_at=0)]
        self._write(changes, names)

    def maintenance(self, *, now: int) -> Maintenance:
        """Return whether the index must be rebuilt, and claim the work."""
        names = self._written() or [self._made(rebuilt_at=0)]
        meta = self._meta(names[0])
        rebuilt_at, asked_at = int(meta.get("rebuilt_at", 0)), int(meta.get("asked_at", 0))
        is_wanted = rebuilt_at == 0 or asked_at > rebuilt_at or meta.get("analyser") != ANALYSER_VERSION
        if not is_wanted or int(meta.get("claimed_until", 0)) > now:
            return Maintenance.NOTHING
        self._say(names[0], claimed_until=now + REBUILD_S)
        return Maintenance.REBUILD

    def rebuild(self, documents: Iterable[FeedDocument], *, now: int) -> int:
        """Write all documents to a new index, which replaces the old one once it is complete."""
        old = self._written()
        new = self._made(rebuilt_at=now, is_read=False)
        count = 0
        changes = (DocumentChange(document.feed_id, document.version, document) for document in documents)
        while some := list(islice(changes, _AT_ONCE)):
            self._write(some, [new])
            count += len(some)
        self._cluster.ask("POST", f"/{new}/_refresh")
        gone = [{"remove_index": {"index": name}} for name in old]
        self._cluster.ask("POST", "/_aliases", {"actions": [_added(new, self._alias), *gone]})
        return count

    def compact(self, *, now: int) -> int:  # noqa: ARG002 - the port's: a cluster compacts by itself
        """Do nothing: a cluster merges its own segments."""
        return 0

    def ask_for_rebuild(self, *, now: int) -> int:
        """Store the request in the index of the read alias."""
        names = self._written() or [self._made(rebuilt_at=0)]
        asked_at = max(now, int(self._meta(names[0]).get("rebuilt_at", 0)) + 1)
        self._say(names[0], asked_at=asked_at, claimed_until=0)
        return asked_at

    def _written(self) -> list[str]:
        """Return the names of the indexes of the write alias; the index that readers use comes first."""
        found = self._cluster.find("GET", f"/_alias/{self._writing}") or {}
        return sorted(found, key=lambda name: (self._alias not in found[name].get("aliases", {}), name))

    def _made(self, *, rebuilt_at: int, is_read: bool = True) -> str:
        """Create an index and return its name. Until `rebuilt_at` is set, searches report that there is no index."""
        name = f"{self._alias}-{token_hex(6)}"
        aliases: dict[str, Any] = {self._writing: {}, **({self._alias: {}} if is_read else {})}
        self._cluster.ask("PUT", f"/{name}", {**index_body({"rebuilt_at": rebuilt_at}), "aliases": aliases})
        return name

    def _meta(self, name: str) -> Mapping[str, Any]:
        found = self._cluster.ask("GET", f"/{name}/_mapping")
        meta: Mapping[str, Any] = found[name]["mappings"].get("_meta", {})
        return meta

    def _say(self, name: str, **values: int) -> None:
        self._cluster.ask("PUT", f"/{name}/_mapping", {"_meta": {**self._meta(name), **values}})

    def _write(self, changes: Sequence[DocumentChange], names: Sequence[str]) -> None:
        refused: list[str] = []
        for some in _portions(_Write.of(name, change) for change in changes for name in names):
            refused += self._bulk(some)
        if refused:
            raise FeedwardError(f"OpenSearch refuses {len(refused)} documents: {'; '.join(refused[:_REFUSED_NAMED])}")

    def _bulk(self, writes: list[_Write]) -> list[str]:
        """Write until each item is stored or refused. Returns the refused items with the reasons."""
        refused: list[str] = []
        for _ in self._cluster.backoff.tries():
            items = self._cluster.bulk(write.lines for write in writes)
            if len(items) != len(writes):
                raise StoreUnavailable("OpenSearch answered a bulk with another number of items")
            later = []
            for write, item in zip(writes, items, strict=True):
                if may_succeed_later(item):
                    later.append(write)
                elif not is_done(item):
                    refused.append(f"{write.feed_id}: {reason_of(item)}")
            writes = later
            if not writes:
                return refused
        raise StoreUnavailable(f"OpenSearch did not take {len(writes)} documents, again and again")


class _Write(NamedTuple):
    """A write of a bulk: its feed, and its two lines, in ASCII."""

    feed_id: str
    lines: str

    @classmethod
    def of(cls, name: str, change: DocumentChange) -> _Write:
        """Return the write of a change to an index: 409 refuses an older version, an equal one is written again."""
        versioned = {"version": change.version, "version_type": "external_gte"}
        action = {"index": {"_index": name, "_id": change.feed_id, **versioned}}
        return cls(change.feed_id, f"{json.dumps(action)}\n{json.dumps(source_of(change))}")


def _added(name: str, alias: str) -> dict[str, Any]:
    return {"add": {"index": name, "alias": alias}}


def _portions(writes: Iterable[_Write]) -> Iterator[list[_Write]]:
    """Yield the writes in portions for one bulk each, by their number and by their bytes."""
    some: list[_Write] = []
    size = 0
    for write in writes:
        if len(some) == _AT_ONCE or (some and size + len(write.lines) > _BULK_BYTES):
            yield some
            some, size = [], 0
        some.append(write)
        size += len(write.lines)
    if some:
        yield some
