"""Discovery on the whole stack: over HTTP, through the bus, its rule and the queue, with workers that die.

Fixtures start the slow work in a fixed order, so that the waiting is shared.
"""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from feedward.messages.partial_batch import RECEIVES_AT_MOST
from feedward.services.discover.site_run import discover_message
from feedward.urls.key import url_hash
from feedward_local.demo.sites import Find, load_sites
from tests.local.changing_internet.conftest import Running
from tests.local.stack_aws import WORK_WITHIN_S, StackAws, wait_until
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
ROOT = Path(__file__).parents[3]
SLOW = "https://tortoise.example/"
SLOW_FEED = "https://tortoise.example/slow.xml"
LESS_SLOW = "https://snail.example/"
LESS_SLOW_FEED = "https://snail.example/post.xml"
ANSWER_WITHIN_S = 29  # the API's limit for a call; the search itself takes longer than this site is waited for
HIDDEN_S = 450
FINDS = tuple(find for find in load_sites().finds if urlsplit(find.url).hostname != urlsplit(SLOW).hostname)
SUBSCRIBED = {"https://kiln.example/": "https://kiln.example/atom.xml"}
REPEATED = "https://bakery.example/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The answer to a POST, and the seconds that it took."""

    status: int
    body: Any
    seconds: float

    @property
    def job_id(self) -> str:
        return str(self.body["id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """The running stack, from outside and from inside."""

    process: StackProcess
    aws: StackAws
    heard: str

    def discover(self, url: str, **options: object) -> Answered:
        started = time.monotonic()
        status, _, body = self.process.call("POST", "/v1/discoveries", {"url": url, **options})
        return Answered(status=status, body=body, seconds=time.monotonic() - started)

    def found(self, url: str, **options: object) -> Any:
        """The result of a discovery. On a busy machine it may be that of the job which goes on with it."""
        answered = self.discover(url, **options)
        if answered.status == 202:
            wait_until(lambda: self.job(answered.job_id, "done"), WORK_WITHIN_S, "the end of the job")
            return self.site(url)
        assert answered.status == 200, answered
        return answered.body

    def get(self, path: str) -> tuple[int, Any]:
        status, _, body = self.process.call("GET", path)
        return status, body

    def site(self, url: str) -> Any:
        """The stored results of a site once its search is over, else None."""
        status, body = self.get(f"/v1/sites/{url_hash(url)}")
        return body if status == 200 and body["complete"] else None

    def job(self, job_id: str, status: str) -> Any:
        """The job if it is in this state, else None."""
        _, body = self.get(f"/v1/discoveries/{job_id}")
        return body if body["status"] == status else None

    def is_idle(self) -> bool:
        return self.aws.waiting("DiscoverQueue") == 0

    def told_of(self, feed_url: str) -> Any:
        """The event of a feed if it has come by now, else None; the events of others are read and dropped."""
        events = [json.loads(message) for message in self.aws.messages(self.heard)]
        return next((event for event in events if event["detail"]["url"] == feed_url), None)

    def kept(self, url: str) -> tuple[list[Any], list[Any]]:
        """The site's items and the feeds that its candidates are."""
        items = self.aws.items("SitesTable", site_hash=url_hash(url))
        ids = {item["feed_id"]["S"] for item in items if "feed_id" in item}
        feeds = [feed for feed in self.aws.items("FeedsTable", sk="FEED") if feed["feed_id"]["S"] in ids]
        return sorted(items, key=lambda item: item["sk"]["S"]), feeds


# --- events, in this order ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fresh(running: Running) -> Stack:
    """The stack before its workers are killed, and its queue is played with."""
    # From the start: a feed's event comes once, and any of the tests may be the first to find it.
    return Stack(process=running.process, aws=running.aws, heard=running.aws.listen("FeedDiscovered"))


@pytest.fixture(scope="module")
def poisoned(fresh: Stack) -> Stack:
    """A message that can never work was sent, and one that works; both were received as often as allowed."""
    fresh.aws.hide_for(1)
    fresh.aws.send("this is no message")
    fresh.aws.send(subscription("https://orchard.example/"))
    wait_until(lambda: fresh.aws.waiting("DiscoverDeadLetterQueue"), WORK_WITHIN_S, "a dead letter")
    fresh.aws.hide_for(HIDDEN_S)
    return fresh


@pytest.fixture(scope="module")
def killed(poisoned: Stack) -> tuple[Stack, Answered]:
    """A job whose worker was killed while it waited for the site."""
    stack = poisoned
    stack.aws.hide_for(3)
    answered = stack.discover(LESS_SLOW)
    wait_until(lambda: stack.job(answered.job_id, "running"), WORK_WITHIN_S, "a running job")
    workers = stack.aws.workers("DiscoverFunction")
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not set(workers) & set(stack.aws.workers("DiscoverFunction")), WORK_WITHIN_S, "the workers' end")
    assert workers
    stack.aws.hide_for(HIDDEN_S)
    return stack, answered


@pytest.fixture(scope="module")
def slow(killed: tuple[Stack, Answered]) -> tuple[Stack, Answered]:
    """A slow site was requested, and its job's message came three times."""
    stack, _ = killed
    stack.get("/v1/sites/" + "0" * 64)  # the killed workers have successors
    answered = stack.discover(SLOW)
    for _ in range(2):
        stack.aws.send(discover_message(answered.job_id))
    return stack, answered


@pytest.fixture(scope="module")
def stack(slow: tuple[Stack, Answered]) -> Stack:
    """The stack while the slow jobs run."""
    return slow[0]


def subscription(url: str) -> dict[str, Any]:
    """The event of a subscription to a URL, as the rule forwards it."""
    (record,) = json.loads((ROOT / "events" / "sqs_subscription_created.json").read_text())["Records"]
    event: dict[str, Any] = json.loads(record["body"])
    return event | {"detail": event["detail"] | {"url": url}}


# --- slow sites and their jobs --------------------------------------------------------------------


def test_a_slow_site_is_answered_in_time_with_a_pending_job(slow: tuple[Stack, Answered]) -> None:
    _, answered = slow
    assert (answered.status, answered.body["complete"], answered.body["status"]) == (202, False, "pending")
    assert answered.seconds <= ANSWER_WITHIN_S


def test_its_job_ends_with_the_right_feed(slow: tuple[Stack, Answered]) -> None:
    stack, answered = slow
    done = wait_until(lambda: stack.job(answered.job_id, "done"), WORK_WITHIN_S, "the end of the job")
    assert (done["complete"], done["outcome"], done["canonical"]["url"]) == (True, "found", SLOW_FEED)
    assert done["canonical"]["feed_id"]
    assert stack.site(SLOW)["canonical"] == done["canonical"]


def test_a_job_that_came_three_times_leaves_one_site_one_feed_and_each_candidate_once(
    slow: tuple[Stack, Answered],
) -> None:
    stack, answered = slow
    wait_until(stack.is_idle, WORK_WITHIN_S, "an idle queue")
    items, feeds = stack.kept(SLOW)
    kinds = [item["sk"]["S"].partition("#")[0] for item in items]
    candidates = [item["candidate_url"]["S"] for item in items if "candidate_url" in item]
    assert (kinds.count("SITE"), kinds.count("JOB")) == (1, 1)
    assert len(set(candidates)) == len(candidates)
    assert [feed["url"]["S"] for feed in feeds] == [SLOW_FEED]
    assert stack.job(answered.job_id, "done")


def test_a_worker_that_was_killed_in_the_middle_of_a_job_loses_nothing(killed: tuple[Stack, Answered]) -> None:
    stack, answered = killed
    assert answered.status == 202
    done = wait_until(lambda: stack.job(answered.job_id, "done"), WORK_WITHIN_S, "the end of the job")
    assert (done["complete"], done["canonical"]["url"]) == (True, LESS_SLOW_FEED)
    (job,) = [item for item in stack.kept(LESS_SLOW)[0] if item["sk"]["S"].startswith("JOB#")]
    assert int(job["attempts"]["N"]) >= 2


# --- the bus, its rule and the queue --------------------------------------------------------------


def test_a_subscription_on_the_bus_leads_to_a_registered_feed_and_the_bus_hears_of_it(stack: Stack) -> None:
    ((url, feed_url),) = SUBSCRIBED.items()
    stack.aws.put_event("SubscriptionCreated", subscription(url)["detail"])
    site = wait_until(lambda: stack.site(url), WORK_WITHIN_S, "the site")
    assert site["canonical"]["url"] == feed_url
    told = wait_until(lambda: stack.told_of(feed_url), WORK_WITHIN_S, "the event")
    assert told["detail-type"] == "FeedDiscovered"
    assert told["detail"]["feed_id"] == site["canonical"]["feed_id"]


def test_the_same_event_delivered_again_changes_nothing(stack: Stack) -> None:
    stack.aws.send(subscription(REPEATED))
    wait_until(lambda: stack.site(REPEATED), WORK_WITHIN_S, "the site")
    once = stack.kept(REPEATED)
    for _ in range(2):
        stack.aws.send(subscription(REPEATED))
    wait_until(stack.is_idle, WORK_WITHIN_S, "an idle queue")
    assert stack.kept(REPEATED) == once
    assert len(once[1]) == 1


def test_a_message_that_can_never_work_ends_among_the_dead_letters_and_stops_no_other(poisoned: Stack) -> None:
    assert poisoned.aws.messages("DiscoverDeadLetterQueue") == ["this is no message"]
    assert poisoned.site("https://orchard.example/")["canonical"]["url"] == "https://orchard.example/feed/"
    # The console fetches the lines as calls end, so the last may be written after the message was moved.
    wait_until(lambda: len(receives_that_failed(poisoned)) >= RECEIVES_AT_MOST, 60, "the last line of the log")
    assert receives_that_failed(poisoned) == set(range(1, RECEIVES_AT_MOST + 1))


def receives_that_failed(stack: Stack) -> set[int]:
    """Return the failed receives of the log: on a busy machine a call is made again and one is there twice."""
    log = (stack.aws.state / "functions.log").read_text().splitlines()
    return {json.loads(line)["receive"] for line in log if '"message failed"' in line}


# --- over HTTP ------------------------------------------------------------------------------------


@pytest.mark.parametrize("find", FINDS, ids=lambda find: f"{find.story}: {find.url}")
def test_each_story_ends_as_the_sites_file_tells(stack: Stack, find: Find) -> None:
    found = stack.found(find.url, refresh=True)
    assert (found["canonical"] or {}).get("candidate_url") == find.answer
    members = found | {"intent": found["site"]["intent"]}
    assert {name: members[name] for name in find.said} == dict(find.said)
    valid = [one["candidate_url"] for one in found["candidates"] if one["validation_status"] == "valid"]
    assert [url for url in valid if url in find.also] == list(find.also)


def test_the_found_site_is_stored_under_its_id_with_its_candidates(stack: Stack) -> None:
    found = stack.found("https://orchard.example/")
    site_id = found["site"]["id"]
    assert stack.get(f"/v1/sites/{site_id}") == (200, found)
    status, body = stack.get(f"/v1/sites/{site_id}/candidates")
    assert (status, body["site_id"]) == (200, site_id)
    assert [one["candidate_url"] for one in body["candidates"]] == [one["candidate_url"] for one in found["candidates"]]
    assert all(one["history"] and sum(one["parts"].values()) == one["score"] for one in body["candidates"])


@pytest.mark.parametrize(
    "path",
    [
        f"/v1/discoveries/{'0' * 64}.{'0' * 26}",
        f"/v1/sites/{'0' * 64}",
        f"/v1/sites/{'0' * 64}/candidates",
        "/v1/discoveries/nonsense",
        "/v1/sites/%20",
        "/v1/sites/..",
    ],
)
def test_an_unknown_id_is_a_problem(stack: Stack, path: str) -> None:
    status, kind, problem = stack.process.call("GET", path)
    assert (status, kind, problem["status"]) == (404, "application/problem+json", 404)


@pytest.mark.parametrize(
    ("body", "field"), [({}, "url"), ({"url": 3}, "url"), ({"url": "x", "intent": "y"}, "intent"), ({"x": 1}, "x")]
)
def test_a_bad_request_is_a_problem_that_names_the_field(stack: Stack, body: object, field: str) -> None:
    status, kind, problem = stack.process.call("POST", "/v1/discoveries", body)
    assert (status, kind, problem["field"]) == (400, "application/problem+json", field)


def test_the_curl_line_that_is_shown_works(stack: Stack) -> None:
    shown = stack.process.wait_for(r"curl -s (\S+)/v1/discoveries .* -d '(.*)'")
    assert shown.group(1) == stack.process.url
    assert stack.found(**json.loads(shown.group(2)))["outcome"] == "found"


def test_the_console_shows_the_result_of_a_job(slow: tuple[Stack, Answered]) -> None:
    stack, answered = slow
    wait_until(lambda: stack.job(answered.job_id, "done"), WORK_WITHIN_S, "the end of the job")
    stack.process.wait_for(
        rf"\d\d:\d\d:\d\d INFO +discovered +outcome=found url={SLOW_FEED} .*job_id={answered.job_id}"
    )
