"""A text as it is analysed, with the way back to the places of the text as it is stored (rule Q11). Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from feedward.search.analyser import composed
from feedward.search.scripts import MARKS

# A sign and what may be composed with it: marks, the vowels and finals of Hangul, the half-width marks of kana.
_CLUSTER = re.compile(rf".[{MARKS}\u1160-\u11ff\uff9e\uff9f]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed text. `starts` and `ends` are the places of each of its characters; none if they are the same."""

    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the stored text of a place in the composed one that is not empty."""
        return (self.starts[start], self.ends[end - 1]) if self.starts else (start, end)


def composed_with_offsets(text: str) -> Composition:
    """Return the composed text and where its characters come from."""
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
    if "".join(parts) != whole:  # signs that compose over the bounds of clusters: rare, and still whole words
        return Composition(whole, (0,) * len(whole), (len(text),) * len(whole))
    return Composition(whole, tuple(starts), tuple(ends))
