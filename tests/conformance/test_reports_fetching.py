"""Reports about fetching (kinds 1 to 4, 15): labels, waits, negotiation, refusals under odd statuses."""

from __future__ import annotations

import base64
import gzip
import json
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.adapters.fetching.settings import FetchSettings
from feedward.feeds.read_feed import read_feed
from feedward.lineage.content import read_content
from feedward.model import FetchResult, Outcome, Wanted
from feedward.services.discover.discover import discover
from feedward.urls.safety import UrlPolicy
from tests.fakes.fetcher import FakeFetcher

REPORTS = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "reports.json"
KINDS = ("K1", "K2", "K3", "K4", "K15")
HOST, LOOPBACK = "feed.example", "127.0.0.1"


def cases(*ops: str) -> list[Any]:
    if not REPORTS.exists():
        reason = "the reports are beside the checkout, and not in this clone (../shared/conformance)"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason))]
    found = [case for case in json.loads(REPORTS.read_text()) if case["kind"] in KINDS and case["op"] in ops]
    return [pytest.param(case, id=case["id"]) for case in found]


class Names:
    def resolve(self, host: str, port: int, *, within_s: float) -> list[Endpoint]:
        return [Endpoint(LOOPBACK)] if host == HOST else []


@contextmanager
def served(handler: type[BaseHTTPRequestHandler], *, wants: Wanted) -> Iterator[FetchResult]:
    """The answer that the guarded fetch gets from a server on loopback."""
    with ThreadingHTTPServer((LOOPBACK, 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        port = server.server_address[1]
        settings = FetchSettings(url_policy=UrlPolicy(ports=frozenset({port})))
        fetcher = GuardedFetcher(settings, resolver=Names(), address_policy=lambda address: address == LOOPBACK)
        yield fetcher.fetch(f"http://{HOST}:{port}/", wants=wants)
        server.shutdown()


class Quiet(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


def scripted(answer: Mapping[str, Any]) -> type[BaseHTTPRequestHandler]:
    """A server that sends this answer."""
    body = base64.b64decode(answer["base64"]) if "base64" in answer else answer["body"].encode()
    body = gzip.compress(body) if answer.get("gzip") else body
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if answer.get("chunked") else body

    class Scripted(Quiet):
        def do_GET(self) -> None:
            lines = [f"HTTP/1.1 {answer.get('status', '200 OK')}", *(f"{n}: {v}" for n, v in answer["headers"])]
            lines += [] if answer.get("chunked") else [f"Content-Length: {len(body)}"]
            self.wfile.write("\r\n".join([*lines, "", ""]).encode() + body)

    return Scripted


def negotiating(has: Mapping[str, str], needs: str | None) -> type[BaseHTTPRequestHandler]:
    """A server that sends the type that the Accept header prefers, or 406 without the one that it insists on."""

    class Negotiating(Quiet):
        def do_GET(self) -> None:
            accept = self.headers["Accept"]
            kind = max(has, key=lambda name: quality(accept, name))
            refuses = needs is not None and needs not in accept
            self.send_response(406 if refuses else 200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(b"no" if refuses else has[kind].encode())

    return Negotiating


def quality(accept: str, kind: str) -> float:
    """The weight of a media type, by the most specific range that names it."""
    ranges = {name.strip(): q for name, _, q in (part.partition(";q=") for part in accept.split(","))}
    for name in (kind, f"{kind.partition('/')[0]}/*", "*/*"):
        if name in ranges:
            return float(ranges[name] or 1)
    return 0.0


@pytest.mark.parametrize("case", cases("fetch"))
def test_an_answer_is_read_as_people_see_it(case: dict[str, Any]) -> None:
    with served(scripted(case["input"]["answer"]), wants=Wanted.FEED) as fetch:
        told = {"outcome": fetch.outcome, "body": fetch.body.decode(), "retry_after_s": fetch.retry_after_s}
    assert {name: told[name] for name in case["expected"]} == case["expected"]


RSS = b'<rss version="2.0"><channel><title>T</title><item><title>a</title><guid>1</guid></item></channel></rss>'
TAR = b"notes.txt".ljust(257, b"\0") + b"ustar\x0000".ljust(255, b"\0") + bytes(1024)


@pytest.mark.parametrize("kind", ["application/gzip", "application/x-gzip", "application/octet-stream", "text/xml"])
@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (gzip.compress(RSS), Outcome.OK),
        (gzip.compress(RSS[:40]) + gzip.compress(RSS[40:]), Outcome.OK),
        (gzip.compress(gzip.compress(RSS)), Outcome.NOT_FEED),
        (gzip.compress(TAR), Outcome.NOT_FEED),
        (gzip.compress(b"<html><title>T</title></html>"), Outcome.NOT_FEED),
        (b"\x28\xb5\x2f\xfd" + zlib.compress(RSS), Outcome.NOT_FEED),
        (gzip.compress(bytes(11 << 20), 1), Outcome.TOO_LARGE),
    ],
    ids=["file", "parts", "twice", "tar", "page", "zstd", "bomb"],
)
def test_a_gzip_file_without_a_label_is_unpacked_once(kind: str, body: bytes, outcome: Outcome) -> None:
    answer = {"headers": [("Content-Type", kind)], "base64": base64.b64encode(body)}
    with served(scripted(answer), wants=Wanted.FEED) as fetch:
        assert read_feed(fetch).outcome is outcome
        if outcome is Outcome.OK:
            assert fetch.body == RSS


@pytest.mark.parametrize("case", cases("negotiate"))
def test_each_kind_of_request_gets_its_own_type(case: dict[str, Any]) -> None:
    given = case["input"]
    wants = Wanted.PAGE if given.get("collect") else Wanted.FEED
    with served(negotiating(given["has"], given.get("needs")), wants=wants) as fetch:
        title = read_content(fetch.body, content_type=fetch.content_type).title
        told = {"outcome": fetch.outcome, "type": fetch.content_type, "title": title}
    assert {name: told[name] for name in case["expected"]} == case["expected"]


@pytest.mark.parametrize("case", cases("discover"))
def test_a_site_that_refuses_is_not_said_to_have_no_feed(case: dict[str, Any]) -> None:
    found = discover(case["input"]["url"], fetcher=FakeFetcher(case["input"]["pages"], answers_404=True))
    assert {"outcome": found.outcome} == case["expected"]


def test_the_reports_of_these_kinds_are_there() -> None:
    found = [param.values[0] for param in cases("fetch", "negotiate", "discover")]
    if not REPORTS.exists():
        pytest.skip("the reports are not in this clone")
    assert {case["kind"] for case in found} == set(KINDS)
