"""An import: its state, the results of its entries, and the steps of its worker (rules IM3, M9). Pure data.

Counts are always exact: a result and its counts are written in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Final

from feedward.errors import InvalidInput
from feedward.intake.entry import Beyond, Entry, FileKind

COUNT_SHARDS: Final = 16
ENTRIES_IN_A_CHUNK: Final = 46
CHUNK_BYTES: Final = 200 * 1024
CHUNKS_IN_A_STEP: Final = 8


class Target(StrEnum):
    """The target of the entries: the tenant's subscriptions, or the shared directory."""

    SUBSCRIPTIONS = "subscriptions"
    DIRECTORY = "directory"


class ImportStatus(StrEnum):
    """The state of an import: awaits its file, is queued, is running, is done, or has nothing to import."""

    UPLOADING = "uploading"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Result(StrEnum):
    """The result of an entry.

    - created: the subscription or the feed is new, and its feed is known
    - joined: it existed before, or the entry repeats another one of the file
    - merged: the URL led to a feed that the tenant follows already
    - pending: its feed is being searched; failed: no feed was found; invalid: the entry cannot be imported
    """

    CREATED = "created"
    JOINED = "joined"
    MERGED = "merged"
    PENDING = "pending"
    FAILED = "failed"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The number of entries, and of entries with each result. `told`: the chunks whose events were sent."""

    entries: int = 0
    created: int = 0
    joined: int = 0
    merged: int = 0
    pending: int = 0
    failed: int = 0
    invalid: int = 0
    told: int = 0

    @property
    def left(self) -> int:
        """The entries without a result yet."""
        ended = self.created + self.joined + self.merged + self.pending + self.failed + self.invalid
        return self.entries - ended


COUNTED: Final = tuple(each.name for each in fields(Counts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """An import of a tenant (None: the deployment's own user). Times are epoch seconds.

    - status: as stored; `state` is the public one
    - into: where its entries go; None until the kind of the file is known, which then decides
    - file_key: the object that holds the file; bytes: its announced length
    - chunks: the number of written chunks; is_read: true if the whole file was read
    - beyond: the parts of the file that lie beyond the limits; reason: why it failed
    - pending_since: set while entries are unprocessed; started_at: when its first searches were requested
    """

    import_id: str
    tenant_id: str | None
    status: ImportStatus
    created_at: int
    updated_at: int
    file_key: str
    bytes: int
    name: str | None = None
    into: Target | None = None
    kind: FileKind | None = None
    chunks: int = 0
    is_read: bool = False
    beyond: Mapping[str, int] = field(default_factory=dict)
    reason: str | None = None
    pending_since: int | None = None
    rev: int = 0
    counts: Counts = field(default_factory=Counts)

    @property
    def state(self) -> ImportStatus:
        """Running until each entry has a result, then done."""
        is_done = self.status is ImportStatus.RUNNING and self.is_read and self.counts.left == 0
        return ImportStatus.DONE if is_done else self.status

    @property
    def target(self) -> Target:
        """The target of its entries: the requested one; by default the directory for a seed file, else the tenant."""
        default = Target.DIRECTORY if self.kind is FileKind.SEEDS else Target.SUBSCRIPTIONS
        return self.into or default


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The result of an entry: its subscription and feed, or the reason for having none."""

    result: Result
    subscription_id: str | None = None
    feed_id: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Consecutive entries of an import, and the results of the first of them."""

    number: int
    entries: tuple[Entry, ...]
    results: tuple[Ended, ...] = ()
    is_told: bool = False

    @property
    def shard(self) -> int:
        """The counter shard of its entries."""
        return self.number % COUNT_SHARDS

    @property
    def left(self) -> tuple[Entry, ...]:
        """The entries without a result."""
        return self.entries[len(self.results) :]


def chunks_of(entries: Sequence[Entry]) -> list[Chunk]:
    """Return the entries in chunks that fit an item of the table. The same entries always give the same chunks."""
    chunks: list[Chunk] = []
    current: list[Entry] = []
    size = 0
    for entry in entries:
        length = _bytes(entry)
        if current and (len(current) == ENTRIES_IN_A_CHUNK or size + length > CHUNK_BYTES):
            chunks.append(Chunk(number=len(chunks), entries=tuple(current)))
            current, size = [], 0
        current.append(entry)
        size += length
    return [*chunks, Chunk(number=len(chunks), entries=tuple(current))] if current else chunks


def _bytes(entry: Entry) -> int:
    texts = (entry.url, entry.title, entry.site_url, entry.category, entry.language, entry.description, entry.problem)
    names = (name for path in entry.folders for name in path)
    return 200 + sum(len((text or "").encode("utf-8", "replace")) + 4 for text in (*texts, *names))


# --- steps -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportStep:
    """A step of an import: reading its file (no chunks), or doing the chunks from `first` to before `end`."""

    tenant_id: str | None
    import_id: str
    first: int = 0
    end: int = 0

    @property
    def job_id(self) -> str:
        """The step as the id of a job's message. A tenant's id holds no slash."""
        return f"{self.import_id}/{self.first}/{self.end}/{self.tenant_id or ''}"

    @classmethod
    def of(cls, job_id: str) -> ImportStep:
        """Read a step. Raises InvalidInput (`job_id`)."""
        import_id, _, rest = job_id.partition("/")
        first, _, rest = rest.partition("/")
        end, mark, tenant_id = rest.partition("/")
        if not (mark and import_id and first.isascii() and first.isdigit() and end.isascii() and end.isdigit()):
            raise InvalidInput("job_id", "expected a step of an import")
        return cls(tenant_id=tenant_id or None, import_id=import_id, first=int(first), end=int(end))


def steps_of(found: Import) -> list[ImportStep]:
    """Return the steps for all chunks of an import. The first chunks come last: only they start searches, which would
    delay the others.
    """
    return [
        ImportStep(
            tenant_id=found.tenant_id,
            import_id=found.import_id,
            first=first,
            end=min(first + CHUNKS_IN_A_STEP, found.chunks),
        )
        for first in reversed(range(0, found.chunks, CHUNKS_IN_A_STEP))
    ]


def shown_beyond(beyond: Mapping[Beyond, int]) -> dict[str, int]:
    """Return the counts of the parts beyond the limits, by name."""
    return {each.value: beyond.get(each, 0) for each in Beyond if beyond.get(each)}


def asked_at(number: int, now: int, *, per_s: int = 1) -> int:
    """Return when to request the search for a new entry's feed: the first few immediately, then `per_s` a second.

    More would wait in the search queue until they expire.
    """
    return now + -(-max(0, number - AT_ONCE) // per_s)


def searches_per_s(at_once: int) -> int:
    """Return the searches per second that `at_once` workers keep up with: a search takes at most 2 s on average."""
    return max(1, at_once // 2)


AT_ONCE: Final = 200
