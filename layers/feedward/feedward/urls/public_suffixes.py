"""Loads the list of public suffixes, private section included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from publicsuffixlist import PSLFILE, PublicSuffixList


def load_list() -> PublicSuffixList:
    """Load the library's list. It takes some 20 milliseconds."""
    with open(PSLFILE, encoding="utf-8") as lines:
        return PublicSuffixList(_with_encoded(lines), accept_encoded_idn=False)


def _with_encoded(lines: Iterable[str]) -> Iterator[str]:
    """Yield the rules of a list without its comments, non-ASCII ones also in encoded form.

    The library does so itself, but encodes all of its ten thousand rules, which takes most of the time.
    """
    for line in lines:
        if line.startswith(("//", "\n")):
            continue
        yield line
        if not line.isascii():
            rule = line.lower().split(" ")[0].strip()
            yield "!" * rule.startswith("!") + ".".join(map(_encoded, rule.lstrip("!").split(".")))


def _encoded(label: str) -> str:
    """Return the ASCII form of a label. The rules are normalized, which takes most of the time of the codec `idna`."""
    return label if label.isascii() else f"xn--{label.encode('punycode').decode()}"
