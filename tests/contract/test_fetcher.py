"""Promises of every Fetcher (ports.Fetcher): the internet in memory, and the guarded fetch over a loopback server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.adapters.fetching.settings import FetchSettings
from feedward.errors import Throttled
from feedward.model import Hop, Outcome, Validators
from feedward.ports import Fetcher, PageFetcher
from feedward.urls.safety import is_public_address
from tests.fakes.fetcher import FakeFetcher

Network = Mapping[str, Mapping[str, Any]]
Build = Callable[..., PageFetcher]

NETWORK: Network = {
    "http://a.example/feed": {"body": "<rss/>", "headers": {"Content-Type": "text/xml", "ETag": '"1"'}},
    "http://a.example/moved": {"status": 301, "headers": {"Location": "/feed#top"}},
    "http://a.example/far": {"status": 302, "headers": {"Location": "http://b.example/x"}},
    "http://b.example/x": {"status": 308, "headers": {"Location": "//a.example/feed"}},
    "http://a.example/loop": {"status": 302, "headers": {"Location": "http://a.example/loop#again"}},
    "http://a.example/nowhere": {"status": 302},
    "http://a.example/inside": {"status": 302, "headers": {"Location": "http://10.0.0.8/feed"}},
    "http://a.example/inside-by-name": {"status": 302, "headers": {"Location": "http://intranet.example/feed"}},
    "http://a.example/dead": {"status": 302, "headers": {"Location": "http://dead.example/feed"}},
    "http://intranet.example/feed": {"body": "<rss/>"},
    "http://a.example/blank": {"body": " \n"},
    "http://a.example/gone": {"status": 410, "body": "gone"},
    "http://a.example/busy": {"status": 429, "headers": {"Retry-After": "120"}},
    "http://a.example/unchanged": {"status": 304},
    "http://a.example/wall": {
        "body": "<rss/>",
        "ua_require": "Mozilla/5.0",
        "ua_else": {"status": 403, "body": "no"},
    },
    "http://a.example/to-wall": {"status": 302, "headers": {"Location": "/wall"}},
    "http://a.example/q?b=2&a=%20": {"body": "<rss/>"},
    **{f"http://a.example/{n}": {"status": 302, "headers": {"Location": f"/{n + 1}"}} for n in range(6)},
    "http://a.example/6": {"body": "<rss/>"},
}
DNS = {"intranet.example": ["10.1.2.3"], "nameless.example": [], "mixed.example": ["93.184.216.34", "10.0.0.5"]}


class Web(ThreadingHTTPServer):
    """Serves a network on one loopback port, by Host header and path."""

    daemon_threads = True

    def __init__(self, network: Network) -> None:
        super().__init__(("127.0.0.1", 0), WebHandler)
        self.network = network


class WebHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Web)
        page = self.server.network[f"http://{self.headers['Host']}{self.path}"]
        if page.get("ua_require", "") not in self.headers["User-Agent"]:
            page = page["ua_else"]
        headers = dict(page.get("headers", {}))
        status, body = page.get("status", 200), page.get("body", "").encode()
        if headers.get("ETag", "") == self.headers["If-None-Match"]:
            status, body = 304, b""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if status not in (204, 304) else b"")

    def log_message(self, *_: object) -> None:
        """No log in tests."""


class WebResolver:
    """Every host of the network is on the loopback server; the hosts of `DNS` are at their addresses."""

    def __init__(self, port: int) -> None:
        self.port = port

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:
        if host in DNS:
            return [Endpoint(address) for address in DNS[host]]
        known = any(f"//{host}/" in url for url in NETWORK)
        return [Endpoint("127.0.0.1", self.port if known else 9)]


@pytest.fixture(params=["in memory", "over sockets"])
def build(request: pytest.FixtureRequest) -> Iterator[Build]:
    """Makes a Fetcher for NETWORK; keyword arguments are its settings of redirects."""
    if request.param == "in memory":
        yield lambda **redirects: FakeFetcher(NETWORK, dns=DNS, **redirects)
        return
    with ExitStack() as stack:
        server = stack.enter_context(Web(NETWORK))
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        stack.callback(thread.join)
        stack.callback(server.shutdown)
        yield lambda **redirects: GuardedFetcher(
            FetchSettings(**redirects),
            resolver=WebResolver(server.server_port),
            address_policy=lambda address: address == "127.0.0.1" or is_public_address(address),
        )


@pytest.fixture
def fetcher(build: Build) -> PageFetcher:
    return build()


@pytest.mark.parametrize(
    ("url", "outcome", "status", "requests"),
    [
        ("http://a.example/feed", "ok", 200, 1),
        ("http://A.EXAMPLE:80/feed#x", "ok", 200, 1),
        ("http://a.example/q?b=2&a=%20", "ok", 200, 1),
        ("http://a.example/moved", "ok", 200, 2),
        ("http://a.example/far", "ok", 200, 3),
        ("http://a.example/loop", "redirect_loop", 302, 1),
        ("http://a.example/nowhere", "bad_redirect", 302, 1),
        ("http://a.example/inside", "blocked", 302, 1),
        ("http://a.example/inside-by-name", "blocked", None, 1),
        ("http://a.example/dead", "connect_error", None, 1),
        ("http://a.example/blank", "empty_body", 200, 1),
        ("http://a.example/gone", "gone", 410, 1),
        ("http://a.example/busy", "rate_limited", 429, 1),
        ("http://a.example/unchanged", "unexpected_304", 304, 1),
        ("http://a.example/0", "too_many_redirects", 302, 6),
        ("http://a.example/1", "ok", 200, 6),
        ("http://dead.example/", "connect_error", None, 0),
        ("http://nameless.example/", "dns_error", None, 0),
        ("http://intranet.example/feed", "blocked", None, 0),
        ("http://10.0.0.8/feed", "blocked", None, 0),
        ("http://u:p@a.example/feed", "blocked", None, 0),
        ("http://a.example:22/feed", "blocked", None, 0),
        ("feed://a.example/feed", "blocked", None, 0),
        ("http://a b.example/", "bad_url", None, 0),
        ("not a url", "bad_url", None, 0),
        ("", "bad_url", None, 0),
    ],
)
def test_fetch_ends_in_an_outcome(fetcher: Fetcher, url: str, outcome: str, status: int | None, requests: int) -> None:
    result = fetcher.fetch(url)
    assert (result.outcome, result.status, result.requests) == (outcome, status, requests)
    assert (result.body != b"") == (outcome == "ok")


def test_url_of_the_result_is_the_last_one_asked_without_fragment(fetcher: Fetcher) -> None:
    assert fetcher.fetch("HTTP://a.example:80/feed#x").url == "http://a.example/feed"
    assert fetcher.fetch("http://a.example/moved#x").url == "http://a.example/feed"
    assert fetcher.fetch("http://a.example/dead").url == "http://dead.example/feed"


def test_each_followed_redirect_is_a_hop_with_its_status(fetcher: Fetcher) -> None:
    hops = fetcher.fetch("http://a.example/far").hops
    assert hops == (Hop(url="http://a.example/far", status=302), Hop(url="http://b.example/x", status=308))
    assert [hop.permanent for hop in hops] == [False, True]


def test_redirect_that_is_not_followed_is_no_hop(fetcher: Fetcher) -> None:
    assert fetcher.fetch("http://a.example/inside").hops == ()
    assert len(fetcher.fetch("http://a.example/0").hops) == 5


def test_body_and_headers_arrive_with_lower_case_names(fetcher: Fetcher) -> None:
    result = fetcher.fetch("http://a.example/moved")
    assert (result.body, result.content_type, result.headers["etag"]) == (b"<rss/>", "text/xml", '"1"')


def test_validators_of_the_answer_make_the_next_fetch_not_modified(fetcher: Fetcher) -> None:
    first = fetcher.fetch("http://a.example/moved")
    assert first.validators == Validators(etag='"1"')
    second = fetcher.fetch("http://a.example/moved", validators=first.validators)
    assert (second.outcome, second.status, second.body) == (Outcome.NOT_MODIFIED, 304, b"")
    assert second.hops == first.hops


def test_retry_after_is_whole_seconds(fetcher: Fetcher) -> None:
    assert fetcher.fetch("http://a.example/busy").retry_after_s == 120
    assert fetcher.fetch("http://a.example/gone").retry_after_s is None


def test_without_time_nothing_is_asked(fetcher: Fetcher) -> None:
    result = fetcher.fetch("http://a.example/feed", within_s=0)
    assert (result.outcome, result.requests) == (Outcome.TIMEOUT, 0)


def test_redirects_can_be_switched_off(build: Build) -> None:
    result = build(follow_redirects=False).fetch("http://a.example/moved")
    assert (result.outcome, result.status, result.hops) == (Outcome.UNEXPECTED_STATUS, 301, ())


def test_limit_of_redirects_is_a_setting(build: Build) -> None:
    assert build(max_redirects=1).fetch("http://a.example/far").outcome is Outcome.TOO_MANY_REDIRECTS
    assert build(max_redirects=6).fetch("http://a.example/0").outcome is Outcome.OK


@pytest.mark.parametrize("path", ["wall", "to-wall"])
def test_site_that_wants_a_browser_gets_one_only_when_the_caller_says_so(fetcher: Fetcher, path: str) -> None:
    refused = fetcher.fetch(f"http://a.example/{path}")
    assert (refused.outcome, refused.status, refused.body) == (Outcome.FORBIDDEN, 403, b"")
    assert fetcher.fetch(f"http://a.example/{path}", as_browser=True).outcome is Outcome.OK


@pytest.mark.parametrize(
    ("allowed", "outcome", "hops"), [(0, "too_many_redirects", 0), (1, "too_many_redirects", 1), (2, "ok", 2)]
)
def test_caller_can_lower_the_limit_of_redirects(fetcher: Fetcher, allowed: int, outcome: str, hops: int) -> None:
    result = fetcher.fetch("http://a.example/far", max_redirects=allowed)
    assert (result.outcome, len(result.hops), result.requests) == (outcome, hops, hops + 1)


def test_caller_is_asked_before_each_redirect_and_can_end_the_fetch_there(fetcher: PageFetcher) -> None:
    asked: list[str] = []

    def may_follow(url: str) -> bool:
        asked.append(url)
        return len(asked) < 2

    result = fetcher.fetch("http://a.example/far", may_follow=may_follow)
    hops = fetcher.fetch("http://a.example/far").hops
    assert (result.outcome, len(result.hops), result.requests) == (Outcome.BLOCKED, 1, 2)
    assert asked == [hops[1].url, fetcher.fetch("http://a.example/far").url]
    assert fetcher.fetch("http://a.example/far", may_follow=lambda _: True).outcome is Outcome.OK


def test_an_exception_of_the_callers_hook_propagates_from_the_fetch(fetcher: PageFetcher) -> None:
    def may_follow(url: str) -> bool:
        raise Throttled(url)

    with pytest.raises(Throttled):
        fetcher.fetch("http://a.example/far", may_follow=may_follow)


@pytest.mark.parametrize(("asked_for", "body"), [(3, b"<rs"), (6, b"<rss/>"), (100, b"<rss/>")])
def test_no_more_of_a_body_is_read_than_was_asked_for(fetcher: Fetcher, asked_for: int, body: bytes) -> None:
    result = fetcher.fetch("http://a.example/moved", first_bytes=asked_for)
    assert (result.outcome, result.body) == (Outcome.OK, body)


@pytest.mark.parametrize("allowed", [6, 100])
def test_caller_cannot_raise_the_limit_of_redirects(fetcher: Fetcher, allowed: int) -> None:
    result = fetcher.fetch("http://a.example/0", max_redirects=allowed)
    assert (result.outcome, result.requests) == (Outcome.TOO_MANY_REDIRECTS, 6)


def test_detail_names_no_address(fetcher: Fetcher) -> None:
    for url in ("http://a.example/inside", "http://a.example/inside-by-name", "http://mixed.example/"):
        result = fetcher.fetch(url)
        assert result.outcome is Outcome.BLOCKED
        assert "10." not in result.detail
        assert "127." not in result.detail


def test_detail_is_left_out_where_the_outcome_says_all(fetcher: Fetcher) -> None:
    assert fetcher.fetch("http://a.example/gone").detail == ""
    assert fetcher.fetch("http://a.example/feed").detail == ""
