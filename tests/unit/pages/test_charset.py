"""Pages in any encoding are read as their authors see them."""

from __future__ import annotations

import codecs

import pytest

from feedward.pages.charset import MAX_BYTES, html_text

TEXT = "<title>é – ж 订</title>"


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (codecs.BOM_UTF8 + TEXT.encode(), "text/html; charset=latin-1", TEXT),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), None, TEXT),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "text/html; charset=utf-8", TEXT),
        (TEXT.encode("utf-16-le"), "text/html; charset=utf-16le", TEXT),
        (TEXT.encode(), None, TEXT),
        (TEXT.encode(), "text/html; charset=iso-8859-1", TEXT),
        ("<p>я".encode("cp1251"), "text/html; charset=windows-1251", "<p>я"),
        ("<p>я.".encode("koi8-r"), 'text/html; charset="KOI8-R"', "<p>я."),
        ("<meta charset=gbk>订".encode("gbk"), "text/html", "<meta charset=gbk>订"),
        (
            "<meta http-equiv=content-type content='text/html; charset=shift_jis'>購読".encode("cp932"),
            None,
            "<meta http-equiv=content-type content='text/html; charset=shift_jis'>購読",
        ),
        ("<meta charset=koi8-r>я".encode("cp1251"), "text/html; charset=cp1251", "<meta charset=koi8-r>я"),
        ("<meta charset=koi8-r>я.".encode("koi8-r"), "text/html; charset=none", "<meta charset=koi8-r>я."),
        (b"<p>\x93quoted\x94 \xe9", None, "<p>“quoted” é"),
        (b"<meta charset=nonsense>\xe9.", None, "<meta charset=nonsense>é."),
        (b"<?xml version='1.0' encoding='utf-7'?>+ADw-", None, "<?xml version='1.0' encoding='utf-7'?>+ADw-"),
        (b"", None, ""),
        # the header is wrong, and the page is not
        ("<meta charset=gb2312>新闻中心".encode("gb2312"), "text/html; charset=utf-8", "<meta charset=gb2312>新闻中心"),
        ("<meta charset=gbk>联通".encode("gbk"), "text/html; charset=utf-8", "<meta charset=gbk>联通"),
        (
            "<meta charset=windows-1251>Привет".encode("cp1251"),
            "text/html;charset=UTF-8",
            "<meta charset=windows-1251>Привет",
        ),
        (
            "<meta charset=shift_jis>今日は".encode("cp932"),
            'text/html; charset="utf-8"',
            "<meta charset=shift_jis>今日は",
        ),
        ("<meta charset=euc-kr>안녕".encode("cp949"), "text/html; charset=utf8", "<meta charset=euc-kr>안녕"),
        ("<meta charset=big5>中文".encode("big5"), "text/html; charset=utf-8", "<meta charset=big5>中文"),
        (
            "<meta charset=windows-1251>я.".encode("cp1251"),
            "text/html; charset=gb2312",
            "<meta charset=windows-1251>я.",
        ),
        ("<meta charset=gbk>订".encode("gbk") + b"\xff", "text/html; charset=utf-8", "<meta charset=gbk>订\ufffd"),
        # the page is wrong, or both are
        (
            "<meta charset=windows-1251>é – ж 订".encode() + b"\xff",
            "text/html; charset=utf-8",
            "<meta charset=windows-1251>é – ж 订\ufffd",
        ),
        (b"<meta charset=utf-7>\xe9.", "text/html; charset=utf-8", "<meta charset=utf-7>é."),
        (b"<meta charset=utf-8>\xe9.", "text/html; charset=utf-8", "<meta charset=utf-8>é."),
    ],
)
def test_decoding(body: bytes, content_type: str | None, expected: str) -> None:
    assert html_text(body, content_type) == expected


@pytest.mark.parametrize(
    "before",
    [
        "<!-- <meta charset=koi8-r> -->",
        "<script>document.write('<meta charset=koi8-r>')</script>",
        "<title>How to write <meta charset=koi8-r></title>",
        "<meta name=description content='All about charset=koi8-r'>",
        f"<!-- {'long ' * 3000} -->",
        f"<style>{'p { color: red } ' * 1000}</style><meta name=viewport content=x>",
    ],
)
@pytest.mark.parametrize(
    "meta", ["<meta charset=windows-1251>", "<meta content='text/html; charset=windows-1251' http-equiv=Content-Type>"]
)
def test_the_charset_is_that_of_the_element_that_declares_it(before: str, meta: str) -> None:
    page = f"<html><head>{before}{meta}</head><body>Привет мир"
    assert html_text(page.encode("cp1251"), "text/html; charset=utf-8") == page
    assert html_text(page.encode("cp1251")) == page


def test_a_meta_element_that_only_mentions_a_charset_counts_if_no_other_does() -> None:
    page = "<meta content='text/html; charset=windows-1251'>Привет"
    assert html_text(page.encode("cp1251")) == page


def test_a_long_page_is_cut_and_a_character_cut_in_two_spoils_nothing() -> None:
    body = "é".encode() * 10 + b"x" + "é".encode() * MAX_BYTES

    text = html_text(body)

    assert text == "é" * 10 + "x" + "é" * ((MAX_BYTES - 21) // 2)
