"""Reads response bodies within two limits: bytes on the wire, and bytes after decompression (rules N3 to N5, N11)."""

from __future__ import annotations

import re
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable

from urllib3.response import BaseHTTPResponse

from feedward.adapters.fetching.head import is_chunked
from feedward.adapters.fetching.outcomes import Failure
from feedward.model import Outcome

ACCEPT_ENCODING = "gzip, deflate"
GZIP_MAGIC = b"\x1f\x8b"
MAX_GZIP_MEMBERS = 1000  # each costs a decompressor; a feed written in blocks of 64 KB has 160
READ_BYTES = 1 << 16
_UNPACKED_BYTES = 1 << 18

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_CODINGS = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate", "identity": "", "": ""}
LABEL = "label"
"""Stands for a Content-Encoding that names no coding. Its body is accepted if it is plain text or a gzip file."""
_ZLIB_WRAPPED, _RAW_DEFLATE, _GZIP_WRAPPED = zlib.MAX_WBITS, -zlib.MAX_WBITS, zlib.MAX_WBITS | 16


def coding_of(content_encoding: str) -> str:
    """Return the content coding: `gzip`, `deflate`, LABEL or nothing.

    Raises Failure for others and for chains (rule N4). A label next to a coding is ignored.
    """
    names = [name.strip().lower() for name in content_encoding.split(",")]
    if not all(name in _CODINGS for name in names):
        from feedward.adapters.fetching.coding_labels import without_labels  # noqa: PLC0415

        names = without_labels(names) or [LABEL]
    named = [coding for coding in (_CODINGS.get(name, name) for name in names) if coding]
    if len(named) > 1:
        raise Failure(Outcome.BAD_ENCODING, "more than one content coding")
    if named and named[0] not in _DECODERS:
        raise Failure(Outcome.BAD_ENCODING, "a content coding that was not requested")
    return named[0] if named else ""


def require_known_transfer(transfer_encoding: str) -> None:
    """Raise Failure for a transfer coding other than `chunked`: the bytes read would not be the body."""
    if transfer_encoding.strip().lower() not in ("", "identity") and not is_chunked(transfer_encoding):
        raise Failure(Outcome.BAD_ENCODING, "a transfer coding that was not requested")


Grow = Callable[[int], None]
"""Called with the size that a body has reached or will reach. It may wait for memory. Raises MemoryBusy."""


def _grow_freely(size: int) -> None:
    """Allow any size."""


def body_of(
    response: BaseHTTPResponse,
    coding: str,
    wire_bytes: int,
    decoded_bytes: int,
    *,
    grow: Grow = _grow_freely,
    first_bytes: int | None = None,
) -> bytes:
    """Return the decoded body within both limits, or its `first_bytes` only. Raises Failure."""
    if first_bytes is not None:
        return read_start(response, coding, first_bytes)
    return decode_body(read_body(response, wire_bytes, grow), coding, decoded_bytes, grow)


def read_body(response: BaseHTTPResponse, limit: int, grow: Grow = _grow_freely) -> bytes:
    """Return the body as sent. A body with a Content-Length above the limit is not read at all."""
    declared = getattr(response, "length_remaining", None)
    if declared is not None and declared > limit:
        raise _too_large(limit, "on the wire")
    grow(declared or 0)
    pieces, size = [], 0
    while piece := response.read1(READ_BYTES, decode_content=False):
        size += len(piece)
        if size > limit:
            raise _too_large(limit, "on the wire")
        grow(size)
        pieces.append(piece)
    return b"".join(pieces)


def decode_body(raw: bytes, coding: str, limit: int, grow: Grow = _grow_freely) -> bytes:
    """Decode the body to at most `limit` bytes. Raises Failure: too_large, truncated, bad_encoding.

    Plain text that is labelled with a coding is accepted as is (rule N4). A gzip file without a label is decompressed.
    """
    if not raw:
        return raw
    try:
        return _DECODERS[coding](raw, limit, grow)
    except Failure as failure:
        if failure.outcome is Outcome.TOO_LARGE or coding == LABEL or (coding and not _looks_like_text(raw)):
            raise
    return _plain(raw, limit)


def read_start(response: BaseHTTPResponse, coding: str, limit: int) -> bytes:
    """Return the first `limit` bytes of the decoded body, and read no further.

    Raises Failure: truncated if the body ends early before that, bad_encoding.
    """
    pieces, size, is_whole = [], 0, False
    while size < limit and not is_whole:
        piece = response.read1(READ_BYTES, decode_content=False)
        pieces.append(piece)
        size, is_whole = size + len(piece), not piece
    raw = b"".join(pieces)
    try:
        return decode_body(raw, coding, limit)
    except Failure as failure:
        is_cut = failure.outcome is Outcome.TOO_LARGE or (failure.outcome is Outcome.TRUNCATED and not is_whole)
        if not is_cut:
            raise
    return _start(raw, coding, limit)


def _start(raw: bytes, coding: str, limit: int) -> bytes:
    """Return the first `limit` decoded bytes of `raw`, which may be truncated."""
    if coding in ("", LABEL) and not raw.startswith(GZIP_MAGIC):
        return raw[:limit]
    wbits = _ZLIB_WRAPPED if coding == "deflate" and _is_wrapped(raw) else _RAW_DEFLATE
    try:
        return zlib.decompressobj(wbits if coding == "deflate" else _GZIP_WRAPPED).decompress(raw, limit)
    except zlib.error as error:
        raise Failure(Outcome.BAD_ENCODING, "the compressed body is corrupt") from error


def _plain(raw: bytes, limit: int) -> bytes:
    if len(raw) > limit:
        raise _too_large(limit, "after decoding")
    return raw


def _sniffed(raw: bytes, limit: int, grow: Grow) -> bytes:
    return _gunzip(raw, limit, grow) if raw.startswith(GZIP_MAGIC) else _plain(raw, limit)


def _labelled(raw: bytes, limit: int, grow: Grow) -> bytes:
    """Return the body under a label. A body that is neither text nor gzip may have a coding that the label hides."""
    if not (raw.startswith(GZIP_MAGIC) or _looks_like_text(raw) or _is_utf8(raw)):
        raise Failure(Outcome.BAD_ENCODING, "a body that is not text, under an invalid content coding")
    return _sniffed(raw, limit, grow)


def _gunzip(raw: bytes, limit: int, grow: Grow) -> bytes:
    """Decompress one gzip member after another. Bytes after the last one are padding."""
    view, position, left = memoryview(raw), 0, limit
    pieces: list[bytes] = []
    while len(pieces) < MAX_GZIP_MEMBERS:
        before = limit - left
        piece, used = _unpack(view[position:], _GZIP_WRAPPED, left, lambda size, before=before: grow(before + size))  # type: ignore[misc]
        pieces.append(piece)
        left -= len(piece)
        position += used
        if view[position : position + 2] != GZIP_MAGIC:
            return b"".join(pieces)
    raise Failure(Outcome.BAD_ENCODING, "too many gzip members")


def _inflate(raw: bytes, limit: int, grow: Grow) -> bytes:
    """Decompress `deflate`: it means the zlib format, but some servers send the raw stream."""
    return _unpack(memoryview(raw), _ZLIB_WRAPPED if _is_wrapped(raw) else _RAW_DEFLATE, limit, grow)[0]


def _is_wrapped(raw: bytes) -> bool:
    return raw[0] & 0x0F == zlib.DEFLATED and int.from_bytes(raw[:2], "big") % 31 == 0


def _unpack(view: memoryview, wbits: int, limit: int, grow: Grow) -> tuple[bytes, int]:
    """Decompress the stream at the start of `view`. Returns its content and the number of bytes that it used.

    Input is read in blocks: a body of many short streams is not copied for each. Output is written in blocks: memory
    is reserved before it is used.
    """
    stream = zlib.decompressobj(wbits)
    pieces: list[bytes] = []
    left, used = limit, 0
    try:
        while not stream.eof:
            block: bytes | memoryview = stream.unconsumed_tail
            if not block:
                block = view[used : used + READ_BYTES]
                used += len(block)
            pieces.append(stream.decompress(block, min(left + 1, _UNPACKED_BYTES)))
            if not block and not pieces[-1]:
                raise Failure(Outcome.TRUNCATED, "the compressed body ended early")
            left -= len(pieces[-1])
            if left < 0:
                raise _too_large(limit, "after decoding")
            grow(limit - left)
    except zlib.error as error:
        raise Failure(Outcome.BAD_ENCODING, "the compressed body is corrupt") from error
    return b"".join(pieces), used - len(stream.unused_data)


def _looks_like_text(raw: bytes) -> bool:
    """Detect text by the first character of a document, or by plain ASCII (an error message). UTF-16 has NULs."""
    start = _start_of_text(raw)
    return start[:1] in (b"<", b"{") or (start.isascii() and not _CONTROL.search(start))


def _is_utf8(raw: bytes) -> bool:
    """Detect UTF-8 without control characters. A character that `raw` cuts off at the end is ignored."""
    start = _start_of_text(raw)
    try:
        getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return not _CONTROL.search(start)


def _start_of_text(raw: bytes) -> bytes:
    return raw[:512].lstrip(b"\xef\xbb\xbf\xff\xfe").replace(b"\0", b"").lstrip()


_DECODERS: dict[str, Callable[[bytes, int, Grow], bytes]] = {
    "gzip": _gunzip,
    "deflate": _inflate,
    LABEL: _labelled,
    "": _sniffed,
}


def _too_large(limit: int, where: str) -> Failure:
    return Failure(Outcome.TOO_LARGE, f"more than {limit} bytes {where}")
