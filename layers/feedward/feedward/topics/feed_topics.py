"""The topics of a feed with their states, and their changes by suggestions, people, seeds and merges (rule T2).

Only approved topics are searched and listed. A rejected one stays rejected until a person approves it (rule TP4). Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from feedward.topics.closed_list import label_of, normal_topic, topic_key, topics_in

DECIDED_AT_MOST: Final = 40
SUGGESTED_AT_MOST: Final = 10
UNITED_AT_MOST: Final = 80


class TopicState(StrEnum):
    """The approval state of a feed's topic."""

    SUGGESTED = "suggested"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class FeedTopic:
    """A topic of a feed. `id` is that of the closed list, or the name of a topic that is not in it."""

    id: str
    state: TopicState

    @property
    def name(self) -> str:
        """The label for people."""
        return label_of(self.id)

    @property
    def key(self) -> str:
        """The key for lists and searches."""
        return topic_key(self.id)


FeedTopics: TypeAlias = tuple[FeedTopic, ...]
_RANKS: Final = {TopicState.SUGGESTED: 0, TopicState.APPROVED: 1, TopicState.REJECTED: 2}


def suggested(topics: FeedTopics, names: Iterable[str]) -> FeedTopics:
    """Return the topics with new suggestions, at most SUGGESTED_AT_MOST in all. States stay."""
    room = SUGGESTED_AT_MOST - sum(topic.state is TopicState.SUGGESTED for topic in topics)
    known = {topic.key for topic in topics}
    fresh: dict[str, FeedTopic] = {}
    for topic in filter(None, map(normal_topic, names)):
        if topic_key(topic) not in known:
            fresh.setdefault(topic_key(topic), FeedTopic(topic, TopicState.SUGGESTED))
    return (*topics, *list(fresh.values())[: max(room, 0)])


def seeded(topics: FeedTopics, name: str) -> FeedTopics:
    """Return the topics with the category of a seed approved, unless a person rejected it. An empty name is ignored."""
    topic = normal_topic(name)
    return merged(topics, (FeedTopic(topic, TopicState.APPROVED),)) if topic else topics


def decided(topics: FeedTopics, *, approve: Sequence[str] = (), reject: Sequence[str] = ()) -> FeedTopics:
    """Return the topics after a person's decision, which overrides any state."""
    states = {
        topic: state
        for names, state in ((approve, TopicState.APPROVED), (reject, TopicState.REJECTED))
        for name in names
        if (topic := normal_topic(name))
    }
    keys = {topic_key(topic): state for topic, state in states.items()}
    kept = tuple(FeedTopic(topic.id, keys.get(topic.key, topic.state)) for topic in topics)
    return merged(kept, tuple(FeedTopic(topic, state) for topic, state in states.items()))


def merged(topics: FeedTopics, others: FeedTopics) -> FeedTopics:
    """Return the union of the topics of two merged feeds: approved wins over suggested, rejected over both."""
    by_key = {topic.key: topic for topic in topics}
    for other in others:
        mine = by_key.get(other.key)
        if mine is None or _RANKS[other.state] > _RANKS[mine.state]:
            by_key[other.key] = FeedTopic(mine.id if mine else other.id, other.state)
    return tuple(by_key.values())


def united(mine: FeedTopics, theirs: FeedTopics) -> FeedTopics:
    """Return the topics of the feed that survives a merge: the union, as far as one transaction can list it.

    The last ones of the other feed are left out: any number of merges may follow each other.
    """
    return merged(mine, theirs)[: max(UNITED_AT_MOST, len(mine))]


def approved(topics: FeedTopics) -> FeedTopics:
    """Return the approved topics, in their order."""
    return tuple(topic for topic in topics if topic.state is TopicState.APPROVED)


# Fewer items than this agree by chance.
_ITEMS_AT_LEAST: Final = 3


def own_topics(categories: Sequence[str], item_categories: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the topics of the feed's own categories, then those on which more than half of its last items agree.

    A tenant's folders are not topics (rules TP1, TP2).
    """
    own = [topic for category in categories for topic in topics_in(category)]
    of_items = Counter(topic for each in item_categories for topic in {t for text in each for t in topics_in(text)})
    half = max(len(item_categories), _ITEMS_AT_LEAST) / 2
    agreed = [topic for topic, items in of_items.most_common() if items > half and items >= _ITEMS_AT_LEAST]
    return tuple(dict.fromkeys((*own, *agreed)))
