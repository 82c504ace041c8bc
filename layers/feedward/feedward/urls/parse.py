"""One parser for every URL: WHATWG, by can-ada. Nothing else in feedward takes a URL apart (security U4)."""

from __future__ import annotations

from can_ada import URL as Url
from can_ada import parse

__all__ = ["Url", "join_url", "parse_url"]


def parse_url(text: str) -> Url | None:
    """Parse an absolute URL; None where the WHATWG standard says failure."""
    try:
        return parse(text)
    except ValueError:
        return None


def join_url(base: Url, reference: str) -> Url | None:
    """Resolve `reference` against `base`; None where the WHATWG standard says failure."""
    try:
        return base + reference
    except ValueError:
        return None
