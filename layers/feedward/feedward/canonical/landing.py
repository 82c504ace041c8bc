"""Where a fetch ended and what that proves about the URLs on its way (spec C7.4, C9, F1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from feedward.model import FetchResult, Hop
from feedward.urls.compare import only_adds_parameters

_TEMPORARY = frozenset({302, 303, 307})


def asked_urls(asked: str, fetch: FetchResult) -> tuple[str, ...]:
    """Every URL that one fetch requested, in order and once: `asked`, the hops, the last one."""
    return tuple(dict.fromkeys((asked, *(hop.url for hop in fetch.hops), fetch.url)))


def landing_url(chain: Sequence[str], tracking: Iterable[str]) -> str:
    """The URL that the chain ended on; but a redirect that only adds listed parameters is no move (C7.4)."""
    return next(url for url in chain if url == chain[-1] or only_adds_parameters(chain[-1], url, tracking))


def is_temporary(hops: Sequence[Hop]) -> bool:
    """True if a 302, 303 or 307 lay on the way."""
    return any(hop.status in _TEMPORARY for hop in hops)


def alias_urls(asked: str, fetch: FetchResult, landing: str) -> tuple[str, ...]:
    """What a fetch that ended at the feed proves to be URLs of the feed, in order.

    That is the URL asked, what permanent redirects named, and the landing URL. Where a temporary redirect led is no
    address to remember, unless the fetch ended there.
    """
    aliases = [asked]
    for hop in fetch.hops:
        aliases.append(hop.url)
        if not hop.permanent:
            break
    return tuple(dict.fromkeys((*aliases, landing)))
