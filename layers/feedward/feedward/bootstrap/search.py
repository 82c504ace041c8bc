"""The search index of a deployment: SQLite files in a bucket, or an OpenSearch cluster, as its settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedward.config import Settings

if TYPE_CHECKING:  # one of the two is loaded
    from feedward.adapters.opensearch.cluster import Cluster
    from feedward.adapters.search.bucket import SearchBucket
    from feedward.ports import Clock
    from feedward.ports.search import DirectoryIndex, SearchFeed

OPENSEARCH = "opensearch"


def search_index(settings: Settings, clock: Clock) -> DirectoryIndex:
    """Return the index that searches read. Raises InvalidSetting."""
    if settings.search_backend == OPENSEARCH:
        from feedward.adapters.opensearch.cluster_index import OpenSearchIndex  # noqa: PLC0415

        return OpenSearchIndex(_cluster(settings), settings.opensearch_index, clock)
    from feedward.adapters.search.local_copy import LocalSearchIndex  # noqa: PLC0415

    return LocalSearchIndex(_bucket(settings, is_read=True), clock)


def search_feed(settings: Settings) -> SearchFeed:
    """Return the destination of changed documents. Raises InvalidSetting."""
    if settings.search_backend == OPENSEARCH:
        from feedward.adapters.opensearch.cluster_feed import OpenSearchFeed  # noqa: PLC0415

        return OpenSearchFeed(_cluster(settings), settings.opensearch_index)
    from feedward.adapters.search.s3_feed import S3SearchFeed  # noqa: PLC0415

    return S3SearchFeed(_bucket(settings))


def _bucket(settings: Settings, *, is_read: bool = False) -> SearchBucket:
    from feedward.adapters.search import bucket  # noqa: PLC0415

    timeout_s = bucket.READER_TIMEOUT_S if is_read else bucket.WRITER_TIMEOUT_S
    return bucket.SearchBucket(settings.required("search_bucket"), timeout_s=timeout_s)


def _cluster(settings: Settings) -> Cluster:
    from feedward.adapters.opensearch.cluster import Cluster, signed_transport  # noqa: PLC0415

    return Cluster(signed_transport(settings.required("opensearch_url")))
