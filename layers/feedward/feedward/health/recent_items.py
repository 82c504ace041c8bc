"""A feed's recent items, and the new items of a document (rules D12, H4, P1). Pure.

An item is recognized by its id, else by its canonical URL. An id or URL that several items of a document share, and the
site's own URL, identify nothing. A match by URL alone also requires the same title or date. Without such a match, an
item with title and stated date of a known item that left the document is that item: its URL has changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TypeAlias
from unicodedata import normalize

from feedward.health.cadence import ITEMS, effective_at, stated_at
from feedward.model import Item
from feedward.urls.key import key_or_text

# Only the newest items of a long document count. Short hashes of the id and URL are kept for a few more, so that an old
# item that reappears is not new.
CONSIDERED = 400
REMEMBERED = 480
HASH_CHARS = 12
_ENDING = re.compile(r"\.[a-z0-9]{2,5}$", re.ASCII | re.IGNORECASE)
# Parameters with the number of an issue in a series; others (`?t=`, `?v=`) change with each response.
_ISSUE = re.compile(
    r"[?&](?:(?:[a-z]+_?)?(?<!s)(?<!session)id|p|n|no|nr|num|number|issue|comic|ep|episode|date|day|page)=([0-9]+)(?![0-9a-z])",
    re.I,
)
_EDITION = re.compile(r"(\S+)#[0-9]{1,2} \1(?:\?\S*)?")  # an id and the URL
_DAY = re.compile(r"/((?:19|20)[0-9]{2})[/-]([0-9]{1,2})[/-]([0-9]{1,2})/")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014", "-"),
        "\u2026": "...",
        "\ufe0f": "",  # a heart with or without the mark of an emoji
    }
)
TEXT_HASH_CHARS = 8  # a length of their own, since these hashes are kept for one document only
_Text: TypeAlias = tuple[int | None, str]  # stated date and title


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentItem:
    """An item of a feed, and when it was first seen, in epoch seconds."""

    item: Item
    first_seen_at: int

    @property
    def came_at(self) -> int:
        """The item's effective date: its own date, but never later than it was first seen (rule H4)."""
        return effective_at(self.item, self.first_seen_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """The last 20 items of a feed, newest first.

    `older` are hashes that identify older items. `signature` is that of the last document proven to be this feed's. A
    document at another URL must have the same signature (rule C8).
    """

    items: tuple[RecentItem, ...] = ()
    older: tuple[str, ...] = ()
    signature: str | None = None


def updated(
    before: Recent, items: Sequence[Item], now: int, *, site_url: str | None = None
) -> tuple[Recent, list[RecentItem]]:
    """Return the recent items after a document with `items` was read at `now`, and the new ones, newest first.

    `site_url` is the site that the document names. Items that left the document remain among the last 20. The signature
    does not change.
    """
    found = _Document(items, site_url, now)
    earlier = _earlier(found.named, _Known(before, found.url_names))
    seen = [
        RecentItem(item=each.item, first_seen_at=known_as.first_seen_at if isinstance(known_as, RecentItem) else now)
        for each, known_as in zip(found.named, earlier, strict=True)
    ]
    matched = {id(each) for each in earlier}
    left = [each for each in before.items if id(each) not in matched]
    merged = sorted([*seen, *left], key=lambda each: each.came_at, reverse=True)
    new = [each for each, known_as in zip(seen, earlier, strict=True) if known_as is None]
    after = replace(before, items=tuple(merged[:ITEMS]), older=_older(merged[ITEMS:], before.older, found))
    return after, sorted(new, key=lambda each: each.came_at, reverse=True)


def is_known_among(known: Recent, items: Sequence[Item], *, site_url: str | None = None) -> bool:
    """Return whether one of `items` is known by its id or URL."""
    found = _Document(items, site_url, 0)
    names = _Known(known, found.url_names)
    return any(names.find(named) is not None for named in found.named)


class _UrlNames(dict[str, str]):
    """Names by URL. Most URLs of a document are known ones: each is parsed once."""

    def __missing__(self, url: str) -> str:
        return self.setdefault(url, f"u\n{key_or_text(url)}")

    def of(self, item: Item) -> str | None:
        return None if item.url is None else self[item.url]


@dataclass(kw_only=True)
class _Named:
    """An item and the names that identify it; None for a name that is not unique in its document."""

    item: Item
    by_id: str | None
    by_url: str | None

    @property
    def has_name(self) -> bool:
        return self.by_id is not None or self.by_url is not None

    @cached_property
    def by_text(self) -> _Text:
        return _text_of(self.item)


class _Document:
    """The items of a document that are considered, each with its names."""

    def __init__(self, found: Sequence[Item], site_url: str | None, now: int) -> None:
        self.url_names = _UrlNames()
        items = list(dict.fromkeys(found))
        if len(items) > CONSIDERED:
            items = sorted(items, key=lambda item: effective_at(item, now), reverse=True)[:CONSIDERED]
        names = [(None if item.id_is_link else _id_name(item), self.url_names.of(item)) for item in items]
        counts = Counter(name for each in names for name in each if name is not None)
        useless = {name for name, count in counts.items() if count > 1}
        if site_url:
            useless.add(self.url_names[site_url])
        self.named = [
            _Named(
                item=item,
                by_id=None if by_id in useless else by_id,
                by_url=None if by_url in useless else by_url,
            )
            for item, (by_id, by_url) in zip(items, names, strict=True)
        ]


class _Known:
    """The known items of a feed by name, and the hashes of the names of older ones."""

    def __init__(self, recent: Recent, url_names: _UrlNames) -> None:
        self._older = frozenset(recent.older)
        self._items = recent.items
        self._by_name: dict[str, RecentItem] = {}
        for each in recent.items:
            for name in _names(each.item, url_names):
                self._by_name.setdefault(name, each)

    @cached_property
    def _by_text(self) -> dict[_Text, list[RecentItem]]:
        """Return the items by date and title, newest first, built only if needed."""
        found: dict[_Text, list[RecentItem]] = {}
        for each in self._items:
            found.setdefault(_text_of(each.item), []).append(each)
        return found

    def find(self, named: _Named) -> RecentItem | str | None:
        """Return the known item, or the hash of an older one, or None for a new item."""
        if named.by_id is not None and (found := self._named(named.by_id)):
            return found
        if named.by_url is not None and (found := self._named(named.by_url)):
            return found if isinstance(found, str) or _may_be(named.item, found.item) else None
        return None if named.has_name else next(iter(self._by_text.get(named.by_text, ())), None)

    def find_by_text(self, named: _Named, taken: set[int]) -> RecentItem | str | None:
        """Return the known item, or the hash of an older one, with the same title and stated date; none of `taken`."""
        found = self._by_text.get(named.by_text)
        if found is None:
            name = _name_when_older(named.item)
            return name if name in self._older else None
        left = (each for each in found if id(each) not in taken)
        return next((each for each in left if _may_be_renamed(named.item, each.item)), None)

    def _named(self, name: str) -> RecentItem | str | None:
        if (found := self._by_name.get(name)) or not self._older:
            return found
        return hashed if (hashed := _hash(name)) in self._older else None


def _earlier(document: Sequence[_Named], known: _Known) -> list[RecentItem | str | None]:
    """Return the known item for each item of a document; None for a new one. A known item matches only once."""
    earlier = [known.find(named) for named in document]
    if None not in earlier:
        return earlier
    there = {named.by_text for named, found in zip(document, earlier, strict=True) if found is not None}
    taken = set(map(id, earlier))
    for place, named in enumerate(document):
        if earlier[place] is None and named.has_name and _tells_apart(named.item) and named.by_text not in there:
            earlier[place] = found = known.find_by_text(named, taken)
            if isinstance(found, RecentItem):
                taken.add(id(found))
            else:
                there.add(named.by_text)
    return earlier


def _tells_apart(item: Item) -> bool:
    """Return whether title and stated date identify the item, or date and slug without a title. A date alone cannot."""
    return bool(item.title) or (stated_at(item) is not None and bool(_slug(item.url or item.id)))


def _may_be_renamed(found: Item, known: Item) -> bool:
    """Return whether an item may be the known item of the same title and date under another URL.

    Without a date it is another issue of a series if its URL ends in another number (`/2025/06/10`, `/comic-51`).
    """
    if stated_at(found) is not None:
        return True
    one, other = _number(found.url or found.id), _number(known.url or known.id)
    return not (one and other) or one == other


def _slug(address: str | None) -> str:
    """Return the last segment of a URL's path, without its extension (`.html`)."""
    path = (address or "").partition("?")[0].partition(";")[0].partition("#")[0]
    return _ENDING.sub("", path.rstrip("/").rpartition("/")[2])


def _number(address: str | None) -> str:
    """Return the digits of the parameter that names the issue (`?id=51`), of the slug, or of the day in the path."""
    if issue := _ISSUE.search(address or ""):
        return issue[1]
    day = _DAY.search(address or "")
    return "".join(filter(str.isdigit, _slug(address))) or ("".join(day.groups()) if day else "")


def _may_be(found: Item, known: Item) -> bool:
    """Return whether two items with the same URL also have the same title or date.

    Where no item has an id of its own, another title alone is an edited one.
    """
    if found.title == known.title:
        return True
    one, other = stated_at(found), stated_at(known)
    if found.id_is_link and (one is None or other is None):
        return True
    return one is not None and one == other


def _older(overflow: Sequence[RecentItem], before: Sequence[str], found: _Document) -> tuple[str, ...]:
    """Return the hashes to keep, for up to twice the number of the document's items, minus the items stored in full.

    Only this document's items keep titles and dates: the next document is compared with it.
    """
    names = [_hash(name) for each in overflow for name in _names(each.item, found.url_names)]
    kept = [name for name in before if len(name) == HASH_CHARS]
    room = 2 * max(0, min(2 * len(found.named), REMEMBERED) - ITEMS)
    texts = [_name_when_older(each.item) for each in overflow[:CONSIDERED] if _tells_apart(each.item)]
    return tuple(dict.fromkeys([*list(dict.fromkeys([*names, *kept]))[:room], *texts]))


def _names(item: Item, url_names: _UrlNames) -> Iterator[str]:
    return filter(None, (_id_name(item), url_names.of(item)))


def _id_name(item: Item) -> str | None:
    """Return the name by id, without the number of an edition that the BBC appends to an item's URL (`.../a#3`)."""
    if item.id is None:
        return None
    found = _EDITION.fullmatch(f"{item.id} {item.url}") if "#" in item.id else None
    return f"i\n{found[1] if found else item.id}"


def _text_of(item: Item) -> _Text:
    return stated_at(item), _called(item)


def _name_when_older(item: Item) -> str:
    """Return the name by text of an item that is kept as hashes: without a date, its number is part of the name."""
    date, called = _text_of(item)
    return _hash(f"t\n{_number(item.url or item.id) if date is None else date}\n{called}")[:TEXT_HASH_CHARS]


def _called(item: Item) -> str:
    """Return the title with plain quotes and dashes, in lower case: platforms differ. Without a title, the slug."""
    if not item.title:
        return _slug(item.url or item.id)
    if item.title.isascii():
        return item.title.replace("`", "'").casefold()
    return normalize("NFC", item.title).translate(_PLAIN).casefold()


def _hash(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_CHARS]
