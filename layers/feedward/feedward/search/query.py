"""Reads the text of a search: words, phrases, excluded words, filters, an address (rules Q1, Q2, Q9, Q13). Pure.

Any text gives a query: text that is neither a filter nor a quote is words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from feedward.model import FeedState
from feedward.search.address_tokens import host_of, looks_like_url, without_wrapping
from feedward.search.analyser import Word, words
from feedward.search.condition import Condition, Term, any_of
from feedward.search.fields import FACETS, language_token, state_token, topic_token

QUERY_CHARS = 256
QUERY_WORDS = 16
PREFIX_CHARS = 2
_OPENING, _CLOSING = '"“”„«»＂「『', '"“”«»＂」』'
_UNIT = re.compile(
    r"(?P<minus>(?<!\S)-(?=[^\s-]))?(?:(?P<name>site|lang|language|state|topic):)?"
    rf"(?:[{_OPENING}](?P<quoted>[^{_OPENING}{_CLOSING}]*)[{_CLOSING}]|(?P<plain>\S+))",
    re.IGNORECASE,
)
_UNUSABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}", re.IGNORECASE)
_STATES = frozenset(state.value for state in FeedState)


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One part of a query between blanks, or one phrase in quotes, analysed into one or more words."""

    text: str
    words: tuple[Word, ...]
    is_prefix: bool = False
    is_quoted: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens in sequence in a text that has this part."""
        *before, last = self.words
        return (*(token for word in before for token in word.closing), *last.tokens)

    @property
    def closed_tokens(self) -> tuple[str, ...]:
        """The same if another word follows."""
        return tuple(token for word in self.words for token in word.closing)

    def goes_on(self, *, prefix: bool) -> bool:
        """Return whether the last token may be a prefix; `prefix` is the answer for the last word.

        In scripts without blanks a single character always may: it is searched within its run.
        """
        last = self.words[-1]
        alone = last.is_unspaced and last.tokens[-1] == last.closing[-1]
        return alone or (prefix and self.is_prefix and (last.is_unspaced or len(last.tokens[-1]) >= PREFIX_CHARS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A parsed search. `filters` and `excluded_filters` are conditions on facets. `ignored` is the omitted text.

    `url` and `host` are set if the whole text is an address: `url` only for one with a scheme or a path.
    """

    words: tuple[QueryWord, ...] = ()
    excluded: tuple[QueryWord, ...] = ()
    filters: tuple[Condition, ...] = ()
    excluded_filters: tuple[Condition, ...] = ()
    url: str = ""
    host: str = ""
    ignored: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    words: list[QueryWord] = field(default_factory=list)
    excluded: list[QueryWord] = field(default_factory=list)
    filters: list[Condition] = field(default_factory=list)
    excluded_filters: list[Condition] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    count: int = 0


def read_query(text: str) -> Query:
    """Parse the text of a search. At most 256 characters and 16 words count; `ignored` has the rest."""
    kept, rest = _cut(text)
    reading = _Reading(ignored=[rest] if rest else [])
    units = list(_UNIT.finditer(kept))
    for unit in units:
        _read_unit(unit, reading, goes_on=unit.end() == len(kept) and not rest)
    is_one = len(units) == 1 and not units[0]["minus"] and not units[0]["name"]
    alone = without_wrapping(units[0]["plain"] or "") if is_one else ""
    host = host_of(alone) if alone else ""
    return Query(
        words=tuple(reading.words),
        excluded=tuple(reading.excluded),
        filters=tuple(reading.filters),
        excluded_filters=tuple(reading.excluded_filters),
        url=alone if host and (looks_like_url(alone) or "/" in alone) else "",
        host=host,
        ignored=tuple(reading.ignored),
    )


def _cut(text: str) -> tuple[str, str]:
    """Return the part that counts, and the start of the rest; a word is not cut in two if possible."""
    text = _UNUSABLE.sub(" ", text[: 16 * QUERY_CHARS]).lstrip()
    if len(text) <= QUERY_CHARS or not text[QUERY_CHARS:].strip():
        return text[:QUERY_CHARS], ""
    end = text.rfind(" ", 0, QUERY_CHARS) if not text[QUERY_CHARS].isspace() else QUERY_CHARS
    end = end if end > 0 else QUERY_CHARS
    return text[:end] + " ", text[end:].strip()[:64]


def _read_unit(unit: re.Match[str], reading: _Reading, *, goes_on: bool) -> None:
    is_quoted = unit["quoted"] is not None
    value = (unit["quoted"] if is_quoted else unit["plain"]) or ""
    minus = bool(unit["minus"])
    if unit["name"]:
        condition = _filter(unit["name"].lower(), value)
        if condition is not None:
            (reading.excluded_filters if minus else reading.filters).append(condition)
            return
        value = f"{unit['name']}:{value}"
    found = tuple(words(_said(value) if not is_quoted else value))
    if not found:
        return
    room = QUERY_WORDS - reading.count
    if len(found) > room:
        reading.ignored.append(" ".join(word.folded for word in found[room:]))
    found = found[:room]
    reading.count += len(found)
    if found:
        (reading.excluded if minus else reading.words).append(
            QueryWord(value, found, is_prefix=goes_on and not is_quoted and not minus, is_quoted=is_quoted)
        )


def _said(value: str) -> str:
    """Return the words of a URL: its host without the last label."""
    url = without_wrapping(value)
    return host_of(url).rpartition(".")[0] or value if looks_like_url(url) else value


def _filter(name: str, value: str) -> Condition | None:
    """Return the condition of a filter, or None if the value is invalid: then it is text."""
    terms = [Term((FACETS,), (token,)) for token in _filter_tokens(name, value) if token]
    return any_of(*terms) if terms else None


def _filter_tokens(name: str, value: str) -> Iterator[str]:
    if name == "site":
        host = host_of(without_wrapping(value))
        if host:
            yield from (f"h:{host}", f"hh:{host}")
    elif name in ("lang", "language"):
        if _LANGUAGE.fullmatch(value):
            yield language_token(value)
    elif name == "state":
        if value.lower() in _STATES:
            yield state_token(value.lower())
    else:
        yield topic_token(value)
