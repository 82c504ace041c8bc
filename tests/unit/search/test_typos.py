"""Which words are one edit apart, and which may be mistyped (rule Q8)."""

from __future__ import annotations

from itertools import product

import pytest

from feedward.search.query import read_query
from feedward.search.typos import form_numbers, is_one_edit, is_spelled, may_be_mistyped

LETTERS = "abc"


def one_edit(word: str) -> set[str]:
    """All words one edit away, one by one."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    left_out = {start + end[1:] for start, end in cuts if end}
    swapped = {start + end[1] + end[0] + end[2:] for start, end in cuts if len(end) > 1}
    wrong = {start + letter + end[1:] for start, end in cuts if end for letter in LETTERS}
    too_much = {start + letter + end for start, end in cuts for letter in LETTERS}
    return (left_out | swapped | wrong | too_much) - {word}


def all_words(longest: int) -> list[str]:
    return ["".join(letters) for length in range(1, longest + 1) for letters in product(LETTERS, repeat=length)]


def test_one_edit_is_a_letter_too_much_missing_wrong_or_two_swapped() -> None:
    words = all_words(4)
    for word in words:
        assert {other for other in words if other != word and is_one_edit(word, other)} == one_edit(word) & set(words)


def test_words_one_edit_apart_share_a_form() -> None:
    for word in all_words(4):
        for other in one_edit(word):
            assert form_numbers(word) & form_numbers(other)


@pytest.mark.parametrize(
    ("text", "may"),
    [("libary", True), ("книга", True), ("tea", False), ("web2024", False), ('"libary"', False), ("a.example", False),
     ("プログラミング", False), ("c++++", False), ("x" * 40, False)],
)  # fmt: skip
def test_only_spelled_words_of_5_letters_may_be_mistyped(text: str, may: bool) -> None:
    assert may_be_mistyped(read_query(text).words[0]) == may


def test_a_known_word_has_4_letters_and_no_digits() -> None:
    assert [is_spelled(word) for word in ("news", "new", "web3", "c++1", "a" * 33)] == [
        True,
        False,
        False,
        False,
        False,
    ]
