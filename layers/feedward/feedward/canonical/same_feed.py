"""Compares documents with the first one: the same feed has equal bytes or an equal signature (rule C8)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import FirstDocument
from feedward.feeds.signature import Document, same_feed, without_byte_order_mark
from feedward.model import Feed, FetchResult


class Sameness(StrEnum):
    """The result of comparing a document with the first one."""

    BYTES = "bytes"
    SIGNATURE = "signature"
    DIFFERENT = "different"
    NOT_A_FEED = "not_a_feed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of a comparison. `feed` is set if the other document had to be parsed and is a feed."""

    sameness: Sameness
    feed: Feed | None = field(default=None, repr=False)

    @property
    def same(self) -> bool:
        """True if both are one feed."""
        return self.sameness in (Sameness.BYTES, Sameness.SIGNATURE)


class Comparison:
    """Compares documents with the first one, whose hash and signature are computed once, on demand.

    `read` returns the feed of a fetch, or None.
    """

    def __init__(
        self, first: FirstDocument, options: CanonicalizeOptions, read: Callable[[FetchResult], Feed | None]
    ) -> None:
        self._read = read
        self._first = Document(body=first.fetch.body, feed=first.feed, url=first.response_url)
        self._options = options

    def compare(self, fetch: FetchResult, landing: str) -> Verdict:
        """Compare a complete 2xx document, fetched from `landing`, with the first one."""
        if self._equal_bytes(fetch.body):
            return Verdict(sameness=Sameness.BYTES)
        if not self._options.use_signature:
            return Verdict(sameness=Sameness.DIFFERENT)
        feed = self._read(fetch)
        if feed is None:
            return Verdict(sameness=Sameness.NOT_A_FEED)
        same = same_feed(self._first, Document(body=fetch.body, feed=feed, url=landing))
        return Verdict(sameness=Sameness.SIGNATURE if same else Sameness.DIFFERENT, feed=feed)

    def _equal_bytes(self, body: bytes) -> bool:
        hash_fn, content = self._options.hash_fn, without_byte_order_mark(body)
        return content == self._first_content if hash_fn is None else hash_fn(content) == self._first_hash

    @cached_property
    def _first_content(self) -> bytes:
        return without_byte_order_mark(self._first.body)

    @cached_property
    def _first_hash(self) -> Hashable:
        assert self._options.hash_fn is not None
        return self._options.hash_fn(self._first_content)
