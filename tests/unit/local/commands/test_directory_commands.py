"""`feedward feeds` and `feedward subscriptions` against the directory function itself, behind a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from feedward.model import Item
from feedward.subscriptions.subscription import Failure, failed
from feedward_local.api_client.api import Api, ApiUnreachable
from feedward_local.command import main
from feedward_local.commands import subscriptions_command
from feedward_local.commands.directory_command import members, when
from tests.fakes.directory import NOW
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction
from tests.unit.local.conftest import Run

# --- feeds ----------------------------------------------------------------------------------------------


def test_feeds_are_listed_over_all_pages(directory: DirectoryFunction, run: Run) -> None:
    ids = {directory.feed(f"f{number}") for number in range(130)}

    code, out, _ = run("feeds", "--limit", "0", "--json")

    assert code == 0
    assert sorted(json.loads(line)["id"] for line in out.splitlines()) == sorted(ids)
    assert len(run("feeds", "--limit", "105")[1].splitlines()) == 105


def test_feeds_are_listed_as_they_are_asked_for(directory: DirectoryFunction, run: Run) -> None:
    garden = directory.feed("garden", "https://garden.example/feed", title="Garden")
    old = directory.feed("old", latest_item_published_at=NOW - 400 * 86_400)
    run("feeds", "pause", garden)

    assert run("feeds", "--state", "paused")[1] == f"{garden}  paused            https://garden.example/feed  Garden\n"
    assert old in run("feeds", "list", "--stale")[1]
    assert old not in run("feeds", "list", "--fresh")[1]
    assert run("feeds", "--domain", "nothing.example") == (0, "", "")


def test_a_seeded_feed_is_never_fetched_and_not_healthy(directory: DirectoryFunction, run: Run) -> None:
    directory.post("/v1/imports", [{"title": "Seed", "url": "https://seed.example/feed"}])
    directory.import_all()
    garden = directory.feed("garden", "https://garden.example/feed")

    (line,) = run("feeds", "--never-fetched")[1].splitlines()
    assert line[26:] == "  never fetched     https://seed.example/feed  Seed"
    assert garden in run("feeds", "--state", "healthy")[1]


def test_a_feed_is_shown_with_its_items_and_its_history(directory: DirectoryFunction, run: Run) -> None:
    item = Item(id="urn:1", url="https://example.com/1", title="First\x1b[31m", published_at=NOW)
    garden = directory.feed("garden", items=(item,))
    directory.directory.clock.advance(60)
    run("feeds", "pause", garden, "--why", "too loud")

    shown = run("feeds", "show", garden)[1]
    assert "state" in shown
    assert "paused" in shown
    assert when(NOW) in shown
    assert json.loads(run("feeds", "show", garden, "--json")[1])["state"] == "paused"
    items = run("feeds", "items", garden)[1]
    assert "https://example.com/1" in items
    assert "\x1b" not in items
    paused, registered = run("feeds", "audit", garden)[1].splitlines()
    assert "why=too loud" in paused
    assert "registered" in registered


@pytest.mark.parametrize("action", ["pause", "resume", "check"])
def test_a_feed_is_acted_on(directory: DirectoryFunction, run: Run, action: str) -> None:
    garden = directory.feed("garden")

    code, out, _ = run("feeds", action, garden)

    assert code == 0
    assert out.startswith(garden)


def test_a_feed_is_set_to_collect_and_not_to(directory: DirectoryFunction, run: Run) -> None:
    garden = directory.feed("garden")
    directory.directory.clock.advance(60)

    code, out, _ = run("feeds", "collect-items", garden, "on", "--why", "we cite it")

    assert (code, out) == (0, f"{garden}  healthy, collects  https://example.com/garden\n")
    assert json.loads(run("feeds", "show", garden, "--json")[1])["collect_items"] is True
    newest = run("feeds", "audit", garden)[1].splitlines()[0]
    assert ("collect_items_on" in newest, "why=we cite it" in newest) == (True, True)
    assert json.loads(run("feeds", "collect-items", garden, "off", "--json")[1])["collect_items"] is False
    assert run("feeds", "collect-items", UNKNOWN_ID, "on") == (1, "", "feedward: there is no feed with this id\n")


def test_a_move_is_undone_once(directory: DirectoryFunction, run: Run) -> None:
    garden = directory.feed("garden")
    directory.move(garden, "https://new.example.org/feed")

    assert "https://example.com/garden" in run("feeds", "undo", garden)[1]
    assert run("feeds", "undo", garden) == (1, "", "feedward: this move was undone before\n")


def test_a_refusal_of_the_api_is_reported_and_ends_with_1(directory: DirectoryFunction, run: Run) -> None:
    assert run("feeds", "show", UNKNOWN_ID) == (1, "", "feedward: there is no feed with this id\n")
    assert run("feeds", "show", "a/b?c")[0] == 1
    assert run("feeds", "--domain", "two words")[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("feeds", "show"),
        ("feeds", "list", UNKNOWN_ID),
        ("feeds", "dance", UNKNOWN_ID),
        ("feeds", "check", UNKNOWN_ID, "--why", "x"),
        ("feeds", "pause", UNKNOWN_ID, "--entry", "x"),
        ("feeds", "pause", UNKNOWN_ID, "on"),
        ("feeds", "collect-items", UNKNOWN_ID),
        ("feeds", "collect-items", UNKNOWN_ID, "yes"),
        ("feeds", "collect-items"),
        ("feeds", "show", UNKNOWN_ID, "--state", "paused"),
        ("feeds", "show", UNKNOWN_ID, "--never-fetched"),
        ("feeds", "--state", "dead"),
        ("feeds", "--stale", "--fresh"),
        ("feeds", "--limit", "-1"),
        ("subscriptions", "add"),
        ("subscriptions", "show"),
        ("subscriptions", "list", "x"),
        ("subscriptions", "--tag", "x"),
    ],
)
def test_wrong_usage_ends_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert "usage: feedward" in err


def test_an_address_that_is_none_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["feeds", "--api", "nowhere"])

    assert ended.value.code == 2
    assert "--api" in capsys.readouterr().err


def test_an_api_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["subscriptions", "--api", "http://127.0.0.1:9"]) == 1
    assert "cannot be reached" in capsys.readouterr().err


def test_a_time_that_is_none_is_shown_as_it_is() -> None:
    assert when(10**18) == str(10**18)
    assert list(members({"a": None, "bc": True, "tags": ["x", "y"]})) == ["bc    yes", "tags  x, y"]


# --- subscriptions --------------------------------------------------------------------------------------


def test_any_url_is_followed_listed_and_followed_no_more(run: Run) -> None:
    code, out, _ = run("subscriptions", "add", "garden.example", "--title", "Garden", "--tag", "a", "--tag", "b")

    assert code == 0
    assert out.endswith("  pending  garden.example  Garden  #a  #b\n")
    subscription_id = out.split()[0]
    assert run("subscriptions")[1] == out
    assert json.loads(run("subscriptions", "show", subscription_id, "--json")[1])["tags"] == ["a", "b"]
    assert run("subscriptions", "delete", subscription_id) == (0, "", "")
    assert run("subscriptions", "delete", subscription_id)[0] == 1
    assert run("subscriptions") == (0, "", "")


def test_waiting_ends_with_the_result(directory: DirectoryFunction, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_api: Api, subscription: Any, **_: Any) -> Any:
        stored = directory.ports.subscriptions.get(None, subscription["id"])
        assert stored is not None
        ended = failed(stored, failure=Failure.NO_FEED, reason="the site has none", now=NOW)
        directory.ports.subscriptions.save(ended)
        return {**subscription, "status": "failed", "reason": ended.reason}

    monkeypatch.setattr(subscriptions_command, "settled", fail)

    code, out, err = run("subscriptions", "add", "garden.example", "--wait")

    assert (code, err) == (1, "feedward: the site has none\n")
    assert "failed" in out


def test_a_subscription_is_asked_for_until_it_is_pending_no_more(directory: DirectoryFunction, address: str) -> None:
    feed_id = directory.feed("garden")
    added = directory.post("/v1/subscriptions", {"url": "garden.example"}).body
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            stored = directory.ports.subscriptions.get(None, added["id"])
            assert stored is not None
            directory.ports.subscriptions.make_ready(stored, feed_id=feed_id, now=NOW)

    api = Api(address, connections=1)
    found = subscriptions_command.settled(api, added, sleep=sleep, monotonic=lambda: sum(slept))
    api.close()

    assert (found["status"], found["feed_id"], len(slept)) == ("ready", feed_id, 3)


def test_a_subscription_is_read_again_if_the_api_is_too_busy(
    directory: DirectoryFunction, address: str, be_busy_once: Callable[[], list[str]]
) -> None:
    added = directory.post("/v1/subscriptions", {"url": "garden.example"}).body
    stored = directory.ports.subscriptions.get(None, added["id"])
    assert stored is not None
    directory.ports.subscriptions.make_ready(stored, feed_id=directory.feed("garden"), now=NOW)
    api = Api(address, connections=1)

    busy = be_busy_once()
    found = subscriptions_command.settled(api, added, sleep=lambda _: None)
    api.close()

    assert (found["status"], busy) == ("ready", [f"/v1/subscriptions/{added['id']}"])


def test_a_server_that_is_none_of_ours_is_told(address: str) -> None:
    api = Api(address, connections=1)
    with pytest.raises(ApiUnreachable):
        api.call("GET", "/v1/feeds", has="subscriptions")
    api.close()
