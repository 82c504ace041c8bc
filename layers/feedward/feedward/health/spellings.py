"""Which other URLs of a feed are asked when its own one fails, and what proves them (rule H6). Pure.

The server is asked at the same URL under https and with or without the last slash, then at earlier URLs of the feed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from feedward.health.moves import Move, MoveReason
from feedward.health.outcomes import OUTCOMES
from feedward.model import FetchResult, Outcome
from feedward.urls.compare import with_scheme
from feedward.urls.key import key_or_text
from feedward.urls.parse import parse_http_url

# Spellings of the URL, and earlier URLs, that one check asks at most.
SPELLINGS_AT_MOST: Final = 4
EARLIER_AT_MOST: Final = 3
_MISSING: Final = frozenset({Outcome.NOT_FOUND, Outcome.GONE})


def may_be_elsewhere(fetch: FetchResult) -> bool:
    """Return whether a fetch failed in a way that another spelling may not: by the connection, with 404 or 410."""
    if fetch.outcome in _MISSING:
        return True
    has_no_answer = OUTCOMES[fetch.outcome].network or fetch.outcome is Outcome.BAD_RESPONSE
    return has_no_answer and fetch.status is None


def spellings(url: str, fetch: FetchResult) -> Iterator[str]:
    """Yield the spellings to ask after `url` failed: its https twin, and its slash form where nothing was there."""
    if fetch.outcome is Outcome.DNS_ERROR:
        return
    if url.startswith("http:"):
        yield with_scheme(url, "https")
    if fetch.outcome in _MISSING and (slashed := _slash_form(url)):
        yield slashed


def earlier_urls(url: str, owned: Iterable[str]) -> list[str]:
    """Return the earlier URLs to ask, of all that the feed owns: the shortest first, which are the least derived."""
    return sorted({each for each in owned if each != url}, key=lambda each: (len(each), each))[:EARLIER_AT_MOST]


def return_to(url: str, found_at: str, landed: str) -> Move:
    """Return the move from `url` to the other URL that works: where it lands, if that is a spelling of the same URL."""
    target = landed if key_or_text(landed) == key_or_text(found_at) else found_at
    if url.startswith("http:") and with_scheme(url, "https") == target:
        return Move(target=target, reason=MoveReason.HTTPS_UPGRADE)
    is_spelling = key_or_text(target) == key_or_text(url)
    return Move(target=target, reason=MoveReason.OTHER_SPELLING if is_spelling else MoveReason.EARLIER_URL)


def gives_up_https(url: str, move: Move) -> bool:
    """Return whether a move goes from https to http: like a move without proof, it has to be seen again a day later."""
    return url.startswith("https:") and move.target.startswith("http:")


def _slash_form(url: str) -> str | None:
    """The URL without its last slash, or with one; None for the root, and for a file, which has none."""
    parsed = parse_http_url(url)
    if parsed is None or parsed.pathname == "/":
        return None
    path = parsed.pathname
    if path.endswith("/"):
        parsed.pathname = path.rstrip("/")
    elif "." not in path.rpartition("/")[2]:
        parsed.pathname = f"{path}/"
    else:
        return None
    changed = parsed.href.partition("#")[0]
    return changed if key_or_text(changed) == key_or_text(url) else None
