"""`feedward check` against the functions themselves, with a queue that is processed immediately."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from feedward import bootstrap
from feedward.ports.work import Message
from feedward.services.check.check_batch import check_batch
from feedward_local.api_client.api import Api
from feedward_local.command import main
from feedward_local.commands.check_command import Check, asked, wait_for
from tests.fakes.directory import FakeDirectory
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.fakes.health_queue import FakeHealthQueue
from tests.functions.conftest import load_function
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction
from tests.store_contents import by_exception
from tests.unit.local.conftest import Run

GARDEN, GONE = "https://garden.example/feed", "https://gone.example/feed"


def document(*titles: str) -> str:
    items = "".join(f"<item><guid>urn:{each}</guid><title>{each}</title></item>" for each in titles)
    return (
        f"<rss version='2.0'><channel><title>Garden</title><link>https://garden.example/</link>{items}</channel></rss>"
    )


NETWORK: dict[str, dict[str, Any]] = {
    GARDEN: {"body": document("Slugs", "Snails")},
    "https://other.example/feed": {"body": document("Ants")},
    GONE: {"status": 404, "body": "nothing"},
}


class WorkedQueue(FakeHealthQueue):
    """A queue whose messages are processed as they are sent, a minute later, unless the worker sleeps."""

    def __init__(self, directory: FakeDirectory) -> None:
        super().__init__()
        self.directory = directory
        self.sleeps = False

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        taken = super().send_batch(messages)
        if not self.sleeps:
            self.work(taken)
        return taken

    def work(self, messages: Sequence[Any]) -> None:
        self.directory.clock.advance(60)
        check_batch(list(messages), ports=self.directory.services().check_batch_ports, within_s=60.0)


@pytest.fixture
def directory() -> DirectoryFunction:
    """The functions behind `/v1/canonicalize` and behind all other routes, over one directory."""
    found = FakeDirectory(NETWORK)
    ports = FakeDirectoryParts(found)
    ports.health_queue = WorkedQueue(found)
    services: bootstrap.Services = found.services()
    directory = load_function("directory").make_handler(lambda: ports)
    module = load_function("canonicalize")
    module.record_canonicalizations = lambda *_: None  # type: ignore[attr-defined] # metrics go to standard output
    canonicalize = module.make_handler(lambda: services)

    def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        is_feeds = str(event["rawPath"]).startswith("/v1/feeds")
        answer: dict[str, Any] = (directory if is_feeds else canonicalize)(event, context)
        return answer

    return DirectoryFunction(found, ports, handler)


def queue_of(directory: DirectoryFunction) -> WorkedQueue:
    queue = directory.ports.health_queue
    assert isinstance(queue, WorkedQueue)
    return queue


def test_a_check_tells_state_outcome_new_items_and_next_check(directory: DirectoryFunction, run: Run) -> None:
    garden = directory.feed("garden", GARDEN)

    code, out, err = run("check", garden)

    line, *items = out.splitlines()
    assert (code, err) == (0, f"requested a check of {GARDEN}\n")
    assert line.startswith(f"{garden}  healthy  ok  2 new items  next check 20")
    assert line.endswith(f"  {GARDEN}")
    assert [item.split("  ")[2] for item in items] == ["Slugs", "Snails"]


def test_only_items_since_the_last_check_are_new(directory: DirectoryFunction, run: Run) -> None:
    garden = directory.feed("garden", GARDEN)
    run("check", garden)
    assert "  no new items  " in run("check", garden)[1]

    directory.directory.internet.network = {GARDEN: {"body": document("Moles", "Slugs", "Snails")}}
    code, out, _ = run("check", garden, "--json")

    told = json.loads(out)
    assert (code, told["input"], told["outcome"]) == (0, garden, "ok")
    assert [item["id"] for item in told["new_items"]] == ["urn:Moles"]
    assert told["feed"]["id"] == garden
    assert told["feed"]["next_check_at"] > told["feed"]["last_attempt_at"]


@pytest.mark.parametrize("known", [GARDEN, "http://garden.example/feed", "garden.example/feed?utm_source=x"])
def test_a_feed_may_be_named_by_a_url_that_it_is_known_by(directory: DirectoryFunction, run: Run, known: str) -> None:
    garden = directory.feed("garden", GARDEN)

    code, out, _ = run("check", known)

    assert (code, out.split()[0]) == (0, garden)
    assert directory.ports.health_queue.feed_ids == [garden]


def test_an_unknown_url_is_reported_and_makes_no_feed(directory: DirectoryFunction, run: Run) -> None:
    code, out, err = run("check", "https://other.example/feed")

    assert (code, out) == (1, "")
    assert err == "feedward: https://other.example/feed: the directory has no feed with this URL\n"
    assert directory.directory.contents.feeds() == {}


def test_several_feeds_are_told_in_the_order_given_and_a_bad_one_stops_no_other(
    directory: DirectoryFunction, run: Run
) -> None:
    other, garden = directory.feed("other", "https://other.example/feed"), directory.feed("garden", GARDEN)

    code, out, err = run("check", other, UNKNOWN_ID, garden, other, "--json")

    told = [json.loads(line) for line in out.splitlines()]
    assert (code, [each["input"] for each in told]) == (1, [other, UNKNOWN_ID, garden])
    assert [each["outcome"] for each in (told[0], told[2])] == ["ok", "ok"]
    assert (told[1]["problem"]["code"], told[1]["problem"]["status"]) == ("not_found", 404)
    assert err == f"requested a check of https://other.example/feed\nrequested a check of {GARDEN}\n"


def test_a_check_that_fails_is_told_and_ends_with_1(directory: DirectoryFunction, run: Run) -> None:
    gone = directory.feed("gone", GONE)

    code, out, _ = run("check", gone)

    assert code == 1
    assert out.startswith(f"{gone}  degraded  ")
    assert "nothing is there" in out


def test_a_paused_feed_and_one_that_is_not_there_are_refused(directory: DirectoryFunction, run: Run) -> None:
    garden = directory.feed("garden", GARDEN)
    directory.post(f"/v1/feeds/{garden}/pause")

    code, out, err = run("check", garden, UNKNOWN_ID, "a b")

    assert (code, out) == (1, "")
    assert err.splitlines() == [
        f"feedward: {garden}: the feed is paused: resume it first",
        f"feedward: {UNKNOWN_ID}: there is no feed with this id",
        "feedward: a b: there is no feed with this id",
    ]


def test_a_check_that_does_not_come_in_time_is_told(directory: DirectoryFunction, run: Run) -> None:
    garden = directory.feed("garden", GARDEN)
    queue_of(directory).sleeps = True

    code, out, err = run("check", garden, "--timeout", "0.3")

    assert (code, out) == (1, "")
    assert "it was not checked within 0.3 s; the check is still pending" in err


def test_no_stack_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", UNKNOWN_ID, "--api", "http://127.0.0.1:9"]) == 1
    assert "cannot be reached" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [("check",), ("check", UNKNOWN_ID, "--timeout", "0"), ("check", UNKNOWN_ID, "--timeout", "long")]
)
def test_wrong_usage_ends_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert "usage: feedward check" in err


# --- waiting ------------------------------------------------------------------------------------------


class Waiting:
    """A clock that sleeping moves; during one of the pauses something happens."""

    def __init__(self, address: str) -> None:
        self.api = Api(address, connections=1)
        self.lines: list[str] = []
        self.at = 0.0
        self.happens: dict[int, Any] = {}
        self.pauses = 0

    def sleep(self, seconds: float) -> None:
        self.at += seconds
        self.pauses += 1
        self.happens.get(self.pauses, lambda: None)()

    def check(self, *given: str, within_s: float = 60.0) -> list[Check]:
        checks = asked(self.api, given, tell=self.lines.append, sleep=self.sleep)
        wait_for(
            self.api, checks, within_s=within_s, tell=self.lines.append, sleep=self.sleep, monotonic=lambda: self.at
        )
        self.api.close()
        return checks


def test_a_feed_is_read_again_if_the_api_is_too_busy(
    directory: DirectoryFunction, address: str, be_busy_once: Callable[[], list[str]]
) -> None:
    waiting, path = Waiting(address), f"/v1/feeds/{directory.feed('garden', GARDEN)}"
    checks = asked(waiting.api, [path.rpartition("/")[2]], tell=waiting.lines.append, sleep=waiting.sleep)

    busy = be_busy_once()
    wait_for(waiting.api, checks, within_s=60, tell=waiting.lines.append, sleep=waiting.sleep)
    waiting.api.close()

    assert [check.problem for check in checks] == [None]
    assert [check.is_over for check in checks] == [True]
    assert busy == [path]


def test_all_checks_are_asked_for_before_the_first_is_waited_for(directory: DirectoryFunction, address: str) -> None:
    ids = [directory.feed("garden", GARDEN), directory.feed("other", "https://other.example/feed")]
    queue, waiting = queue_of(directory), Waiting(address)
    queue.sleeps = True
    waiting.happens = {
        2: lambda: queue.work(queue.messages[1:]),
        12: lambda: queue.work(queue.messages[:1]),
    }

    checks = waiting.check(*ids)

    assert [check.succeeded for check in checks] == [True, True]
    assert queue.feed_ids == ids
    assert waiting.lines[2:] == [line for line in waiting.lines if line.startswith("waiting for 1 of 2 checks")]
    assert len(waiting.lines) > 2


def test_a_check_that_is_put_off_or_forbidden_meanwhile_is_not_waited_for(
    directory: DirectoryFunction, address: str
) -> None:
    put_off, paused = directory.feed("garden", GARDEN), directory.feed("other", "https://other.example/feed")
    queue_of(directory).sleeps = True
    waiting = Waiting(address)
    item = by_exception(directory.directory.contents.feeds()[put_off], directory.directory.clock.now() + 86_400)
    waiting.happens = {
        1: lambda: directory.directory.contents.put_feed_item(**item),
        2: lambda: directory.post(f"/v1/feeds/{paused}/pause"),
    }

    checks = waiting.check(put_off, paused)

    assert [check.problem and check.problem["code"] for check in checks] == ["put_off", "paused"]
    assert waiting.at < 5


def test_a_feed_that_was_checked_this_very_second_is_asked_for_a_second_later(
    directory: DirectoryFunction, address: str
) -> None:
    garden = directory.feed("garden", GARDEN)
    far = 4_000_000_000
    directory.write(garden, last_attempt_at=far, last_outcome="ok")
    waiting = Waiting(address)

    (check,) = waiting.check(garden)

    assert check.after is not None
    assert waiting.at >= 1.0
