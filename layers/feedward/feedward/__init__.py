"""feedward: one clean URL per feed, proven by fetching, and a directory of feeds kept true.

Names of the library are loaded at their first use: functions of the stack do not need them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedward.canonical.options import CanonicalizeOptions
    from feedward.discovery.candidate import Kind
    from feedward.errors import InvalidInput
    from feedward.feeds.parse import parse_feed
    from feedward.library import canonicalize, discover
    from feedward.model import Feed, FetchResult, Item, Known, Outcome, Rejection
    from feedward.ports.fetching import Fetcher
    from feedward.urls.key import key

__version__ = "0.1.0"
__all__ = [
    "CanonicalizeOptions",
    "Feed",
    "FetchResult",
    "Fetcher",
    "InvalidInput",
    "Item",
    "Kind",
    "Known",
    "Outcome",
    "Rejection",
    "canonicalize",
    "discover",
    "key",
    "parse_feed",
]

_PLACES = {
    "CanonicalizeOptions": "canonical.options",
    "Feed": "model",
    "FetchResult": "model",
    "Fetcher": "ports.fetching",
    "InvalidInput": "errors",
    "Item": "model",
    "Kind": "discovery.candidate",
    "Known": "model",
    "Outcome": "model",
    "Rejection": "model",
    "canonicalize": "library",
    "discover": "library",
    "key": "urls.key",
    "parse_feed": "feeds.parse",
}


def __getattr__(name: str) -> object:
    """Load a name of the library at its first use."""
    if name not in _PLACES:
        raise AttributeError(f"module 'feedward' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - functions use no such name

    found: object = getattr(import_module(f"feedward.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
