"""Tells a fetch that brought a bot wall from one that brought a document (rule H1). See bot_wall.py."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from feedward.model import FetchResult, Outcome

DETAIL: Final = "a bot check, in place of the document"
_FEED = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<(?:rss|feed|rdf)|\s*[{[]", re.IGNORECASE)


def without_bot_wall(fetch: FetchResult) -> FetchResult:
    """Return a fetch as a `challenge` without a body if it brought a bot wall, else as it is."""
    if fetch.outcome is not Outcome.OK or _FEED.match(fetch.body[:1000]):
        return fetch
    from feedward.pages.bot_wall import is_bot_wall  # noqa: PLC0415 - feeds, which are most documents, do without it

    if not is_bot_wall(fetch.body, fetch.content_type):
        return fetch
    return replace(fetch, outcome=Outcome.CHALLENGE, body=b"", detail=fetch.detail or DETAIL)
