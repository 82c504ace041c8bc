"""Reads response heads within a limit, and returns them as a plain map (rules N12, N15).

http.client alone accepts 100 lines of 64 KB each, splits lines at a bare CR, stops at the first line without a header,
treats an early end of the connection as the end of the head, and returns a 103 as the response.
"""

from __future__ import annotations

import http.client
import re
from typing import Any

from urllib3 import HTTPHeaderDict
from urllib3.response import BaseHTTPResponse

from feedward.adapters.fetching.outcomes import Failure
from feedward.model import Outcome

# Headers that may occur once. If one is repeated, the first counts.
_SINGLE = frozenset(
    {"age", "content-length", "content-type", "date", "etag", "last-modified", "location", "retry-after"}
)
_VALIDATORS = frozenset({"etag", "last-modified"})
_HEADER_LINE = re.compile(rb"(?!set-cookie)[!-9;-~]+:", re.IGNORECASE)
_MOST_LINES = 90  # http.client refuses 100: then only these headers are kept
_NEEDED = re.compile(
    rb"(?:content-[a-z]+|transfer-encoding|location|link|refresh|retry-after|etag|last-modified|cf-mitigated):",
    re.IGNORECASE,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_ABOVE_ASCII = re.compile(r"[\x80-\xff]")


class BoundedHead:
    """Replaces the stream while the head is read line by line."""

    def __init__(self, stream: Any, limit: int) -> None:
        self._stream = stream
        self._left = limit
        self._lines = 0  # 0: the status line is next
        self._in_header = False
        self.complete = False

    def readline(self, limit: int = -1) -> bytes:
        """Return the next line of the head that a header parser understands. Raises HTTPException past the limit."""
        while True:
            line: bytes = self._stream.readline(limit)
            self._left -= len(line)
            if self._left < 0:
                raise http.client.HTTPException("the head is too long")
            if self._keeps(line):
                return _without_bare_cr(line)

    def close(self) -> None:
        self._stream.close()

    def flush(self) -> None:
        """Do nothing. http.client flushes a stream that it closes."""

    def _keeps(self, line: bytes) -> bool:
        """Return False for a line that is neither a header nor its continuation, and for headers that are not read."""
        blank = not line.strip(b"\r\n")
        self.complete = blank and line != b""
        if blank or not self._lines:
            self._lines, self._in_header = not blank, False
            return True
        if line[:1] in (b" ", b"\t"):
            return self._in_header
        self._lines += 1
        self._in_header = (_HEADER_LINE if self._lines < _MOST_LINES else _NEEDED).match(line) is not None
        return self._in_header


class BoundedResponse(http.client.HTTPResponse):
    """http.client's response with a bounded head. `head_complete` is False if the connection ended inside it."""

    head_complete = False

    def __init__(self, sock: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self._head_limit: int = sock.budget.header_bytes

    def begin(self) -> None:
        """Read status line and headers of the final response."""
        stream: Any = self.fp
        head: Any = BoundedHead(stream, self._head_limit)
        self.fp = head
        try:
            super().begin()
        finally:
            if self.fp is head:
                self.fp = stream
        self.head_complete = head.complete
        self._read_chunks_once()
        self.headers = self.msg = self._fields_only()

    def _read_chunks_once(self) -> None:
        """Treat `chunked` as one framing if both an application and its proxy sent it. http.client accepts it once."""
        coding = ", ".join(self.headers.get_all("transfer-encoding", []))
        if is_chunked(coding) and not self.chunked:
            self.chunked, self.chunk_left = True, None
            self.length = 0 if self.length == 0 and self.status in (204, 304) else None

    def _fields_only(self) -> http.client.HTTPMessage:
        """Return the headers without the mail parser's defects, which urllib3 would log with the whole URL.

        The Content-Length of a chunked body is dropped (RFC 9112, section 6.3).
        """
        fields = http.client.HTTPMessage()
        for name, value in self.headers.items():
            if not (self.chunked and name.lower() == "content-length"):
                fields[name] = value
        return fields

    def _read_status(self) -> tuple[str, int, str]:
        """Skip interim responses. http.client does so for 100 only. 101 is final: no upgrade was requested."""
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 102 <= status < 200:
                return version, status, reason
            http.client.parse_headers(self.fp)


def is_chunked(transfer_encoding: str) -> bool:
    """Return whether a Transfer-Encoding names `chunked` and nothing else, however often."""
    return {part.strip().lower() for part in transfer_encoding.split(",")} - {"", "identity"} == {"chunked"}


def require_whole_head(response: BaseHTTPResponse) -> None:
    """Raise Failure if the connection ended inside the head, which then proves no redirect and no 410 (rule N11)."""
    original = getattr(response, "_original_response", None)
    if isinstance(original, BoundedResponse) and not original.head_complete:
        outcome = Outcome.EMPTY_BODY if response.status // 100 == 2 else Outcome.CONNECTION_RESET
        raise Failure(outcome, "the connection ended inside the headers")


def header_map(headers: HTTPHeaderDict) -> dict[str, str]:
    """Return headers by lower-case name. Bytes above ASCII are read as UTF-8, else as Latin-1.

    Control characters become spaces, except in `location`, where they make the redirect invalid. A validator with
    control characters is left out: a changed validator would never match.
    """
    names = dict.fromkeys(map(str.lower, headers))
    return {
        name: _value(name, headers.getlist(name))
        for name in names
        if name not in _VALIDATORS or not _CONTROL.search(headers.getlist(name)[0])
    }


def _value(name: str, values: list[str]) -> str:
    if name == "location":
        return _location(values[0])
    value = _decoded(values[0] if name in _SINGLE else ", ".join(values))
    return _CONTROL.sub(" ", value).strip()


def _location(value: str) -> str:
    """Return a Location as UTF-8, or with its bytes above ASCII escaped as browsers do (rule N15)."""
    decoded = _decoded(value)
    return decoded if decoded != value else _ABOVE_ASCII.sub(lambda byte: f"%{ord(byte[0]):02X}", value)


def _decoded(value: str) -> str:
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def _without_bare_cr(line: bytes) -> bytes:
    """Replace a CR inside a line, which does not end it, by a NUL, which is invalid in headers too."""
    content = line.rstrip(b"\r\n")
    return content.replace(b"\r", b"\0") + line[len(content) :] if b"\r" in content else line
