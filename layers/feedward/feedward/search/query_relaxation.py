"""Drops words of a query if no document has all of them, the least specific words first (rule Q3). Pure.

A word's weight does not depend on an index: words that half of all feeds have weigh least, then short ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from feedward.search.analyser import word
from feedward.search.query import QueryWord
from feedward.search.query_plan import Stage, Tier, anywhere_stages, may_go_on, names_stages

TIERS = 20
MOST_WORDS = 32
_EACH_SET_UP_TO = 5  # words: with more, sets without one word are tried, then single words
_COMMON = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "of",
        "for",
        "in",
        "on",
        "to",
        "with",
        "from",
        "by",
        "at",
        "is",
        "my",
        "your",
        "our",
        "about",
        "blog",
        "blogs",
        "news",
        "feed",
        "feeds",
        "rss",
        "atom",
        "podcast",
        "podcasts",
        "weekly",
        "daily",
        "monthly",
        "show",
        "radio",
        "magazine",
        "journal",
        "blogging",
        "site",
        "web",
        "online",
        "com",
        "net",
        "org",
        "der",
        "die",
        "das",
        "und",
        "von",
        "fur",
        "im",
        "aus",
        "le",
        "la",
        "les",
        "de",
        "des",
        "du",
        "et",
        "un",
        "une",
        "el",
        "los",
        "las",
        "y",
        "del",
        "o",
        "e",
        "da",
        "do",
        "dos",
        "em",
        "os",
        "as",
        "il",
        "lo",
        "gli",
        "di",
        "per",
        "het",
        "een",
        "van",
        "en",
        "och",
        "av",
        "pa",
        "i",
        "og",
        "til",
        "w",
        "z",
        "na",
        "do",
        "новости",
        "блог",
        "подкаст",
        "и",
        "в",
        "на",
        "о",
        "с",
        "из",
        "по",
        "журнал",
        "газета",
        "اخبار",
        "مدونة",
        "و",
        "في",
        "من",
        "ニュース",
        "ブログ",
        "新闻",
        "博客",
        "뉴스",
        "블로그",
        "समाचार",
    ]
)


def fewer_tiers(words: Sequence[QueryWord], known: Sequence[QueryWord]) -> Iterator[Tier]:
    """Yield tiers without some of `words`. Documents have only the `known` ones, and none has them all."""
    sets = _sets(known, with_all=len(known) < len(words))
    for place, chosen in enumerate(sets):
        if place == TIERS:
            return
        left_out = tuple(asked.text for asked in words if asked not in chosen)
        yield Tier("fewer_words", 100_000 - 2_000 * place, tuple(_stages(chosen)), left_out)


def single_words(words: Sequence[QueryWord]) -> list[QueryWord]:
    """Return the single words of a query: the parts of multi-agent, each pair of signs in a script without blanks."""
    single: list[QueryWord] = []
    for asked in words:
        if asked.is_quoted or (len(asked.words) == 1 and len(asked.words[0].tokens) == 1):
            single.append(asked)
            continue
        tokens = [token for part in asked.words for token in part.tokens]
        found = [part for token in dict.fromkeys(tokens) if (part := word(token))]
        single += [QueryWord(part.folded, (part,)) for part in found]
    return single[:MOST_WORDS]


def _stages(chosen: Sequence[QueryWord]) -> Iterator[Stage]:
    """Yield the ways to match; for many words only that all are present, which keeps 20 tiers of them cheap."""
    prefix = may_go_on(chosen)
    in_texts = anywhere_stages(chosen, prefix=prefix)
    if len(chosen) > _EACH_SET_UP_TO:
        yield from (stage for stage in in_texts if stage.is_wide)
        return
    yield from (stage._replace(points=stage.points + 500) for stage in names_stages(chosen, prefix=prefix))
    yield from in_texts


def _sets(known: Sequence[QueryWord], *, with_all: bool) -> Iterator[tuple[QueryWord, ...]]:
    """Yield sets of words, larger ones first; among sets of one size the most specific first."""
    if with_all and known:
        yield tuple(known)
    sizes = range(len(known) - 1, 0, -1)
    if len(known) > _EACH_SET_UP_TO:
        sizes = range(len(known) - 1, len(known) - 2, -1)
    for size in sizes:
        yield from sorted(combinations(known, size), key=_tells, reverse=True)
    if len(known) > _EACH_SET_UP_TO:
        yield from sorted(((asked,) for asked in known), key=_tells, reverse=True)


def _tells(chosen: Sequence[QueryWord]) -> int:
    return sum(_weight(asked) for asked in chosen)


def _weight(asked: QueryWord) -> int:
    return sum(1 if part.folded in _COMMON else 10 + min(len(part.folded), 20) for part in asked.words)
