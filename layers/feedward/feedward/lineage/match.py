"""Which existing item an incoming one supersedes, and why (contract section 4, spec L2, L3). Pure.

Content wins over the URI; among several the most recent, then the lexicographically larger item_id. Only items of the
incoming item's normalization version count (contract 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from feedward.lineage.item import EdgeMetadata, Match
from feedward.lineage.version import NormalizationVersion

CONTENT_SHA256 = "content_sha256"
CANONICAL_URI = "canonical_uri"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The item that is superseded and the metadata of the edge to it; both None where nothing matches."""

    supersedes: str | None = None
    metadata: EdgeMetadata | None = None


NO_MATCH = Resolution()


def resolve_match(
    version: str | NormalizationVersion, by_uri: Sequence[Match], by_content: Sequence[Match]
) -> Resolution:
    """Decide between the items that match an incoming one of `version` by its canonical_uri and by its content_sha256.

    The lists may be in any order and hold items of other versions, which are passed over.
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
