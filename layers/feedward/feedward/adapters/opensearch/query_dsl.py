"""Conditions and documents in OpenSearch's query DSL: a strict mapping, own tokens, queries without user syntax.

The tokens come from feedward's analyser and are split at blanks only, so both engines match the same (rules Q1, Q21).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from feedward.search.analyser import ANALYSER_VERSION
from feedward.search.condition import AllOf, AnyOf, Condition, Term, Without, any_of
from feedward.search.document import DocumentChange
from feedward.search.fields import FIELDS, TITLE, tokens_of
from feedward.search.query_plan import Stage, Tier
from feedward.search.ranking import packed, points_of, quality_of
from feedward.search.typos import is_spelled

SPELLED: Final = "spelled"
# Scores must not be negative. The sum of match and quality stays exact: it is a small whole number.
LIFT: Final = 1000
_EXPANSIONS: Final = 1000
_TOKEN_CHARS: Final = 1000

_TOKENS: Final = {"type": "text", "analyzer": "tokens", "norms": False}
MAPPINGS: Final[Mapping[str, Any]] = {
    "dynamic": "strict",
    "properties": {
        "feed_id": {"type": "keyword"},
        "gone": {"type": "boolean"},
        "quality": {"type": "integer"},
        "points": {"type": "integer"},
        **dict.fromkeys((*FIELDS, SPELLED), _TOKENS),
    },
}
SETTINGS: Final[Mapping[str, Any]] = {
    "number_of_shards": 1,
    "refresh_interval": "10s",
    "analysis": {
        "analyzer": {"tokens": {"type": "custom", "tokenizer": "blanks"}},
        "tokenizer": {"blanks": {"type": "whitespace", "max_token_length": _TOKEN_CHARS}},
    },
}


def index_body(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body that creates an index. `meta` is the metadata of the index."""
    return {"settings": SETTINGS, "mappings": {**MAPPINGS, "_meta": {"analyser": ANALYSER_VERSION, **meta}}}


def source_of(change: DocumentChange) -> dict[str, Any]:
    """Return the source of a change: its tokens by field, or the mark of a deleted feed."""
    document = change.document
    if document is None:
        return {"feed_id": change.feed_id, "gone": True}
    tokens = tokens_of(document)
    quality = packed(quality_of(document, len(tokens.fields[TITLE])))
    return {
        "feed_id": change.feed_id,
        "gone": False,
        "quality": quality,
        "points": LIFT + points_of(quality),
        **{name: " ".join(tokens.fields[name]) for name in FIELDS},
        SPELLED: " ".join(sorted(filter(is_spelled, tokens.spelled))),
    }


def query_of(condition: Condition) -> dict[str, Any]:
    """Return the query of a condition."""
    match condition:
        case Term(fields, tokens, is_prefix):
            return _any([_term(field, tokens, is_prefix=is_prefix) for field in fields])
        case AllOf(parts):
            return {"bool": {"filter": [query_of(part) for part in parts]}}
        case AnyOf(parts):
            return _any([query_of(part) for part in parts])
        case Without(wanted, unwanted):
            return {"bool": {"filter": [query_of(wanted)], "must_not": [query_of(unwanted)]}}


def within(
    required: Iterable[Condition], excluded: Iterable[Condition], wanted: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the query of documents that are not deleted, meet all of `required` and none of `excluded`."""
    unwanted = [{"term": {"gone": True}}, *map(query_of, excluded)]
    return {"bool": {"filter": [*map(query_of, required), *wanted], "must_not": unwanted}}


def scored(stages: Sequence[Stage], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return the query of a tier: each document gets the points of its best stage and of its quality."""
    ways = [{"constant_score": {"filter": query_of(stage.condition), "boost": 1 + stage.points}} for stage in stages]
    matched = {"bool": {"must": [{"dis_max": {"queries": ways}}], "filter": [base]}}
    quality = {"field_value_factor": {"field": "points", "missing": LIFT}}
    return {"function_score": {"query": matched, **quality, "boost_mode": "sum"}}


def reach_of(tier: Tier) -> Condition:
    """Return the condition that a document is in a tier."""
    wide = [stage.condition for stage in tier.stages if stage.is_wide]
    return any_of(*(wide or [stage.condition for stage in tier.stages]))


def _term(field: str, tokens: Sequence[str], *, is_prefix: bool) -> dict[str, Any]:
    if len(tokens) == 1:
        return {"prefix": {field: {"value": tokens[0]}}} if is_prefix else {"term": {field: {"value": tokens[0]}}}
    phrase = " ".join(tokens)
    if is_prefix:
        return {"match_phrase_prefix": {field: {"query": phrase, "max_expansions": _EXPANSIONS}}}
    return {"match_phrase": {field: {"query": phrase}}}


def _any(queries: list[dict[str, Any]]) -> dict[str, Any]:
    return queries[0] if len(queries) == 1 else {"bool": {"should": queries, "minimum_should_match": 1}}
