"""Rows fetched over real sockets, from the submission to the written row, and hostile hosts."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

from feedward.adapters.fetching.resolver import Endpoint
from feedward.frontier.decide import Path
from feedward.frontier.robots import BYTES_AT_MOST
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.frontier.settings import FrontierSettings
from feedward.services.collect.fetch_row import fetch_row
from feedward.services.collect.row_answer import RowAnswer
from feedward.urls.safety import UrlPolicy
from tests.fakes.collecting import UNHURRIED, FakeCollecting
from tests.faults.site import Names, Site, answer, answer_bytes, serving

BODY = "<html><head><title>Here</title></head><body>Hello</body></html>"
PAGE = answer(f"200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(BODY)}", BODY)
POLITE = FrontierSettings(host_pause_s=0.0, respect_robots=True)
FORBIDDEN = "User-agent: *\nDisallow: /case\n"
ABSENT = answer("404 Not Found\r\nContent-Length: 0")


def to(status: int, location: str) -> list[Any]:
    return answer(f"{status} Moved\r\nLocation: {location}\r\nContent-Length: 0")


def world_of(site: Site, settings: FrontierSettings = UNHURRIED, **changes: Any) -> FakeCollecting:
    policy = UrlPolicy(ports=frozenset({80, 443, site.port}))
    return FakeCollecting({}, settings=settings, fetcher=site.fetcher(**changes), url_policy=policy)


def fetched(site: Site, world: FakeCollecting, path: str = "case") -> tuple[FrontierRow, RowAnswer]:
    row = world.add(site.url(path))
    answered = fetch_row(row, ports=world.ports)
    return world.row(row.row_id), answered


def test_301_302_200_ends_at_the_final_url_with_the_page_as_an_item() -> None:
    with serving(to(301, "/second"), second=to(302, "/third"), third=PAGE) as site:
        world = world_of(site)
        row, answered = fetched(site, world)

    (item,) = world.lineage.contents.items().values()
    assert (row.url, row.status, row.last_error) == (site.url("third"), RowStatus.FETCHED, None)
    assert answered.path is Path.UPDATE_FETCHED_WITH_FINAL_URL
    assert [request.path for request in site.requests] == ["/case", "/second", "/third"]
    assert (item["fetched_url"], item["title"]) == (site.url("third"), "Here")
    assert world.ports.bodies.read(item["body_sha256"]) == BODY.encode()


@pytest.mark.parametrize(
    ("script", "others", "reason"),
    [
        (to(302, "/other"), {"other": to(302, "/case")}, "redirect_loop"),
        (to(302, "/1"), {str(n): to(302, f"/{n + 1}") for n in range(1, 9)}, "too_many_redirects"),
        (to(302, "http://127.0.0.1/"), {}, "blocked"),
        (to(302, "http://[::ffff:10.0.0.1]/"), {}, "blocked"),
        (to(302, "http://inside.example/"), {}, "blocked"),
        (to(302, "http://[bad"), {}, "bad_redirect"),
        ([["send", "HTTP/1.1 200 OK\r\n\r\n"], ["repeat", "x" * 65536, 800]], {}, "too_large"),
        ([["send", "HTTP/1.1 200 OK\r\nContent-Length: 52428800\r\n\r\n"], ["hang"]], {}, "too_large"),
        ([["send", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"], ["drip", "x" * 100, 1, 0.2]], {}, "timeout"),
        ([["hang"]], {}, "timeout"),
        ([["reset"]], {}, "connection_reset"),
        ([["send", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"], ["close"]], {}, "truncated"),
    ],
    ids=[
        *("loop", "too many", "loopback", "mapped", "private name", "bad", "50 MB", "says 50 MB", "slow", "hangs"),
        *("resets", "cut"),
    ],
)
def test_a_page_that_means_harm_is_a_failure_under_its_name_and_moves_nothing(
    script: list[Any], others: Mapping[str, list[Any]], reason: str
) -> None:
    with serving(script, **others) as site:
        names = Names({"feed.example": [Endpoint("127.0.0.1")], "inside.example": [Endpoint("10.1.2.3")]})
        world = world_of(site, resolver=names)
        row, _ = fetched(site, world)

    assert (row.url, row.status, row.last_error, row.attempts) == (site.url(), RowStatus.FAILED, reason, 1)
    assert world.lineage.contents.items() == {}


@pytest.mark.parametrize(
    "robots",
    [
        answer(f"200 OK\r\nContent-Length: {len(FORBIDDEN)}", FORBIDDEN),
        [["send", f"HTTP/1.1 200 OK\r\n\r\n{FORBIDDEN}"], ["repeat", "# and so on\n" * 5000, 1000]],
        [["send", f"HTTP/1.1 200 OK\r\nContent-Length: 52428800\r\n\r\n{FORBIDDEN}"], ["repeat", "#" * 65536, 800]],
        to(301, "/rules"),
    ],
    ids=["plain", "60 MB", "says 50 MB", "moved"],
)
def test_a_robots_txt_is_obeyed_however_large_it_is(robots: list[Any]) -> None:
    rules = answer(f"200 OK\r\nContent-Length: {len(FORBIDDEN)}", FORBIDDEN)
    with serving(PAGE, **{"robots.txt": robots, "rules": rules}) as site:
        row, _ = fetched(site, world_of(site, POLITE))

    assert (row.status, row.last_error) == (RowStatus.DEAD, "robots_disallowed")
    assert "/case" not in [request.path for request in site.requests]


def test_a_redirect_to_a_page_that_robots_txt_forbids_is_not_followed() -> None:
    rules = "User-agent: *\nDisallow: /hidden\n"
    robots = answer(f"200 OK\r\nContent-Length: {len(rules)}", rules)
    with serving(to(302, "/open"), open=to(301, "/hidden"), hidden=PAGE, **{"robots.txt": robots}) as site:
        row, answered = fetched(site, world_of(site, POLITE))

    assert (row.url, row.status, row.last_error) == (site.url(), RowStatus.DEAD, "robots_disallowed")
    assert [request.path for request in site.requests] == ["/robots.txt", "/case", "/open"]
    assert answered.requests == 3


@pytest.mark.parametrize(
    "robots",
    [
        ABSENT,
        answer("200 OK\r\nContent-Length: 0"),
        answer("200 OK", "<!doctype html><html><body>User-agent: *<br>Disallow: /</body></html>"),
        answer_bytes("200 OK", bytes(range(256)) * 1000),
        answer_bytes("200 OK\r\nContent-Encoding: gzip", b"\x1f\x8b" + b"\0" * 500),
        [["gzip_fill", "gzip", 1 << 24]],
        to(302, "/robots.txt"),
        to(302, "http://169.254.169.254/latest"),
    ],
    ids=["absent", "empty", "html", "binary", "broken gzip", "bomb", "loop", "inside"],
)
def test_a_robots_txt_that_says_nothing_allows_everything(robots: list[Any]) -> None:
    with serving(PAGE, **{"robots.txt": robots}) as site:
        row, _ = fetched(site, world_of(site, POLITE))

    assert (row.status, row.last_error) == (RowStatus.FETCHED, None)
    assert [request.path for request in site.requests] == ["/robots.txt", "/case"]


@pytest.mark.parametrize(
    ("robots", "reason"),
    [
        (answer("503 Busy\r\nRetry-After: 600\r\nContent-Length: 0"), "server_error"),
        ([["hang"]], "timeout"),
        ([["reset"]], "connection_reset"),
        ([["send", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\n"], ["close"]], "truncated"),
    ],
    ids=["busy", "hangs", "resets", "cut"],
)
def test_a_robots_txt_that_cannot_be_had_fails_the_page(robots: list[Any], reason: str) -> None:
    with serving(PAGE, **{"robots.txt": robots}) as site:
        row, answered = fetched(site, world_of(site, POLITE))

    assert (row.status, row.last_error, row.attempts) == (RowStatus.FAILED, reason, 1)
    assert answered.detail.startswith("robots.txt: ")
    assert [request.path for request in site.requests] == ["/robots.txt"]


@pytest.mark.parametrize("coding", ["", "gzip", "deflate"])
def test_only_the_beginning_of_a_body_is_read_where_that_was_asked_for(coding: str) -> None:
    text = b"0123456789abcdef" * 100_000
    packed = {"": text, "gzip": gzip.compress(text), "deflate": zlib.compress(text)}[coding]
    head = f"200 OK\r\nContent-Encoding: {coding}" if coding else "200 OK"
    with serving(answer_bytes(head, packed)) as site:
        fetcher = site.fetcher()
        start = fetcher.fetch(site.url(), first_bytes=BYTES_AT_MOST)
        whole = fetcher.fetch(site.url(), first_bytes=len(text) + 1)

    assert start.body == text[:BYTES_AT_MOST]
    assert whole.body == text
