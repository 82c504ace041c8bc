"""Actions of a person on a feed through the directory function: pause, resume, check, revive, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import pytest

from feedward import bootstrap
from feedward.deadline import Deadline
from feedward.health.decision import Decision
from feedward.health.directory_feed import DirectoryFeed
from feedward.model import Outcome
from feedward.services.directory.act_on_feed import ActionPorts
from feedward.services.directory.read_feeds import ReadingPorts
from feedward.services.subscribe.subscribe import SubscriptionPorts
from tests.fakes.directory import NOW
from tests.functions.directory_function import CALLER, UNKNOWN_ID, DirectoryFunction

ACTIONS = ("pause", "resume", "check", "revive", "undo")


def unhealthy(directory: DirectoryFunction, name: str = "garden") -> str:
    feed_id = directory.feed(name)
    directory.write(
        feed_id,
        state="unhealthy",
        consecutive_failures=9,
        last_outcome=Outcome.NOT_FOUND.value,
        last_http_status=404,
        failures={"unhealthy_since": NOW - 60, "first_failure_at": NOW - 600, "not_founds": 2},
    )
    return feed_id


# --- pause and resume ---------------------------------------------------------------------------------


def test_a_paused_feed_is_not_checked_until_it_is_resumed(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")

    answer = directory.post(f"/v1/feeds/{feed_id}/pause", {"why": "too loud"})

    assert (answer.status, answer.body["state"], answer.body["next_check_at"]) == (202, "paused", None)
    assert answer.headers["Location"] == f"/v1/feeds/{feed_id}"
    assert directory.get(f"/v1/feeds/{feed_id}").body == answer.body
    assert directory.ports.health_queue.feed_ids == []

    resumed = directory.post(f"/v1/feeds/{feed_id}/resume")

    assert (resumed.status, resumed.body["state"]) == (202, "healthy")
    assert resumed.body["next_check_at"] > NOW
    assert directory.ports.health_queue.feed_ids == [feed_id]


def test_the_bus_and_the_history_hear_of_it(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.directory.clock.advance(60)

    directory.post(f"/v1/feeds/{feed_id}/pause", {"why": "too loud"})

    detail = directory.detail("FeedStateChanged")
    assert (detail["feed_id"], detail["from"], detail["to"], detail["reason"]) == (
        feed_id,
        "healthy",
        "paused",
        "paused",
    )
    newest = directory.get(f"/v1/feeds/{feed_id}/audit").body["entries"][0]
    assert (newest["action"], newest["by"], newest["details"]["why"]) == ("paused", CALLER, "too loud")


def test_a_feed_is_resumed_in_the_state_that_it_had(directory: DirectoryFunction) -> None:
    feed_id = unhealthy(directory)

    directory.post(f"/v1/feeds/{feed_id}/pause")
    resumed = directory.post(f"/v1/feeds/{feed_id}/resume").body

    assert (resumed["state"], resumed["consecutive_failures"]) == ("unhealthy", 9)


def test_pausing_again_is_done_already_and_writes_nothing(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    first = directory.post(f"/v1/feeds/{feed_id}/pause")
    stored = directory.directory.contents.feeds()

    assert directory.post(f"/v1/feeds/{feed_id}/pause") == first
    assert directory.directory.contents.feeds() == stored
    assert directory.told.count("FeedStateChanged") == 1


def test_an_event_that_the_bus_refuses_stays_in_the_outbox(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.directory.bus.events.fails = 20

    assert directory.post(f"/v1/feeds/{feed_id}/pause").status == 202

    undelivered = directory.directory.outbox.outbox_entries(feed_id)
    assert "FeedStateChanged" in [event.detail_type for event in undelivered]


def test_a_check_that_cannot_be_sent_does_not_undo_a_resumption(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.post(f"/v1/feeds/{feed_id}/pause")
    directory.ports.health_queue.sqs.fails = 20

    assert directory.post(f"/v1/feeds/{feed_id}/resume").body["state"] == "healthy"


# --- check --------------------------------------------------------------------------------------------


def test_a_check_is_a_message_and_no_other_time(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    before = directory.get(f"/v1/feeds/{feed_id}").body

    answer = directory.post(f"/v1/feeds/{feed_id}/check")

    assert (answer.status, answer.body) == (202, before)
    assert directory.ports.health_queue.feed_ids == [feed_id]


def test_a_paused_feed_cannot_be_checked_or_revived(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.post(f"/v1/feeds/{feed_id}/pause")

    for action in ("check", "revive"):
        answer = directory.post(f"/v1/feeds/{feed_id}/{action}")
        assert (answer.status, answer.body["code"]) == (409, "wrong_state")
        assert answer.body["detail"] == "the feed is paused: resume it first"
    assert directory.ports.health_queue.feed_ids == []


def test_a_check_that_the_queue_does_not_take_is_told(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.ports.health_queue.sqs.fails = 20

    answer = directory.post(f"/v1/feeds/{feed_id}/check")

    assert (answer.status, answer.body["code"]) == (503, "queue_unavailable")
    assert "Retry-After" in answer.headers


# --- revive -------------------------------------------------------------------------------------------


def test_a_lost_feed_is_searched_on_request(directory: DirectoryFunction) -> None:
    feed_id = unhealthy(directory)

    answer = directory.post(f"/v1/feeds/{feed_id}/revive")

    assert (answer.status, answer.body["state"]) == (202, "unhealthy")
    detail = directory.detail("RevivalRequested")
    assert (detail["feed_id"], detail["reason"], detail["requested_by"]) == (feed_id, "requested", CALLER)
    assert directory.directory.outbox.outbox_entries(feed_id) == []


def test_a_feed_that_is_well_is_not_looked_for_unless_it_is_stale(directory: DirectoryFunction) -> None:
    well = directory.feed("well", latest_item_published_at=NOW)
    stale = directory.feed("stale", latest_item_published_at=NOW - 400 * 86_400)

    refused = directory.post(f"/v1/feeds/{well}/revive")

    assert (refused.status, refused.body["code"]) == (409, "wrong_state")
    assert "healthy" in refused.body["detail"]
    assert directory.post(f"/v1/feeds/{stale}/revive").status == 202


# --- undo ---------------------------------------------------------------------------------------------


def test_a_move_is_taken_back_once(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.move(feed_id, "https://new.example.org/feed")
    directory.directory.clock.advance(60)
    assert directory.get(f"/v1/feeds/{feed_id}").body["url"] == "https://new.example.org/feed"

    answer = directory.post(f"/v1/feeds/{feed_id}/undo", {"why": "not the same blog"})

    assert (answer.status, answer.body["url"]) == (202, "https://example.com/garden")
    newest = directory.get(f"/v1/feeds/{feed_id}/audit").body["entries"][0]
    assert (newest["action"], newest["by"], newest["details"]["why"]) == ("undone", CALLER, "not the same blog")
    assert directory.ports.health_queue.feed_ids == [feed_id]

    again = directory.post(f"/v1/feeds/{feed_id}/undo")
    assert (again.status, again.body["code"], again.body["detail"]) == (
        409,
        "wrong_state",
        "this move was undone before",
    )


def test_the_move_may_be_named(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.move(feed_id, "https://new.example.org/feed")
    (moved,) = (e for e in directory.get(f"/v1/feeds/{feed_id}/audit").body["entries"] if e["action"] == "moved")

    unknown = directory.post(f"/v1/feeds/{feed_id}/undo", {"entry_id": f"{'0' * 11}#{UNKNOWN_ID}"})
    assert (unknown.status, unknown.body["detail"]) == (404, "the feed has no such move")
    assert directory.post(f"/v1/feeds/{feed_id}/undo", {"entry_id": moved["id"]}).status == 202


def test_a_feed_that_never_moved_has_nothing_to_undo(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")

    answer = directory.post(f"/v1/feeds/{feed_id}/undo")

    assert (answer.status, answer.body["code"]) == (404, "not_found")


# --- invalid requests ---------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("feed_id", [UNKNOWN_ID, "nothing"])
def test_a_missing_object_is_not_found(directory: DirectoryFunction, action: str, feed_id: str) -> None:
    answer = directory.post(f"/v1/feeds/{feed_id}/{action}")

    assert (answer.status, answer.body["code"]) == (404, "not_found")


@pytest.mark.parametrize("action", ACTIONS)
def test_a_tenants_private_feed_is_not_there_for_others(directory: DirectoryFunction, action: str) -> None:
    feed_id = directory.feed("secret", scope="acme")
    before = directory.directory.contents.feeds()

    assert directory.post(f"/v1/feeds/{feed_id}/{action}").status == 404
    assert directory.directory.contents.feeds() == before


@pytest.mark.parametrize(
    ("action", "body", "field"),
    [
        ("pause", {"why": 3}, "why"),
        ("pause", {"why": ""}, "why"),
        ("pause", {"why": "x" * 501}, "why"),
        ("pause", {"reason": "x"}, "reason"),
        ("resume", {"until": 5}, "until"),
        ("check", {"why": "x"}, "why"),
        ("revive", {"why": "x"}, "why"),
        ("undo", {"entry_id": "last"}, "entry_id"),
        ("undo", {"entry_id": None}, "entry_id"),
        ("undo", [], ""),
    ],
)
def test_a_field_that_cannot_be_used_is_named(
    directory: DirectoryFunction, action: str, body: object, field: str
) -> None:
    feed_id = directory.feed("garden")

    answer = directory.post(f"/v1/feeds/{feed_id}/{action}", body)

    assert (answer.status, answer.body["code"], answer.body["field"]) == (400, "invalid_input", field)


def test_an_empty_object_is_as_good_as_no_body(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")

    for action in ("pause", "resume", "check"):
        assert directory.post(f"/v1/feeds/{feed_id}/{action}", {}).status == 202
    assert directory.post(f"/v1/feeds/{feed_id}/pause", "{").body["code"] == "malformed_json"


# --- with others at work ------------------------------------------------------------------------------


class Racing:
    """A store of actions in which another writer writes the feed before each first call."""

    def __init__(self, directory: DirectoryFunction, times: int) -> None:
        self.directory, self.times = directory, times
        self.actions = directory.ports.feed_actions

    def within(self, _: Deadline) -> Self:
        return self

    def apply(self, feed: DirectoryFeed, decision: Decision, **how: Any) -> bool:
        if self.times:
            self.times -= 1
            self.directory.write(feed.feed_id, last_news_at=1 + self.times)
        return self.actions.apply(feed, decision, **how)


def test_a_pause_outlasts_checks_that_write_at_the_same_time(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.ports.feed_actions = Racing(directory, 3)  # type: ignore[assignment]

    answer = directory.post(f"/v1/feeds/{feed_id}/pause")

    assert (answer.status, answer.body["state"]) == (202, "paused")
    stored = directory.directory.contents.feeds()[feed_id]
    assert (stored["rev"], stored["last_news_at"], "due_shard" in stored) == (5, 1, False)
    assert len(directory.directory.contents.under(feed_id, "AUDIT#")) == 2


def test_a_feed_that_never_stands_still_is_a_conflict(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden")
    directory.ports.feed_actions = Racing(directory, 100)  # type: ignore[assignment]

    answer = directory.post(f"/v1/feeds/{feed_id}/pause")

    assert (answer.status, answer.body["code"]) == (409, "conflict")


if TYPE_CHECKING:

    def services_implement_the_ports(
        services: bootstrap.Services,
    ) -> tuple[ActionPorts, ReadingPorts, SubscriptionPorts]:
        """The function passes its services on as they are, which the type checker does not see there."""
        return services, services, services
