"""feedward: one clean URL per feed, proven by fetching, and a directory of feeds kept true.

Names of the library are loaded at their first use: functions of the stack do not need them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedward.canonical.options import CanonicalizeOptions
    from feedward.canonical.result import CanonicalResult, Reason
    from feedward.discovery.candidate import Candidate, Kind
    from feedward.discovery.result import Discovery, DiscoveryOutcome
    from feedward.errors import InvalidInput
    from feedward.feeds.parse import parse_feed
    from feedward.library import canonicalize, discover
    from feedward.model import Feed, FeedFormat, FetchResult, Item, Known, Outcome, Rejection, RejectionReason
    from feedward.ports.fetching import Fetcher
    from feedward.urls.key import key

__version__ = "0.1.0"
__all__ = [
    "Candidate",
    "CanonicalResult",
    "CanonicalizeOptions",
    "Discovery",
    "DiscoveryOutcome",
    "Feed",
    "FeedFormat",
    "FetchResult",
    "Fetcher",
    "InvalidInput",
    "Item",
    "Kind",
    "Known",
    "Outcome",
    "Reason",
    "Rejection",
    "RejectionReason",
    "canonicalize",
    "discover",
    "key",
    "parse_feed",
]

# The names that are not in feedward.model.
_PLACES = {
    "Candidate": "discovery.candidate",
    "CanonicalResult": "canonical.result",
    "CanonicalizeOptions": "canonical.options",
    "Discovery": "discovery.result",
    "DiscoveryOutcome": "discovery.result",
    "Fetcher": "ports.fetching",
    "InvalidInput": "errors",
    "Kind": "discovery.candidate",
    "Reason": "canonical.result",
    "canonicalize": "library",
    "discover": "library",
    "key": "urls.key",
    "parse_feed": "feeds.parse",
}


def __getattr__(name: str) -> object:
    """Load a name of the library at its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'feedward' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - functions use no such name

    found: object = getattr(import_module(f"feedward.{_PLACES.get(name, 'model')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
