"""The options of a canonicalization (rule C2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from feedward.errors import InvalidInput
from feedward.urls.normalize import NormalizeOptions
from feedward.urls.presets import PRESETS, presets_in_effect
from feedward.urls.rewrites import PROBES, REWRITES
from feedward.urls.tracking import OFTEN_FUNCTIONAL, TRACKING_PARAMS

Preset = str | NormalizeOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalizeOptions:
    """The options of one call. Raises InvalidInput, which names the option, for invalid values.

    `max_requests` limits the fetches after the first. `presets` are names or the caller's own option sets.
    `tracking_params` replaces the list in presets and score. `verify_fn` may refuse URLs that the guard allows, but not
    the reverse. `to_store`: the answer will be stored, so only leading permanent redirects lead to it (rule F2).
    `hash_fn` replaces "equal bytes" by "equal hash". `rewrites` and `probes` are off unless named
    (rule C11).
    """

    max_requests: int = 3
    use_signature: bool = True
    check_before_fetch: bool = False
    to_store: bool = False
    presets: tuple[Preset, ...] = tuple(PRESETS)
    tracking_params: frozenset[str] = TRACKING_PARAMS
    prefer_https: bool = True
    prefer_no_www: bool = True
    rewrites: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    verify_fn: Callable[[str], bool] | None = None
    hash_fn: Callable[[bytes], Hashable] | None = None
    debug: bool = False

    def __post_init__(self) -> None:
        if self.max_requests < 0:
            raise InvalidInput("max_requests", "must be 0 or more")
        _require_known("rewrites", self.rewrites, REWRITES)
        _require_known("probes", self.probes, PROBES)
        self.presets_by_name()

    def presets_by_name(self) -> Mapping[str, NormalizeOptions]:
        """Return the presets in the caller's order, `tracking_params` and `prefer_no_www` applied."""
        return _presets_by_name(self.presets, self.tracking_params, self.prefer_no_www)

    def trusted_presets_by_name(self) -> Mapping[str, NormalizeOptions]:
        """Return the presets for calls of `exists`, whose result is not verified.

        No preset strips the whole query (rule C7.4). Listed names that often select content are kept (rule C6), unless
        the caller gave its own list.
        """
        return _trusted_presets_by_name(self.presets, self.tracking_params, self.prefer_no_www)


@lru_cache(maxsize=64)
def _presets_by_name(
    presets: tuple[Preset, ...],
    tracking_params: frozenset[str],
    prefer_no_www: bool,
) -> Mapping[str, NormalizeOptions]:
    return presets_in_effect(presets, tracking_params=tracking_params, prefer_no_www=prefer_no_www)


@lru_cache(maxsize=64)
def _trusted_presets_by_name(
    presets: tuple[Preset, ...],
    tracking_params: frozenset[str],
    prefer_no_www: bool,
) -> Mapping[str, NormalizeOptions]:
    kept = OFTEN_FUNCTIONAL if tracking_params == TRACKING_PARAMS else frozenset()
    return {
        name: replace(preset, strip_query=False, strip_params=preset.strip_params - kept)
        for name, preset in _presets_by_name(presets, tracking_params, prefer_no_www).items()
    }


def _require_known(field: str, names: Collection[str], known: Collection[str]) -> None:
    for index, name in enumerate(names):
        if name not in known:
            raise InvalidInput(f"{field}[{index}]", f"there is no {name!r}; there are {', '.join(known)}")


DEFAULT_OPTIONS = CanonicalizeOptions()
