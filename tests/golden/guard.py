"""Keeps normalization and its version together (rules V2, V5, L1): the rule itself, pure.

Recorded outputs are compared with those of the code as it is. An output that changed needs a raised component, or a
line in CHANGELOG.md that says that it was a bug (rule V2.3); a raised component needs a line there, too:

    - Normalization version `http_snapshot_url_v2_text_v1`: the change, and whom it affects.
    - Normalization fix in `text`, `entry-id`, `other-id`: which rule was broken, and what came of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from feedward.lineage.version import Change, NormalizationVersion

_VERSION_LINE = re.compile(r"^- Normalization version `([^`]+)`: *\S", re.MULTILINE)
_FIX_LINE = re.compile(r"^- Normalization fix in `([^`]+)`((?:, `[^`]+`)+): *\S.*$", re.MULTILINE)

Outputs = Mapping[str, Mapping[str, str]]
"""By component, the output of each entry of the golden set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The contents of the golden set: its outputs, their versions, oldest first, and the fixes in them.

    A fix is the line of CHANGELOG.md that told of it. It counts once: a later change of the same entry needs its own.
    """

    versions: Sequence[str]
    fixes: Sequence[str]
    outputs: Outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """The current outputs of the code, and the lines of CHANGELOG.md."""

    version: str
    outputs: Outputs
    changelog: str


def faults(recorded: Recorded, present: Present) -> list[str]:
    """Report each fault with the steps that mend it; nothing if outputs, version and CHANGELOG agree."""
    return [
        *_unversioned(recorded, present),
        *_wrong_steps(recorded, present),
        *_untold(recorded, present),
        *_idle_fixes(recorded, present),
        *_stale(recorded, present),
    ]


def unrecordable(recorded: Recorded, present: Present) -> list[str]:
    """The faults that new recordings would hide: all except unrecorded outputs."""
    return [
        *_unversioned(recorded, present),
        *_wrong_steps(recorded, present),
        *_untold(recorded, present),
        *_idle_fixes(recorded, present),
    ]


def fixes_told(changelog: str) -> list[str]:
    """The lines of the changelog with a fix."""
    return [found[0] for found in _FIX_LINE.finditer(changelog)]


def changes(recorded: Recorded, present: Present, component: str) -> dict[str, tuple[str, str]]:
    """The entries of a component with a changed output: the old and the new one."""
    before, now = recorded.outputs.get(component, {}), present.outputs[component]
    return {entry: (before[entry], now[entry]) for entry in now if entry in before and before[entry] != now[entry]}


def _unversioned(recorded: Recorded, present: Present) -> Iterator[str]:
    """By component, the outputs that changed without a version change and without a new fix that names them."""
    for component in present.outputs:
        if _number(recorded.versions[-1], component) != _number(present.version, component):
            continue
        told = _entries_fixed(recorded, present, component)
        changed = {entry: was for entry, was in changes(recorded, present, component).items() if entry not in told}
        if changed:
            lines = [f"  {entry}: was {before!r}, is {now!r}" for entry, (before, now) in changed.items()]
            yield "\n".join(
                (f"`{component}` gives other outputs:", *lines, _steps(present.version, component, changed))
            )


def _steps(version: str, component: str, entries: Iterable[str]) -> str:
    breaking, patch = (NormalizationVersion.parse(version).bump(component, change) for change in Change)
    key_version = ", and KEY_VERSION in urls/key.py with it" if component == "url" else ""
    fixed = ", ".join(f"`{entry}`" for entry in entries)
    return (
        f"Wanted? Then bump the component `{component}`: in lineage/version.py, set CURRENT to {breaking} (or {patch}"
        f" where few outputs change){key_version}; add the line `- Normalization version `<version>`: <what changes>`"
        f" to CHANGELOG.md; run `make golden`.\n"
        f"Did the rules always say so (rule V2.3)? Then leave the version, add the line"
        f" `- Normalization fix in `{component}`, {fixed}: <which rule was broken>` to CHANGELOG.md; run `make golden`."
    )


def _wrong_steps(recorded: Recorded, present: Present) -> Iterator[str]:
    """A version that is no bump of the last one: a component was lowered, removed or added."""
    last, now = (NormalizationVersion.parse(text) for text in (recorded.versions[-1], present.version))
    names = [[one.name for one in version.components] for version in (last, now)]
    if last.collector != now.collector or names[0] != names[1]:
        yield f"{now} has not the collector and components of {last}: the golden set and its guard must learn of that."
        return
    for before, after in zip(last.components, now.components, strict=True):
        if (after.breaking, after.patch or 0) < (before.breaking, before.patch or 0):
            yield f"the component `{after.name}` went back from v{before.number} to v{after.number}."
    if str(now) in recorded.versions[:-1]:
        yield f"{now} was a version before; bump past {last}."


def _untold(recorded: Recorded, present: Present) -> Iterator[str]:
    """Versions after the first that the changelog does not have."""
    told = set(_VERSION_LINE.findall(present.changelog))
    for version in dict.fromkeys([*recorded.versions, present.version][1:]):
        if version not in told and version != recorded.versions[0]:
            yield f"CHANGELOG.md has no line `- Normalization version `{version}`: <what changes>`; add it."


def _idle_fixes(recorded: Recorded, present: Present) -> Iterator[str]:
    """Entries that a new fix names and that are unchanged: the line would excuse their next change."""
    for line in _new_fixes(recorded, present):
        component, entries = _named(line)
        changed = changes(recorded, present, component) if component in present.outputs else {}
        idle = [f"`{entry}`" for entry in entries if entry not in changed]
        if idle:
            yield f"CHANGELOG.md tells of a fix of {', '.join(idle)} in `{component}`, where no output changed: {line}"


def _stale(recorded: Recorded, present: Present) -> Iterator[str]:
    """A golden set that does not match this code: new entries, allowed changes, another version."""
    if recorded.versions[-1] != present.version:
        yield f"the golden set is of {recorded.versions[-1]}, not {present.version}: run `make golden`."
    for component, outputs in present.outputs.items():
        if dict(outputs) != dict(recorded.outputs.get(component, {})):
            yield f"the golden set holds other outputs of `{component}` than the code gives: run `make golden`."


def _entries_fixed(recorded: Recorded, present: Present, component: str) -> set[str]:
    named = map(_named, _new_fixes(recorded, present))
    return {entry for of_component, entries in named if of_component == component for entry in entries}


def _new_fixes(recorded: Recorded, present: Present) -> list[str]:
    """The fixes that are not recorded. A reworded line is not a new fix, if the old wording is no longer there."""
    told = fixes_told(present.changelog)
    reworded = [_named(line) for line in recorded.fixes if line not in told]
    return [line for line in told if line not in recorded.fixes and _named(line) not in reworded]


def _named(fix: str) -> tuple[str, list[str]]:
    """The component and the entries that the line of a fix names."""
    found = _FIX_LINE.match(fix)
    return (found[1], re.findall(r"`([^`]+)`", found[2])) if found else ("", [])


def _number(version: str, component: str) -> str | None:
    parts = NormalizationVersion.parse(version).components
    return next((part.number for part in parts if part.name == component), None)
