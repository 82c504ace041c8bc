"""Turns a query into tiers of conditions: the order of attempts, and the points for each way to match. Pure.

A tier is searched only if the tiers above it gave too few hits. Within a tier a document gets the points of its best
stage. Every engine runs the same plan, so that all give the same order (rules Q3, Q5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from feedward.search.address_tokens import url_token
from feedward.search.analyser import without_article
from feedward.search.condition import AllOf, Condition, Term, Without, all_of, any_of
from feedward.search.fields import (
    ANYWHERE,
    BESIDE_MAIN,
    COMMENTS,
    DESCRIPTION,
    EXACT,
    FACETS,
    NAMES,
    TITLE,
    TOPICS,
    WHOLE,
    joined,
    joined_exact,
    language_token,
    marked,
    state_token,
    topic_token,
    whole_token,
)
from feedward.search.query import Query, QueryWord
from feedward.search.results import SearchFilters

_PAIRS_UP_TO = 6  # words
_IS_COMMENTS = Term((FACETS,), (COMMENTS,))
_IS_BESIDE_MAIN = Term((FACETS,), (BESIDE_MAIN,))


class Stage(NamedTuple):
    """One way to match, and its points, never negative. If not `is_wide`, it is a narrower form of another."""

    points: int
    condition: Condition
    is_wide: bool = False


class Tier(NamedTuple):
    """Ways to match that are ranked together. `base` is the tier's part of the score.

    `left_out` are words that the tier omits.
    """

    name: str
    base: int
    stages: tuple[Stage, ...]
    left_out: tuple[str, ...] = ()


def filters_of(query: Query, filters: SearchFilters) -> tuple[Condition, ...]:
    """Return the conditions on every hit: the filters in the text and the separate ones."""
    beside = (
        language_token(filters.language) if filters.language else "",
        state_token(filters.state) if filters.state else "",
        (topic_token(filters.topic) or "t:") if filters.topic else "",
    )
    return (*query.filters, *(Term((FACETS,), (token,)) for token in beside if token))


def excluded_by(query: Query) -> tuple[Condition, ...]:
    """Return the conditions that exclude a hit."""
    return (
        *query.excluded_filters,
        *(Term(ANYWHERE, word.tokens, word.goes_on(prefix=False)) for word in query.excluded),
    )


def tiers_of(query: Query) -> Iterator[Tier]:
    """Yield the tiers of a query, best first. None for a query without words."""
    words = query.words
    if not words:
        return
    yield from _address_tiers(query)
    yield Tier("name", 700_000, tuple(_whole_name_stages(words)))
    yield Tier("words_in_names", 600_000, tuple(names_stages(words, prefix=False)))
    if may_go_on(words):
        yield Tier("prefix_in_names", 500_000, tuple(names_stages(words, prefix=True, exact=False)))
    yield Tier("words_anywhere", 400_000, tuple(anywhere_stages(words, prefix=False)))
    if may_go_on(words):
        yield Tier("prefix_anywhere", 300_000, tuple(anywhere_stages(words, prefix=True)))


def corrected_tiers(words: Sequence[QueryWord]) -> Iterator[Tier]:
    """Yield the tiers of the words after typing errors were corrected."""
    prefix = may_go_on(words)
    names = (*_whole_name_stages(words, title=1_000), *names_stages(words, prefix=prefix))
    yield Tier("corrected_in_names", 200_000, names)
    yield Tier("corrected_anywhere", 150_000, tuple(anywhere_stages(words, prefix=prefix)))


def exists(word: QueryWord) -> Condition:
    """Return the condition that any field of a document has a word of a query."""
    return _word_in(ANYWHERE, word, prefix=True)


def spelled_in(word: QueryWord) -> Condition:
    """Return the condition that a feed's names or topics have a word. Only these correct typing errors."""
    return _word_in((*NAMES, TOPICS), word, prefix=False)


def may_go_on(words: Sequence[QueryWord]) -> bool:
    """Return whether the last word may be a prefix."""
    return words[-1].is_prefix and words[-1].goes_on(prefix=True)


def _address_tiers(query: Query) -> Iterator[Tier]:
    token = url_token(query.url) if query.url else ""
    if token:
        yield Tier("address", 900_000, (Stage(0, Term((FACETS,), (token,)), is_wide=True),))
    if query.host:
        here = Stage(100, Term((FACETS,), (f"h:{query.host}",)), is_wide=True)
        below = Stage(0, Term((FACETS,), (f"hh:{query.host}",)), is_wide=True)
        yield Tier("host", 800_000, (here, below))


def _whole_name_stages(words: Sequence[QueryWord], *, title: int = 300) -> Iterator[Stage]:
    """Yield the ways in which a whole name equals the query; comments and secondary feeds never match so."""
    parts = [part for word in words for part in word.words]
    name, exact = joined(parts), joined_exact(parts)
    equal = _whole(whole_token("t", name))
    if exact != name:
        yield Stage(title + 100, _whole(whole_token("e", exact)))
    else:
        yield Stage(title + 100, Without(equal, Term((WHOLE,), (whole_token("a", name),))))
    yield Stage(title, equal, is_wide=True)
    yield Stage(title - 100, _whole(whole_token("s", name)), is_wide=True)
    yield Stage(title - 200, _whole(whole_token("d", name)), is_wide=True)


def _whole(token: str) -> Condition:
    return Without(Term((WHOLE,), (token,)), _IS_BESIDE_MAIN)


def names_stages(words: Sequence[QueryWord], *, prefix: bool, exact: bool = True) -> Iterator[Stage]:
    """Yield the ways in which a feed's names have all words. Comments are named after a post, which counts as text.

    `exact=False` leaves out the exact matches, which a tier without prefixes already has.
    """
    for points, condition, is_wide in _names_stages(words, prefix=prefix, exact=exact):
        yield Stage(points, Without(condition, _IS_COMMENTS), is_wide)


def _names_stages(words: Sequence[QueryWord], *, prefix: bool, exact: bool) -> Iterator[Stage]:
    exactly = [_exactly(words)] if exact else []
    if len(words) > 1:
        phrase = _phrase((TITLE,), words, prefix=prefix)
        yield from (Stage(600, AllOf((phrase, each))) for each in exactly)
        yield Stage(500, phrase)
        if not any(word.is_quoted for word in words):
            yield Stage(200, _joined_words(NAMES, words, prefix=prefix), is_wide=True)
    yield from (Stage(400, each) for each in exactly)
    yield Stage(300, all_of(*(_word_in((TITLE,), word, prefix=prefix) for word in words)))
    yield Stage(100, all_of(*(_word_in(NAMES, word, prefix=prefix) for word in words)), is_wide=True)


def anywhere_stages(words: Sequence[QueryWord], *, prefix: bool) -> Iterator[Stage]:
    """Yield the ways in which all texts of a feed together have all words."""
    about = (*NAMES, TOPICS)
    yield Stage(400, all_of(*(_word_in(about, word, prefix=prefix) for word in words)))
    if len(words) > 1:
        yield Stage(300, _phrase(ANYWHERE, words, prefix=prefix))
    yield Stage(200, all_of(*(_word_in((*about, DESCRIPTION), word, prefix=prefix) for word in words)))
    yield Stage(100, all_of(*(_word_in(ANYWHERE, word, prefix=prefix) for word in words)), is_wide=True)


def _word_in(fields: tuple[str, ...], word: QueryWord, *, prefix: bool) -> Condition:
    """Return the condition that fields have a word in one of its forms."""
    goes_on = word.goes_on(prefix=prefix)
    terms = [Term(fields, word.tokens, goes_on)]
    if not word.is_quoted:
        terms += [Term(fields, (form,), goes_on) for form in _other_forms(word)]
    return any_of(*terms)


def _other_forms(word: QueryWord) -> Iterator[str]:
    """Yield other forms of a word: multiagent for multi-agent, muenchen for München, no Arabic article."""
    first, *more = word.words
    if more:
        yield joined(word.words)
        return
    if first.transcribed:
        yield first.transcribed
    bare = without_article(first.folded)
    if bare:
        yield bare


def _exactly(words: Sequence[QueryWord]) -> Condition:
    """Return the condition that the title has all words, and the names have them with the accents of the query.

    Words of one part, such as a quoted phrase, stand next to each other.
    """
    return all_of(*(_exactly_one(word) for word in words))


def _exactly_one(word: QueryWord) -> Condition:
    accented = [part.exact for part in word.words if part.exact]
    plain = [part.folded for part in word.words if not part.exact and not part.is_unspaced]
    here: Condition = Term((TITLE,), word.tokens)
    if accented:
        here = AllOf((here, *(Term((EXACT,), (exact,)) for exact in accented)))
    return Without(here, any_of(*(Term((EXACT,), (marked(folded),)) for folded in plain))) if plain else here


def _phrase(fields: tuple[str, ...], words: Sequence[QueryWord], *, prefix: bool) -> Condition:
    *before, last = words
    tokens = (*(token for word in before for token in word.closed_tokens), *last.tokens)
    return Term(fields, tokens, last.goes_on(prefix=prefix))


def _joined_words(fields: tuple[str, ...], words: Sequence[QueryWord], *, prefix: bool) -> Condition:
    """Return the condition that the names have two neighbouring words, or all, joined into one."""
    goes_on = prefix and may_go_on(words)
    ways: list[Condition] = [Term(fields, (joined(part for word in words for part in word.words),), goes_on)]
    for one, other in pairwise(words) if 2 < len(words) <= _PAIRS_UP_TO else ():
        rest = [_word_in(fields, word, prefix=prefix) for word in words if word is not one and word is not other]
        together = Term(fields, (joined((*one.words, *other.words)),), goes_on and other is words[-1])
        ways.append(all_of(together, *rest))
    return any_of(*ways)
