"""The fields of an index, and a document's tokens in each. Pure: every engine indexes these (rule Q22)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import kind_of
from feedward.search.address_tokens import domain_words, host_tokens, short_hash, url_token
from feedward.search.analyser import BREAK, Word, text_tokens, words
from feedward.search.document import FeedDocument
from feedward.topics.closed_list import label_of, normal_topic

TITLE = "title"
SITE = "site"
DOMAIN = "domain"
FORMS = "forms"
"""Other forms of names: joined neighbours, inner words such as those of NightTalk, umlauts as two letters."""
EXACT = "exact"
"""Accented words of the names, with a mark if they have accents: the exact form ranks higher."""
WHOLE = "whole"
"""Whole names as one token each, to match equal names."""
FACETS = "facets"
"""Hosts, language, state, topics and URL, for filters."""
TOPICS = "topics"
DESCRIPTION = "description"
ITEMS = "items"
NAMES = (TITLE, SITE, DOMAIN, FORMS)
ANYWHERE = (*NAMES, TOPICS, DESCRIPTION, ITEMS)
FIELDS = (*ANYWHERE, EXACT, WHOLE, FACETS)

BESIDE_MAIN = "k:beside"
"""The facet of comments and of other feeds that are not their site's main feed."""
COMMENTS = "k:comments"
"""The facet of comments alone."""
NEVER_FETCHED = "f:never"
"""The facet of seeded feeds that wait for their first answer."""
NAME_CHARS = 300
DESCRIPTION_CHARS = 600
ITEM_CHARS = 200
ITEM_TITLES = 10


@dataclass(frozen=True, slots=True)
class DocumentTokens:
    """The tokens of each field, in order. `spelled` are words of names and topics, for typing errors."""

    fields: Mapping[str, list[str]]
    spelled: frozenset[str]


def tokens_of(document: FeedDocument) -> DocumentTokens:
    """Return the indexed tokens of a document."""
    title = words(document.title[:NAME_CHARS])
    site = words(document.site_title[:NAME_CHARS])
    domain, label = domain_words(document.domain)
    names = (title, site, domain)
    fields = {
        TITLE: list(_stored(title)),
        SITE: list(_stored(site)),
        DOMAIN: list(_stored(domain)),
        FORMS: list(dict.fromkeys(form for name in names for form in _forms(name))),
        EXACT: list(dict.fromkeys(form for name in names for form in _exact(name))),
        WHOLE: list(_wholes(title, site, label)),
        FACETS: _facets(document),
        TOPICS: _texts(document.topics, NAME_CHARS),
        DESCRIPTION: _texts([document.description], DESCRIPTION_CHARS),
        ITEMS: _texts(document.item_titles[:ITEM_TITLES], ITEM_CHARS),
    }
    topics = [words(topic[:NAME_CHARS]) for topic in document.topics]
    spelled = (word.folded for name in (*names, *topics) for word in name if not word.is_unspaced)
    return DocumentTokens(fields, frozenset(spelled))


def joined(name: Iterable[Word]) -> str:
    """Return a name without blanks and signs, for comparison."""
    return "".join(word.folded for word in name)


def joined_exact(name: Iterable[Word]) -> str:
    """Return the same, with accents."""
    return "".join(word.exact or word.folded for word in name)


def whole_token(kind: str, name: str) -> str:
    """Return the token of a whole name: `t` title, `s` site, `d` domain, `a` accented, `e` exact."""
    return f"{kind}={short_hash(name)}"


def marked(word: str) -> str:
    """Return the token for a word with an accent in the document."""
    return f"~{word}"


def language_token(language: str) -> str:
    """Return the token of a language tag."""
    return f"l:{language.strip().lower().replace('_', '-')}"


def language_tokens(language: str) -> list[str]:
    """Return the tokens of a feed's language: `zh-Hans-CN` is also found as `zh` and `zh-Hans`."""
    parts = language_token(language).split("-")
    return ["-".join(parts[:end]) for end in range(1, len(parts) + 1)] if language.strip() else []


def state_token(state: str) -> str:
    """Return the token of a state of health."""
    return f"s:{state}"


@lru_cache(maxsize=4096)
def topic_token(topic: str) -> str:
    """Return the token of a topic, the same for its id, label and synonyms; empty for one without letters."""
    meant = normal_topic(topic[:NAME_CHARS])
    name = joined(words(label_of(meant) if meant else topic[:NAME_CHARS]))
    return f"t:{short_hash(name)}" if name else ""


def _stored(text: Iterable[Word]) -> Iterator[str]:
    for word in text:
        yield from word.closing


def _forms(name: list[Word]) -> Iterator[str]:
    for word in name:
        yield from word.parts
        yield from word.inner
        if word.transcribed:
            yield word.transcribed
    for one, other in pairwise(name):
        if not one.is_unspaced and not other.is_unspaced:
            yield one.folded + other.folded


def _exact(name: list[Word]) -> Iterator[str]:
    for word in name:
        if word.exact:
            yield word.exact
            if word.exact != word.folded:
                yield marked(word.folded)


def _wholes(title: list[Word], site: list[Word], label: str) -> Iterator[str]:
    """Yield the tokens of whole names. A site with the same name as its feed is found by the feed's name."""
    name, exact = joined(title), joined_exact(title)
    if title:
        yield whole_token("t", name)
    if exact != name:
        yield whole_token("a", name)
        yield whole_token("e", exact)
    if site and joined(site) != name:
        yield whole_token("s", joined(site))
    if label:
        yield whole_token("d", label)


def _facets(document: FeedDocument) -> list[str]:
    tokens = [
        *host_tokens(document.domain),
        *language_tokens(document.language),
        state_token(document.state),
        *(topic_token(topic) for topic in document.topics),
        url_token(document.url),
        url_token(document.site_url) if document.site_url.rstrip("/").count("/") > 2 else "",
        *_kind_facets(document),
    ]
    return [token for token in dict.fromkeys(tokens) if token]


def _kind_facets(document: FeedDocument) -> Iterator[str]:
    if document.is_never_fetched:
        yield NEVER_FETCHED
    if document.is_main:
        return
    yield BESIDE_MAIN
    if kind_of(document.url, document.title) is Kind.COMMENTS:
        yield COMMENTS


_BREAK = f" {BREAK} "


def _texts(texts: Iterable[str], limit: int) -> list[str]:
    """Return the tokens of texts, separated by breaks, and the parts of words at the end."""
    tokens, parts = text_tokens(_BREAK.join([text[:limit].replace(BREAK, " ") for text in texts]))
    return [*tokens, BREAK, *parts] if parts else tokens
