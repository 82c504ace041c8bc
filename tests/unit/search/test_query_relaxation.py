"""Which words a search does without, the least telling ones first (rule Q3)."""

from __future__ import annotations

from feedward.search.query import read_query
from feedward.search.query_relaxation import TIERS, fewer_tiers, single_words


def left_out(text: str, known: str) -> list[tuple[str, ...]]:
    words = single_words(read_query(text).words)
    return [tier.left_out for tier in fewer_tiers(words, [word for word in words if word.text in known.split()])]


def test_unknown_words_go_first_then_common_ones() -> None:
    assert left_out("noras podcast xyz", "noras podcast") == [("xyz",), ("podcast", "xyz"), ("noras", "xyz")]


def test_sets_of_more_words_come_first() -> None:
    sizes = [len(words) for words in left_out("one two three four", "one two three four")]

    assert sizes == sorted(sizes)
    assert len(sizes) == 14


def test_the_number_of_sets_is_bounded() -> None:
    many = " ".join(f"word{n}" for n in range(16))

    assert len(left_out(many, many)) == TIERS


def test_nothing_known_is_nothing_to_look_for() -> None:
    assert left_out("one two", "") == []


def test_a_row_of_signs_is_cut_and_a_phrase_is_not() -> None:
    assert [word.text for word in single_words(read_query('multi-agent 东京天气 "quiet kitchen"').words)] == [
        *("multi", "agent", "东京", "京天", "天气", "quiet kitchen"),
    ]


def test_each_tier_is_below_the_one_before() -> None:
    words = single_words(read_query("one two three").words)
    tiers = list(fewer_tiers(words, words))
    assert min(stage.points for tier in tiers for stage in tier.stages) >= 0
    lowest = [tier.base + min(stage.points for stage in tier.stages) - 500 for tier in tiers]
    highest = [tier.base + max(stage.points for stage in tier.stages) + 50 for tier in tiers]

    assert all(low > high for low, high in zip(lowest, highest[1:], strict=False))
