"""Do two documents hold the same items, though they stand at different addresses and one is older (spec H6)? Pure.

A signature says that two documents are equal (C8); a feed that was lost for a while has new items since. An item is
the same where two of three agree: its id, its URL without the host, its title.
"""

from __future__ import annotations

from collections.abc import Sequence

from feedward.model import Item
from feedward.urls.key import key_or_text
from feedward.urls.parse import parse_http_url

# One post alone may be the "Hello world!" that every new blog begins with.
LEAST = 2
_AGREE = 2
_COMPARED = 50
# Posts are deleted; a category has some of its site's posts, and leaves out more than that.
_LEFT_OUT_AT_MOST = 1 / 4

_Names = tuple[str | None, str | None, str | None]


def have_same_items(known: Sequence[Item], found: Sequence[Item]) -> bool:
    """Tell whether at least two of the known items, or the only one, are among those that were found."""
    others = [_names(item) for item in found[:_COMPARED]]
    shared = sum(any(_agree(_names(item), other) for other in others) for item in known[:_COMPARED])
    return shared >= min(LEAST, max(1, len(known)))


def cover_the_same(known: Sequence[Item], found: Sequence[Item]) -> bool:
    """Tell whether neither leaves out what the other has, as far back as both go: `known` is given newest first.

    A part of a site shares items with the whole, and is another feed all the same (C8). What is found may go on
    where the known ones end, and may have newer items.
    """
    ours, theirs = list(map(_names, known)), list(map(_names, _newest_first(found)[:_COMPARED]))
    in_theirs = [any(_agree(one, other) for other in theirs) for one in ours]
    in_ours = [any(_agree(one, other) for one in ours) for other in theirs]
    if True not in in_theirs:
        return False
    reached = in_theirs[: _last(in_theirs) + 1], in_ours[in_ours.index(True) : _last(in_ours) + 1]
    return all(shared.count(False) <= _LEFT_OUT_AT_MOST * len(shared) for shared in reached)


def _newest_first(items: Sequence[Item]) -> Sequence[Item]:
    """Most documents are in this order; one that is not says by its dates how it is meant."""
    dates = {n: date for n, item in enumerate(items) if (date := item.published_at or item.updated_at) is not None}
    if len(dates) < len(items):
        return items
    return [items[n] for n in sorted(dates, key=lambda n: -dates[n])]


def _last(shared: Sequence[bool]) -> int:
    return max(n for n, is_shared in enumerate(shared) if is_shared)


def _names(item: Item) -> _Names:
    return (item.id or None, _place(item.url), " ".join(item.title.split()) if item.title else None)


def _place(url: str | None) -> str | None:
    """Path and query: what stays when a site gets another domain. The front page names no item."""
    parsed = parse_http_url(key_or_text(url)) if url else None
    place = f"{parsed.pathname}{parsed.search}" if parsed else ""
    return place if place.strip("/") else None


def _agree(one: _Names, other: _Names) -> bool:
    return sum(a is not None and a == b for a, b in zip(one, other, strict=True)) >= _AGREE
