"""Properties of any text: the analyser, highlights, queries, and that an index finds the results of plain reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import normalize

from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.search.sqlite_apply import apply
from feedward.adapters.search.sqlite_build import build
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.search.analyser import text_tokens, word, words
from feedward.search.condition import AllOf, AnyOf, Condition, Term
from feedward.search.document import DocumentChange, FeedDocument, decoded_document, encoded_document
from feedward.search.fields import tokens_of
from feedward.search.folding import exact_form, folded_form
from feedward.search.highlights import highlights
from feedward.search.query import QUERY_WORDS, read_query
from feedward.search.query_plan import excluded_by, filters_of, tiers_of
from feedward.search.ranking import quality_of
from feedward.search.results import SearchFilters
from tests.unit.search.judged_set import QUERIES, document, judged_documents

# Letters of many scripts, marks, signs that join, signs that change under folding, and syntax.
SIGNS = (
    "abcABC éÉßİıøĐﬁ ㌔ﷺ½™ 'ʼ’\u00ad\u200c\u200d .#+-_|\"*:() йёЁ ςΣά कि़न्द ािي ىأةلل\u064b\u0640 שׂ״ ガｶﾞーあ漢字 ข่าำ"
    " 한ᄒ\u1161\u11ab 19٢ \x00\ud800"
)
text = st.text(st.sampled_from(SIGNS) | st.characters(), max_size=40)
NO_FILTERS = SearchFilters()


@given(text)
def test_folding_twice_is_folding_once(any_text: str) -> None:
    exact = exact_form(any_text)
    folded = folded_form(exact)

    assert exact_form(exact) == exact
    assert folded_form(exact_form(folded)) == folded


@given(text)
def test_words_of_words_are_the_same_words(any_text: str) -> None:
    found = [one.folded for one in words(any_text)]

    assert [one.folded for one in words(" ".join(found))] == found


@given(text)
def test_every_form_of_unicode_gives_the_same_words(any_text: str) -> None:
    expected = words(normalize("NFC", any_text))

    assert [words(normalize(form, any_text)) for form in ("NFD", "NFKC", "NFKD")] == [expected] * 3


@given(text)
def test_a_text_as_a_whole_has_the_tokens_of_its_words(any_text: str) -> None:
    any_text = any_text.replace("|", " ")
    found = words(any_text)
    tokens, parts = text_tokens(any_text)

    assert tokens == [token for one in found for token in one.closing]
    assert sorted(parts) == sorted(part for one in found for part in one.parts)


@given(text)
def test_tokens_have_no_blanks_and_no_quotes(any_text: str) -> None:
    for one in words(any_text):
        for token in (*one.closing, *one.parts, *one.inner, one.exact, one.transcribed):
            assert not set(token) & set(' "\x00\t\n')
            token.encode()


@given(text, text)
def test_highlights_lie_within_the_text_and_apart(query: str, any_text: str) -> None:
    places = [0, *(place for span in highlights(query, any_text) for place in span), len(any_text)]

    assert places == sorted(places)
    assert all(start < end for start, end in highlights(query, any_text))


@given(text)
def test_a_word_is_highlighted_in_its_own_text(any_text: str) -> None:
    found = words(any_text)
    if found and len(any_text) < 30 and not set(any_text) & set('"-:“”„«»「」『』＂'):
        assert highlights(any_text, any_text)


@given(st.text(max_size=600) | text)
def test_any_text_is_a_query_of_bounded_size(any_text: str) -> None:
    query = read_query(any_text)
    tiers = list(tiers_of(query))

    assert sum(len(one.words) for one in (*query.words, *query.excluded)) <= QUERY_WORDS
    assert [tier.base for tier in tiers] == sorted({tier.base for tier in tiers}, reverse=True)
    assert all(stage.points >= 0 for tier in tiers for stage in tier.stages)
    assert all(any(stage.is_wide for stage in tier.stages) for tier in tiers)


@given(text, text)
def test_a_document_comes_back_from_its_line(title: str, item: str) -> None:
    stored = document("x", title=title.replace("\ud800", ""), items=[item.replace("\ud800", "")])
    stored_again = decoded_document(encoded_document(stored))

    assert encoded_document(stored_again) == encoded_document(stored)


# --- an index against plain reading ---------------------------------------------------------------------------------

WORDS = ("tea", "Tèa", "teas", "cup", "a cup", "tea-cup", "TeaCup", "茶", "茶の湯", "чай", "c++", "the", "l'eau", "eau")
few_words = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
documents = st.lists(
    st.builds(
        document,
        st.sampled_from([f"f{n}" for n in range(12)]),
        title=few_words,
        site_title=few_words,
        description=few_words,
        items=st.lists(few_words, max_size=2),
        topics=st.lists(st.sampled_from(("tea", "cup")), max_size=1),
        main=st.booleans(),
        stale=st.booleans(),
        canonical=st.booleans(),
        state=st.sampled_from(("healthy", "degraded", "unhealthy")),
        language=st.sampled_from(("en", "pt-BR", "")),
        version=st.integers(1, 3),
    ),
    max_size=14,
)
queries = st.builds(
    "{}{}{}".format,
    few_words,
    st.sampled_from(("", " te", " lang:pt", " -cup", ' "tea cup"')),
    st.sampled_from(("", " ")),
)


def has(fields: Mapping[str, list[str]], condition: Condition) -> bool:
    """Whether a document meets a condition, by reading its tokens."""
    if isinstance(condition, Term):
        return any(_runs(fields[name], condition) for name in condition.fields)
    if isinstance(condition, AllOf):
        return all(has(fields, part) for part in condition.parts)
    if isinstance(condition, AnyOf):
        return any(has(fields, part) for part in condition.parts)
    return has(fields, condition.wanted) and not has(fields, condition.unwanted)


def _runs(tokens: Sequence[str], term: Term) -> bool:
    *before, last = term.tokens
    for start in range(len(tokens) - len(before)):
        end = tokens[start + len(before)]
        if tokens[start : start + len(before)] == before and (end.startswith(last) if term.is_prefix else end == last):
            return True
    return False


def read_plainly(stored: Sequence[FeedDocument], query: str) -> Iterator[tuple[float, str]]:
    """The order of the matches, from the plan and the tokens of each document alone."""
    read = read_query(query)
    required = filters_of(read, NO_FILTERS)
    for one in stored:
        tokens = tokens_of(one)
        if not all(has(tokens.fields, condition) for condition in required):
            continue
        if any(has(tokens.fields, condition) for condition in excluded_by(read)):
            continue
        for tier in tiers_of(read):
            points = [stage.points for stage in tier.stages if has(tokens.fields, stage.condition)]
            if points:
                own = quality_of(one, len(tokens.fields["title"])).points
                yield -(tier.base + max(points) + own), one.feed_id
                break


def newest(stored: Sequence[FeedDocument]) -> list[FeedDocument]:
    by_feed: dict[str, FeedDocument] = {}
    for one in stored:
        if one.feed_id not in by_feed or one.version > by_feed[one.feed_id].version:
            by_feed[one.feed_id] = one
    return list(by_feed.values())


@settings(max_examples=15)
@given(documents, documents, st.lists(queries, min_size=1, max_size=6))
def test_an_index_with_changes_gives_the_order_of_plain_reading(
    base: list[FeedDocument], changes: list[FeedDocument], texts: list[str]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        build(base, path, generation="1")
        apply(path, [DocumentChange(one.feed_id, one.version, one) for one in changes])
        index = SqliteSearchIndex(path)
        for query in texts:
            expected = sorted(read_plainly(newest([*base, *changes]), query))
            found = [hit.place for hit in index.search(query, NO_FILTERS, limit=50).hits]
            if expected:
                assert found == expected
        index.close()


def test_plain_reading_finds_the_judged_matches() -> None:
    stored = judged_documents()
    assert [min(read_plainly(stored, query))[1] for _, query, _ in QUERIES[2:5]] == [
        first for _, _, first in QUERIES[2:5]
    ]


def test_a_word_is_analysed_without_an_end() -> None:
    assert word("a" * 10_000) == word("a" * 64)
