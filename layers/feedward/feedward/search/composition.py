"""A composed text, with a mapping back to offsets in the stored text (rule Q11). Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from feedward.search.analyser import composed
from feedward.search.scripts import MARKS

# A sign and the characters that may combine with it: marks, Hangul vowels and finals, half-width kana marks.
_CLUSTER = re.compile(rf".[{MARKS}\u1160-\u11ff\uff9e\uff9f]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed text. `starts` and `ends` are the original offsets of each character; empty if they are unchanged."""

    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the stored text's range for a non-empty range of the composed text."""
        return (self.starts[start], self.ends[end - 1]) if self.starts else (start, end)


def composed_with_offsets(text: str) -> Composition:
    """Return the composed text and the original offsets of its characters."""
    whole = composed(text)
    if whole == text.replace("´", "'").replace("_", " "):
        return Composition(whole)
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _CLUSTER.finditer(text):
        part = composed(match[0])
        parts.append(part)
        starts += [match.start()] * len(part)
        ends += [match.end()] * len(part)
    if "".join(parts) != whole:  # signs compose across clusters: rare; offsets then cover whole words
        return Composition(whole, (0,) * len(whole), (len(text),) * len(whole))
    return Composition(whole, tuple(starts), tuple(ends))
