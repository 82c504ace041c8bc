"""Feeds that a page names only in the data of its scripts: `"rssUrl": "..."`, schema.org, and the state of frameworks.

The data is not parsed: it stands in many forms, as JSON, in JavaScript, as a string in a string, and in attributes. The
keys and types of feeds are searched in the page's text.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import chain, islice

from feedward.discovery.anchor_words import PathHint, path_hint
from feedward.discovery.candidate import Lead, Source
from feedward.discovery.rejects import is_never_a_feed
from feedward.pages.page_urls import PageUrls

MAX_NAMED = 2
"""More feeds in the data are those of other pages, such as recommendations."""
_MAX_KEYS, _MAX_TYPES = 50, 20
_AROUND, _LONGEST_BEGINNING, _LONGEST_ENDING = 300, 30, 14
# No group backtracks far: 2 MB of any text take a tenth of a second.
_QUOTE = r"(?:\\{0,3}+[\"']|&quot;|&\#34;)"
_START = r"(?:https?:|feed:|\\{0,3}+/)"
_REFERENCE = re.compile(rf"(?={_START})((?:(?!{_QUOTE})[^\s<>]){{2,1000}})")
# A pattern for each word: `re` searches for a constant beginning much faster than for a choice of them.
_KEYS = tuple(
    re.compile(rf"{word}[\w-]{{0,{_LONGEST_ENDING}}}+{_QUOTE}?\s{{0,9}}+[:=]\s{{0,9}}+{_QUOTE}(?={_START})")
    for word in ("rss", "Rss", "RSS", "feed", "Feed", "FEED", "atom", "Atom")
)
_NAME_BEFORE = re.compile(r"[\w-]*\Z", re.ASCII)
_NAME = re.compile(
    r"(?P<whose>(?:podcast|show|series|channel|blog|news|site|main|public|web|json)[_-]?)?(?:rss2?|atom|feed)"
    r"(?P<more>[_-]?(?:rss|feed|atom|xml)|(?:[_-]?(?:rss|feed|atom|xml))?[_-]?(?:url|uri|link|href|path|address))?",
    re.IGNORECASE,
)
_TYPE = re.compile(rf"application\\{{0,3}}+/(?:(?:rss|atom|rdf)\+xml|feed\+json)(?={_QUOTE})")
_OF_TYPE = re.compile(rf"{_QUOTE}\s{{0,9}}+:[\s\[{{]{{0,9}}+(?:{_QUOTE}url{_QUOTE}\s{{0,9}}+:\s{{0,9}}+)?{_QUOTE}")
_BESIDE_TYPE = re.compile(rf"(?:contentUrl|url|href){_QUOTE}?\s{{0,9}}+:\s{{0,9}}+{_QUOTE}(?={_START})")
_OF_HOST = re.compile(r"https?://(?:feeds?|rss)[0-9]?\.", re.IGNORECASE)
_UNESCAPED = ((re.compile(r"\\+u0026|&amp;", re.IGNORECASE), "&"), (re.compile(r"\\+u002f|\\+/", re.IGNORECASE), "/"))


def data_leads(html: str, urls: PageUrls, *, known: Container[str] = ()) -> list[Lead]:
    """Return the first feeds that the data of a page names, at most MAX_NAMED. `known` are URLs with better sources."""
    found: dict[str, str] = {}
    for name, reference in _named(html):
        url = urls.candidate(reference)
        if url and url not in known and not is_never_a_feed(url):
            found.setdefault(url, name)
            if len(found) == MAX_NAMED:
                break
    return [
        Lead(url=url, source=Source.PAGE_DATA, position=position, why=f'page data "{name}"', page_url=urls.page_url)
        for position, (url, name) in enumerate(found.items())
    ]


def _named(html: str) -> Iterator[tuple[str, str]]:
    """Yield the types and keys of feeds with their references. A key such as `rss` needs a URL that says feed, too."""
    for found in islice(_TYPE.finditer(html), _MAX_TYPES):
        reference = _of_type(html, found)
        if reference:
            yield _plain(found[0]), reference
    for found in chain.from_iterable(islice(key.finditer(html), _MAX_KEYS) for key in _KEYS):
        name = _name_of(html, found)
        reference = _reference_at(html, found.end())
        known = _NAME.fullmatch(name)
        if known and reference and (known["more"] or known["whose"] or _says_feed(reference)):
            yield name, reference


def _name_of(html: str, found: re.Match[str]) -> str:
    """Return the whole key, which may begin before the word that was found."""
    before = _NAME_BEFORE.search(html[max(0, found.start() - _LONGEST_BEGINNING) : found.start()])
    after = re.match(r"[\w-]+", found[0], re.ASCII)
    return f"{before[0] if before else ''}{after[0] if after else ''}"


def _of_type(html: str, found: re.Match[str]) -> str | None:
    """Return the reference that is the value of a feed's media type, or stands beside it in the same object."""
    if value := _OF_TYPE.match(html, found.end()):
        return _reference_at(html, value.end())
    start = html.rfind("{", max(0, found.start() - _AROUND), found.start())
    end = html.find("}", found.end(), found.end() + _AROUND)
    beside = _BESIDE_TYPE.search(html, start, end) if min(start, end) >= 0 else None
    return _reference_at(html, beside.end()) if beside else None


def _reference_at(html: str, start: int) -> str | None:
    found = _REFERENCE.match(html, start)
    return _plain(found[0]) if found else None


def _says_feed(reference: str) -> bool:
    """Return whether the path or the beginning of the host says feed."""
    if _OF_HOST.match(reference):
        return True
    return path_hint(reference if reference[0] != "/" else f"https://a.example{reference}") is not PathHint.NONE


def _plain(reference: str) -> str:
    for pattern, by in _UNESCAPED:
        reference = pattern.sub(by, reference)
    return reference
