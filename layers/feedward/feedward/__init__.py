"""feedward: one clean URL per feed, proven by fetching, and a directory of feeds kept true.

The names of the library are loaded at their first use, so the functions of the stack do not pay for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedward.canonical.options import CanonicalizeOptions
    from feedward.feeds.parse import parse_feed
    from feedward.library import canonicalize, discover
    from feedward.model import FetchResult, Outcome
    from feedward.urls.key import key

__version__ = "0.1.0"
__all__ = ["CanonicalizeOptions", "FetchResult", "Outcome", "canonicalize", "discover", "key", "parse_feed"]

_PLACES = {
    "CanonicalizeOptions": "canonical.options",
    "FetchResult": "model",
    "Outcome": "model",
    "canonicalize": "library",
    "discover": "library",
    "key": "urls.key",
    "parse_feed": "feeds.parse",
}


def __getattr__(name: str) -> object:
    """Load a name of the library at its first use."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - functions use no such name

    found: object = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
