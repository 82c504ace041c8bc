"""Where words of a query are in a text."""

from __future__ import annotations


def highlights(query: str, text: str) -> list[tuple[int, int]]:
    """Return the places."""
    found = []
    for word in query.casefold().split():
        at = text.casefold().find(word)
        if at >= 0:
            found.append((at, at + len(word)))
    return found
