"""Fields, reasons, codes and numbers in the documents match the code; links lead to existing files."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from feedward.api import canonicalize as canonicalize_request
from feedward.api import discoveries as discoveries_request
from feedward.api import feeds as feeds_request
from feedward.api import fields, problems
from feedward.api.openapi import openapi_document
from feedward.canonical.result import CandidateState, Reason
from feedward.discovery.candidate import DiscoveredFrom, Kind, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import JobStatus
from feedward.errors import (
    BusUnavailable,
    Conflict,
    DeadlinePassed,
    FeedwardError,
    InvalidInput,
    MemoryBusy,
    NotDeployed,
    NotFound,
    QueueUnavailable,
    QuotaExceeded,
    ScopeMissing,
    SearchUnavailable,
    StoreUnavailable,
    Throttled,
    TooManyAtOnce,
    WrongState,
)
from feedward.frontier.decide import ROBOTS_DISALLOWED
from feedward.frontier.row import RowStatus
from feedward.health.outcomes import OUTCOMES
from feedward.lineage.run import Counters, RunStatus
from feedward.model import FeedState
from feedward.services.canonicalize import canonicalize_urls as canonicalize_batch
from feedward.services.discover import discover_site, reuse
from feedward.urls.tracking import TRACKING_PARAMS

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/*.md")])
API = (ROOT / "docs" / "api.md").read_text()


def table(heading: str) -> list[list[str]]:
    """The cells of the table under the line that begins with `| heading |`; an empty first cell continues a row."""
    lines = API[API.index(f"\n| {heading} |") :].strip().splitlines()
    rows: list[list[str]] = []
    for line in lines[2:]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split(" | ")]
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [" ".join(parts).strip() for parts in zip(rows[-1], cells, strict=True)]
    return rows


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def first_column(heading: str) -> list[str]:
    return [name for row in table(heading) for name in names(row[0])]


def tables_of(heading: str) -> str:
    """The text after a heading, up to the next."""
    return API.split(heading)[1].split("\n##")[0]


def test_the_options_are_those_that_are_read() -> None:
    assert sorted([*first_column("field"), "url", "urls"]) == sorted(canonicalize_request.FIELDS)


def test_the_defaults_are_those_of_the_description() -> None:
    properties: dict[str, Any] = openapi_document()["components"]["schemas"]["CanonicalizeUrl"]["properties"]
    told = {name: row[1].strip("`") for row in table("field") for name in names(row[0])}
    stated = {name: str(one["default"]).lower() for name, one in properties.items() if "default" in one}
    for name in ("register", "max_requests", "use_signature", "check_before_fetch", "prefer_https", "explain"):
        assert told[name] == stated[name], name


def test_the_members_of_a_result_are_those_of_the_description() -> None:
    section = tables_of("### A result")
    told = [name for line in section.splitlines()[4:] for name in names(line.split("|")[1] if "|" in line else "")]
    described = openapi_document()["components"]["schemas"]["CanonicalizeResult"]["properties"]
    assert set(described) <= set(told)


def test_every_reason_is_told() -> None:
    assert sorted(first_column("reason")) == sorted(Reason)


def test_every_state_of_a_candidate_is_told() -> None:
    assert set(CandidateState) <= set(names(tables_of("### A result")))


def test_every_outcome_is_told_as_it_is_told_to_people() -> None:
    told = [tuple(row) for row in table("outcome")]
    assert told == [
        (f"`{outcome}`", means.says, "yes" if means.transient else "no")
        for outcome, means in OUTCOMES.items()
        if not means.is_success
    ]


def test_the_options_of_a_discovery_are_those_that_are_read() -> None:
    assert sorted([*first_column("option"), "url"]) == sorted(discoveries_request.FIELDS)
    (intent, refresh) = table("option")
    assert names(intent[2]) == list(Kind)
    assert refresh[1].strip("`") == str(discoveries_request.DiscoveryRequest(url="x").refresh).lower()


def test_the_outcomes_of_a_discovery_are_told() -> None:
    assert first_column("outcome of a discovery") == list(DiscoveryOutcome)


def test_the_members_of_a_site_are_documented() -> None:
    schemas = openapi_document()["components"]["schemas"]
    told = {row[0]: row[1] for row in table("member")}
    assert [name for members in told for name in names(members)] == list(schemas["Discovery"]["properties"])
    assert names(told["`site`"]) == list(schemas["Site"]["properties"])
    assert {*names(told["`canonical`"]), "null"} == {*schemas["CanonicalFeed"]["properties"], "null"}
    (job,) = [said for members, said in told.items() if "status" in names(members)]
    assert set(names(job)) == {*JobStatus, "null"}


def test_the_members_of_a_candidate_are_told() -> None:
    described = openapi_document()["components"]["schemas"]["SiteCandidateWithHistory"]["properties"]
    assert sorted(first_column("member of a candidate")) == sorted(described)
    told = {row[0]: names(row[1]) for row in table("member of a candidate")}
    assert sorted(told["`discovered_from`, `source`, `why`"]) == sorted(DiscoveredFrom)
    (statuses,) = [said for members, said in told.items() if "validation_status" in names(members)]
    assert statuses == list(ValidationStatus)


def test_the_members_of_feeds_and_subscriptions_are_told() -> None:
    schemas = openapi_document()["components"]["schemas"]
    assert sorted(first_column("member of a feed")) == sorted(schemas["Feed"]["properties"])
    assert sorted(first_column("member of a subscription")) == sorted(schemas["Subscription"]["properties"])
    (states,) = [row[1] for row in table("member of a feed") if row[0] == "`state`"]
    assert names(states) == list(FeedState)


def test_the_members_of_rows_runs_and_items_are_told() -> None:
    schemas = openapi_document()["components"]["schemas"]
    asked = {name for kind in ("RunOfUrls", "ReprocessingRun") for name in schemas[kind]["properties"]}
    assert sorted(first_column("field of a run")) == sorted(asked)
    for heading, schema in (
        ("member of a row", "FrontierRow"),
        ("member of a run", "Run"),
        ("member of an item", "CollectedItem"),
    ):
        assert sorted(first_column(heading)) == sorted(schemas[schema]["properties"]), heading
    rows, runs = ({row[0]: row[1] for row in table(f"member of a {what}")} for what in ("row", "run"))
    assert names(rows["`status`"]) == list(RowStatus)
    assert set(names(runs["`status`, `pages`, `ended`"])) - {"null"} == set(RunStatus)
    assert set(names(runs["`counters`"])) == {field.name for field in dataclasses.fields(Counters)}
    assert ROBOTS_DISALLOWED in names(rows["`attempts`, `last_error`, `http_status`"])


def test_the_parameters_and_actions_are_those_that_are_read() -> None:
    assert first_column("parameter") == list(feeds_request.LIST_PARAMETERS)
    bodies = {names(row[0])[0]: names(row[2]) for row in table("action")}
    paths = openapi_document()["paths"]
    assert list(bodies) == [path.rpartition("/")[2] for path in paths if "post" in paths[path] and "feeds" in path]
    assert bodies["pause"] == bodies["resume"] == list(feeds_request.ACTION_FIELDS)
    assert bodies["undo"] == list(feeds_request.UNDO_FIELDS)
    assert bodies["check"] == bodies["revive"] == []


def test_every_problem_is_told_with_its_status() -> None:
    told: dict[str, str] = {}
    for row in table("code"):
        codes, statuses = names(row[0]), row[1].split(", ")
        told |= dict(zip(codes, statuses * len(codes) if len(statuses) == 1 else statuses, strict=False))
    errors: list[FeedwardError | Exception] = [
        InvalidInput("url", "x"), problems.MalformedJson("x"), problems.UnsupportedMediaType("x"),
        problems.BodyTooLarge("x"), problems.RouteNotFound("x"), problems.MethodNotAllowed("x", ()), Conflict("x"),
        problems.Gone("x"),
        Throttled("x"), StoreUnavailable("x"), QueueUnavailable("x"), BusUnavailable("x"), DeadlinePassed("x"),
        SearchUnavailable("x"), MemoryBusy("x"), TooManyAtOnce(1),
        QuotaExceeded("x", limit=1, used=1, window="day", opens_at=None, retry_after_s=None),
        problems.Unauthorized("x"), problems.KeyExpired("x"), problems.KeyRevoked("x"), ScopeMissing("write"),
        NotDeployed("x"),
        NotFound("x"), WrongState("x"), RuntimeError("x"), problems.IdempotencyKeyReused("x"),
        problems.IdempotencyKeyInUse("x"),
    ]  # fmt: skip
    answered = {str(one.body["code"]): str(one.status) for one in map(problems.problem_of, errors)}
    assert told == answered
    assert set(problems.TITLES) == set(told)


@pytest.mark.parametrize(
    "said",
    [
        f"up to {canonicalize_request.URLS_AT_MOST}",
        f"(0 to {canonicalize_request.REQUESTS_AT_MOST})",
        f"feedward's {len(TRACKING_PARAMS)}",
        f"{canonicalize_batch.THREADS} at once, {canonicalize_batch.URL_S:.0f} seconds each",
        f"{canonicalize_batch.BATCH_S:.0f} seconds in all",
        f"within {discover_site.ANSWER_S:.0f} seconds",
        f"the last {reuse.REUSE_S // 60} minutes",
        f"{fields.URL_CHARACTERS_AT_MOST:,} characters",
        f"{fields.BODY_BYTES_AT_MOST // 1024} KB",
    ],
)
def test_the_numbers_are_those_of_the_code(said: str) -> None:
    assert said in API


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_prose_is_wrapped_at_120_characters(path: Path) -> None:
    code = re.compile(r"```.*?```|^ {4}.*?$", re.DOTALL | re.MULTILINE)
    long = [line for line in code.sub("", path.read_text()).splitlines() if len(line) > 120]

    assert [line for line in long if not line.startswith("|") and " " in line] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files_that_are_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text()):
        assert target.startswith("https://") or (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_paths_and_make_targets_that_are_named_exist(path: Path) -> None:
    text = path.read_text()
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in re.findall(r"`make ([a-z-]+)", text):
        assert target in targets, target
    for named in re.findall(r"`((?:tests|docs|layers|functions|local|requirements|events|bench)/[\w./-]*\w/?)`", text):
        assert (ROOT / named).exists(), named
