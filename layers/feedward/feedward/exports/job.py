"""An export: its scope and format, and the job that writes a large one into a bucket (rule EX1). Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from feedward.access.ownership import prefix_of
from feedward.model import FeedState

INLINE_BYTES: Final = 4 * 1024 * 1024
PART_BYTES: Final = 6 * 1024 * 1024
KEPT_S: Final = 24 * 3600
# A repeated request for the same export within this time gets the same job.
WINDOW_S: Final = 60


class ExportFormat(StrEnum):
    """The formats of an export. JSON is a seed file."""

    OPML = "opml"
    JSON = "json"
    CSV = "csv"

    @property
    def media_type(self) -> str:
        """The Content-Type: OPML has its own, since phones rename files that are sent as XML (rule EX3)."""
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    ExportFormat.OPML: "text/x-opml; charset=utf-8",
    ExportFormat.JSON: "application/json; charset=utf-8",
    ExportFormat.CSV: "text/csv; charset=utf-8",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportQuery:
    """The scope of an export: a tenant's subscriptions if `tag` is given (empty: all of them), else shared feeds.

    `q` is a search, `topic` the key of an approved topic. None does not filter.
    """

    format: ExportFormat
    tag: str | None = None
    q: str | None = None
    topic: str | None = None
    state: FeedState | None = None

    @property
    def is_own(self) -> bool:
        """Return whether the export holds the subscriptions of a tenant."""
        return self.tag is not None

    @property
    def file_name(self) -> str:
        """The name of the downloaded file."""
        return f"{'subscriptions' if self.is_own else 'feeds'}.{self.format}"

    def takes(self, tags: tuple[str, ...]) -> bool:
        """Return whether a subscription with these tags is exported: the tag, and the folders inside of it."""
        return not self.tag or any(tag == self.tag or tag.startswith(f"{self.tag}/") for tag in tags)

    def stored(self) -> dict[str, str]:
        """Return the query as texts."""
        said = {name: getattr(self, name) for name in ("format", "tag", "q", "topic", "state")}
        return {name: str(value) for name, value in said.items() if value is not None}


def read_query(stored: Mapping[str, Any]) -> ExportQuery:
    """Return the query of its texts."""
    state = stored.get("state")
    return ExportQuery(
        format=ExportFormat(stored["format"]),
        tag=stored.get("tag"),
        q=stored.get("q"),
        topic=stored.get("topic"),
        state=FeedState(state) if state else None,
    )


class ExportStatus(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportJob:
    """A job of a tenant (None: the deployment's own user). Times are epoch seconds.

    - upload_id, etags: the multipart upload and its parts so far; rest: whether an object holds the beginning of the
      next part; place: the last entry in all of them
    - entries, private, size: counts of all of them; sha256, signature (base64): of the whole file, once it is done
    """

    export_id: str
    tenant_id: str | None
    query: ExportQuery
    created_at: int
    updated_at: int
    status: ExportStatus = ExportStatus.WAITING
    upload_id: str | None = None
    etags: tuple[str, ...] = ()
    rest: bool = False
    place: str = ""
    entries: int = 0
    private: int = 0
    size: int = 0
    sha256: str | None = None
    signature: str | None = None
    reason: str | None = None
    rev: int = 0

    @property
    def file_key(self) -> str:
        """The key of the object. A signature has the same with `.sig`."""
        return f"{prefix_of(self.tenant_id or '')}{self.export_id}/{self.query.file_name}"

    @property
    def rest_key(self) -> str:
        """The key of the beginning of the next part, up to `place`: another worker may be at another place."""
        return f"{self.file_key}.{self.place}"

    @property
    def is_over(self) -> bool:
        """True once it is done or failed."""
        return self.status in (ExportStatus.DONE, ExportStatus.FAILED)


_PLAIN: Final = (
    *("export_id", "tenant_id", "created_at", "updated_at", "upload_id", "rest", "place", "entries", "private", "size"),
    *("sha256", "signature", "reason", "rev"),
)


def stored_job(job: ExportJob) -> dict[str, Any]:
    """Return the job as attributes; missing values are None."""
    said = {name: getattr(job, name) or None for name in _PLAIN}
    return {**said, "status": job.status.value, "query": job.query.stored(), "etags": list(job.etags) or None}


def read_job(stored: Mapping[str, Any]) -> ExportJob:
    """Return the job of its attributes."""
    given = {name: stored[name] for name in _PLAIN if stored.get(name) is not None}
    return ExportJob(
        **{"tenant_id": None, **given},
        status=ExportStatus(stored["status"]),
        query=read_query(stored["query"]),
        etags=tuple(stored.get("etags") or ()),
    )
