"""A set of normalization options as JSON: what a caller may give in place of a preset's name (spec C2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from feedward.http.fields import boolean, known_fields, texts
from feedward.urls.normalize import NormalizeOptions

PARAMS_AT_MOST: Final = 1000
PARAM_CHARACTERS: Final = 200

_OPTIONS: Final = tuple(option.name for option in fields(NormalizeOptions))


def normalize_options(given: Mapping[str, Any], path: str, tracking: frozenset[str]) -> NormalizeOptions:
    """Read `given`; what it does not name stays off. `strip_params` is a list of names, or "tracking" for `tracking`.

    Raises InvalidInput that names the option (`<path>.strip_www`).
    """
    known_fields(given, _OPTIONS, f"{path}.")
    read: dict[str, Any] = {}
    for name, value in given.items():
        where = f"{path}.{name}"
        read[name] = _strip_params(value, where, tracking) if name == "strip_params" else boolean(value, where)
    return NormalizeOptions(**read)


def parameter_names(value: object, path: str) -> frozenset[str]:
    """Names of query parameters."""
    return frozenset(texts(value, path, at_most=PARAMS_AT_MOST, characters=PARAM_CHARACTERS))


def _strip_params(value: object, path: str, tracking: frozenset[str]) -> frozenset[str]:
    return tracking if value == "tracking" else parameter_names(value, path)
