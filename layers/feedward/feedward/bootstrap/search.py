"""The search index of a deployment: SQLite files in a bucket, or an OpenSearch cluster, as its settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedward.adapters.search.bucket import SearchBucket
from feedward.config import Settings

if TYPE_CHECKING:
    from feedward.ports import Clock
    from feedward.ports.search import DirectoryIndex, SearchFeed


def search_index(settings: Settings, clock: Clock) -> DirectoryIndex:
    """Return the index that searches read. Raises InvalidSetting."""
    from feedward.adapters.search.local_copy import LocalSearchIndex  # noqa: PLC0415

    return LocalSearchIndex(SearchBucket(settings.required("search_bucket")), clock)


def search_feed(settings: Settings) -> SearchFeed:
    """Return where changed documents go. Raises InvalidSetting."""
    from feedward.adapters.search.s3_feed import S3SearchFeed  # noqa: PLC0415

    return S3SearchFeed(SearchBucket(settings.required("search_bucket")))
