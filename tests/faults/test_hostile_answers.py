"""The outcome of one fetch for broken, hostile and unusual answers."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

import pytest

from feedward.model import Outcome, Validators
from tests.faults.site import FEED, OK, answer, answer_bytes, serving

BODY = FEED.encode()
PACKED = gzip.compress(BODY)
RAW_DEFLATE = zlib.compress(BODY)[2:-4]
BAD_CHECKSUM = PACKED[:-8] + bytes(4) + PACKED[-4:]
GZIP = "200 OK\r\nContent-Encoding: gzip"
DEFLATE = "200 OK\r\nContent-Encoding: deflate"


def cut(text: str) -> list[Any]:
    return [["send", text], ["close"]]


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        pytest.param(cut("HTTP/1.1 200 OK\r\nContent-Type: te"), "empty_body", id="head cut inside a header"),
        pytest.param(cut("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"), "empty_body", id="head cut before its end"),
        pytest.param(cut("HTTP/1.1 410 Gone\r\nConte"), "connection_reset", id="cut head never says gone"),
        pytest.param(cut("HTTP/1.1 301 M\r\nLocation: /o"), "connection_reset", id="cut Location is not followed"),
        pytest.param(cut("HTTP/1.1 2"), "bad_response", id="cut status line"),
        pytest.param(cut(""), "connection_reset", id="closed without an answer"),
        pytest.param(answer("101 Switching Protocols\r\nUpgrade: x"), "unexpected_status", id="101 is final"),
        pytest.param(
            [["send", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"], *OK], "ok", id="early hints are skipped"
        ),
        pytest.param([["send", "HTTP/1.1 102 Processing\r\n\r\n"], *OK], "ok", id="102 is skipped"),
        pytest.param([["repeat", "HTTP/1.1 103 E\r\n\r\n", -1]], "bad_response", id="endless early hints"),
        pytest.param(answer("206 Partial\r\nContent-Length: 4", "<rss"), "unexpected_status", id="206 is no content"),
        pytest.param(answer("203 Changed\r\nConnection: close", FEED), "ok", id="203 is content"),
        pytest.param(answer("305 Proxy\r\nLocation: /ok"), "unexpected_status", id="305 is not followed"),
        pytest.param(answer("200 OK\r\nContent-Length: 4", " \r\n\t"), "empty_body", id="white space is no body"),
        pytest.param(answer("200 OK\r\nTransfer-Encoding: gzip, chunked", "0\r\n\r\n"), "bad_encoding", id="te chain"),
        pytest.param(
            [["send", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"], ["repeat", "a: b\r\n", -1]],
            "too_large",
            id="endless trailers",
        ),
        pytest.param(answer("503 Busy\r\ncf-mitigated: challenge"), "challenge", id="challenge with 503"),
        pytest.param(answer("202 OK\r\nx-amzn-waf-action: challenge"), "challenge", id="challenge with 202"),
        pytest.param(answer_bytes(GZIP, PACKED), "ok", id="gzip"),
        pytest.param(answer_bytes(GZIP, BODY), "ok", id="plain text under gzip"),
        pytest.param(answer_bytes(GZIP, b"\x89PNG\r\n\x1a\n\0\0"), "bad_encoding", id="binary under gzip"),
        pytest.param(answer_bytes(GZIP, BAD_CHECKSUM), "bad_encoding", id="wrong checksum"),
        pytest.param(answer_bytes(GZIP, PACKED[:-3]), "truncated", id="gzip without its end"),
        pytest.param(answer_bytes(GZIP, gzip.compress(b"")), "empty_body", id="gzip of nothing"),
        pytest.param(answer_bytes(GZIP, b""), "empty_body", id="nothing under gzip"),
        pytest.param(answer_bytes(GZIP, gzip.compress(b"") * 100_000), "bad_encoding", id="flood of gzip members"),
        pytest.param(answer_bytes(DEFLATE, RAW_DEFLATE), "ok", id="raw deflate"),
        pytest.param(answer_bytes(DEFLATE, BODY), "ok", id="plain text under deflate"),
        pytest.param(answer_bytes(DEFLATE, zlib.compress(BODY)[:-9]), "truncated", id="zlib without its end"),
        pytest.param(answer_bytes("200 OK", PACKED), "ok", id="gzip that is not declared"),
        pytest.param(cut("HTTP/1.1 200 OK\r\nno header\r\nContent-Length: 4\r\n\r\n<rss"), "ok", id="no colon"),
        pytest.param(cut("HTTP/1.1 200 OK\r\nA: b\r\n folded\r\nContent-Length: 4\r\n\r\n<rss"), "ok", id="folded"),
        pytest.param(cut("HTTP/1.1 200 OK\r\n stray\r\nContent-Length: 4\r\n\r\n<rss"), "ok", id="stray fold"),
        pytest.param(answer("302 F\r\nLocation: /ok\rX: y"), "bad_redirect", id="bare CR in Location"),
        pytest.param(answer("302 F\r\nLocation: http://[broken/"), "bad_redirect", id="Location is not a URL"),
        pytest.param(answer("302 F\r\nLocation: \\\\feed.example\\ok"), "bad_redirect", id="backslashes in Location"),
        pytest.param(answer("302 F\r\nLocation: http://@feed.example/"), "blocked", id="empty userinfo in Location"),
        pytest.param(answer("302 F\r\nLocation: /ok\r\nLocation: /never"), "ok", id="first Location counts"),
        pytest.param([["tls", "tls_ip_san_only"]], "tls_error", id="certificate for the address only"),
        pytest.param([["tls", "tls_plain_on_443"]], "tls_error", id="no TLS on the TLS port"),
        pytest.param([["tls", "tls_handshake_hang"]], "timeout", id="handshake that hangs"),
        pytest.param([["tls", "tls_handshake_reset"]], "connection_reset", id="handshake that is reset"),
    ],
)
def test_answer_has_its_outcome(script: list[Any], outcome: str) -> None:
    with serving(script, ok=OK) as site:
        assert site.fetcher().fetch(site.url()).outcome == outcome


WALL = "<html><form action='/?__cf_chl_f_tk=1'></form></html>"
WALLED = f"403 F\r\nContent-Type: text/html\r\nContent-Length: {len(WALL)}\r\n\r\n{WALL}"


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        pytest.param(cut(f"HTTP/1.1 {WALLED}"), "challenge", id="a wall"),
        pytest.param(cut(f"HTTP/1.1 {WALLED[:-20]}"), "forbidden", id="a wall that is cut"),
        pytest.param(cut("HTTP/1.1 403 F\r\nContent-Length: 9\r\n\r\n<h1>no"), "forbidden", id="a page that is cut"),
        pytest.param(
            [["send", "HTTP/1.1 403 F\r\nContent-Type: text/html\r\n\r\n<p>"], ["repeat", "z" * 1000, -1]],
            "forbidden",
            id="a page without end",
        ),
        pytest.param(answer("403 F\r\nContent-Encoding: br"), "forbidden", id="a coding that was not asked for"),
    ],
)
def test_a_refusal_is_judged_by_the_start_of_its_page(script: list[Any], outcome: str) -> None:
    with serving(script) as site:
        result = site.fetcher().fetch(site.url())
    assert (result.outcome, result.status, result.body) == (outcome, 403, b"")


def test_utf8_location_is_followed_as_utf8() -> None:
    location = "/f\u00fcr".encode().decode("latin-1")
    with serving(answer(f"302 F\r\nLocation: {location}")) as site:
        assert site.fetcher().fetch(site.url()).url == site.url("f%C3%BCr")


def test_bytes_of_a_redirect_body_are_left_unread() -> None:
    with serving([["send", "HTTP/1.1 301 M\r\nLocation: /ok\r\n\r\n"], ["repeat", "z" * 1000, -1]], ok=OK) as site:
        result = site.fetcher(wire_bytes=1000).fetch(site.url())
    assert (result.outcome, [hop.status for hop in result.hops], result.hops[0].permanent) == ("ok", [301], True)


def test_conditional_headers_go_with_every_hop_and_304_keeps_the_path() -> None:
    moved = answer("302 F\r\nLocation: /there")
    with serving(moved, there=answer('304 Not Modified\r\nETag: "a"')) as site:
        stored = Validators(etag='"a"', last_modified="Mon, 01 Jan 2024 00:00:00 GMT")
        result = site.fetcher().fetch(site.url(), validators=stored)
        heads = [request.head.decode().lower() for request in site.requests]
    assert (result.outcome, result.status, result.url) == (Outcome.NOT_MODIFIED, 304, site.url("there"))
    assert [hop.url for hop in result.hops] == [site.url()]
    assert all('if-none-match: "a"\r\nif-modified-since: mon, 01 jan 2024 00:00:00 gmt' in head for head in heads)


@pytest.mark.parametrize("etag", ['"a"\r\nX-Injected: 1', "\u00e9", '"' + "a" * 1024 + '"', "", " "])
def test_validator_that_could_inject_is_not_sent(etag: str) -> None:
    with serving(answer("304 Not Modified")) as site:
        result = site.fetcher().fetch(site.url(), validators=Validators(etag=etag))
        head = site.requests[0].head.decode().lower()
    assert result.outcome is Outcome.UNEXPECTED_304
    assert "if-none-match" not in head
    assert "x-injected" not in head


def test_request_names_feedward_and_no_secret() -> None:
    with serving(OK) as site:
        site.fetcher(user_agent="feedward/0 (+https://ops.example/)").fetch(site.url())
        lines = site.requests[0].head.decode().lower().split("\r\n")
    assert lines[0] == "get /case http/1.1"
    assert f"host: feed.example:{site.port}" in lines
    assert "user-agent: feedward/0 (+https://ops.example/)" in lines
    assert "accept-encoding: gzip, deflate" in lines
    assert "connection: close" in lines
    assert not [line for line in lines if line.startswith(("cookie", "authorization", "referer"))]


def test_cookies_of_an_answer_are_not_kept() -> None:
    with serving(answer("302 F\r\nLocation: /ok\r\nSet-Cookie: a=b"), ok=answer("404 N\r\nSet-Cookie: c=d")) as site:
        result = site.fetcher().fetch(site.url())
        assert b"a=b" not in site.requests[1].head
    assert "set-cookie" not in result.headers


def test_with_redirects_off_a_3xx_is_an_unexpected_status_that_is_kept() -> None:
    with serving(answer("301 M\r\nLocation: /ok"), ok=OK) as site:
        result = site.fetcher(follow_redirects=False).fetch(site.url())
        assert len(site.requests) == 1
    assert (result.outcome, result.status, result.hops) == (Outcome.UNEXPECTED_STATUS, 301, ())


@pytest.mark.parametrize(("limit", "outcome", "asked"), [(0, "too_many_redirects", 1), (1, "ok", 2)])
def test_redirect_limit_is_a_setting(limit: int, outcome: str, asked: int) -> None:
    with serving(answer("301 M\r\nLocation: /ok"), ok=OK) as site:
        result = site.fetcher(max_redirects=limit).fetch(site.url())
        assert (result.outcome, result.requests, len(site.requests)) == (outcome, asked, asked)


def test_retry_after_of_the_last_hop_is_read() -> None:
    with serving(answer("302 F\r\nLocation: /busy"), busy=answer("503 Busy\r\nRetry-After: 90")) as site:
        result = site.fetcher().fetch(site.url())
    assert (result.outcome, result.retry_after_s) == (Outcome.SERVER_ERROR, 90)


def test_validators_come_from_a_complete_200_only() -> None:
    tagged = 'ETag: W/"1"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT'
    scripts = {
        "whole": answer(f"200 OK\r\n{tagged}\r\nContent-Length: 4", "<rss"),
        "short": answer(f"200 OK\r\n{tagged}\r\nContent-Length: 9", "<rss"),
        "other": answer(f"203 OK\r\n{tagged}\r\nContent-Length: 4", "<rss"),
    }
    with serving(OK, **scripts) as site:
        got = {name: site.fetcher().fetch(site.url(name)).validators for name in scripts}
    assert got["whole"] == Validators(etag='W/"1"', last_modified="Mon, 01 Jan 2024 00:00:00 GMT")
    assert got["short"] == got["other"] == Validators()


def test_a_chunked_answer_keeps_all_its_headers_but_a_length_that_counts_for_nothing() -> None:
    head = '200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\nETag: "1"\r\nContent-Type: text/xml'
    with serving(answer(head, f"{len(FEED):x}\r\n{FEED}\r\n0\r\n\r\n")) as site:
        result = site.fetcher().fetch(site.url())
    assert (result.outcome, result.body.decode(), result.validators.etag) == (Outcome.OK, FEED, '"1"')
    assert result.content_type == "text/xml"
    assert "content-length" not in result.headers


def test_control_characters_of_headers_are_removed() -> None:
    with serving(
        [["send_hex", b"HTTP/1.1 404 N\r\nX-A: a\0b\rc\r\nContent-Length: 0\r\n\r\n".hex()], ["close"]]
    ) as site:
        headers = site.fetcher().fetch(site.url()).headers
    assert headers["x-a"] == "a b c"


@pytest.mark.parametrize("tag", ['"a\x01b"', '"a\x7f"', '"\u00e9"'])
def test_validator_with_a_control_character_is_not_kept_in_another_form(tag: str) -> None:
    with serving(answer(f"200 OK\r\nETag: {tag}\r\nLast-Modified: {tag}\r\nContent-Length: {len(FEED)}", FEED)) as site:
        result = site.fetcher().fetch(site.url())
    assert (result.outcome, result.validators) == (Outcome.OK, Validators())
