"""Suggests topics for a feed with a new document (rules T2, TP1)."""

from __future__ import annotations

import contextlib

from feedward.errors import FeedwardError
from feedward.model import Feed
from feedward.ports import TopicClassifier
from feedward.topics.feed_topics import FeedTopics, TopicState, own_topics, suggested


def new_suggestions(feed: Feed, known: FeedTopics, classifier: TopicClassifier) -> tuple[str, ...] | None:
    """Return all suggested topics if the document or the classifier has a new one, else None."""
    names = [*own_topics(feed.categories, feed.item_categories), *_classified(feed, classifier)]
    topics = suggested(known, names)
    return None if topics == known else tuple(each.id for each in topics if each.state is TopicState.SUGGESTED)


def _classified(feed: Feed, classifier: TopicClassifier) -> tuple[str, ...]:
    with contextlib.suppress(FeedwardError):
        return tuple(classifier(feed))
    return ()
