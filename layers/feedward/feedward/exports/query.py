"""The scope and the format of an export. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from feedward.model import FeedState


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
