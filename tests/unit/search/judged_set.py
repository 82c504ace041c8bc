"""The judged searches: documents, and the feed that each query is to give first. Written before the ranking was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from feedward.model import FeedState
from feedward.search.document import FeedDocument

HERE = Path(__file__).parent / "judged"
QUERIES: list[tuple[str, str, str]] = [tuple(row) for row in json.loads((HERE / "queries.json").read_text())]


def judged_documents() -> list[FeedDocument]:
    """The documents, in the order of the file."""
    return [document(**fields) for fields in json.loads((HERE / "documents.json").read_text())]


def document(
    id: str,  # noqa: A002 - as the file calls it
    *,
    domain: str = "",
    url: str = "",
    canonical: bool = False,
    main: bool = True,
    stale: bool = False,
    state: str = "healthy",
    items: list[str] | None = None,
    topics: list[str] | None = None,
    version: int = 1,
    **texts: Any,
) -> FeedDocument:
    """A document with few words: its id is its feed's."""
    domain = domain or f"{id}.example"
    return FeedDocument(
        feed_id=id,
        version=version,
        url=url or f"https://{domain}/feed.xml",
        domain=domain,
        is_canonical=canonical,
        is_main=main,
        is_stale=stale,
        state=FeedState(state),
        item_titles=tuple(items or ()),
        topics=tuple(topics or ()),
        **texts,
    )
