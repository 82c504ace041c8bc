"""The topics that a document names (rule TP1)."""

from __future__ import annotations

import pytest

from feedward.topics.own_topics import own_topics


def test_the_feeds_own_categories_count_each_once() -> None:
    assert own_topics(["Technology", "Business:Marketing", "tech"], []) == ("technology", "marketing")


@pytest.mark.parametrize(("agreeing", "topics"), [(11, ("food",)), (10, ())])
def test_items_count_if_over_half_of_them_agree(agreeing: int, topics: tuple[str, ...]) -> None:
    items = [["Cooking"] if at < agreeing else [] for at in range(20)]

    found = own_topics([], [[*each, f"only {at} here"] for at, each in enumerate(items)])

    assert found == topics


def test_two_items_agree_by_chance() -> None:
    assert own_topics([], [["Food"], ["Food"]]) == ()
    assert own_topics([], [["Food"], ["Recipes"], ["cooking"]]) == ("food",)


def test_an_item_votes_once_for_a_topic() -> None:
    assert own_topics([], [["Food", "Cooking", "Recipes"], ["a"], ["b"], ["c"]]) == ()
