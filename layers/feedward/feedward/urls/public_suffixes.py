"""Loads the list of public suffixes, private section included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from publicsuffixlist import PSLFILE, PublicSuffixList


def load_list() -> PublicSuffixList:
    """Load the library's list. It takes tens of milliseconds."""
    with open(PSLFILE, encoding="utf-8") as lines:
        return PublicSuffixList(_with_encoded(lines), accept_encoded_idn=False)


def _with_encoded(lines: Iterable[str]) -> Iterator[str]:
    """Yield the rules of a list, non-ASCII ones also in encoded form.

    The library does so itself, but encodes all of its ten thousand rules, which takes most of the time.
    """
    for line in lines:
        yield line
        if not line.isascii() and not line.startswith("//"):
            rule = line.lower().split(" ")[0].strip()
            yield "!" * rule.startswith("!") + rule.lstrip("!").encode("idna").decode()
