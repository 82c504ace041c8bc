"""The presets: sets of options for the cleaner spellings of a URL that are worth testing (rules C2, C3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from feedward.errors import InvalidInput
from feedward.urls.normalize import NormalizeOptions, normalize_url
from feedward.urls.tracking import TRACKING_PARAMS

# No preset strips userinfo (refused before, rule C7.1), sorts pairs, or applies form NFC, which would change the bytes
# of a path (rule C3). A "?" with nothing after it is dropped: the form without it is tested like every other.
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


def preset_url(url: str, name: str) -> str:
    """Normalize `url` by the preset `name`. Raises InvalidInput (`preset` or `url`)."""
    return normalize_url(url, _preset(name, "preset"))


def presets_in_effect(
    presets: Sequence[str | NormalizeOptions] | None = None,
    *,
    tracking_params: Iterable[str] | None = None,
    prefer_no_www: bool = True,
) -> dict[str, NormalizeOptions]:
    """Return the presets of one call from its options (rule C2), by name and in the order given.

    `presets` are names, or the caller's own option sets, which are named `custom_1`, `custom_2`, ...; None means the
    three of rule C2. `tracking_params` replaces the list in the named presets. Without `prefer_no_www` no preset strips
    www. Raises InvalidInput, which names the wrong entry (`presets[1]`).
    """
    tracking = TRACKING_PARAMS if tracking_params is None else frozenset(tracking_params)
    chosen: dict[str, NormalizeOptions] = {}
    for index, entry in enumerate(PRESETS if presets is None else presets):
        where = f"presets[{index}]"
        if isinstance(entry, str):
            name, options = entry, replace(_preset(entry, where), strip_params=tracking)
        else:
            name, options = f"custom_{index + 1}", _own_options(entry, where)
        chosen[name] = options if prefer_no_www else replace(options, strip_www=False)
    return chosen


def _preset(name: str, where: str) -> NormalizeOptions:
    try:
        return PRESETS[name]
    except KeyError:
        raise InvalidInput(where, f"there is no preset {name!r}; there are {', '.join(PRESETS)}") from None


def _own_options(entry: object, where: str) -> NormalizeOptions:
    if not isinstance(entry, NormalizeOptions):
        raise InvalidInput(where, "must be the name of a preset or a set of options")
    if entry.strip_protocol:
        raise InvalidInput(f"{where}.strip_protocol", "a preset must give a URL that can be fetched")
    return replace(entry, strip_root_slash=False)  # a fetchable URL has a path
