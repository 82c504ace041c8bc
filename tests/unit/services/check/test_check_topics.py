"""A check and the topics of a feed (rules T2, TP1): it suggests with news, and decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from feedward.errors import StoreUnavailable
from feedward.model import Feed
from feedward.topics.feed_topics import FeedTopics
from tests.fakes.directory import NOW
from tests.unit.services.check.checked import HOUR, URL, Checked, page, rss

OLD = f"a@{NOW - 3 * HOUR}"
NEW = f"b@{NOW + 60}"
FOOD = '<category>Cooking</category><itunes:category text="TV &amp; Film"><itunes:category text="Film Reviews"/>'
FOOD += "</itunes:category>"


def topics(checked: Checked) -> dict[str, str]:
    found: FeedTopics = checked._eyes.remembered(checked.feed_id).topics
    return {topic.id: topic.state.value for topic in found}


def history(checked: Checked) -> list[str]:
    return [row["action"] for row in checked.directory.contents.under(checked.feed_id, "AUDIT#")]


def checked_with(document: str, classifier: Any = None) -> Checked:
    checked = Checked({URL: page(rss(OLD))})
    if classifier:
        checked.ports = replace(checked.ports, classifier=classifier)
    checked.serve(page(document))
    checked.check_when_due()
    return checked


def test_the_first_document_suggests_its_categories() -> None:
    checked = Checked({URL: page(rss(OLD, more=FOOD))})

    assert topics(checked) == {"food": "suggested", "television": "suggested", "film": "suggested"}


def test_a_document_with_news_suggests_its_categories_and_the_history_says_so() -> None:
    checked = checked_with(rss(OLD, NEW, more=FOOD))

    assert topics(checked) == {"food": "suggested", "television": "suggested", "film": "suggested"}
    assert history(checked) == ["registered", "topics_suggested"]


def test_a_document_without_news_writes_nothing_more() -> None:
    checked = checked_with(rss(OLD, more=FOOD, built="later"))

    assert topics(checked) == {}
    assert history(checked) == ["registered"]


def test_the_same_categories_again_are_no_news() -> None:
    checked = checked_with(rss(OLD, NEW, more=FOOD))
    checked.serve(page(rss(OLD, NEW, "c", more=FOOD)))
    checked.check_when_due()

    assert history(checked) == ["registered", "topics_suggested"]


def test_a_classifier_suggests_too() -> None:
    def classify(feed: Feed) -> Sequence[str]:
        return ["Chess", str(feed.title)]

    assert topics(checked_with(rss(OLD, NEW), classify)) == {"Chess": "suggested", "Example": "suggested"}


def test_a_check_goes_on_without_a_classifier_that_fails() -> None:
    def classify(feed: Feed) -> Sequence[str]:
        raise StoreUnavailable("away")

    checked = checked_with(rss(OLD, NEW, more=FOOD), classify)

    assert checked.checks[-1].new_items == 1
    assert len(topics(checked)) == 3
