"""The life of one feed on the whole stack, over HTTP: followed, moved, lost, found again, and brought back.

The made-up internet goes from phase to phase, a person asks the API for checks and for the undoing, and all else the
machinery does by itself. The test also listens to the bus events of the moves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from feedward_local.demo.sites import ALWAYS
from tests.local.changing_internet.conftest import Running
from tests.local.stack_aws import WORK_WITHIN_S, wait_until

pytestmark = pytest.mark.local_stack
HOME = "https://almanac.example/"
FIRST, SECOND, THIRD = (HOME + path for path in ("feed.xml", "posts/feed.xml", "journal/feed.xml"))
MOVED, GONE = "almanac-moved", "almanac-gone"


@dataclass(slots=True, kw_only=True)
class Stack:
    """The running stack: its API, the phase of its internet, and the bus events of moves."""

    running: Running
    heard: str
    moves: list[Any] = field(default_factory=list)

    def let_it_be(self, phase: str) -> None:
        self.running.turn_to(phase)

    def get(self, path: str) -> Any:
        status, _, document = self.running.process.call("GET", path)
        assert status == 200, document
        return document

    def post(self, path: str, body: object = None) -> Any:
        status, _, document = self.running.process.call("POST", path, body)
        assert status == 202, document
        return document

    def follow(self, url: str) -> Any:
        """Subscribe, and return the subscription once its search is over."""
        path = f"/v1/subscriptions/{self.post('/v1/subscriptions', {'url': url})['id']}"
        wait_until(lambda: self.get(path)["status"] != "pending", WORK_WITHIN_S, "the end of the search")
        return self.get(path)

    def feed(self, feed_id: str, **expected: object) -> Any:
        """The feed, once it is as expected."""

        def look() -> Any:
            feed = self.get(f"/v1/feeds/{feed_id}")
            return feed if feed.items() >= expected.items() else None

        return wait_until(look, WORK_WITHIN_S, f"a feed with {expected}")

    def known_as(self, url: str, phase: str) -> tuple[str, str]:
        """Register a URL in a phase in which it serves a feed itself: the id and URL of the feed that it belongs to.

        Nothing leads from there to another URL, so only an alias makes it a feed that was there before.
        """
        self.let_it_be(phase)
        answer = self.running.process.canonicalize(url=url, register=True)
        assert answer["requests"] == [url]
        return answer["feed_id"], answer["url"]

    def last_entry(self, feed_id: str, action: str) -> Any:
        """The newest entry of an action in a feed's history."""
        entries = self.get(f"/v1/feeds/{feed_id}/audit")["entries"]
        return next(entry for entry in entries if entry["action"] == action)

    def told_of_move(self, before: str, after: str) -> Any:
        """The detail of the one FeedMoved event of this move."""

        def look() -> Any:
            self.moves += [json.loads(message)["detail"] for message in self.running.aws.messages(self.heard)]
            return [move for move in self.moves if (move["from"], move["to"]) == (before, after)]

        (told,) = wait_until(look, WORK_WITHIN_S, f"the event of the move to {after}")
        return told


@pytest.fixture
def stack(running: Running) -> Stack:
    return Stack(running=running, heard=running.aws.listen("FeedMoved"))


def test_a_feed_is_followed_moves_dies_is_found_again_and_is_brought_back(stack: Stack) -> None:
    feed_id = is_followed_by_its_home_page(stack)
    moves_for_good(stack, feed_id)
    dies_and_is_found_again(stack, feed_id)
    is_brought_back(stack, feed_id)


def is_followed_by_its_home_page(stack: Stack) -> str:
    subscription = stack.follow(HOME)
    assert subscription["status"] == "ready"
    feed_id: str = subscription["feed_id"]
    feed = stack.feed(feed_id, url=FIRST, state="healthy")
    assert (feed["title"], feed["is_canonical"]) == ("The Almanac", True)
    return feed_id


def moves_for_good(stack: Stack, feed_id: str) -> None:
    """The very same feed is there: the first check adopts it (rule F2)."""
    stack.let_it_be(MOVED)
    stack.post(f"/v1/feeds/{feed_id}/check")

    stack.feed(feed_id, url=SECOND, state="healthy")
    told = stack.told_of_move(FIRST, SECOND)
    assert (told["feed_id"], told["reason"], told["merged_into"]) == (feed_id, "permanent_redirect", None)
    entry = stack.last_entry(feed_id, "moved")
    assert (entry["by"], entry["details"]["from"], entry["details"]["to"]) == ("check", FIRST, SECOND)
    assert stack.known_as(FIRST, ALWAYS) == (feed_id, SECOND)


def dies_and_is_found_again(stack: Stack, feed_id: str) -> None:
    """The check that gets a 410 requests the revival; no person does."""
    stack.let_it_be(GONE)
    stack.post(f"/v1/feeds/{feed_id}/check")

    revived = stack.feed(feed_id, url=THIRD, state="healthy", consecutive_failures=0)
    assert revived["last_revival_at"] is not None
    told = stack.told_of_move(SECOND, THIRD)
    assert (told["feed_id"], told["reason"]) == (feed_id, "revival")
    entry = stack.last_entry(feed_id, "moved")
    assert (entry["by"], entry["details"]["from"], entry["details"]["to"]) == ("revival", SECOND, THIRD)
    assert (entry["details"]["reason"], entry["details"]["why"]) == ("revival", "gone")
    assert THIRD in [candidate["url"] for candidate in entry["details"]["evidence"]["candidates"]]
    # The check that follows a revival is over: for a URL with 410 it would try the earlier ones (rule H6).
    stack.feed(feed_id, url=THIRD, last_http_status=200)
    assert stack.known_as(SECOND, MOVED) == (feed_id, THIRD)


def is_brought_back(stack: Stack, feed_id: str) -> None:
    """Its second address answers again, and a person prefers that one."""
    stack.let_it_be(MOVED)

    undone = stack.post(f"/v1/feeds/{feed_id}/undo", {"why": "the old place is back"})

    assert undone["url"] == SECOND
    told = stack.told_of_move(THIRD, SECOND)
    assert (told["feed_id"], told["reason"]) == (feed_id, "undo")
    entry = stack.last_entry(feed_id, "undone")
    assert (entry["details"]["from"], entry["details"]["to"]) == (THIRD, SECOND)
    assert entry["details"]["why"] == "the old place is back"
    checked = stack.feed(feed_id, url=SECOND, state="healthy", last_http_status=200)
    assert checked["last_error"] is None
    assert stack.known_as(THIRD, GONE) == (feed_id, SECOND)
