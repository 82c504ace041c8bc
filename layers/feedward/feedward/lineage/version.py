"""Normalization versions: the logic that made an item's URI and hash (rules V1 to V3, V5, L1). Pure.

The form is `<collector>_<component>_v<N[.M]>[_<component>_v<N[.M]>...]`. A component's name is one word; the text
before the first component is the collector. docs/lineage.md says when a version is raised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from feedward.errors import InvalidInput

FIELD = "normalization_version"
MAX_CHARS = 200

_EXAMPLE = "http_snapshot_url_v1_text_v1"
# No leading zeros, so that a version has one spelling. `\d` would match the digits of every script.
_NUMBER = r"(?:0|[1-9][0-9]*+)"
_COMPONENT = re.compile(rf"_(?!v[0-9])([a-z][a-z0-9]*+)_v({_NUMBER})(?:\.({_NUMBER}))?(?=_|\Z)")
_COLLECTOR = re.compile(r"[a-z0-9]++(?:_[a-z0-9]++)*\Z")
# A malformed component would otherwise be read as part of the collector's name.
_BROKEN_COMPONENT = re.compile(r"_[a-z0-9]++_v(?:0[0-9]++)?(?=_|\Z)")


class Change(StrEnum):
    """The kind of a change: it changes the outputs in general (breaking), or in a few cases (patch)."""

    BREAKING = "breaking"
    PATCH = "patch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One part of the normalization, such as `url`, and its version: `breaking`, or `breaking.patch`."""

    name: str
    breaking: int
    patch: int | None = None

    @property
    def number(self) -> str:
        """`1` or `2.1`."""
        return str(self.breaking) if self.patch is None else f"{self.breaking}.{self.patch}"

    @property
    def order(self) -> tuple[int, int]:
        """The sort key of a component's versions: v2 < v2.1 < v2.10 < v3."""
        return self.breaking, self.patch or 0

    def bumped(self, change: Change) -> Component:
        """Return the next version: v1 -> v2 and v2.1 -> v3 for a breaking change, v2 -> v2.1 -> v2.2 for a patch."""
        if change is Change.BREAKING:
            return replace(self, breaking=self.breaking + 1, patch=None)
        return replace(self, patch=(self.patch or 0) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizationVersion:
    """A collector and the versions of its components, in order. `str()` returns its only spelling."""

    collector: str
    components: tuple[Component, ...]

    @classmethod
    def parse(cls, text: str) -> NormalizationVersion:
        """Read a version such as `http_snapshot_url_v1_text_v1.1`. Raises InvalidInput (`normalization_version`)."""
        if not isinstance(text, str):
            raise InvalidInput(FIELD, f"must be a text such as {_EXAMPLE}")
        if len(text) > MAX_CHARS:
            raise InvalidInput(FIELD, f"has {len(text)} characters; {MAX_CHARS} are allowed")
        first = _COMPONENT.search(text)
        if first is None:
            raise InvalidInput(FIELD, f"{text!r} has no component such as _url_v1 behind a collector, as in {_EXAMPLE}")
        collector = text[: first.start()]
        if not _COLLECTOR.match(collector) or _BROKEN_COMPONENT.search(collector):
            raise InvalidInput(FIELD, f"{text!r} begins with {collector!r}, which is not a collector as in {_EXAMPLE}")
        return cls(collector=collector, components=_components(text, first.start()))

    def __str__(self) -> str:
        return "_".join((self.collector, *(f"{one.name}_v{one.number}" for one in self.components)))

    def bump(self, component: str, change: str) -> NormalizationVersion:
        """Return the version after a `breaking` change or a `patch` of one component; the others do not change.

        Raises InvalidInput (`component` or `change`).
        """
        if change not in list(Change):
            raise InvalidInput("change", f"must be {' or '.join(Change)}, not {change!r}")
        if component not in [one.name for one in self.components]:
            raise InvalidInput("component", f"{self} has no component {component!r}")
        raised = (one.bumped(Change(change)) if one.name == component else one for one in self.components)
        return replace(self, components=tuple(raised))


CURRENT = NormalizationVersion(
    collector="http_snapshot",
    components=(Component(name="url", breaking=1), Component(name="text", breaking=1)),
)
"""The version of new items: the current `urls.key` and `lineage.content`."""

CURRENT_VERSION = str(CURRENT)


def comparable(a: str | NormalizationVersion, b: str | NormalizationVersion) -> bool:
    """Return whether items of these versions may be compared, that is, whether the versions are equal (rule V3).

    Raises InvalidInput (`normalization_version`) for a text that is not a version.
    """
    return _parsed(a) == _parsed(b)


def producible(text: str | None) -> NormalizationVersion:
    """Return the version that a run is made under: the code's own, which a request may name (rule L1).

    Raises InvalidInput (`version`) for any other: the logic of an older version was removed, that of a later one is not
    there yet, and a label that is not true would make items comparable that are not.
    """
    if text is None:
        return CURRENT
    version = parsed_parameter(text)
    if version == CURRENT:
        return CURRENT
    if not _have_one_shape(version, CURRENT):
        raise InvalidInput("version", f"expected {CURRENT}, which this code makes, not {version}")
    why = "is older than" if is_behind(version, CURRENT) else "is later than"
    raise InvalidInput("version", f"{version} {why} {CURRENT}, the only version that this code makes")


def parsed_parameter(text: str) -> NormalizationVersion:
    """Read the version of a request. Raises InvalidInput (`version`)."""
    try:
        return NormalizationVersion.parse(text)
    except InvalidInput as error:
        raise InvalidInput("version", error.message) from None


def is_producible(text: str) -> bool:
    """Return whether new items can have this version; False for a text that is not a version."""
    return text == str(CURRENT)


def is_behind(version: str | NormalizationVersion, other: str | NormalizationVersion) -> bool:
    """Return whether a component of `version` is older than the same component of `other`.

    Versions with different collectors or components are not comparable: the answer is False.
    """
    one, two = _parsed(version), _parsed(other)
    if not _have_one_shape(one, two):
        return False
    return any(mine.order < theirs.order for mine, theirs in zip(one.components, two.components, strict=True))


def newest_first(versions: Iterable[str]) -> list[str]:
    """Return versions in their order, those of other components than the current one last."""
    parsed = sorted(map(NormalizationVersion.parse, versions), key=_place, reverse=True)
    return list(map(str, parsed))


def _place(version: NormalizationVersion) -> tuple[bool, list[tuple[int, int]]]:
    return _have_one_shape(version, CURRENT), [component.order for component in version.components]


def _have_one_shape(one: NormalizationVersion, other: NormalizationVersion) -> bool:
    return (one.collector, [each.name for each in one.components]) == (
        other.collector,
        [each.name for each in other.components],
    )


def _components(text: str, at: int) -> tuple[Component, ...]:
    """The components from `at` to the end. Raises InvalidInput for any other text."""
    components: dict[str, Component] = {}
    while at < len(text):
        found = _COMPONENT.match(text, at)
        if found is None:
            raise InvalidInput(FIELD, f"{text!r}: {text[at:]!r} is not a component such as _text_v1")
        name, breaking, patch = found.groups()
        if name in components:
            raise InvalidInput(FIELD, f"{text!r} names the component {name} twice")
        components[name] = Component(name=name, breaking=int(breaking), patch=None if patch is None else int(patch))
        at = found.end()
    return tuple(components.values())


def _parsed(version: str | NormalizationVersion) -> NormalizationVersion:
    return version if isinstance(version, NormalizationVersion) else NormalizationVersion.parse(version)
