"""The score of a URL's cleanliness, its cleaner forms, and comparisons (rules C1, C2, C7.2, C7.4, C7.6, C7.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from feedward.canonical.options import CanonicalizeOptions
from feedward.urls.normalize import (
    NormalizeOptions,
    count_pairs,
    has_pair,
    normalize_parsed,
    parameter_names,
    parse_known_url,
)
from feedward.urls.tracking import TRACKING_PARAMS

# Scores are sums of tenths in floating point.
_EPSILON = 1e-6


def cleanliness(
    url: str,
    *,
    tracking_params: Iterable[str] = TRACKING_PARAMS,
    prefer_https: bool = True,
    prefer_no_www: bool = True,
    count_length: bool = True,
) -> float:
    """Score `url`; higher is cleaner. Options that are off leave their term out.

    Without `count_length` the score is that of rule C7.6, which considers only scheme, www, slash, parameters,
    credentials and fragment. Raises InvalidInput (`url`).
    """
    parsed = parse_known_url(url)
    query, path = parsed.search[1:], parsed.pathname
    score = 0.0
    if prefer_https and parsed.protocol == "https:":
        score += 100
    if prefer_no_www and not parsed.hostname.startswith("www."):
        score += 50
    if not path.endswith("/") or path == "/":
        score += 20
    score += max(0, 30 - 5 * count_pairs(query))
    if not has_pair(query, parameter_names(tracking_params)):
        score += 25
    if not parsed.has_credentials():
        score += 15
    if not parsed.hash:
        score += 10
    return score + (max(0.0, (200 - len(url)) / 10) if count_length else 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A form of a URL, the preset that makes it (None for the URL itself), and its cleanliness."""

    url: str
    preset: str | None
    score: float


def score(url: str, options: CanonicalizeOptions, *, count_length: bool = True) -> float:
    """Return the cleanliness of `url` under the caller's options."""
    return cleanliness(
        url,
        tracking_params=options.tracking_params,
        prefer_https=options.prefer_https,
        prefer_no_www=options.prefer_no_www,
        count_length=count_length,
    )


def variants(url: str, options: CanonicalizeOptions) -> list[Variant]:
    """Return the forms of `url` by preset, best score first, each URL once under its first preset."""
    return _best_first(_forms(url, options.presets_by_name(), options))


def known_forms(urls: Iterable[str], options: CanonicalizeOptions) -> list[Variant]:
    """Return the forms of `urls` to look up with `exists`: presets and the URLs themselves, best score first.

    The result of `exists` is trusted without comparison, so these presets keep parameters that often select content.
    """
    presets = options.trusted_presets_by_name()
    asked: dict[str, Variant] = {}
    for url in dict.fromkeys(urls):
        asked.setdefault(url, Variant(url=url, preset=None, score=score(url, options)))
        for form in _forms(url, presets, options):
            asked.setdefault(form.url, form)
    return _best_first(asked.values())


def is_cleaner(url: str, than: str, options: CanonicalizeOptions) -> bool:
    """Return whether `url` has the better score, length included, and is not a downgrade from https to http."""
    return keeps_https(url, than, options) and score(url, options) > score(than, options) + _EPSILON


def is_at_least_as_clean(url: str, than: str, options: CanonicalizeOptions) -> bool:
    """Return False if `than` is better on scheme, www, slash, parameters, credentials or fragment (not on length)."""
    if not keeps_https(url, than, options):
        return False
    return score(url, options, count_length=False) >= score(than, options, count_length=False) - _EPSILON


def has_as_clean_an_origin(url: str, than: str, options: CanonicalizeOptions) -> bool:
    """Return the same as `is_at_least_as_clean`, for scheme and host only."""
    return is_at_least_as_clean(_origin(url), _origin(than), options)


def cleaner_of(url: str, other: str, options: CanonicalizeOptions) -> str:
    """Return the cleaner of two URLs, independent of their order."""
    return min(url, other, key=lambda each: (-round(score(each, options), 3), each))


def _forms(url: str, presets: Mapping[str, NormalizeOptions], options: CanonicalizeOptions) -> Iterable[Variant]:
    """Return the form of `url` for each of `presets`, each URL once under its first preset."""
    made: dict[str, Variant] = {}
    parsed = parse_known_url(url)
    for name, preset in presets.items():
        form = normalize_parsed(parsed, preset)
        if form not in made:
            made[form] = Variant(url=form, preset=name, score=score(form, options))
    return made.values()


def _best_first(found: Iterable[Variant]) -> list[Variant]:
    return sorted(found, key=lambda variant: -variant.score)


def keeps_https(url: str, than: str, options: CanonicalizeOptions) -> bool:
    """Return False if `url` gives up the https of `than`, and the caller prefers https."""
    return not (options.prefer_https and url.startswith("http:") and than.startswith("https:"))


def _origin(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/"
