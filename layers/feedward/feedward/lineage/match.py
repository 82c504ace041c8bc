"""Decides which existing item an incoming one supersedes, and why (rules V4, L2, L3). Pure.

A content match wins over a URI match. Among several matches the most recent one wins, then the larger item_id. Only
items of the incoming item's normalization version count (rule V3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from feedward.errors import InvalidInput
from feedward.lineage.item import Addition, Edge, EdgeMetadata, Head, Heads, Item, Match
from feedward.lineage.version import NormalizationVersion

CONTENT_SHA256 = "content_sha256"
CANONICAL_URI = "canonical_uri"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The superseded item and the metadata of the edge to it; both None if nothing matches."""

    supersedes: str | None = None
    metadata: EdgeMetadata | None = None


NO_MATCH = Resolution()


def resolve_match(
    version: str | NormalizationVersion, by_uri: Sequence[Match], by_content: Sequence[Match]
) -> Resolution:
    """Choose among the items that match an incoming item of `version` by canonical_uri and by content_sha256.

    The lists may have any order. Items of other versions are ignored.
    """
    uri_match = _newest(by_uri, str(version))
    content_match = _newest(by_content, str(version))
    selected = content_match or uri_match
    if selected is None:
        return NO_MATCH
    field = CONTENT_SHA256 if content_match else CANONICAL_URI
    metadata = EdgeMetadata(
        reason=f"same_{field}",
        conflict_resolved=_are_different(uri_match, content_match),
        canonical_uri_match=uri_match.item_id if uri_match else None,
        content_sha256_match=content_match.item_id if content_match else None,
        selected=field,
    )
    return Resolution(supersedes=selected.item_id, metadata=metadata)


def _newest(matches: Sequence[Match], version: str) -> Match | None:
    comparable = (match for match in matches if match.normalization_version == version)
    return max(comparable, key=lambda match: (match.created_at_ms, match.item_id), default=None)


def _are_different(uri_match: Match | None, content_match: Match | None) -> bool:
    return uri_match is not None and content_match is not None and uri_match.item_id != content_match.item_id


def refuse_untrue(addition: Addition) -> None:
    """Raise InvalidInput, which names the member, for an addition whose members contradict each other.

    An item must be newer than both heads and supersede the one that rule V4 selects, with the resulting metadata. Any
    other edge, such as one to an item of another version, is refused.
    """
    if (addition.item is None) == (addition.duplicate_fetch is None):
        raise InvalidInput("item", "an addition is either an item or a sighting")
    added = addition.item or addition.duplicate_fetch
    if added is not None and added.run_id != addition.run_id:
        raise InvalidInput("run_id", "the addition belongs to another run")
    if addition.not_modified and addition.duplicate_fetch is None:
        raise InvalidInput("not_modified", "an unmodified page is a sighting, not an item")
    if addition.item is not None:
        if addition.heads.same is not None:
            raise InvalidInput("item", "an item with this URI and content exists already")
        _refuse_older(addition.item, addition.heads)
    _refuse_other_edge(addition.edge, addition.item, addition.heads)


def resolved(item: Item, heads: Heads) -> Resolution:
    """Return which of the heads an item supersedes. The keys of heads contain the version, so they match its own."""
    return resolve_match(
        item.normalization_version,
        [_match(heads.by_uri, item)] if heads.by_uri else [],
        [_match(heads.by_content, item)] if heads.by_content else [],
    )


def _match(head: Head, item: Item) -> Match:
    return Match(
        item_id=head.item_id, created_at_ms=head.created_at_ms, normalization_version=item.normalization_version
    )


def _refuse_older(item: Item, heads: Heads) -> None:
    if any(head and head.created_at_ms >= item.created_at_ms for head in (heads.by_uri, heads.by_content)):
        raise InvalidInput("created_at_ms", "an item must be newer than both matching heads")


def _refuse_other_edge(edge: Edge | None, item: Item | None, heads: Heads) -> None:
    wanted = resolved(item, heads) if item else Resolution()
    is_wanted = (
        wanted.supersedes is None
        if edge is None
        else item is not None
        and (edge.newer, edge.older, edge.metadata) == (item.item_id, wanted.supersedes, wanted.metadata)
    )
    if not is_wanted:
        raise InvalidInput("edge", "an item supersedes the item that its heads select, a duplicate_fetch none")
