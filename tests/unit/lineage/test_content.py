"""A body of any type -> its text and its hash (rule L4)."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.lineage.content import Content, read_content

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def text_of(body: bytes, content_type: str | None) -> str | None:
    return read_content(body, content_type=content_type).text


def test_a_page_is_hashed_over_its_text() -> None:
    page = b"<!doctype html><title> A  page </title><h1>Caf&eacute;</h1><p>\xe2\x80\xafopen</p>"
    assert read_content(page, content_type="text/html; charset=utf-8") == Content(
        content_sha256=digest("Caf\u00e9 open"), text="Caf\u00e9 open", text_length=9, title="A page"
    )


@pytest.mark.parametrize("unseen", ["&#8203;", "&shy; &#8288;", "\ufeff", "&lrm;&zwj;"])
def test_a_page_of_characters_without_width_has_no_text(unseen: str) -> None:
    assert read_content(f"<html><body><div>{unseen}".encode(), content_type="text/html").text_length == 0
    assert read_content(f"<html><body>a{unseen}b".encode(), content_type="text/html").text_length != 0


def test_the_same_words_in_other_markup_are_the_same_content() -> None:
    one = read_content(b"<p>a <b>b</b></p>c", content_type="text/html")
    other = read_content(
        b"<html><body class=x><div>a&nbsp;b<br><!-- x -->c</div>", content_type="application/xhtml+xml"
    )
    assert one.content_sha256 == other.content_sha256 == digest("a b c")


def test_an_empty_body_says_nothing() -> None:
    nothing = Content(content_sha256=digest(""), text="", text_length=0)
    assert read_content(b"", content_type="text/html") == nothing
    assert read_content(b"", content_type=None) == nothing


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "TEXT/PLAIN; charset=utf-8",
        "text/markdown",
        "text/csv",
        "application/json",
        "application/ld+json",
        "application/activity+json;charset=utf-8",
        "application/problem+xml",
        "application/rss+xml",
        "application/javascript",
        "application/x-javascript",
        "application/yaml",
        "image/svg+xml",
        "unknown/unknown",
        "",
        None,
    ],
)
def test_other_text_is_text_with_its_white_space_collapsed(content_type: str | None) -> None:
    body = " {\n\t'a':\u00a0'caf\u00e9 <b> &amp;' }\n".encode()
    assert read_content(body, content_type=content_type) == Content(
        content_sha256=digest("{ 'a': 'caf\u00e9 <b> &amp;' }"), text="{ 'a': 'caf\u00e9 <b> &amp;' }", text_length=25
    )


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "application/octet-stream", "video/mp4", "x"])
def test_anything_else_is_hashed_as_it_is(content_type: str) -> None:
    body = b"  some  bytes \n"
    assert read_content(body, content_type=content_type) == Content(content_sha256=sha256(body).hexdigest())


# --- charsets -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<p>ž</p>".encode(), "text/html"),
        ("<p>ž</p>".encode("utf-8-sig"), "text/html; charset=iso-8859-1"),
        ("<p>ž</p>".encode("utf-16"), "text/html"),
        ("<p>ž</p>".encode("iso-8859-2"), 'text/html; charset="ISO-8859-2"'),
        ("<p>ž</p>".encode("windows-1250"), "text/html;charset=windows-1250"),
        ("<meta charset=iso-8859-2><p>ž</p>".encode("iso-8859-2"), "text/html"),
        ("<meta charset=iso-8859-2><p>ž</p>".encode("windows-1250"), "text/html; charset=windows-1250"),
        (
            '<meta http-equiv=content-type content="text/html; charset=iso-8859-2"><p>ž</p>'.encode("iso-8859-2"),
            "text/html",
        ),
        ("<p>ž</p>".encode("windows-1252"), "text/html"),
        ("<p>ž</p>".encode("windows-1252"), "text/html; charset=no-such"),
        (
            '<?xml version="1.0" encoding="iso-8859-2"?><html><p>ž</p></html>'.encode("iso-8859-2"),
            "application/xhtml+xml",
        ),
    ],
)
def test_a_page_is_decoded_by_its_charset(body: bytes, content_type: str) -> None:
    assert text_of(body, content_type) == "ž"


def test_other_text_is_decoded_by_its_charset() -> None:
    assert text_of("žluť".encode("iso-8859-2"), "text/plain; charset=iso-8859-2") == "žluť"
    assert text_of("{'a': 1}".encode("utf-16-le"), "application/json") == "{'a': 1}"
    assert text_of("日本".encode("iso2022_jp"), "text/plain; charset=iso-2022-jp") == "日本"


def test_a_page_past_two_megabytes_is_read_whole() -> None:
    body = b"<p>" + b"word " * 600_000 + b"last"
    content = read_content(body, content_type="text/html")
    assert content.text_length == 3_000_004
    assert content.text is not None
    assert content.text.endswith("word last")


# --- types that are not so ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<!DOCTYPE html><p>a</p>", None),
        (b"\n <html><p>a</p>", ""),
        (b"\xef\xbb\xbf<!-- x --><!doctype html><p>a</p>", "unknown/unknown"),
        (b"<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><p>a</p>", "text/xml"),
        (b"<html xmlns='http://www.w3.org/1999/xhtml'><body>a</body></html>", "application/xml; charset=utf-8"),
    ],
)
def test_a_body_that_begins_like_a_page_is_a_page_without_a_clear_type(body: bytes, content_type: str | None) -> None:
    assert text_of(body, content_type) == "a"


def test_the_source_of_a_page_is_not_the_page() -> None:
    assert text_of(b"<!doctype html><p>a</p>", "text/plain") == "<!doctype html><p>a</p>"


def test_a_feed_is_no_page() -> None:
    assert (
        text_of(b"<?xml version='1.0'?><rss><channel/></rss>", "text/xml")
        == "<?xml version='1.0'?><rss><channel/></rss>"
    )


@pytest.mark.parametrize("body", [PNG, PDF, b"PK\x03\x04rest", b"\x1f\x8b\x08rest", b"RIFF\x01\x02\x03\x04WEBPVP8 "])
@pytest.mark.parametrize("content_type", ["text/html", "text/plain; charset=utf-8", "application/xhtml+xml", None])
def test_a_file_of_another_kind_is_hashed_as_it_is(body: bytes, content_type: str | None) -> None:
    assert read_content(body, content_type=content_type) == Content(content_sha256=sha256(body).hexdigest())


def test_a_body_with_binary_characters_is_hashed_as_bytes() -> None:
    assert text_of(b"a\x00\x01b", "text/plain") is None
    assert text_of(b"a\x00\x01b", None) is None


def test_a_page_may_hold_them() -> None:
    assert text_of(b"<p>a\x00\x01b</p>", "text/html") == "a\x01b"


# --- any answer of a server -----------------------------------------------------------------------------------

TYPES = st.sampled_from(
    ["text/html", "text/plain", "application/json", "text/xml", "image/png", ";;", "text/html;charset=utf-7"]
)


@given(st.binary(max_size=300), TYPES | st.none() | st.text(max_size=40))
def test_nothing_raises_and_reading_again_gives_the_same(body: bytes, content_type: str | None) -> None:
    content = read_content(body, content_type=content_type)
    assert read_content(body, content_type=content_type) == content
    assert len(content.content_sha256) == 64
    if content.text is not None:
        assert content.content_sha256 == digest(content.text)
        assert content.text_length == len(content.text)


@pytest.mark.parametrize("tail", [b"\xff", b"\xed\xa0\x80", b"\xf0\x9f", b"\xc0\x80"])
@pytest.mark.parametrize(
    "content_type", ["text/html; charset=utf-8", "text/plain; charset=utf-8", "text/html; charset=utf-7"]
)
def test_bytes_that_are_no_text_end_nothing(tail: bytes, content_type: str) -> None:
    text = text_of("é".encode() * 5 + tail, content_type)
    assert text is not None
    assert text.startswith("é" * 5)
