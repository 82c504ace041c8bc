"""Headers become a plain map of texts."""

from __future__ import annotations

import http.client
from io import BytesIO

import pytest
from urllib3 import HTTPHeaderDict

from feedward.adapters.fetching.head import BoundedHead, header_map


@pytest.mark.parametrize(
    ("raw", "location"),
    [
        (b"/caf\xe9", "/caf%E9"),
        (b"/M\xe4rz?q=\xfc&a=1", "/M%E4rz?q=%FC&a=1"),
        ("/caf\u00e9".encode(), "/caf\u00e9"),
        ("/\u00e9".encode() + b"\xe9", "/%C3%A9%E9"),
        (b"/plain%E4", "/plain%E4"),
        (b"/a\x80", "/a%80"),
    ],
)
def test_bytes_of_a_location_that_are_no_utf_8_are_escaped_as_browsers_do(raw: bytes, location: str) -> None:
    assert header_map(HTTPHeaderDict({"Location": raw.decode("latin-1")})) == {"location": location}


def test_other_headers_are_read_as_latin_1_then() -> None:
    assert header_map(HTTPHeaderDict({"X": "caf\xe9"})) == {"x": "caf\u00e9"}


@pytest.mark.parametrize(
    "more", [b"X-%d: y\r\n", b"Set-Cookie: c%d=1;\r\n Path=/\r\n", b"Link: </%d>; rel=preload\r\n"]
)
def test_a_head_of_many_lines_keeps_those_that_matter(more: bytes) -> None:
    lines = b"".join(more % number for number in range(95 if b"Link" in more else 300))
    head = BoundedHead(BytesIO(b"HTTP/1.1 302 Found\r\n" + lines + b"Location: /feed\r\n\r\n"), 65_536)
    assert head.readline().startswith(b"HTTP/1.1")
    headers = http.client.parse_headers(head)
    assert (headers["location"], headers["set-cookie"], head.complete) == ("/feed", None, True)
