"""Words one edit away: a letter added, missing or wrong, or two letters swapped (rule Q8). Pure.

Two words are one edit apart only if they share a form with one letter left out, or one is such a form of the other. An
index stores a number for each of these forms of its words.
"""

from __future__ import annotations

from zlib import crc32

from feedward.search.analyser import word
from feedward.search.query import QueryWord

SHORTEST_ASKED = 5
SHORTEST_KNOWN = 4
LONGEST = 32


def may_be_mistyped(asked: QueryWord) -> bool:
    """Return whether a word may be corrected: at least 5 letters, no digits or signs, no phrase."""
    if asked.is_quoted or len(asked.words) != 1:
        return False
    folded = asked.words[0].folded
    return SHORTEST_ASKED <= len(folded) <= LONGEST and is_spelled(folded) and not asked.words[0].is_unspaced


def is_spelled(folded: str) -> bool:
    """Return whether a word of the names is likely to be mistyped."""
    return SHORTEST_KNOWN <= len(folded) <= LONGEST and not any(sign.isdigit() or sign in "+#" for sign in folded)


def form_numbers(folded: str) -> set[int]:
    """Return a number of 32 bits for the word and for each form with one letter left out."""
    if not folded.isascii():
        return {form_number(form) for form in (folded, *(folded[:at] + folded[at + 1 :] for at in range(len(folded))))}
    raw = folded.encode()
    return {crc32(raw), *(crc32(raw[at + 1 :], crc32(raw[:at])) for at in range(len(raw)))}


def form_number(form: str) -> int:
    """Return the number of one form."""
    return crc32(form.encode())


def is_one_edit(one: str, other: str) -> bool:
    """Return whether two different words are one edit apart."""
    if len(one) > len(other):
        one, other = other, one
    start = 0
    while start < len(one) and one[start] == other[start]:
        start += 1
    if len(one) == len(other):
        swapped = one[start : start + 2] == other[start : start + 2][::-1]
        return one[start + 1 :] == other[start + 1 :] or (swapped and one[start + 2 :] == other[start + 2 :])
    return len(other) == len(one) + 1 and one[start:] == other[start + 1 :]


def closeness(asked: str, known: str, documents: int) -> tuple[bool, int, str]:
    """Return the sort key of candidates, best first: the same first letter, many documents, the alphabet."""
    return asked[0] != known[0], -documents, known


def corrected_word(asked: QueryWord, known: str) -> QueryWord:
    """Return a word of a query, replaced by its correction."""
    found = word(known)
    return QueryWord(known, (found,) if found else asked.words, is_prefix=False)
