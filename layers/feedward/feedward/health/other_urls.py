"""The other URLs of a feed to request when its own URL fails, and their proof (rule H6). Pure.

A check requests the same URL under https and with or without the last slash, then earlier URLs of the feed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from feedward.health.moves import Move, MoveReason
from feedward.health.outcomes import OUTCOMES
from feedward.model import FetchResult, Outcome
from feedward.urls.compare import with_scheme
from feedward.urls.key import key_or_text
from feedward.urls.parse import parse_http_url

# The maximum number of spellings and of earlier URLs that one check requests.
SPELLINGS_AT_MOST: Final = 4
EARLIER_AT_MOST: Final = 3
_FILE: Final = re.compile(r"\.[a-z][^/]*$", re.IGNORECASE)  # `feed.xml`, but not `rss/2.0`
_MISSING: Final = frozenset({Outcome.NOT_FOUND, Outcome.GONE})


def may_be_elsewhere(fetch: FetchResult) -> bool:
    """Return whether a fetch failed in a way that another spelling may not: by the connection, with 404 or 410."""
    if fetch.outcome in _MISSING:
        return True
    has_no_answer = OUTCOMES[fetch.outcome].network or fetch.outcome is Outcome.BAD_RESPONSE
    return has_no_answer and fetch.status is None


def spellings(url: str, fetch: FetchResult) -> Iterator[str]:
    """Yield the spellings to request after `url` failed: its https twin, and its slash form after a 404 or 410."""
    if fetch.outcome is Outcome.DNS_ERROR:
        return
    if url.startswith("http:"):
        yield with_scheme(url, "https")
    if fetch.outcome in _MISSING and (slashed := _slash_form(url)):
        yield slashed


def earlier_urls(url: str, owned: Iterable[str]) -> list[str]:
    """Return the earlier URLs to request, of all that the feed owns: the shortest, which are least derived, first."""
    return sorted({each for each in owned if each != url}, key=lambda each: (len(each), each))[:EARLIER_AT_MOST]


def return_to(url: str, found_at: str, landed: str) -> Move:
    """Return the move from `url` to the working URL, or to its landing URL if that is a spelling of the same URL."""
    target = landed if key_or_text(landed) == key_or_text(found_at) else found_at
    if url.startswith("http:") and with_scheme(url, "https") == target:
        return Move(target=target, reason=MoveReason.HTTPS_UPGRADE)
    is_spelling = key_or_text(target) == key_or_text(url)
    return Move(target=target, reason=MoveReason.OTHER_SPELLING if is_spelling else MoveReason.EARLIER_URL)


def gives_up_https(url: str, move: Move) -> bool:
    """Return whether a move goes from https to http: like a move without proof, it needs a second observation."""
    return url.startswith("https:") and move.target.startswith("http:")


def _slash_form(url: str) -> str | None:
    """Return the URL without its last slash, or with one; None for the root, and for a file, which has no slash."""
    parsed = parse_http_url(url)
    if parsed is None or parsed.pathname == "/":
        return None
    path = parsed.pathname
    if path.endswith("/"):
        parsed.pathname = path.rstrip("/")
    elif not _FILE.search(path):
        parsed.pathname = f"{path}/"
    else:
        return None
    changed = parsed.href.partition("#")[0]
    return changed if key_or_text(changed) == key_or_text(url) else None
