"""Detects a wall in place of the requested document (rules H1, F1)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from feedward.model import FetchResult, Outcome

DETAIL: Final = "a bot check, in place of the document"
DETAIL_OF_CONSENT: Final = "a redirect to a consent or login page, in place of the document"
_FEED = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<(?:rss|feed|rdf)|\s*[{[]", re.IGNORECASE)


def without_wall(fetch: FetchResult) -> FetchResult:
    """Return a fetch as a `challenge` without a body if it brought a wall, else as it is.

    A consent or login page counts only behind a redirect: a person may request it by its own URL.
    """
    if fetch.outcome is not Outcome.OK or _FEED.match(fetch.body[:1000]):
        return fetch
    wall = _wall(fetch)
    return replace(fetch, outcome=Outcome.CHALLENGE, body=b"", detail=fetch.detail or wall) if wall else fetch


def _wall(fetch: FetchResult) -> str | None:
    """Return a description of the wall. Feeds, the majority of documents, do not load the modules that detect walls."""
    if fetch.hops:
        from feedward.pages.consent_wall import is_consent_wall  # noqa: PLC0415

        if is_consent_wall(fetch.url):
            return DETAIL_OF_CONSENT
    from feedward.pages.bot_wall import is_bot_wall  # noqa: PLC0415

    return DETAIL if is_bot_wall(fetch.body, fetch.content_type) else None
