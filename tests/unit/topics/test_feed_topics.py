"""The approval states of a feed's topics (rules T2, TP4). The topics that a document names (rule TP1)."""

from __future__ import annotations

import pytest

from feedward.topics.feed_topics import (
    SUGGESTED_AT_MOST,
    FeedTopic,
    FeedTopics,
    TopicState,
    approved,
    decided,
    merged,
    own_topics,
    seeded,
    suggested,
    united,
)

SUGGESTED, APPROVED, REJECTED = TopicState.SUGGESTED, TopicState.APPROVED, TopicState.REJECTED


def of(**states: TopicState) -> FeedTopics:
    return tuple(FeedTopic(name, state) for name, state in states.items())


def states(topics: FeedTopics) -> dict[str, TopicState]:
    return {topic.id: topic.state for topic in topics}


def test_a_suggestion_is_added_once_in_any_spelling() -> None:
    topics = suggested((), ["Tech", "technology", "Kite Flying", "kite-flying"])

    assert states(topics) == {"technology": SUGGESTED, "Kite Flying": SUGGESTED}
    assert suggested(topics, ["TECH NEWS", "KITE FLYING"]) == topics


@pytest.mark.parametrize("state", list(TopicState))
def test_a_suggestion_changes_no_state(state: TopicState) -> None:
    assert states(suggested(of(food=state), ["Food"])) == {"food": state}


def test_suggestions_are_limited() -> None:
    topics = suggested((), [f"topic number {at}x" for at in range(50)])

    assert len(topics) == SUGGESTED_AT_MOST
    assert suggested(topics, ["another one"]) == topics


def test_a_seed_approves_its_category() -> None:
    assert states(seeded(of(food=SUGGESTED), "Cooking")) == {"food": APPROVED}
    assert states(seeded((), "Cooking")) == {"food": APPROVED}
    assert seeded(of(food=APPROVED), "Cooking") == of(food=APPROVED)
    assert seeded((), " ") == ()


def test_a_rejected_topic_stays_rejected_for_seeds_and_merges() -> None:
    assert states(seeded(of(food=REJECTED), "Food")) == {"food": REJECTED}
    assert states(merged(of(food=REJECTED), of(food=APPROVED))) == {"food": REJECTED}
    assert states(merged(of(food=APPROVED), of(food=REJECTED))) == {"food": REJECTED}


def test_a_person_may_decide_on_a_topic_in_any_state() -> None:
    topics = decided(of(food=REJECTED, music=APPROVED), approve=["Food", "Chess"], reject=["music", "News"])

    assert states(topics) == {"food": APPROVED, "music": REJECTED, "Chess": APPROVED, "news": REJECTED}
    assert states(decided(of(Chess=SUGGESTED), approve=["chess"])) == {"Chess": APPROVED}


def test_a_merge_keeps_the_union_and_the_higher_state() -> None:
    topics = merged(of(food=SUGGESTED, music=APPROVED), of(food=APPROVED, travel=SUGGESTED))

    assert states(topics) == {"food": APPROVED, "music": APPROVED, "travel": SUGGESTED}


def test_only_approved_topics_are_shown() -> None:
    assert approved(of(food=SUGGESTED, music=APPROVED, news=REJECTED)) == of(music=APPROVED)


def test_a_topic_has_a_name_for_people_and_a_key_for_lists() -> None:
    known, own = FeedTopic("web-development", APPROVED), FeedTopic("Kite Flying", APPROVED)

    assert (known.name, known.key) == ("Web Development", "web-development")
    assert (own.name, own.key) == ("Kite Flying", "kite flying")


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


def test_the_topics_of_merged_feeds_fit_into_one_transaction_however_many_merges_there_were() -> None:
    feeds = [of(**{f"topic{feed}x{number}": APPROVED for number in range(40)}) for feed in range(5)]
    both = united(feeds[0], feeds[1])
    assert both == (*feeds[0], *feeds[1])
    of_five = both
    for feed in feeds[2:]:
        of_five = united(of_five, feed)

    assert of_five == both
    assert len(united(feeds[4], of_five)) == 80
    assert states(united(both, of(topic0x0=REJECTED)))["topic0x0"] == REJECTED
