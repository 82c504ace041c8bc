"""The bench of finders judges answers fairly, counts requests, and outlives a finder that hangs or breaks."""

from __future__ import annotations

import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from bench import finder_processes
from bench.discovery import Measured
from bench.discovery_server import SiteServer
from bench.discovery_sites import Site, load_discovery_sites
from bench.finder_processes import ROOT, Answer, ask_all


def page(body: str = "", **said: Any) -> dict[str, Any]:
    return {"status": 200, "headers": {"content-type": "text/html"}, "body": body} | said


MOVED = {"status": 301, "headers": {"location": "http://one.example/feed/"}, "body": ""}
WALL = page("for browsers", ua_require="Mozilla", ua_else=page("no", status=403))
ONE = Site(
    name="one",
    url="http://one.example/",
    pages={
        "http://one.example/": page("home"),
        "http://one.example/feed": MOVED,
        "http://one.example/feed/": page("feed"),
        "http://one.example/wall": WALL,
    },
    expected=frozenset({"http://one.example/feed/"}),
)
SHELL = Site(
    name="shell",
    url="http://shell.example/",
    pages={"http://shell.example*": page("shell")},
    expected=frozenset(),
)


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer([ONE, SHELL], delay_s=0.0) as running:
        yield running


def get(server: SiteServer, host: str, path: str, agent: str = "test") -> tuple[int, str]:
    headers = {"Host": host, "User-Agent": agent}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.parametrize(
    ("site", "first", "right"),
    [
        (ONE, "http://one.example/feed/", True),
        (ONE, "http://one.example/feed", True),
        (ONE, "http://one.example/", False),
        (ONE, None, False),
        (SHELL, None, True),
        (SHELL, "http://shell.example/feed", False),
    ],
)
def test_a_feed_is_right_before_and_after_the_site_s_own_redirect(site: Site, first: str | None, right: bool) -> None:
    assert site.is_right(first) is right


def test_each_host_of_the_cases_belongs_to_one_site_so_that_requests_can_be_told_apart() -> None:
    sites = load_discovery_sites()
    hosts = [host for site in sites for host in site.hosts]
    assert len(hosts) == len(set(hosts))
    assert len(sites) >= 50


def test_pages_are_served_by_host_and_every_request_is_counted_for_its_site(server: SiteServer) -> None:
    assert get(server, "one.example", "/") == (200, "home")
    assert get(server, "one.example", "/wall") == (403, "no")
    assert get(server, "one.example", "/wall", agent="Mozilla/5.0") == (200, "for browsers")
    assert get(server, "one.example", "/nothing")[0] == 404
    assert get(server, "shell.example", "/whatever") == (200, "shell")
    assert get(server, "elsewhere.example", "/")[0] == 404
    assert (server.requests_of(ONE), server.requests_of(SHELL)) == (4, 1)


# A finder of three lines: it answers the first site, hangs at the second, and ends at the third.
FINDER = """
import json, sys, time
for line in sys.stdin:
    url = json.loads(line)
    if "hangs" in url: time.sleep(60)
    if "ends" in url: sys.exit(1)
    print(json.dumps({"first": url + "feed", "seconds": 0.5}), flush=True)
"""


def test_a_finder_that_hangs_or_ends_has_found_nothing_and_the_next_site_is_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finder_processes, "WITHIN_S", 1.0)
    monkeypatch.setattr(finder_processes, "PROCESSES", 1)
    sites = [
        Site(name=name, url=f"http://{name}.example/", pages={}, expected=frozenset({f"http://{name}.example/feed"}))
        for name in ("first", "hangs", "ends", "last")
    ]
    counted: list[int] = []
    answers = ask_all([sys.executable, "-c", FINDER], sites, lambda: counted.append(1))
    assert [answer.first for answer in answers] == ["http://first.example/feed", None, None, "http://last.example/feed"]
    assert [bool(answer.error) for answer in answers] == [False, True, True, False]
    assert len(counted) == 4


def test_the_row_of_a_finder_has_its_means_and_percentiles() -> None:
    answers = [Answer(site=ONE, first="http://one.example/feed/", seconds=number / 100) for number in range(1, 101)]
    answers[0] = Answer(site=ONE, first=None, seconds=0.01)
    row = Measured(name="x", answers=answers, requests=[2] * 99 + [7]).row
    assert row == ("x", "99/100", "2.0", "7", "0.51", "0.95", "1.00")


def test_other_finders_cannot_dial_anything_but_the_sites(server: SiteServer) -> None:
    script = """
import socket, sys
sys.path.insert(0, "bench")
import peer_finder
peer_finder.keep_on_loopback(int(sys.argv[1]))
for host, port in (("one.example", 80), ("one.example", 443), ("localhost", 80), ("elsewhere.test", 80)):
    try:
        print(socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)[0][4][1] == int(sys.argv[1]))
    except socket.gaierror:
        print("no host")
for address in (("169.254.169.254", 80), ("127.0.0.1", 443), ("::1", 80)):
    with socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET) as sock:
        try:
            sock.connect(address)
        except ConnectionRefusedError as error:
            print("of this bench" in str(error))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(server.port)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:-1] == ["True", "False", *["no host"] * 2, *["True"] * 3]
