"""`feedward discover` as a person or a script uses it, and every story of a site whose feeds have to be found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.discovery.candidate import ValidationStatus
from feedward.services.discover.discover import discover
from feedward.services.discover.limits import JOB_LIMITS
from feedward_local.demo.server import DemoInternet
from feedward_local.demo.sites import Find, load_sites
from tests.local.command_line import Done, run_command
from tests.local.stack_process import StackProcess

SITES = load_sites()
ORCHARD = "https://orchard.example/"
ORCHARD_FEED = "https://orchard.example/feed/"
PLAQUE = "https://plaque.example/"
SLOWED = 0.02  # of a page's own delay


def run(*arguments: str, text: str = "") -> Done:
    return run_command("discover", *arguments, text=text)


# --- stories --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dialled() -> list[str]:
    """The addresses that the fetch of the stories was about to connect to."""
    return []


@pytest.fixture(scope="module")
def fetcher(dialled: list[str]) -> Iterator[GuardedFetcher]:
    """The guarded fetch in the made-up internet, whose slow pages are less slow here."""
    pages = {url: replace(page, delay_s=page.delay_s * SLOWED) for url, page in SITES.pages.items()}
    with DemoInternet(replace(SITES, pages=pages)) as internet:
        network = internet.network

        def allows(address: str) -> bool:
            dialled.append(address)
            return network.allows(address)

        yield GuardedFetcher(resolver=network, address_policy=allows, tls_context=network.tls_context)


@pytest.mark.parametrize("told", SITES.finds, ids=lambda told: f"{told.story}: {told.url}")
def test_each_story_ends_as_the_sites_file_tells(fetcher: GuardedFetcher, told: Find) -> None:
    found = discover(told.url, fetcher=fetcher, limits=JOB_LIMITS)
    said = {name: getattr(found, name) for name in told.said}
    assert said == dict(told.said)
    assert (found.canonical and found.canonical.final_url) == told.answer
    valid = [one.final_url for one in found.candidates if one.status is ValidationStatus.VALID]
    expected = [url for url in (told.answer, *told.also) if url]
    assert [url for url in valid if url in expected] == expected
    assert found.complete
    assert found.requests <= 24


def test_no_story_makes_the_fetch_dial_anything_but_the_made_up_internet(
    fetcher: GuardedFetcher, dialled: list[str]
) -> None:
    found = discover("https://cellar.example/", fetcher=fetcher, limits=JOB_LIMITS)
    assert found.canonical
    refused = {one.url for one in found.candidates if one.outcome == "blocked"}
    assert {"http://169.254.169.254/latest/meta-data/", "http://localhost/feed", "http://[::1]/feed"} < refused
    assert set(dialled) == {"127.0.0.1"}, "nothing else was even looked at"


# --- the command ----------------------------------------------------------------------------------


def test_a_site_gets_its_outcome_and_a_table_with_the_chosen_feed_marked() -> None:
    done = run("--demo", "orchard.example")
    first, heading, best, about, *rest = done.stdout.splitlines()
    assert first.startswith(f"orchard.example: found {ORCHARD_FEED} (")
    assert heading.split() == ["score", "kind", "source", "feed"]
    mark, score, kind, source, url = best.split()
    assert (mark, kind, source, url) == ("*", "main", "link", ORCHARD_FEED)
    assert int(score) > 600
    assert about.strip().startswith("The Orchard (rss, 4 items); ")
    assert any("comments" in line for line in rest)
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    assert (done.returncode, done.stderr) == (0, "")


def test_several_sites_come_in_their_order_and_one_without_a_feed_is_told_by_the_exit_code() -> None:
    done = run("--demo", PLAQUE, ORCHARD, "https://turnstile.example/", "not a url at all")
    told = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split(" (")[0] for line in told] == [
        f"{PLAQUE}: no_feed",
        f"{ORCHARD}: found {ORCHARD_FEED}",
        "https://turnstile.example/: refused",
        "not a url at all: bad_url",
    ]
    assert done.returncode == 1


def test_urls_come_from_standard_input() -> None:
    done = run("--demo", "--json", text=f"# sites\n\n{ORCHARD}\n{PLAQUE}\n")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["canonical"]["url"] == ORCHARD_FEED
    assert (second["canonical"], second["outcome"]) == (None, "no_feed")


def test_json_is_the_document_of_the_api() -> None:
    told: dict[str, Any] = json.loads(run("--demo", "--json", ORCHARD).stdout)
    assert (told["id"], told["status"], told["complete"], told["outcome"]) == (None, "done", True, "found")
    assert told["site"]["input_url"] == ORCHARD
    assert told["site"]["title"] == "The Orchard"
    best = told["candidates"][0]
    assert best["is_canonical"]
    assert best["final_url"] == ORCHARD_FEED
    assert sum(best["parts"].values()) == best["score"]
    assert best["items"]


def test_a_kind_can_be_asked_for_with_any_url() -> None:
    done = run("--demo", "--json", "--intent", "comments", "https://kiln.example/")
    assert json.loads(done.stdout)["canonical"]["url"] == "https://kiln.example/comments/atom.xml"


def test_a_site_that_is_too_slow_is_told_to_be_incomplete() -> None:
    done = run("--demo", "--timeout", "1", "https://tortoise.example/")
    assert done.returncode == 1
    assert "the search is incomplete" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--intent", "everything", ORCHARD), "--intent"),
        (("--timeout", "0", ORCHARD), "--timeout"),
        (("--parallel", "0", ORCHARD), "--parallel"),
        (("--refresh", ORCHARD), "--api"),
        (("--api", "127.0.0.1:8080", ORCHARD), "--api"),
        (("--api", "http://127.0.0.1:1", "--demo", ORCHARD), "--demo"),
        (("--api", "http://127.0.0.1:1", "--rsshub", "https://hub.example", ORCHARD), "--rsshub"),
        (("--api", "http://127.0.0.1:1", "--no-rsshub", ORCHARD), "--rsshub"),
        (("--rsshub", "hub", ORCHARD), "--rsshub"),
        (("--rsshub", "https://hub.example:1200", ORCHARD), "port"),
        (("--rsshub", "http://127.0.0.1/", ORCHARD), "--rsshub"),
        (("--rsshub", "https://hub.example", "--no-rsshub", ORCHARD), "--no-rsshub"),
        (("-", ORCHARD), "-"),
        (("--explain", ORCHARD), "--explain"),
    ],
)
def test_wrong_usage_ends_with_2_and_names_the_option(arguments: tuple[str, ...], says: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr.splitlines()[-1]


def test_help_documents_output_and_exit_codes() -> None:
    shown = run("--help").stdout
    for said in ("--json", "--intent", "standard input", "exit code:", "0 every URL", "1 some", "2 wrong usage"):
        assert said in shown


def test_an_unreachable_api_is_reported_once_with_advice() -> None:
    done = run("--api", "http://127.0.0.1:1", ORCHARD, PLAQUE)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "make run" in done.stderr


def test_control_sequences_of_a_terminal_are_escaped() -> None:
    done = run("--demo", "https://a.example/\x1b[2J\tx", "café\udcff")
    assert "\\x1b[2J\\tx: " in done.stdout
    assert all(line.isprintable() for line in done.stdout.splitlines())


# --- a running API --------------------------------------------------------------------------------


@pytest.mark.local_stack
def test_a_running_api_gives_the_same_table(stack: StackProcess) -> None:
    direct, asked = run("--demo", ORCHARD), run("--api", stack.url, "--refresh", ORCHARD)
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout.splitlines()[1:] == direct.stdout.splitlines()[1:]
    assert asked.stdout.startswith(f"{ORCHARD}: found {ORCHARD_FEED} (")


@pytest.mark.local_stack
def test_a_slow_site_is_followed_until_its_job_is_over(stack: StackProcess) -> None:
    done = run("--api", stack.url, "--json", "--timeout", "50", "https://tortoise.example/")
    told = json.loads(done.stdout)
    assert told["canonical"]["url"] == "https://tortoise.example/slow.xml"
    assert (told["status"], told["complete"], done.returncode) == ("done", True, 0)
    assert "continues as a job" in done.stderr
