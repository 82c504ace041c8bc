"""The judged searches: documents, and the feed that each query is to give first. Written before the ranking was.

There is a second set, of a larger directory in more languages, which was written without a look at the first one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from feedward.model import FeedState
from feedward.search.document import FeedDocument

HERE = Path(__file__).parent / "judged"
Queries = list[tuple[str, str, str]]


def _queries(name: str) -> Queries:
    return [tuple(row) for row in json.loads((HERE / name).read_text())]


QUERIES = _queries("queries.json")
MORE_QUERIES = _queries("more_queries.json")


def judged_documents(name: str = "documents.json") -> list[FeedDocument]:
    """The documents, in the order of the file."""
    return [document(**fields) for fields in json.loads((HERE / name).read_text())]


def more_judged_documents() -> list[FeedDocument]:
    """The documents of the second set."""
    return judged_documents("more_documents.json")


def document(
    id: str,  # noqa: A002 - as the file calls it
    *,
    domain: str = "",
    url: str = "",
    canonical: bool = False,
    main: bool = True,
    stale: bool = False,
    never_fetched: bool = False,
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
        is_never_fetched=never_fetched,
        state=FeedState(state),
        item_titles=tuple(items or ()),
        topics=tuple(topics or ()),
        **texts,
    )
