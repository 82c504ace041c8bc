"""Bodies within their limits (rules N3 to N5, N11)."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.adapters.fetching.body import LABEL, coding_of, decode_body, require_known_transfer
from feedward.adapters.fetching.outcomes import Failure
from feedward.model import Outcome
from tests.effort import costs_at_most

TEXT = b"<rss>" + b"text " * 1000 + b"</rss>"
LIMIT = 1 << 20
TOO_LARGE = gzip.compress(bytes(LIMIT + 1), 1, mtime=0)


def outcome_of(raw: bytes, coding: str, limit: int = LIMIT) -> Outcome:
    try:
        decode_body(raw, coding, limit)
    except Failure as failure:
        return failure.outcome
    return Outcome.OK


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("", ""),
        ("identity", ""),
        ("GZIP", "gzip"),
        ("x-gzip", "gzip"),
        (" deflate ", "deflate"),
        ("gzip, identity", "gzip"),
        ("gzip, aws-chunked", "gzip"),
        ("aws-chunked,gzip", "gzip"),
        ("gzip; q=1", "gzip"),
        ("utf-8, gzip", "gzip"),
        (", ,", ""),
        *(
            (name, LABEL)
            for name in [
                *("UTF-8", "utf8", '"utf-8"', "charset=utf-8", "ISO-8859-1", "windows-1251", "cp1252", "gb2312", "gbk"),
                *(
                    "KOI8-R",
                    "Shift_JIS",
                    "EUC-JP",
                    "us-ascii",
                    "big5",
                    "utf-8; q=1",
                    "aws-chunked",
                    "aws-chunked, UTF-8",
                ),
                *(
                    "none",
                    "NULL",
                    "binary",
                    "8bit",
                    "7bit",
                    "chunked",
                    "text/html",
                    "application/rss+xml;charset=utf-8",
                    "en-US",
                    "quoted-printable",
                    "XML",
                    "(null)",
                    "IBM850",
                    "hz-gb-2312",
                    "x-mac-roman",
                    "ANSI_X3.4-1968",
                ),
            ]
        ),
    ],
)
def test_one_known_coding_is_taken(header: str, coding: str) -> None:
    assert coding_of(header) == coding


@pytest.mark.parametrize(
    "header",
    [
        "br",
        "zstd",
        "lz4",
        "snappy",
        "x-foo",
        "compress",
        "xz",
        "exi",
        "dcb",
        "gzip, gzip",
        "gzip, x-gzip",
        "deflate,gzip",
        "gzip, br",
    ],
)
def test_unknown_coding_and_chains_are_refused(header: str) -> None:
    with pytest.raises(Failure) as caught:
        coding_of(header)
    assert caught.value.outcome is Outcome.BAD_ENCODING


@pytest.mark.parametrize("header", ["gzip, chunked", "gzip", "x", "chunked, gzip", "chunked, x, chunked"])
def test_transfer_coding_beside_chunked_is_refused(header: str) -> None:
    for alone in ("", "identity", "Chunked", "chunked, chunked", "chunked,Chunked, identity"):
        require_known_transfer(alone)
    with pytest.raises(Failure):
        require_known_transfer(header)


@given(st.binary(min_size=1, max_size=300_000), st.sampled_from(["gzip", "deflate", "raw"]))
def test_a_packed_value_is_unpacked_unchanged(body: bytes, kind: str) -> None:
    packed = {"gzip": gzip.compress, "deflate": zlib.compress, "raw": lambda data: zlib.compress(data)[2:-4]}[kind](
        body
    )
    assert decode_body(packed, "gzip" if kind == "gzip" else "deflate", LIMIT) == body


@pytest.mark.parametrize(
    ("raw", "coding", "outcome"),
    [
        (gzip.compress(TEXT, mtime=0)[:-9], "gzip", "truncated"),
        (gzip.compress(TEXT, mtime=0)[:5], "gzip", "truncated"),
        (gzip.compress(TEXT, mtime=0)[:-8] + bytes(8), "gzip", "bad_encoding"),
        (gzip.compress(TEXT, mtime=0) + gzip.compress(TEXT, mtime=0)[:-9], "gzip", "truncated"),
        (zlib.compress(TEXT)[:-5], "deflate", "truncated"),
        (zlib.compress(TEXT)[:-4] + bytes(4), "deflate", "bad_encoding"),
        (b"\x00\x01\x02\x03", "gzip", "bad_encoding"),
        (TOO_LARGE, "gzip", "too_large"),
        (TOO_LARGE, "", "too_large"),
        (zlib.compress(bytes(LIMIT + 1), 1), "deflate", "too_large"),
        (b"x" * (LIMIT + 1), "", "too_large"),
        (gzip.compress(bytes(LIMIT), 1, mtime=0), "gzip", "ok"),
        (b"x" * LIMIT, "", "ok"),
        (b"", "gzip", "ok"),
        (b"Service busy", "gzip", "ok"),
        ("\ufeff<rss/>".encode("utf-16"), "gzip", "ok"),
        ("<rss>\u00fc</rss>".encode(), "gzip", "ok"),
        (" \n<rss>\u00fc</rss>".encode("latin-1"), "deflate", "ok"),
        ('{"title": "\u00fc"}'.encode(), "gzip", "ok"),
        ("\u00fc".encode(), "gzip", "bad_encoding"),
        ("\u00fc".encode() * 400, LABEL, "ok"),
        (b"x" + "\u00fc".encode() * 400, LABEL, "ok"),
        (b"<rss/>", LABEL, "ok"),
        (b"[1]", LABEL, "ok"),
        ("\ufeff<rss/>".encode("utf-16"), LABEL, "ok"),
        (gzip.compress(TEXT, mtime=0), LABEL, "ok"),
        (TOO_LARGE, LABEL, "too_large"),
        (b"x" * (LIMIT + 1), LABEL, "too_large"),
        (zlib.compress(TEXT), LABEL, "bad_encoding"),
        (b"\x0b\x02\x80abc", LABEL, "bad_encoding"),
        (b"\x28\xb5\x2f\xfd\x04\x00", LABEL, "bad_encoding"),
    ],
)
def test_broken_and_large_bodies_have_their_outcomes(raw: bytes, coding: str, outcome: str) -> None:
    assert outcome_of(raw, coding) == outcome


def test_members_follow_each_other_and_padding_is_ignored() -> None:
    assert decode_body(gzip.compress(b"<a>") + gzip.compress(b"</a>") + bytes(40), "gzip", LIMIT) == b"<a></a>"


def test_limit_holds_for_all_members_together() -> None:
    assert outcome_of(gzip.compress(bytes(600_000)) * 2, "gzip") is Outcome.TOO_LARGE


def test_undeclared_gzip_is_unpacked_once_and_a_body_that_only_looks_like_it_is_unchanged() -> None:
    assert decode_body(gzip.compress(TEXT, mtime=0), "", LIMIT) == TEXT
    twice = gzip.compress(gzip.compress(TEXT, mtime=0))
    assert decode_body(twice, "", LIMIT) == decode_body(twice, "gzip", LIMIT) == gzip.compress(TEXT, mtime=0)
    assert decode_body(b"\x1f\x8bnot gzip", "", LIMIT) == b"\x1f\x8bnot gzip"


@pytest.mark.parametrize(
    ("coding", "made"),
    [("gzip", lambda: gzip.compress(b"") * 200_000), ("deflate", lambda: zlib.compress(b"A" * 200_000_000))],
    ids=["members", "bomb"],
)
def test_work_on_a_hostile_body_is_bounded(coding: str, made: Callable[[], bytes]) -> None:
    raw = made()

    assert outcome_of(raw, coding) is not Outcome.OK
    assert costs_at_most(1, lambda: outcome_of(raw, coding))
