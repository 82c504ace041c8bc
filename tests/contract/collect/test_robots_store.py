"""The robots.txt of hosts: any text is stored until it expires and no longer (RFC 9309; rule F3)."""

from __future__ import annotations

import pytest

from feedward.adapters.dynamodb.state.robots import TEXT_BYTES, DynamoRobotsStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable
from tests.contract.benches.frontier import NOW
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

ORIGIN = "https://example.com"
TEXT = "User-agent: *\nDisallow: /private\nCrawl-delay: 5\n"


@pytest.fixture
def robots(bench: Bench) -> DynamoRobotsStore:
    return DynamoRobotsStore(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def test_a_remembered_robots_txt_expires(robots: DynamoRobotsStore) -> None:
    assert robots.robots(ORIGIN, now=NOW) is None
    robots.remember_robots(ORIGIN, TEXT, until=NOW + 86_400)
    assert robots.robots(ORIGIN, now=NOW + 86_399) == TEXT
    assert robots.robots(ORIGIN, now=NOW + 86_400) is None, "TTL may be two days late"


def test_that_there_is_none_is_known_too(robots: DynamoRobotsStore) -> None:
    robots.remember_robots(ORIGIN, "", until=NOW + 60)
    assert robots.robots(ORIGIN, now=NOW) == ""


def test_scheme_host_and_port_have_their_own(robots: DynamoRobotsStore) -> None:
    robots.remember_robots(ORIGIN, TEXT, until=NOW + 60)
    for other in ("http://example.com", "https://www.example.com", f"{ORIGIN}:8443", "https://" + "x" * 3000):
        assert robots.robots(other, now=NOW) is None
        robots.remember_robots(other, other, until=NOW + 60)
        assert robots.robots(other, now=NOW) == other
    assert robots.robots(ORIGIN, now=NOW) == TEXT


def test_the_one_that_was_learnt_later_stays(robots: DynamoRobotsStore) -> None:
    robots.remember_robots(ORIGIN, TEXT, until=NOW + 100)
    robots.remember_robots(ORIGIN, "late and old", until=NOW + 50)
    assert robots.robots(ORIGIN, now=NOW) == TEXT
    robots.remember_robots(ORIGIN, "new", until=NOW + 200)
    assert robots.robots(ORIGIN, now=NOW + 150) == "new"


@pytest.mark.parametrize("line", ["Disallow: /private/page\n", "Disallow: /größe\r\n", "Disallow: /a\r"])
def test_a_text_that_no_item_takes_is_cut_at_the_end_of_a_line(robots: DynamoRobotsStore, line: str) -> None:
    robots.remember_robots(ORIGIN, line * (512 * 1024 // len(line)), until=NOW + 60)
    kept = robots.robots(ORIGIN, now=NOW)
    assert kept is not None
    assert TEXT_BYTES - 40 < len(kept.encode()) <= TEXT_BYTES
    assert set(kept.split()) == set(line.split()), "half a rule would be another one"


def test_a_text_of_one_endless_line_is_kept_as_none(robots: DynamoRobotsStore) -> None:
    robots.remember_robots(ORIGIN, "Disallow: /" + "x" * 400_000, until=NOW + 60)
    assert robots.robots(ORIGIN, now=NOW) == ""


def test_invalid_unicode_is_kept_as_well_as_possible(robots: DynamoRobotsStore) -> None:
    robots.remember_robots(ORIGIN, "Disallow: /\ud800\x00", until=NOW + 60)
    assert robots.robots(ORIGIN, now=NOW) == "Disallow: /?\x00"


def test_without_time_nothing_is_asked(robots: DynamoRobotsStore) -> None:
    with pytest.raises(StoreUnavailable):
        robots.within(Deadline.after(0)).robots(ORIGIN, now=NOW)
    with pytest.raises(StoreUnavailable):
        robots.within(Deadline.after(0)).remember_robots(ORIGIN, TEXT, until=NOW)


def test_a_busy_table_is_asked_again_and_a_lost_answer_does_no_harm(bench: Bench, robots: DynamoRobotsStore) -> None:
    bench.faults.throttles, bench.faults.lost_answers = 2, 1
    robots.remember_robots(ORIGIN, TEXT, until=NOW + 60)
    assert robots.robots(ORIGIN, now=NOW) == TEXT
