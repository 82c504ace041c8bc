"""The options of a fetch (ports/fetching.py), for its callers and for fetchers that pass them on.

Only type checks read them, so that nothing loads this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from feedward.model import Validators, Wanted
from feedward.ports.fetching import BodyRoom


class FetchOptions(TypedDict, total=False):
    """The options of a Fetcher."""

    validators: Validators | None
    within_s: float | None
    wants: Wanted
    as_browser: bool
    max_redirects: int | None
    first_bytes: int | None
    room: BodyRoom | None


class PageFetchOptions(FetchOptions, total=False):
    """Those of a PageFetcher, which asks its caller before it follows a redirect."""

    may_follow: Callable[[str], bool] | None
