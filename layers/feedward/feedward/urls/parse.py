"""One parser for every URL: WHATWG, by can-ada. Nothing else in feedward takes a URL apart (security U4)."""

from __future__ import annotations

import can_ada

Url = can_ada.URL


def parse_url(text: str, base: str | None = None) -> Url | None:
    """Parse `text`, relative to `base` if given; None where the WHATWG standard says failure."""
    try:
        return can_ada.parse(text, base) if base is not None else can_ada.parse(text)
    except ValueError:
        return None
