"""The fetch of a row: robots.txt, and slots at a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from feedward.errors import Throttled
from feedward.frontier.robots import BYTES_AT_MOST
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.frontier.settings import FrontierSettings, MoveOn
from feedward.model import Wanted
from feedward.services.collect.fetch_page import Visitor
from feedward.services.collect.fetch_row import fetch_row
from feedward.services.collect.row_answer import RowAnswer
from feedward.services.work.host_queue import WAIT_S
from feedward.services.work.tasks import HostBusy
from tests.fakes.collecting import UNHURRIED, FakeCollecting
from tests.fakes.directory import NOW

SITE = "https://a.example"
PAGE: dict[str, Any] = {"body": "<html><body>Hello</body></html>"}
POLITE = FrontierSettings(host_pause_s=1.0)
DISALLOW_ALL = {"body": "User-agent: *\nDisallow: /"}


def polite(
    robots: dict[str, Any], more: Mapping[str, dict[str, Any]] | None = None, settings: FrontierSettings = POLITE
) -> FakeCollecting:
    """A site with this robots.txt and numbered pages; `more` is the rest of the network."""
    pages: dict[str, dict[str, Any]] = {f"{SITE}/{n}": PAGE for n in range(30)}
    return FakeCollecting({f"{SITE}/robots.txt": robots, **pages, **(more or {})}, settings=settings)


def fetch(world: FakeCollecting, path: str = "1", visitor: Visitor | None = None) -> RowAnswer:
    return fetch_row(world.add(f"{SITE}/{path}"), ports=world.ports, visitor=visitor or Visitor(world.ports))


def row_at(world: FakeCollecting, path: str = "1") -> Any:
    return next(row for row in world.rows() if row.url == f"{SITE}/{path}")


# --- robots.txt ---------------------------------------------------------------------------------------


def test_a_page_that_robots_txt_forbids_is_dead_at_once_and_never_asked_for() -> None:
    world = polite(DISALLOW_ALL)

    answer = fetch(world)

    row = row_at(world)
    assert (answer.reason, row.status, row.last_error) == ("robots_disallowed", RowStatus.DEAD, "robots_disallowed")
    assert world.internet.requests == [f"{SITE}/robots.txt"]


@pytest.mark.parametrize("robots", [{"status": 404}, {"status": 403}, {"status": 410}, {"body": ""}])
def test_a_host_without_robots_txt_allows_everything(robots: dict[str, Any]) -> None:
    world = polite(robots)

    fetch(world)

    assert row_at(world).status is RowStatus.FETCHED
    assert world.internet.wanted == {f"{SITE}/robots.txt": Wanted.RULES, f"{SITE}/1": Wanted.PAGE}


@pytest.mark.parametrize(
    ("robots", "reason", "attempts"),
    [
        ({"status": 500}, "server_error", 1),
        ({"status": 503, "headers": {"Retry-After": "3600"}}, "server_error", 1),
        ({"error": "timeout"}, "timeout", 1),
        ({"error": "tls_error"}, "tls_error", 1),
        ({"error": "dns_error"}, "dns_error", 1),
        ({"status": 429, "headers": {"Retry-After": "3600"}}, "rate_limited", 0),
    ],
)
def test_a_robots_txt_that_cannot_be_had_is_the_pages_failure(
    robots: dict[str, Any], reason: str, attempts: int
) -> None:
    world = polite(robots)

    answer = fetch(world)

    row = row_at(world)
    assert (row.status, row.last_error, row.attempts, row.http_status) == (RowStatus.FAILED, reason, attempts, None)
    assert answer.detail.startswith("robots.txt: ")
    assert f"{SITE}/1" not in world.internet.requests
    if "headers" in robots:
        assert row.next_fetch_at >= NOW + 3600


def test_robots_txt_is_asked_for_once_a_day_for_all_pages_of_an_origin() -> None:
    world = polite({"body": "User-agent: *\nDisallow: /2"})

    for path in ("1", "2", "3"):
        fetch(world, path)
    world.clock.advance(23 * 3600)
    fetch(world, "4")
    assert world.internet.requests.count(f"{SITE}/robots.txt") == 1

    world.clock.advance(2 * 3600)
    fetch(world, "5")
    assert world.internet.requests.count(f"{SITE}/robots.txt") == 2
    assert row_at(world, "2").last_error == "robots_disallowed"


def test_a_batch_asks_a_host_that_fails_only_once() -> None:
    world = polite({"status": 500})
    visitor = Visitor(world.ports)

    for path in ("1", "2", "3"):
        fetch(world, path, visitor)

    assert world.internet.requests == [f"{SITE}/robots.txt"]
    assert {row.last_error for row in world.rows()} == {"server_error"}


def test_each_origin_has_a_robots_txt_of_its_own() -> None:
    world = polite(DISALLOW_ALL, {"http://a.example/robots.txt": {"status": 404}, "http://a.example/plain": PAGE})
    row = world.add("http://a.example/plain")

    fetch_row(row, ports=world.ports)

    assert world.row(row.row_id).status is RowStatus.FETCHED


def test_redirects_of_a_robots_txt_are_followed() -> None:
    moved = {"status": 301, "headers": {"Location": "https://b.example/rules.txt"}}
    world = polite(moved, {"https://b.example/rules.txt": DISALLOW_ALL})

    assert fetch(world).reason == "robots_disallowed"


@pytest.mark.parametrize("location", ["https://a.example/robots.txt", "http://127.0.0.1/robots.txt", "https://[bad"])
def test_a_robots_txt_that_leads_nowhere_allows_everything(location: str) -> None:
    world = polite({"status": 302, "headers": {"Location": location}})

    assert fetch(world).reason is None
    assert world.internet.requests == [f"{SITE}/robots.txt", f"{SITE}/1"]


@pytest.mark.parametrize(
    "robots",
    [
        {"body": "<!doctype html><html><body>User-agent: *<br>Disallow: /</body></html>"},
        {"body": bytes(range(256)) * 100},
        {"body": "#" * (BYTES_AT_MOST + 10) + "\nUser-agent: *\nDisallow: /"},
    ],
    ids=["html", "binary", "beyond 500 KiB"],
)
def test_a_text_that_is_no_robots_txt_allows_everything(robots: dict[str, Any]) -> None:
    assert fetch(polite(robots)).reason is None


def test_where_the_redirects_land_counts_too() -> None:
    world = polite(
        {"body": "User-agent: *\nDisallow: /private"},
        {
            f"{SITE}/go": {"status": 302, "headers": {"Location": "/private/page"}},
            f"{SITE}/private/page": PAGE,
            f"{SITE}/away": {"status": 302, "headers": {"Location": "https://b.example/page"}},
            "https://b.example/robots.txt": DISALLOW_ALL,
            "https://b.example/page": PAGE,
        },
    )

    assert fetch(world, "go").reason == "robots_disallowed"
    assert fetch(world, "away").reason == "robots_disallowed"
    assert world.lineage.contents.items() == {}


def test_a_known_forbidden_url_is_not_requested_as_a_redirect_hop_either() -> None:
    there = "https://b.example"
    world = polite(
        {"body": "User-agent: *\nDisallow: /private"},
        {
            f"{SITE}/through": {"status": 302, "headers": {"Location": "/private/door"}},
            f"{SITE}/private/door": {"status": 302, "headers": {"Location": "/1"}},
            f"{SITE}/away": {"status": 302, "headers": {"Location": f"{there}/door"}},
            f"{there}/robots.txt": {"body": "User-agent: *\nDisallow: /door"},
            f"{there}/door": {"status": 302, "headers": {"Location": f"{SITE}/1"}},
            f"{there}/": PAGE,
        },
    )
    fetch_row(world.add(f"{there}/"), ports=world.ports)

    assert fetch(world, "through").reason == "robots_disallowed"
    assert fetch(world, "away").reason == "robots_disallowed"
    assert not [url for url in world.internet.requests if "door" in url]
    assert row_at(world, "through").http_status is None


def test_robots_txt_can_be_switched_off() -> None:
    world = polite(DISALLOW_ALL, settings=FrontierSettings(host_pause_s=0.0, respect_robots=False))

    assert fetch(world).reason is None
    assert world.internet.requests == [f"{SITE}/1"]


def test_a_robots_txt_that_cannot_be_kept_is_used_all_the_same() -> None:
    world = polite(DISALLOW_ALL)
    store: Any = world.ports.robots

    def throttled(*_: Any, **__: Any) -> None:
        raise Throttled("no")

    store.remember_robots = throttled

    assert fetch(world).reason == "robots_disallowed"


# --- a URL without a scheme ---------------------------------------------------------------------------

HTTP = "http://a.example"
NO_TLS: dict[str, dict[str, Any]] = {
    f"{SITE}/robots.txt": {"error": "connect_error"},
    f"{SITE}/1": {"error": "tls_error"},
}


def open_row(network: Mapping[str, dict[str, Any]], settings: FrontierSettings = UNHURRIED) -> FakeCollecting:
    world = FakeCollecting(network, settings=settings)
    world.add("a.example/1")
    return world


def visited(world: FakeCollecting) -> FrontierRow:
    (row,) = world.rows()
    fetch_row(row, ports=world.ports)
    return world.row(row.row_id)


@pytest.mark.parametrize("settings", [UNHURRIED, POLITE])
@pytest.mark.parametrize("written", ["a.example/1", "feed://a.example/1", "//a.example/1"])
def test_http_is_tried_once_if_no_scheme_was_given_and_https_fails(written: str, settings: FrontierSettings) -> None:
    world = FakeCollecting(NO_TLS | {f"{HTTP}/1": PAGE, f"{HTTP}/robots.txt": {"status": 404}}, settings=settings)
    row = world.add(written)

    fetch_row(row, ports=world.ports)

    found = world.row(row.row_id)
    assert (row.url, row.scheme_open) == (f"{SITE}/1", True)
    assert (found.url, found.status, found.scheme_open, found.attempts) == (f"{HTTP}/1", RowStatus.FETCHED, False, 0)
    assert found.url_hash == row.url_hash
    (item,) = world.lineage.contents.items().values()
    assert item["fetched_url"] == f"{HTTP}/1"
    pages = [url for url in world.internet.requests if "robots" not in url]
    assert pages == [f"{HTTP}/1"]


def test_https_that_answers_is_taken_and_http_never_asked_for_again() -> None:
    world = open_row({f"{SITE}/1": PAGE, f"{HTTP}/1": PAGE})

    row = visited(world)

    assert (row.url, row.scheme_open, world.internet.requests) == (f"{SITE}/1", False, [f"{SITE}/1"])


@pytest.mark.parametrize(
    "https",
    [{"status": 500}, {"status": 404}, {"error": "dns_error"}, {"status": 302, "headers": {"Location": f"{SITE}/2"}}],
)
def test_a_server_that_answers_or_has_no_address_is_not_tried_under_http(https: dict[str, Any]) -> None:
    world = open_row({f"{SITE}/1": https, f"{SITE}/2": {"error": "timeout"}, f"{HTTP}/1": PAGE})

    row = visited(world)

    assert row.last_error is not None
    assert f"{HTTP}/1" not in world.internet.requests


def test_a_scheme_that_somebody_named_is_kept() -> None:
    world = FakeCollecting(NO_TLS | {f"{HTTP}/1": PAGE}, settings=UNHURRIED)
    row = world.add(f"{SITE}/1")

    fetch_row(row, ports=world.ports)

    assert world.row(row.row_id).last_error == "tls_error"
    assert f"{HTTP}/1" not in world.internet.requests


def test_where_neither_answers_https_has_failed_and_both_are_tried_again() -> None:
    world = open_row({f"{SITE}/1": {"error": "connect_error"}, f"{HTTP}/1": {"error": "timeout"}})

    row = visited(world)

    assert (row.url, row.last_error, row.attempts, row.scheme_open) == (f"{SITE}/1", "connect_error", 1, True)
    world.internet.network[f"{HTTP}/1"] = PAGE
    assert visited(world).url == f"{HTTP}/1"


def test_a_failure_that_http_answers_with_is_the_rows() -> None:
    world = open_row({f"{SITE}/1": {"error": "connect_error"}, f"{HTTP}/1": {"status": 404}})

    row = visited(world)

    assert (row.url, row.status, row.last_error, row.http_status) == (f"{SITE}/1", RowStatus.DEAD, "not_found", 404)


def test_a_page_that_robots_txt_forbids_under_http_is_forbidden() -> None:
    world = open_row(NO_TLS | {f"{HTTP}/robots.txt": DISALLOW_ALL, f"{HTTP}/1": PAGE}, POLITE)

    row = visited(world)

    assert (row.last_error, f"{HTTP}/1" in world.internet.requests) == ("robots_disallowed", False)


def test_http_that_leads_back_to_https_elsewhere_moves_the_row_there() -> None:
    to = {"status": 301, "headers": {"Location": "https://www.a.example/1"}}
    world = open_row({f"{SITE}/1": {"error": "tls_error"}, f"{HTTP}/1": to, "https://www.a.example/1": PAGE})

    assert visited(world).url == "https://www.a.example/1"


# --- slots --------------------------------------------------------------------------------------------


def test_all_requests_to_a_host_are_a_pause_apart_that_for_robots_txt_too() -> None:
    world = polite({"status": 404})
    visitor = Visitor(world.ports)

    for path in ("1", "2", "3"):
        fetch(world, path, visitor)

    assert world.slept == [1.0, 1.0, 1.0]


def test_crawl_delay_spaces_requests_farther_than_our_own_pause() -> None:
    world = polite({"body": "User-agent: *\nCrawl-delay: 4"})
    visitor = Visitor(world.ports)

    fetch(world, "1", visitor)
    fetch(world, "2", visitor)

    # The rules of robots.txt are unknown before it was read.
    assert world.slept == [1.0, 4.0]


def test_our_own_pause_holds_where_crawl_delay_is_shorter() -> None:
    world = polite({"body": "User-agent: *\nCrawl-delay: 0.1"})
    visitor = Visitor(world.ports)

    fetch(world, "1", visitor)
    fetch(world, "2", visitor)

    assert world.slept == [1.0, 1.0]


def test_a_slot_that_is_too_far_away_is_not_waited_for() -> None:
    world = polite({"body": "User-agent: *\nCrawl-delay: 60"})
    visitor = Visitor(world.ports)
    fetch(world, "1", visitor)

    with pytest.raises(HostBusy) as busy:
        fetch(world, "2", visitor)

    assert (busy.value.host, busy.value.pause_s) == ("a.example", 60.0)
    assert WAIT_S < busy.value.wait_s <= 60.0
    assert row_at(world, "2").status is RowStatus.PENDING
    assert f"{SITE}/2" not in world.internet.requests


def test_other_hosts_do_not_wait() -> None:
    world = polite({"status": 404}, {"https://b.example/robots.txt": {"status": 404}, "https://b.example/": PAGE})
    fetch(world)
    waited = len(world.slept)

    fetch_row(world.add("https://b.example/"), ports=world.ports)

    assert len(world.slept) == waited + 1  # its own robots.txt, then its page


def test_retry_after_is_a_cooldown_for_all_pages_of_the_host() -> None:
    world = polite({"status": 404}, {f"{SITE}/busy": {"status": 429, "headers": {"Retry-After": "120"}}})

    fetch(world, "busy")
    with pytest.raises(HostBusy) as busy:
        fetch(world, "1")

    assert row_at(world, "busy").last_error == "rate_limited"
    assert busy.value.host == "a.example"
    assert 110 < busy.value.wait_s <= 122


def test_the_host_that_answered_gets_the_cooldown_and_not_the_redirecting_one() -> None:
    world = polite(
        {"status": 404},
        {
            f"{SITE}/go": {"status": 302, "headers": {"Location": "https://b.example/busy"}},
            "https://b.example/busy": {"status": 429, "headers": {"Retry-After": "120"}},
            "https://b.example/robots.txt": {"status": 404},
        },
    )

    fetch(world, "go")
    with pytest.raises(HostBusy) as there:
        fetch_row(world.add("https://b.example/"), ports=world.ports)

    assert fetch(world, "1").reason is None
    assert there.value.host == "b.example"
    assert 110 < there.value.wait_s <= 122


def test_the_row_of_a_page_that_is_not_requested_stays_unchanged() -> None:
    world = polite({"status": 404}, {f"{SITE}/busy": {"status": 503, "headers": {"Retry-After": "86400"}}})
    row = world.add(f"{SITE}/1")

    fetch(world, "busy")
    with pytest.raises(HostBusy):
        fetch_row(row, ports=world.ports)

    assert world.row(row.row_id) == row


# --- pages that only lead on --------------------------------------------------------------------------

THERE = "https://b.example"


def leading(to: str, **page: Any) -> dict[str, Any]:
    body = f"<title>Moved</title><meta http-equiv=refresh content='0;url={to}'>Redirecting"
    return {"body": body, "headers": {"Content-Type": "text/html"}, **page}


def test_a_page_that_only_leads_on_is_a_redirect_and_its_target_the_item() -> None:
    world = polite({"status": 404}, {f"{SITE}/old": leading("/1")})

    answer = fetch(world, "old")

    (item,) = world.lineage.contents.items().values()
    (row,) = world.rows()
    assert (answer.reason, item["fetched_url"], item["status"]) == (None, f"{SITE}/1", 200)
    assert (row.url, row.status) == (f"{SITE}/1", RowStatus.FETCHED)
    assert world.internet.requests == [f"{SITE}/robots.txt", f"{SITE}/old", f"{SITE}/1"]
    assert answer.requests == 3


def test_it_is_a_temporary_one() -> None:
    world = polite({"status": 404}, {f"{SITE}/old": leading("/1")}, FrontierSettings(move_on=MoveOn.PERMANENT))

    fetch(world, "old")

    (row,) = world.rows()
    assert (row.url, row.final_url) == (f"{SITE}/old", f"{SITE}/1")


def test_each_request_on_the_way_waits_for_its_host_and_asks_its_robots_txt() -> None:
    pages = {f"{SITE}/old": leading(f"{THERE}/x"), f"{THERE}/x": PAGE, f"{THERE}/robots.txt": {"status": 404}}
    world = polite({"status": 404}, pages)
    fetch_row(world.add(f"{THERE}/x"), ports=world.ports)
    world.slept.clear()

    fetch(world, "old")

    assert world.internet.requests[-3:] == [f"{SITE}/robots.txt", f"{SITE}/old", f"{THERE}/x"]
    assert world.slept == pytest.approx([1.0])  # at the first host; the other was asked long enough ago
    fetch_row(world.add(f"{THERE}/x"), ports=world.ports)
    assert world.slept == pytest.approx([1.0, 1.0])


def test_a_host_that_cannot_be_asked_soon_is_not_led_to() -> None:
    pages = {
        f"{SITE}/old": leading(f"{THERE}/x"),
        f"{THERE}/busy": {"status": 429, "headers": {"Retry-After": "120"}},
        f"{THERE}/robots.txt": {"status": 404},
    }
    world = polite({"status": 404}, pages)
    fetch_row(world.add(f"{THERE}/busy"), ports=world.ports)

    with pytest.raises(HostBusy) as busy:
        fetch(world, "old")

    assert busy.value.host == "b.example"
    assert world.internet.requests[-1] == f"{SITE}/old"


def test_forbidden_pages_of_the_target_are_not_requested() -> None:
    world = polite({"status": 404}, {f"{SITE}/old": leading(f"{THERE}/x"), f"{THERE}/robots.txt": DISALLOW_ALL})

    assert fetch(world, "old").reason == "robots_disallowed"
    assert world.internet.requests[-1] == f"{THERE}/robots.txt"


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        ({"old": leading("/b"), "b": leading("/old")}, "redirect_loop"),
        ({"old": leading("/b"), "b": {"status": 302, "headers": {"Location": "/old"}}}, "redirect_loop"),
        ({"old": leading("/c0"), **{f"c{n}": leading(f"/c{n + 1}") for n in range(9)}}, "too_many_redirects"),
        (
            {
                "old": leading("/c0"),
                **{f"c{n}": {"status": 302, "headers": {"Location": f"/c{n + 1}"}} for n in range(9)},
            },
            "too_many_redirects",
        ),
        ({"old": leading("/gone"), "gone": {"status": 410}}, "gone"),
        ({"old": leading("http://10.0.0.1/")}, "blocked"),
        ({"old": leading("https://accounts.google.com/ServiceLogin")}, "challenge"),
    ],
)
def test_the_target_of_a_refresh_fails_like_a_redirects_target(pages: dict[str, Any], reason: str) -> None:
    login = {"https://accounts.google.com/ServiceLogin": PAGE}
    world = polite({"status": 404}, {f"{SITE}/{path}": page for path, page in pages.items()} | login, UNHURRIED)

    assert fetch(world, "old").reason == reason
    assert world.lineage.contents.items() == {}
    assert len(world.internet.requests) <= 7


def test_redirects_before_and_behind_count_with_it() -> None:
    hop: Any = {"status": 302, "headers": {"Location": "/b"}}
    pages = {"a": hop, "b": leading("/c"), "c": {"status": 302, "headers": {"Location": "/1"}}}
    world = polite({"status": 404}, {f"{SITE}/{path}": page for path, page in pages.items()}, UNHURRIED)

    assert fetch(world, "a").reason is None
    assert [row.url for row in world.rows()] == [f"{SITE}/1"]


def test_where_redirects_are_not_followed_it_is_a_page() -> None:
    world = FakeCollecting({f"{SITE}/old": leading("/1")}, settings=UNHURRIED, follow_redirects=False)

    assert fetch(world, "old").reason is None
    assert [item["title"] for item in world.lineage.contents.items().values()] == ["Moved"]


def test_an_empty_answer_with_a_refresh_header_leads_on() -> None:
    empty = {"body": "", "headers": {"Content-Type": "text/html", "Refresh": "0;url=/1"}}
    world = polite({"status": 404}, {f"{SITE}/old": empty}, UNHURRIED)

    assert fetch(world, "old").reason is None
    assert [row.url for row in world.rows()] == [f"{SITE}/1"]


def test_the_validators_that_are_kept_are_the_targets() -> None:
    stub = leading("/1", headers={"Content-Type": "text/html", "ETag": '"stub"'})
    world = polite({"status": 404}, {f"{SITE}/old": stub, f"{SITE}/1": {**PAGE, "headers": {"ETag": '"page"'}}})

    fetch(world, "old")

    (row,) = world.rows()
    assert row.validators.etag == '"page"'


@pytest.mark.parametrize("refusal", [403, 406, 418])
def test_a_page_that_refuses_robots_is_asked_as_a_browser_at_every_second_attempt(refusal: int) -> None:
    picky = {**PAGE, "ua_require": "Mozilla/5.0", "ua_else": {"status": refusal}}
    world = polite({"status": 404}, {f"{SITE}/p": picky}, UNHURRIED)

    assert fetch(world, "p").reason is not None
    assert fetch(world, "p").reason is None
    assert len(world.lineage.contents.items()) == 1
