"""Which of several documents of a feed counts: the one with the higher version (rule Q15). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from feedward.search.document import DocumentChange, FeedDocument


def newest(changes: Iterable[DocumentChange]) -> dict[str, DocumentChange]:
    """Return the change that counts of each feed. Of equal versions the later one counts."""
    found: dict[str, DocumentChange] = {}
    for change in changes:
        known = found.get(change.feed_id)
        if known is None or change.version >= known.version:
            found[change.feed_id] = change
    return found


def merged(documents: Iterable[FeedDocument], changes: Mapping[str, DocumentChange]) -> Iterator[FeedDocument]:
    """Yield the documents after the changes: those of the base in their order, and then the new ones by id."""
    known: set[str] = set()
    for document in documents:
        change = changes.get(document.feed_id)
        known.add(document.feed_id) if change is not None else None
        if change is None or change.version < document.version:
            yield document
        elif change.document is not None:
            yield change.document
    for feed_id in sorted(changes.keys() - known):
        document_of_change = changes[feed_id].document
        if document_of_change is not None:
            yield document_of_change
