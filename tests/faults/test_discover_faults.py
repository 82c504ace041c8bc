"""Discoveries of hostile sites over real sockets: each ends right, in its time and budget, and dials nothing inside."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.fetching.resolver import Endpoint
from feedward.discovery.candidate import ValidationStatus
from feedward.discovery.result import Discovery, DiscoveryOutcome
from feedward.model import Outcome
from feedward.services.discover.discover import ANSWER_LIMITS, JOB_LIMITS, Limits, discover
from feedward.urls.safety import UrlPolicy
from tests.faults.site import Names, Site, answer, serving

HOST, LOOPBACK = "feed.example", "127.0.0.1"
Script = list[Any]
RSS = (
    f'<rss version="2.0"><channel><title>T</title><link>http://{HOST}/</link>'
    f"<item><title>One</title><link>http://{HOST}/1</link></item></channel></rss>"
)
FEED = answer(f"200 OK\r\nContent-Length: {len(RSS)}", RSS)
QUICK = replace(ANSWER_LIMITS, answer_s=3.0, request_s=2.0)
PATIENT = replace(JOB_LIMITS, answer_s=30.0)
GRACE_S = 30  # for a busy machine; a fetch without limits waits longer
WAVE_THREADS = "feedward-wave"

_WATCH: dict[str, list[str]] = {}


def _watch_connects(event: str, args: tuple[Any, ...]) -> None:
    """Audit hooks cannot be removed: this one reports only while a test watches."""
    if event == "socket.connect" and "dialled" in _WATCH and isinstance(args[1], tuple):
        _WATCH["dialled"].append(args[1][0])
        if args[1][0] != LOOPBACK:
            raise OSError("tests stay on loopback")


sys.addaudithook(_watch_connects)


@pytest.fixture
def dialled() -> Iterator[list[str]]:
    """Every address of a connection, in any thread."""
    _WATCH["dialled"] = []
    yield _WATCH["dialled"]
    del _WATCH["dialled"]


def page(body: str, head: str = "") -> Script:
    text = f"<!doctype html><html><head><title>Home</title>{head}</head><body>{body}</body></html>"
    return answer(f"200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(text)}", text)


def link(href: str) -> str:
    return f'<link rel="alternate" type="application/rss+xml" href="{href}">'


@contextmanager
def site(home: Script, **others: Script) -> Iterator[Site]:
    """A site with a home page; `others` are the paths of its other pages, `_` for signs that a name cannot hold."""
    with serving(home, **{"": home, **others}) as running:
        yield running


def search(running: Site, limits: Limits = ANSWER_LIMITS, **changes: Any) -> Discovery:
    """Discover the site's home page; it must end in its time and budget, with no thread left."""
    start = time.monotonic()
    fetcher = running.fetcher(**{"total_s": 120.0, "io_s": 120.0, **changes})
    policy = UrlPolicy(ports=frozenset({80, 443, running.port}))
    found = discover(running.url(""), fetcher=fetcher, limits=limits, policy=policy, rsshub_base=None)
    assert time.monotonic() - start < limits.answer_s + GRACE_S
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith(WAVE_THREADS)]
    assert found.requests == len(asked(running)) <= limits.requests
    return found


def asked(running: Site) -> list[str]:
    """The paths of the HTTP requests; a TLS handshake at this plain port is not a request."""
    return [request.path for request in running.requests if request.head.startswith(b"GET ")]


def valid(found: Discovery) -> list[str]:
    return [each.url for each in found.candidates if each.status is ValidationStatus.VALID]


# --- addresses inside ---------------------------------------------------------------------------------


INSIDE = (
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost:$PORT/secret",
    "http://127.0.0.1:$PORT/secret",
    "http://[::1]:$PORT/secret",
    "http://[::ffff:127.0.0.1]:$PORT/secret",
    "http://2130706433:$PORT/secret",
    "http://10.0.0.8:$PORT/secret",
    "http://inside.example:$PORT/secret",
    "http://user@127.0.0.1:$PORT/secret",
    "file:///etc/passwd",
    "gopher://127.0.0.1:$PORT/secret",
)
NAMES = {HOST: [Endpoint(LOOPBACK)], "inside.example": [Endpoint("127.0.0.2")]}


@pytest.mark.parametrize("kind", ["link", "anchor", "header", "refresh", "canonical", "base"])
def test_address_inside_that_a_page_names_is_never_dialled(kind: str, dialled: list[str]) -> None:
    heads = {
        "link": "".join(map(link, INSIDE)),
        "refresh": "".join(f'<meta http-equiv="refresh" content="0;url={url}">' for url in INSIDE),
        "canonical": "".join(f'<link rel="canonical" href="{url}">' for url in INSIDE),
        "base": f'<base href="{INSIDE[1]}">{link("rss.xml")}',
    }
    anchors = "".join(f'<a href="{url}">RSS feed</a>' for url in INSIDE) if kind == "anchor" else ""
    home = page(anchors, heads.get(kind, ""))
    if kind == "header":
        links = ", ".join(f'<{url}>; rel="alternate"; type="application/rss+xml"' for url in INSIDE)
        home[0][1] = home[0][1].replace("\r\n\r\n", f"\r\nLink: {links}\r\n\r\n", 1)
    with site(home, secret=FEED, feed=FEED) as running:
        found = search(running, resolver=Names(NAMES))
        paths = set(asked(running))
    assert valid(found) == [running.url("feed")]
    assert "/secret" not in paths
    assert set(dialled) == {LOOPBACK}
    if kind in ("link", "anchor", "header"):
        told = {each.outcome for each in found.candidates if "127.0.0.1" in each.url or "169.254" in each.url}
        assert told == {Outcome.BLOCKED}
        assert not any("user@" in each.url or each.url.startswith(("file:", "gopher:")) for each in found.candidates)


@pytest.mark.parametrize("target", INSIDE)
def test_feed_that_redirects_inside_is_blocked(target: str, dialled: list[str]) -> None:
    away = answer(f"302 Found\r\nLocation: {target}\r\nContent-Length: 0")
    with site(page("", link("/away")), away=away, secret=FEED) as running:
        found = search(running, resolver=Names(NAMES))
        assert "/secret" not in asked(running)
    blocked = next(each for each in found.candidates if each.url == running.url("away"))
    assert (blocked.outcome, found.outcome) == (Outcome.BLOCKED, DiscoveryOutcome.NO_FEED)
    assert set(dialled) == {LOOPBACK}


@pytest.mark.parametrize("target", INSIDE)
def test_home_page_that_redirects_inside_is_blocked_at_once(target: str, dialled: list[str]) -> None:
    with site(answer(f"302 Found\r\nLocation: {target}\r\nContent-Length: 0"), secret=FEED) as running:
        found = search(running, resolver=Names(NAMES))
    assert (found.outcome, found.requests, set(dialled)) == (DiscoveryOutcome.BLOCKED, 1, {LOOPBACK})
    assert "127." not in found.detail


# --- large, endless, circular -----------------------------------------------------------------------------


MEGABYTE = "x" * 1024


@pytest.mark.parametrize("declared", ["Content-Length: 52428800", "X-Size: unknown"])
def test_page_of_fifty_megabytes_is_given_up_and_the_feed_found_beside_it(declared: str) -> None:
    huge: Script = [["send", f"HTTP/1.1 200 OK\r\n{declared}\r\n\r\n"], ["repeat", MEGABYTE, 50 * 1024], ["close"]]
    with site(huge, feed=FEED) as running:
        found = search(running)
    assert (valid(found), found.page_outcome, found.page) == ([running.url("feed")], Outcome.TOO_LARGE, None)


def test_site_of_nothing_but_fifty_megabytes_has_no_feed() -> None:
    huge: Script = [["send", "HTTP/1.1 200 OK\r\nContent-Length: 52428800\r\n\r\n"], ["close"]]
    with site(huge) as running:
        found = search(running)
    assert (found.outcome, found.complete) == (DiscoveryOutcome.NO_FEED, True)


@pytest.mark.parametrize("what", ["anchors", "links"])
def test_page_of_a_hundred_thousand_links_ends_in_time_and_budget(what: str) -> None:
    one = '<a href="/f{0}/rss">rss</a>' if what == "anchors" else link("/f{0}/rss")
    many = "".join(one.format(n) for n in range(100_000))
    home = page(many) if what == "anchors" else page("", many)
    with site(home, feed=FEED) as running:
        found = search(running, replace(ANSWER_LIMITS, answer_s=60.0, request_s=60.0))  # of a busy machine
    assert len(found.candidates) <= ANSWER_LIMITS.candidates
    assert found.outcome in (DiscoveryOutcome.FOUND, DiscoveryOutcome.NO_FEED)
    assert found.requests > 5


@pytest.mark.parametrize("location", ["/", "/a", "/case?$PORT"])
def test_home_page_in_a_redirect_loop_is_unreachable(location: str) -> None:
    here, back = answer(f"302 F\r\nLocation: {location}\r\nContent-Length: 0"), answer("302 F\r\nLocation: /")
    with site(here, a=back, case=back) as running:
        found = search(running)
    assert (found.outcome, found.page_outcome) == (DiscoveryOutcome.UNREACHABLE, Outcome.REDIRECT_LOOP)
    assert found.complete


def test_home_page_that_redirects_for_ever_is_unreachable() -> None:
    with site([["redirect_counter"]]) as running:
        found = search(running)
    assert (found.outcome, found.page_outcome) == (DiscoveryOutcome.UNREACHABLE, Outcome.TOO_MANY_REDIRECTS)


def test_feeds_that_redirect_for_ever_stay_in_the_budget() -> None:
    names = {f"f{n}": [["redirect_counter"]] for n in range(12)}
    with site(page("", "".join(link(f"/{name}") for name in names)), **names) as running:
        found = search(running)
    assert (found.outcome, found.requests, found.complete) == (DiscoveryOutcome.NO_FEED, 24, True)


# --- walls ----------------------------------------------------------------------------------------------------


WALLS = {
    "403": answer("403 Forbidden\r\nContent-Length: 2", "no"),
    "challenge by header": answer("503 Unavailable\r\ncf-mitigated: challenge\r\nContent-Length: 2", "no"),
    "challenge by page": page("<script>window._cf_chl_opt={}</script>"),
}


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
def test_bot_wall_is_a_refusal_after_one_try_as_a_browser(wall: Script) -> None:
    with site(wall) as running:
        found = search(running)
        agents = [request.head for request in running.requests if request.path == "/"]
    assert (found.outcome, found.complete) == (DiscoveryOutcome.REFUSED, True)
    assert [b"Mozilla/5.0 (compatible; feedward/" in head for head in agents] == [False, True]


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
def test_feed_behind_no_wall_is_found_beside_one(wall: Script) -> None:
    with site(wall, feed=FEED) as running:
        assert valid(search(running)) == [running.url("feed")]


# --- slow --------------------------------------------------------------------------------------------------------


HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n"
SLOW: dict[str, Script] = {
    "silent": [["hang"]],
    "dripping head": [["drip", HEAD, 1, 0.1]],
    "dripping body": [["send", HEAD], ["drip", "<p>" * 900, 1, 0.1]],
    "endless body": [["send", "HTTP/1.1 200 OK\r\n\r\n"], ["drip", "x" * 900, 1, 0.1]],
}


@pytest.mark.parametrize("script", SLOW.values(), ids=SLOW)
def test_host_that_trickles_is_left_open_when_time_is_over(script: Script) -> None:
    with site(script) as running:
        found = search(running, QUICK)
    assert (found.outcome, found.complete) == (DiscoveryOutcome.UNREACHABLE, False)
    assert found.page_outcome is Outcome.TIMEOUT


@pytest.mark.parametrize("script", SLOW.values(), ids=SLOW)
def test_feeds_that_trickle_do_not_hold_back_found_feeds(script: Script) -> None:
    with site(page("", link("/quick") + link("/slow")), quick=FEED, slow=script) as running:
        found = search(running, QUICK)
    assert (valid(found), found.complete) == ([running.url("quick")], False)


def slowly(script: Script, seconds: float) -> Script:
    return [["sleep", seconds], *script]


def test_slow_site_is_left_open_by_the_answer_and_found_with_the_limits_of_a_job() -> None:
    with site(slowly(page("", link("/f")), 2.5), f=slowly(FEED, 2.5)) as running:
        first = search(running, QUICK)
        running.requests.clear()
        second = search(running, PATIENT)
    assert (first.outcome, first.complete, first.candidates) == (DiscoveryOutcome.UNREACHABLE, False, first.candidates)
    assert (valid(second), second.complete, second.rounds) == ([running.url("f")], True, 2)


def test_site_of_six_seconds_is_answered_in_time() -> None:
    """With the usual limits of an answer, and a server that would need 6 s for each page."""
    with site([["hang"]], feed=[["hang"]]) as running:
        found = search(running)
    assert (found.outcome, found.complete) == (DiscoveryOutcome.UNREACHABLE, False)
    assert ANSWER_LIMITS.answer_s < 4.0
