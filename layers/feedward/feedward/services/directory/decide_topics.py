"""Approves and rejects topics of a feed, for a person and for a seed (rules T2, TP4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from feedward.access.caller import Caller
from feedward.deadline import Deadline
from feedward.errors import Conflict, InvalidInput
from feedward.health.directory_feed import DirectoryFeed
from feedward.ports import FeedActions
from feedward.services.directory.read_feeds import ANSWER_S, ReadingPorts, changeable_feed
from feedward.topics.closed_list import normal_topic, topic_key
from feedward.topics.feed_topics import DECIDED_AT_MOST, FeedTopics, decided, seeded

_ROUNDS: Final = 20
_SEED: Final = "import"


class TopicPorts(ReadingPorts, Protocol):
    """Ports of decisions about topics."""

    @property
    def feed_actions(self) -> FeedActions: ...


def decide_topics(
    caller: Caller,
    feed_id: str,
    *,
    ports: TopicPorts,
    approve: Sequence[str] = (),
    reject: Sequence[str] = (),
    why: str = "",
) -> DirectoryFeed:
    """Approve and reject topics of a feed (POST /v1/feeds/{id}/topics). Return the feed.

    A repeated call changes nothing. Raises InvalidInput (`approve[3]`, `reject`), NotFound, Conflict, and the errors of
    the stores.
    """
    keys = [_keys(names, field) for names, field in ((approve, "approve"), (reject, "reject"))]
    if set.intersection(*keys):
        raise InvalidInput("reject", "a topic cannot be both approved and rejected")

    def decide(topics: FeedTopics) -> FeedTopics:
        after = decided(topics, approve=approve, reject=reject)
        if len(after) > DECIDED_AT_MOST:
            raise InvalidInput("approve", f"a feed has at most {DECIDED_AT_MOST} topics")
        return after

    return _decided(caller, feed_id, decide, "topics_decided", by=caller.name, why=why, ports=ports)


def approve_seeded(caller: Caller, feed_id: str, category: str, *, ports: TopicPorts) -> DirectoryFeed:
    """Approve the category of a seed, unless a person rejected it. Return the feed. Raises as `decide_topics` does."""
    return _decided(
        caller, feed_id, lambda topics: seeded(topics, category), "topics_seeded", by=_SEED, why="", ports=ports
    )


def _decided(
    caller: Caller,
    feed_id: str,
    decide: Callable[[FeedTopics], FeedTopics],
    action: str,
    *,
    by: str,
    why: str,
    ports: TopicPorts,
) -> DirectoryFeed:
    for _ in range(_ROUNDS):
        feed = changeable_feed(caller, feed_id, ports=ports)
        after = decide(feed.topics)
        if after == feed.topics:
            return feed
        actions = ports.feed_actions.within(Deadline.after(ANSWER_S, ports.clock.monotonic))
        if actions.set_topics(feed, after, action=action, by=by, now=ports.clock.now(), why=why):
            return changeable_feed(caller, feed.feed_id, ports=ports)
    raise Conflict("the feed kept changing")


def _keys(names: Sequence[str], field: str) -> set[str]:
    topics = [normal_topic(name) for name in names]
    empty = next((at for at, topic in enumerate(topics) if topic is None), None)
    if empty is not None:
        raise InvalidInput(f"{field}[{empty}]", "expected the name of a topic")
    return {topic_key(topic) for topic in topics if topic}
