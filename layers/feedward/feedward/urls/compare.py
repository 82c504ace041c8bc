"""Compares URLs without a request, and makes the small URL changes of the algorithm (rule C7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from feedward.urls.normalize import (
    NormalizeOptions,
    normalize_url,
    parse_known_url,
)
from feedward.urls.tracking import TRACKING_PARAMS

_SPELLING = NormalizeOptions(strip_protocol=True, strip_hash=True, strip_empty_query=True, normalize_encoding=True)


def without_fragment(url: str) -> str:
    """Serialize `url` without its fragment. Raises InvalidInput (`url`)."""
    return parse_known_url(url).href.partition("#")[0]


def without_parameters(url: str, names: Iterable[str] = TRACKING_PARAMS) -> str:
    """Serialize `url` without fragment and without the listed pairs; the rest as sent. Raises InvalidInput (`url`)."""
    return normalize_url(url, NormalizeOptions(strip_hash=True, strip_params=frozenset(names)))


def with_scheme(url: str, scheme: str) -> str:
    """Serialize `url` under scheme `http` or `https`; a port that is not the old scheme's own stays.

    Raises InvalidInput (`url`).
    """
    parsed = parse_known_url(url)
    parsed.protocol = scheme
    return parsed.href


def without_root_dot(url: str) -> str:
    """Serialize `url` without its host's root dot: `example.com.` -> `example.com`. Raises InvalidInput (`url`)."""
    parsed = parse_known_url(url)
    if parsed.hostname.endswith("."):
        parsed.hostname = parsed.hostname.rstrip(".")
    return parsed.href


def only_adds_parameters(landed: str, requested: str, names: Iterable[str] = TRACKING_PARAMS) -> bool:
    """Return whether `landed` is `requested` plus listed parameters: then it is not a move (rule C7.4)."""
    names = frozenset(names)
    if without_parameters(landed, names) != without_parameters(requested, names):
        return False
    pairs = iter(_pairs(landed))
    return all(pair in pairs for pair in _pairs(requested))


def is_same_but_for_parameters(one: str, other: str, names: Iterable[str] = TRACKING_PARAMS) -> bool:
    """Return whether two URLs differ only in listed parameters, spelling of escapes, fragment, or http and https.

    This is when a self link needs no request (rules C6, C7.5). Raises InvalidInput (`url`).
    """
    options = replace(_SPELLING, strip_params=frozenset(names))
    return normalize_url(one, options) == normalize_url(other, options)


def has_white_space(text: str) -> bool:
    """Return whether `text` has white space inside, not only at its ends: such a self link is ignored (rule C7.5)."""
    return len(text.split()) > 1


def _pairs(url: str) -> list[str]:
    search = parse_known_url(url).search
    return search[1:].split("&") if search else []
