"""Conformance ops of the lineage: versions, matches, page text. No logic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from feedward.errors import InvalidInput
from feedward.lineage import match
from feedward.lineage.item import Match
from feedward.lineage.version import NormalizationVersion, comparable
from feedward.pages import visible_text as pages

__all__ = ["page_text", "resolve_match", "version_bump", "version_parse", "versions_comparable"]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@contextmanager
def refusals() -> Iterator[None]:
    """The runner of the cases knows ValueError as the word for a refusal."""
    try:
        yield
    except InvalidInput as error:
        raise ValueError(str(error)) from error


def version_parse(text: str) -> dict[str, Any]:
    with refusals():
        version = NormalizationVersion.parse(text)
    return {"collector": version.collector, "components": [[one.name, one.number] for one in version.components]}


def version_bump(text: str, component: str, change: str) -> str:
    with refusals():
        return str(NormalizationVersion.parse(text).bump(component, change))


def versions_comparable(a: str, b: str) -> bool:
    with refusals():
        return comparable(a, b)


def resolve_match(
    version: str, by_uri: Sequence[Mapping[str, str]], by_content: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    resolution = match.resolve_match(version, [*map(_match, by_uri)], [*map(_match, by_content)])
    metadata = asdict(resolution.metadata) if resolution.metadata else None
    return {"supersedes": resolution.supersedes, "metadata": metadata}


def page_text(html: str) -> str:
    return pages.page_text(html)


def _match(item: Mapping[str, str]) -> Match:
    """Times here may be finer than the milliseconds of a stored item; their unit plays no part."""
    time = datetime.fromisoformat(item["created_at"])
    at = time if time.tzinfo else time.replace(tzinfo=UTC)
    return Match(
        item_id=item["item_id"],
        created_at_ms=(at - EPOCH) // timedelta(microseconds=1),
        normalization_version=item["normalization_version"],
    )
