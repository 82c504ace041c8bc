"""The topics of feeds in the tables: decided, listed, kept by checks and merges (rules T2, TP1, TP4)."""

from __future__ import annotations

from typing import Any

from feedward.health.directory_feed import DirectoryFeed, FeedQuery
from feedward.topics.feed_topics import FeedTopic, FeedTopics, TopicState, decided, seeded, suggested
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.benches.moves import LATER, a_move, faults, moves
from tests.contract.conftest import Bench
from tests.contract.feeds.test_checks import checks, shown, update
from tests.contract.feeds.test_feed_reader import ids, listed, read, reader
from tests.contract.feeds.test_feed_settings import actions

URL = "https://example.com/feed"
OTHER = "https://www.example.com/rss"
THIRD = "https://feeds.example.net/1"


def registered(bench: Bench, name: str = "a", url: str = URL, **members: Any) -> DirectoryFeed:
    bench.store.register(new_feed(name, url, **members))
    return feed(bench, name)


def feed(bench: Bench, name: str = "a") -> DirectoryFeed:
    found = read(bench, name)
    assert found is not None
    return found


def states(topics: FeedTopics) -> dict[str, str]:
    return {topic.id: topic.state.value for topic in topics}


def decide(bench: Bench, name: str = "a", **names: Any) -> bool:
    before = feed(bench, name)
    topics = decided(before.topics, **names)
    return actions(bench).set_topics(before, topics, action="topics_decided", by="ann", now=LATER, why="read it")


def items_of_topics(bench: Bench, name: str = "a") -> list[str]:
    return [item["sk"] for item in bench.contents.under(feed_id(name), "TOPIC#")]


def test_a_new_feed_has_its_suggestions_and_is_in_no_list(bench: Bench) -> None:
    found = registered(bench, topics=suggested((), ["Food", "Kite Flying"]))

    assert states(found.topics) == {"food": "suggested", "Kite Flying": "suggested"}
    assert items_of_topics(bench) == []
    [entry] = moves(bench).entries(found.feed_id)
    assert entry.details["topics"] == {"food": "suggested", "Kite Flying": "suggested"}


def test_a_seeded_feed_is_listed_under_its_category_from_the_start(bench: Bench) -> None:
    registered(bench, topics=seeded((), "Cooking"))

    assert ids(listed(bench, topic="food")) == [feed_id("a")]


def test_an_approved_topic_lists_the_feed_and_a_rejected_one_does_not_any_more(bench: Bench) -> None:
    registered(bench, topics=suggested((), ["Food", "Music"]))

    assert decide(bench, approve=["food", "Kite Flying"], reject=["Music"])
    assert states(feed(bench).topics) == {"food": "approved", "music": "rejected", "Kite Flying": "approved"}
    assert ids(listed(bench, topic="food")) == ids(listed(bench, topic="kite flying")) == [feed_id("a")]
    assert ids(listed(bench, topic="music")) == []

    assert decide(bench, reject=["food"])
    assert ids(listed(bench, topic="food")) == []
    assert items_of_topics(bench) == ["TOPIC#kite flying"]
    assert faults(bench) == []


def test_the_history_has_author_time_and_reason_of_a_decision(bench: Bench) -> None:
    registered(bench, topics=suggested((), ["Food"]))
    decide(bench, approve=["food"])

    entry = moves(bench).entries(feed_id("a"))[0]

    assert (entry.action, entry.by, entry.at, entry.details["why"]) == ("topics_decided", "ann", LATER, "read it")
    assert (entry.details["before"], entry.details["after"]) == ({}, {"food": "approved"})


def test_a_decision_on_a_feed_that_was_written_meanwhile_changes_nothing(bench: Bench) -> None:
    before = registered(bench)
    decide(bench, approve=["food"])

    assert not actions(bench).set_topics(before, (), action="topics_decided", by="bob", now=LATER)
    assert states(feed(bench).topics) == {"food": "approved"}


def test_a_check_suggests_and_leaves_decisions_alone(bench: Bench) -> None:
    registered(bench)
    decide(bench, approve=["food"], reject=["music"])
    texts = checks(bench).remembered(feed_id("a")).texts

    assert checks(bench).write(update(shown(bench), texts=texts, suggested=("travel",))) is None

    known = checks(bench).remembered(feed_id("a"))
    assert states(known.topics) == {"food": "approved", "music": "rejected", "travel": "suggested"}
    assert known.texts == texts
    entry = moves(bench).entries(feed_id("a"))[0]
    assert (entry.action, entry.by, entry.details["topics"]) == ("topics_suggested", "check", ["travel"])


def test_a_check_without_suggestions_keeps_all_topics(bench: Bench) -> None:
    before = registered(bench, topics=suggested(seeded((), "Food"), ["Music"]))

    assert checks(bench).write(update(shown(bench), texts=before.texts)) is None

    assert feed(bench).topics == before.topics


def test_a_merge_keeps_the_union_and_lists_the_survivor(bench: Bench) -> None:
    registered(bench, topics=suggested((), ["Food", "Music"]))
    registered(bench, "b", OTHER, topics=seeded(seeded((), "Food"), "Travel"))
    decide(bench, reject=["Music"])

    found = bench.store.register(new_feed("c", THIRD, URL, OTHER, now=LATER + 9))

    assert states(feed(bench).topics) == {"food": "approved", "music": "rejected", "travel": "approved"}
    assert ids(listed(bench, topic="travel")) == ids(listed(bench, topic="food")) == [found.feed_id]
    loser = "a" if found.feed_id == feed_id("b") else "b"
    assert bench.store.repoint(feed_id(loser), now=LATER + 999)
    assert items_of_topics(bench, loser) == []


def test_a_feed_that_moves_to_anothers_url_merges_topics_too(bench: Bench) -> None:
    registered(bench, topics=seeded((), "Food"))
    registered(bench, "b", OTHER, topics=seeded((), "Travel"))

    moves(bench).move(a_move(bench, feed_id("a"), OTHER))

    assert states(feed(bench).topics) == {"food": "approved", "travel": "approved"}


def test_a_private_feed_is_in_its_tenants_list_alone(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, scope="tenant-1", topics=seeded((), "Food")))

    assert ids(listed(bench, topic="food")) == []
    assert ids(listed(bench, "tenant-1", topic="food")) == [feed_id("a")]


def test_pages_of_a_list_by_topic_have_no_gaps(bench: Bench) -> None:
    names = [f"n{number}" for number in range(7)]
    for name in names:
        registered(bench, name, f"https://example.com/{name}", now=NOW, topics=seeded((), "Food"))
    whole = listed(bench, topic="food")

    for number, each in enumerate(whole, start=1):
        rest = reader(bench).listed(FeedQuery(topic="food"), tenant_id=None, after=each.place)
        assert ids(list(rest)) == ids(whole)[number:]
    assert sorted(ids(whole)) == sorted(map(feed_id, names))


def test_only_approved_topics_match_a_list(bench: Bench) -> None:
    found = registered(bench, topics=(FeedTopic("food", TopicState.APPROVED), FeedTopic("music", TopicState.REJECTED)))

    assert found.has_topic("food")
    assert not found.has_topic("music")
