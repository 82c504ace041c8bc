"""The presets: which cleaner spellings of a URL are worth a test (spec C2, C3). Each is a whole set of options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from feedward.errors import InvalidInput
from feedward.urls.normalize import NormalizeOptions, normalize_url
from feedward.urls.tracking import TRACKING_PARAMS

# Not in any preset: userinfo is refused before (C7.1), pairs keep their order, and form NFC would change the bytes of
# a path (C3). A "?" that nothing follows goes: the form without it is tested like every other.
CONSERVATIVE = NormalizeOptions(
    strip_params=TRACKING_PARAMS,
    strip_hash=True,
    strip_empty_query=True,
    collapse_slashes=True,
    normalize_encoding=True,
)
MODERATE = replace(CONSERVATIVE, strip_trailing_slash=True)
AGGRESSIVE = replace(MODERATE, strip_www=True)

PRESETS: Mapping[str, NormalizeOptions] = {
    "aggressive": AGGRESSIVE,
    "moderate": MODERATE,
    "conservative": CONSERVATIVE,
}

_OPTIONS = {field.name for field in fields(NormalizeOptions)}
_TRACKING = "tracking"  # as a value of strip_params: the list in effect


def preset_url(url: str, name: str) -> str:
    """Normalize `url` by the preset of that name. Raises InvalidInput (`preset` or `url`)."""
    return normalize_url(url, _preset(name, "preset"))


def presets_in_effect(
    presets: Sequence[str | Mapping[str, object] | NormalizeOptions] | None = None,
    *,
    tracking_params: Iterable[str] | None = None,
    prefer_no_www: bool = True,
) -> dict[str, NormalizeOptions]:
    """Work out the presets of one call from its options (spec C2), by name and in the order given.

    `presets` are names, or sets of options of the caller's own, which are called `custom_1`, `custom_2`, ...;
    None means the three of the specification. A set names only what it wants; `strip_params` is a list or
    "tracking". `tracking_params` replaces the list in the named presets and for "tracking"; without
    `prefer_no_www` no preset strips www. Raises InvalidInput that names the wrong entry (`presets[1].strip_www`).
    """
    tracking = TRACKING_PARAMS if tracking_params is None else frozenset(tracking_params)
    chosen: dict[str, NormalizeOptions] = {}
    for index, entry in enumerate(PRESETS if presets is None else presets):
        where = f"presets[{index}]"
        if isinstance(entry, str):
            name, options = entry, replace(_preset(entry, where), strip_params=tracking)
        else:
            name, options = f"custom_{index + 1}", _own_options(entry, where, tracking)
        chosen[name] = options if prefer_no_www else replace(options, strip_www=False)
    return chosen


def options_from_mapping(values: Mapping[str, object], where: str, tracking: Iterable[str]) -> NormalizeOptions:
    """Build options from decoded JSON. Raises InvalidInput (`<where>.<option>`) for unknown names and wrong types."""
    checked: dict[str, Any] = {}
    for name, value in values.items():
        if name not in _OPTIONS:
            raise InvalidInput(f"{where}.{name}", "there is no such option")
        checked[name] = _names(value, where, tracking) if name == "strip_params" else _flag(value, f"{where}.{name}")
    return NormalizeOptions(**checked)


def _preset(name: str, where: str) -> NormalizeOptions:
    try:
        return PRESETS[name]
    except KeyError:
        raise InvalidInput(where, f"there is no preset {name!r}; there are {', '.join(PRESETS)}") from None


def _own_options(entry: object, where: str, tracking: Iterable[str]) -> NormalizeOptions:
    if isinstance(entry, Mapping):
        entry = options_from_mapping(entry, where, tracking)
    if not isinstance(entry, NormalizeOptions):
        raise InvalidInput(where, "must be the name of a preset or a set of options")
    if entry.strip_protocol:
        raise InvalidInput(f"{where}.strip_protocol", "a preset must give a URL that can be fetched")
    return replace(entry, strip_root_slash=False)  # a fetchable URL has a path


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(where, "must be true or false")
    return value


def _names(value: object, where: str, tracking: Iterable[str]) -> frozenset[str]:
    if value == _TRACKING:
        return frozenset(tracking)
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInput(f"{where}.strip_params", 'must be a list of names or "tracking"')
    names = list(value)
    if not all(isinstance(name, str) for name in names):
        raise InvalidInput(f"{where}.strip_params", "must hold names only")
    return frozenset(names)
