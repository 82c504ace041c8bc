"""Concurrency that any account can give, and numbers in the template's comments that are those of the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from feedward.deadline import RETURN_S
from feedward.scheduling.lateness import LATE_AFTER_S, LONGEST_DELAY_S
from feedward.services.canonicalize.canonicalize_urls import BATCH_S, THREADS
from feedward.services.check import check_batch
from feedward.services.collect import collect_batch
from feedward.services.directory.read_feeds import ANSWER_S as DIRECTORY_ANSWER_S
from feedward.services.discover.discover_site import ANSWER_S as DISCOVER_ANSWER_S
from feedward.services.discover.limits import JOB_LIMITS
from tests.template.translation import TEMPLATE, Stack, properties, source

ROOT = Path(__file__).parents[2]
PARAMETERS = source()["Parameters"]
FUNCTIONS = properties("AWS::Lambda::Function")
ALARMS = properties("AWS::CloudWatch::Alarm")
# The limit of a new account, all of which may have to stay without a reservation.
NEW_ACCOUNT = 10
RESERVED = [name for name in PARAMETERS if name.endswith("ReservedConcurrency")]
AT_ONCE = [name for name in PARAMETERS if name.endswith("MaximumConcurrency")]


def number_in(pattern: str) -> float:
    """The one number in the template at the pattern's group. It occurs once."""
    (found,) = re.findall(pattern, TEMPLATE.read_text())
    return float(found)


def begins_until(function: str, needs_s: float) -> float:
    """The seconds of a call in which work of this length may begin: its handler keeps some for itself."""
    return float(FUNCTIONS[function]["Timeout"]) - RETURN_S - needs_s


# --- concurrency ----------------------------------------------------------------------------------


def overrides(config: str) -> dict[str, str]:
    settings = tomllib.loads((ROOT / "samconfig.toml").read_text())[config]["deploy"]["parameters"]
    written = str(settings.get("parameter_overrides", "")).split()
    return dict(each.split("=", 1) for each in written)


@pytest.mark.parametrize("config", ["default", "prod"])
def test_a_new_account_can_deploy_each_configuration(config: str) -> None:
    values = {name: int(overrides(config).get(name, PARAMETERS[name]["Default"])) for name in RESERVED + AT_ONCE}

    assert {values[name] for name in RESERVED} == {-1}, "AWS refuses a reservation where the account has little"
    assert sum(values[name] for name in AT_ONCE) <= NEW_ACCOUNT - 2, "requests and schedules need room, too"
    assert all(values[name] >= 2 for name in AT_ONCE), "an event source takes no less"


def test_the_comment_on_concurrency_states_the_sum_of_the_defaults() -> None:
    taken = sum(PARAMETERS[name]["Default"] for name in AT_ONCE)

    assert number_in(r"MaximumConcurrency together take (\d+) of the") == taken
    assert number_in(r"take \d+ of the (\d+) concurrent calls") == NEW_ACCOUNT
    assert number_in(r"account has: (\d+) are left") == NEW_ACCOUNT - taken


def test_each_function_has_a_reservation_of_its_own_and_none_by_default() -> None:
    usual = Stack("feedward").properties("AWS::Lambda::Function")
    reserved = Stack("feedward", **{name: 7 + place for place, name in enumerate(RESERVED)})
    given = [each["ReservedConcurrentExecutions"] for each in reserved.properties("AWS::Lambda::Function").values()]

    assert not [name for name, function in usual.items() if "ReservedConcurrentExecutions" in function]
    assert sorted(given) == [7 + place for place in range(len(FUNCTIONS))]


# --- numbers in comments and descriptions ---------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "number"),
    [
        (r"batches of checks\. Each asks up to (\d+) hosts", check_batch.SETTINGS.hosts_at_once),
        (r"batches of pages\. Each asks up to (\d+) hosts", collect_batch.SETTINGS.hosts_at_once),
        (r"canonicalize calls\. Each makes up to (\d+) concurrent requests", THREADS),
        (r"discovery jobs\. Each makes up to (\d+) concurrent requests", JOB_LIMITS.in_flight),
    ],
)
def test_the_parameters_say_how_many_hosts_are_asked_at_once(pattern: str, number: int) -> None:
    assert number_in(pattern) == number


@pytest.mark.parametrize(
    ("pattern", "seconds"),
    [
        (r"# (\d+) s for a batch, and a reserve", BATCH_S),
        (r"a batch may take (\d+) s by design\n", BATCH_S),
        (r"a batch of URLs may take (\d+) s by design", BATCH_S),
        (r"# (\d+) s for a job, and a reserve", JOB_LIMITS.answer_s),
        (r"a job may take (\d+) s by design", JOB_LIMITS.answer_s),
        (r"a request is answered within (\d+) s", DISCOVER_ANSWER_S),
        (r"no part of an answer begins after (\d+) s", DIRECTORY_ANSWER_S),
        (r"may begin checks for \d+ s, and one takes up to (\d+) s", check_batch.CHECK_S),
        (r"may begin pages for \d+ s, and one takes up to (\d+) s", collect_batch.ROW_S),
    ],
)
def test_the_comments_say_how_long_the_work_may_take(pattern: str, seconds: float) -> None:
    assert number_in(pattern) == seconds


@pytest.mark.parametrize(
    ("function", "work", "needs_s"),
    [
        ("HealthCheckFunction", "check", check_batch.CHECK_S + check_batch.SETTINGS.reserve_s),
        ("CollectFunction", "page", collect_batch.ROW_S + collect_batch.SETTINGS.reserve_s),
    ],
)
def test_comments_and_manual_say_until_when_work_begins(function: str, work: str, needs_s: float) -> None:
    manual = (ROOT / "docs" / "operations.md").read_text()
    begins_s = begins_until(function, needs_s)

    assert number_in(rf"a {work} that has begun is never cut short: none begins in the last (\d+) s") == (
        FUNCTIONS[function]["Timeout"] - begins_s
    )
    assert number_in(rf"a batch may begin {work}s for (\d+) s") == begins_s
    assert f"A batch begins {work}s for {begins_s:.0f} s" in manual


@pytest.mark.parametrize("function", ["Authorize", "Canonicalize", "Discover", "HealthCheck", "Collect", "Directory"])
def test_the_comment_at_a_duration_alarm_says_its_part_of_the_timeout(function: str) -> None:
    threshold, timeout = ALARMS[f"{function}DurationAlarm"]["Threshold"], FUNCTIONS[f"{function}Function"]["Timeout"]

    assert number_in(rf"Threshold: {threshold} # (\d+) % of Timeout") == round(threshold / timeout / 10)


def test_the_comments_at_the_queues_say_when_work_is_late() -> None:
    minutes = {float(found) for found in re.findall(r"older than (\d+) minutes is not fetched", TEMPLATE.read_text())}

    assert minutes == {LATE_AFTER_S / 60} == {LATE_AFTER_S / 60}
    assert number_in(r"wait for its host for (\d+) minutes") == LONGEST_DELAY_S / 60
    assert number_in(r"minutes; (\d+) later it is dropped") == LATE_AFTER_S / 60
    assert {float(found) for found in re.findall(r"VisibilityTimeout: \d+ # (\d+) times", TEMPLATE.read_text())} == {6}
