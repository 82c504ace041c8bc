"""Plain text as rule P1 wants it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.feeds.text import plain, plain_from_html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" a \n\t b\u00a0\u2003c\u3000d\u2028e\x85f ", "a b c d e f"),
        ("abc\u202egnp.exe", "abcgnp.exe"),
        ("a\u200e\u200f\u061c\u2066b\u2069", "ab"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("it\x92s", "it’s"),
        ("a\ud800b\ufeff\uffff", "ab"),
        ("👩\u200d👩", "👩\u200d👩"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\u0301", "a\u0301"),
        ('ok\n{"level":"INFO"}', 'ok {"level":"INFO"}'),
        ("", None),
        (" \u200f\n", None),
    ],
)
def test_white_space_collapses_and_controls_go(text: str, expected: str | None) -> None:
    assert plain(text, 100) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A <b>bold</b> &amp; more", "A bold & more"),
        ("safe<script>alert(1)</script>", "safe"),
        ("a<!-- <script>x</script> -->b", "ab"),
        ("a<!-- <b> -->b<!-- --> c", "ab c"),
        ("a<SCRIPT src='x'>if (1 < 2) b</Script > c<style>p > a {}</style> d", "a c d"),
        ("a<script/>b</script>c<script>d", "acd"),
        ("How to use <script> and <style> well", "How to use and well"),
        ("a<scripture>b</scripture>", "ab"),
        ("line<br>two<br/>three</p><p>four", "line two three four"),
        ("wo<b>r</b>d", "word"),
        ("<![CDATA[Tea & <b>cake</b>]]>", "Tea & cake"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("&lt;b&gt; stays text", "<b> stays text"),
        ("1 < 2 > 0, a<3", "1 < 2 > 0, a<3"),
        ("Q&A, AT&T, R&D; a&copy=b", "Q&A, AT&T, R&D; a&copy=b"),
        ("&notit; &unknown; &eacute;&#233;&#xE9;&#146;", "&notit; &unknown; ééé’"),
        ("a&#8238;b&#0;", "ab\ufffd"),
        ('<a title="x > y">z</a>', "z"),
        ('<img alt="cat<br />dog" src="x" onerror="y">z', "z"),
        ("<a href=it's>z</a>", "z"),
        ("a <!-- c --> b <?php d ?> <![CDATA[e]]>", "a b"),
        ("ends in <b", "ends in <b"),
    ],
)
def test_tags_are_dropped_and_references_decoded_once(text: str, expected: str) -> None:
    assert plain_from_html(text, 100) == expected


def test_a_script_alone_keeps_its_text() -> None:
    assert plain_from_html(" <script>alert(1)</script><br>", 100) == "alert(1)"


def test_a_flood_of_scripts_takes_linear_time() -> None:
    assert plain_from_html("<script>" * 100_000 + "</style>" * 20_000, 100) is None
    assert plain_from_html("<script>a</script>" * 50_000 + "b", 100) == "b"


def test_text_is_cut_at_its_limit() -> None:
    assert plain("a" * 300_000, 1000) == "a" * 1000
    assert plain("ab " * 10, 6) == "ab ab"


@given(st.text(), st.integers(1, 50))
def test_the_result_is_clean_and_stable(text: str, limit: int) -> None:
    for once in (plain(text, limit), plain_from_html(text, limit)):
        if once is not None:
            assert plain(once, limit) == once
            assert 0 < len(once) <= limit
            assert not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in once)
