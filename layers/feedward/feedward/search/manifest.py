"""The manifest of the search index: the base and the deltas that make it up (rules Q16, Q18). Pure.

A base is an SQLite file, with its documents in a separate file of JSON lines. Deltas are named by their content and
never change. The manifest is the only object that is replaced, so the index stays consistent if a writer dies.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Self

from feedward.errors import FeedwardError

FORMAT: Final = 1
DELTAS_AT_MOST: Final = 50
DELTA_BYTES_AT_MOST: Final = 5_000_000
DEAD_AT_MOST: Final = 0.2
# Every few feeds change a fifth of a small index, and deltas do not slow its searches.
DEAD_AT_LEAST: Final = 50
DAY_S: Final = 24 * 3600
CLAIM_S: Final = 60
"""A claim on the base expires after this, unless its holder renews it."""
RENEWED_EVERY_S: Final = 20
# The longest call of the function, in which a rebuild must end.
REBUILD_S: Final = 900
# An index of the table may lag, so a rebuild keeps deltas from this long before its start.
LAG_S: Final = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredObject:
    """An object of the bucket. `sha256` verifies its key and its bytes."""

    key: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta(StoredObject):
    """Changes of some feeds, made at `at` (epoch seconds)."""

    changes: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A whole index: the SQLite file and the documents that it was built from.

    `made_by` names the analyser and the schema: another version of feedward cannot read the file (rule Q14).
    """

    generation: str
    index: StoredObject
    documents: StoredObject
    count: int
    made_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """An object that no manifest names since `at`. It is kept for a day for current readers."""

    key: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The parts of the index. `deltas` are in write order; of two versions of a document the higher counts.

    `rebuilt_at` is the start of the last rebuild, `asked_at` the last request for one.
    """

    base: Base | None = None
    deltas: tuple[Delta, ...] = ()
    retired: tuple[Retired, ...] = ()
    rebuilt_at: int = 0
    asked_at: int = 0
    claimed_until: int = 0

    @property
    def named(self) -> frozenset[str]:
        """The keys of the objects that are part of the index."""
        base = (self.base.index.key, self.base.documents.key) if self.base else ()
        return frozenset((*base, *(each.key for each in self.deltas)))

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all objects that the manifest names, retired ones included."""
        return self.named | {each.key for each in self.retired}

    @property
    def wants_rebuild(self) -> bool:
        """Return whether there is no base yet, or a rebuild was requested after the last one started."""
        return self.base is None or self.asked_at > self.rebuilt_at

    def is_of(self, made_by: str) -> bool:
        """Return whether there is a base that this version of feedward can read."""
        return self.base is not None and self.base.made_by == made_by

    @property
    def wants_compaction(self) -> bool:
        """Return whether the deltas are many, large, or replace much of the base (rule Q18)."""
        if self.base is None:
            return False
        changes = sum(delta.changes for delta in self.deltas)
        is_dead = changes >= max(DEAD_AT_LEAST, DEAD_AT_MOST * self.base.count)
        size = sum(delta.size for delta in self.deltas)
        return len(self.deltas) >= DELTAS_AT_MOST or size >= DELTA_BYTES_AT_MOST or is_dead

    def with_delta(self, delta: Delta) -> Self:
        """Return the manifest with one more delta. A repeated delta has the same name and changes nothing."""
        if any(each.key == delta.key for each in self.deltas):
            return self
        retired = tuple(each for each in self.retired if each.key != delta.key)
        return replace(self, deltas=(*self.deltas, delta), retired=retired)

    def asking_for_rebuild(self, now: int) -> Self:
        """Return the manifest with a request for a rebuild. Its time is later than that of the last rebuild."""
        return replace(self, asked_at=max(now, self.rebuilt_at + 1))

    def claimed(self, now: int) -> Self:
        """Return the manifest with the claim of work on its base, for the next minute."""
        return replace(self, claimed_until=now + CLAIM_S)

    def compacted(self, base: Base, before: Manifest, now: int) -> Self | None:
        """Return the manifest after the base and deltas of `before` were merged into a new base.

        None if another writer has replaced that base: this work is discarded. Newer deltas stay.
        """
        if self.base != before.base:
            return None
        return self._on(base, {delta.key for delta in before.deltas}, now)

    def rebuilt(self, base: Base, before: Manifest, started_at: int, now: int) -> Self:
        """Return the manifest after a rebuild that started with `before` at `started_at`, despite other changes.

        Deltas written since, or shortly before, stay: their data may be newer than the rebuild's.
        """
        old = {delta.key for delta in before.deltas if delta.at < started_at - LAG_S}
        return replace(self._on(base, old, now), rebuilt_at=max(started_at, self.rebuilt_at))

    def swept(self, now: int) -> tuple[Self, tuple[str, ...]]:
        """Return the manifest without objects retired a day ago, and the keys of these objects."""
        gone = tuple(each.key for each in self.retired if each.at <= now - DAY_S)
        return replace(self, retired=tuple(each for each in self.retired if each.key not in gone)), gone

    def _on(self, base: Base, deltas: Iterable[str], now: int) -> Self:
        """Return the manifest on another base and without these deltas. Objects that it no longer names are retired."""
        left = set(deltas)
        kept = tuple(delta for delta in self.deltas if delta.key not in left)
        after = replace(self, base=base, deltas=kept, claimed_until=0)
        after = replace(after, retired=tuple(each for each in self.retired if each.key not in after.named))
        gone = sorted(self.named - after.named)
        return replace(after, retired=(*after.retired, *(Retired(key=key, at=now) for key in gone)))


NOTHING: Final = Manifest()


def encode_manifest(manifest: Manifest) -> bytes:
    """Return the manifest as JSON."""
    return json.dumps({"format": FORMAT, **asdict(manifest)}, separators=(",", ":")).encode()


def decode_manifest(content: bytes) -> Manifest:
    """Return the manifest. Raises FeedwardError for one that this version cannot read."""
    try:
        said: dict[str, Any] = json.loads(content)
        if said.pop("format") != FORMAT:
            raise FeedwardError("the search index has a manifest of another version")
        base = said.pop("base")
        return Manifest(
            base=_base(base) if base else None,
            deltas=tuple(Delta(**each) for each in _records(said.pop("deltas"))),
            retired=tuple(Retired(**each) for each in _records(said.pop("retired"))),
            **said,
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FeedwardError(f"the manifest of the search index cannot be read: {error}") from error


def _base(said: dict[str, Any]) -> Base:
    index, documents = StoredObject(**said.pop("index")), StoredObject(**said.pop("documents"))
    return Base(index=index, documents=documents, **said)


def _records(said: Any) -> Sequence[dict[str, Any]]:
    return list(said)
