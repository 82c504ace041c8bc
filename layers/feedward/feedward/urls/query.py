"""Queries as raw pairs: never decoded, never encoded, so that every surviving byte stays as sent (spec C3).

A query here is what stands between `?` and `#`. A pair is what stands between `&`; an empty one is none.
Parameter names are given in lower case, see `parameter_names`.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import lru_cache

from feedward.urls.parse import parse_url
from feedward.urls.repair import is_entity


def parameter_names(names: Iterable[str]) -> frozenset[str]:
    """Prepare a list of parameter names for comparison: lower case, spelled as the parser spells them in a query."""
    return _prepared(names if isinstance(names, frozenset) else frozenset(names))


@lru_cache(maxsize=64)
def _prepared(names: frozenset[str]) -> frozenset[str]:
    lowered = map(str.lower, names)
    return frozenset(name if name.isascii() and name.isidentifier() else _as_sent(name) for name in lowered)


def _as_sent(name: str) -> str:
    url = parse_url("https://host/?" + name.replace("#", "%23").replace("&", "%26").replace("=", "%3D"))
    return url.search[1:].lower() if url else name


def without_pairs(query: str, names: Set[str]) -> str:
    """Remove the pairs with these names; everything else keeps its bytes and its place.

    Where nothing but empty pairs remains, nothing remains.
    """
    if "&" not in query:
        return "" if query.partition("=")[0].lower() in names else query
    pairs = query.split("&")
    kept = [pair for pair in pairs if pair.partition("=")[0].lower() not in names]
    if len(kept) == len(pairs):
        return query
    return "&".join(kept) if any(kept) else ""


def sorted_pairs(query: str) -> str:
    """Sort the pairs by raw name; pairs of one name keep their order, empty pairs go."""
    if "&" not in query:
        return query
    pairs = [pair for pair in query.split("&") if pair]
    # Behind an "&" the first pair may read as an HTML entity, which it is not; then it stays the first one.
    fixed = 1 if pairs and ";" in pairs[0] and is_entity(f"&{pairs[0].partition(';')[0]};") else 0
    if len(pairs) > 1 + fixed:
        pairs[fixed:] = sorted(pairs[fixed:], key=_name)
    return "&".join(pairs)


def count_pairs(query: str) -> int:
    """Count the pairs of a query."""
    return sum(1 for pair in query.split("&") if pair)


def has_pair(query: str, names: Set[str]) -> bool:
    """Tell whether the query has a pair with one of these names."""
    return any(pair.partition("=")[0].lower() in names for pair in query.split("&"))


def _name(pair: str) -> str:
    return pair.partition("=")[0]
