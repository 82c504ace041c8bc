"""Bytes -> text: byte order mark, UTF-8, declaration, HTTP charset, that of the language, Windows-1252 (rule X3)."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.feeds.decode import Decoded, decode
from feedward.feeds.repairs import Repair
from feedward.model import Rejection, RejectionReason


def text_of(body: bytes, content_type: str | None = None) -> str:
    found = decode(body, content_type)
    assert isinstance(found, Decoded), found
    return found.text


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("iso-8859-1", "cp1252", "caf\xe9 \u2019 \u20ac"),
        ("us-ascii", "cp1252", "caf\xe9"),
        ("windows-1251", "cp1251", "Привет"),
        ("koi8-r", "koi8-r", "Привет"),
        ("Shift_JIS", "cp932", "日本語①"),
        ("EUC-JP", "euc_jp", "日本語"),
        ("iso-2022-jp", "iso2022_jp", "日本語"),
        ("gb2312", "gb18030", "中文镕"),
        ("hz-gb-2312", "hz", "中文"),
        ("big5", "big5", "中文"),
        ("euc-kr", "cp949", "한국어"),
        ("iso-8859-9", "cp1254", "ışğ"),
        ("tis-620", "cp874", "ไทย"),
        ("UTF-8", "utf-8", "日本語"),
        ("x-sjis", "cp932", "日本語①"),
        ("windows-31j", "cp932", "日本語①"),
        ("X-EUC-JP", "euc_jp", "日本語"),
        ("x-gbk", "gb18030", "中文镕"),
        ("gb_2312-80", "gb18030", "中文"),
        ("x-x-big5", "big5", "中文"),
        ("cn-big5", "big5", "中文"),
        ("windows-949", "cp949", "한국어"),
        ("windows-874", "cp874", "ไทย"),
        ("x-cp1251", "cp1251", "Привет"),
        ("x-mac-cyrillic", "mac-cyrillic", "Привет"),
        ("x-mac-roman", "mac-roman", "café"),
        ("iso-8859-8-i", "iso8859-8", "שלום"),
        # as people misspell them
        *((label, "cp1251", "Привет") for label in ("cp-1251", "win-1251", "Windows1251", "Windows 1251", "ANSI-1251")),
        ("koi8r", "koi8-r", "Привет"),
        *((label, "iso8859-2", "gęśl") for label in ("iso-88592", "8859-2", "latin-2", "ISO 8859-2")),
        ("gb-2312", "gb18030", "中文"),
        ("big-5", "big5", "中文"),
    ],
)
def test_a_declared_encoding_is_read_as_browsers_read_it(label: str, codec: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='{label}'?><rss>{text}</rss>"
    assert text_of(document.encode(codec)) == document


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_seen_with_or_without_mark(codec: str) -> None:
    document = "<?xml version='1.0' encoding='utf-7'?><rss>é日</rss>"
    body = document.encode(codec)
    if codec == "utf-8-sig":
        body = codecs.BOM_UTF8 + "<rss>é日</rss>".encode()
        document = "<rss>é日</rss>"
    assert text_of(body) == document


@pytest.mark.parametrize("label", ["utf-7", "UTF7", "unicode-1-1-utf-7", "u7", "csUnicode11UTF7"])
def test_utf_7_is_refused(label: str) -> None:
    found = decode(f"<?xml version='1.0'  encoding = \"{label}\" ?><rss/>".encode())
    assert isinstance(found, Rejection)
    assert found.reason is RejectionReason.UNSUPPORTED_ENCODING


def test_valid_utf_8_beats_a_wrong_declaration_and_a_wrong_header() -> None:
    body = "<?xml version='1.0' encoding='iso-8859-1'?><rss>é</rss>".encode()
    assert "é" in text_of(body, "text/xml; charset=iso-8859-15")


def test_text_xml_without_charset_is_not_ascii() -> None:
    assert "é" in text_of("<?xml version='1.0' encoding='utf-8'?><rss>é</rss>".encode(), "text/xml")


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        ("Привет".encode("cp1251"), "text/xml; charset=windows-1251", "Привет"),
        ("Привет".encode("cp1251"), 'text/xml; charset="WINDOWS-1251"', "Привет"),
        ("Привет".encode("cp1251"), "text/xml; charset:windows-1251;", "Привет"),
        (b"caf\xe9", "text/xml; charset=nonsense", "café"),
        (b"caf\xe9", "text/xml; charset=utf-7", "café"),
        (b"caf\xe9", "text/xml; charset=utf-8", "café"),
        (b"caf\xe9", "text/xml; charset=rot13", "café"),
        (b"caf\xe9", None, "café"),
    ],
)
def test_the_header_comes_after_the_declaration_and_windows_1252_last(
    body: bytes, content_type: str | None, expected: str
) -> None:
    assert text_of(b"<rss>" + body + b"</rss>", content_type) == f"<rss>{expected}</rss>"


def test_seven_bit_encodings_may_be_named_by_the_header() -> None:
    assert text_of("<rss>日本語</rss>".encode("iso2022_jp"), "text/xml; charset=ISO-2022-JP") == "<rss>日本語</rss>"
    assert text_of(b"<rss>~{plain}</rss>", "text/xml; charset=iso-2022-jp") == "<rss>~{plain}</rss>"


@pytest.mark.parametrize(
    ("language", "codec", "text"),
    [
        *(("ru", "cp1251", "Привет"), ("uk-UA", "cp1251", "Новини"), ("pl", "cp1250", "gęśl"), ("el", "cp1253", "Νέα")),
        *(("ja", "euc_jp", "日本語の記事"), ("ja-JP", "cp932", "日本語の記事"), ("ko", "cp949", "한국어")),
        *(
            ("zh-cn", "gb18030", "中文新闻"),
            ("zh-TW", "big5", "中文新聞"),
            ("fr", "cp1252", "été"),
            ("x", "cp1252", "été"),
        ),
    ],
)
def test_without_a_label_that_fits_the_language_of_the_feed_decides(language: str, codec: str, text: str) -> None:
    rss = f"<rss><channel><language>{language}</language><title>{text}</title></channel></rss>"
    found = decode(rss.encode(codec), "text/xml; charset=utf-8")
    assert found == Decoded(text=rss, repairs=(Repair.ENCODING,))
    atom = f"<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='{language[:2]}'><title>{text}</title></feed>"
    assert language == "zh-TW" or text_of(atom.encode(codec)) == atom


@pytest.mark.parametrize(
    ("body", "repairs"),
    [
        (b"<rss>caf\xe9</rss>", ("encoding",)),
        (b"<?xml version='1.0' encoding='utf-8'?><rss>caf\xe9</rss>", ("encoding",)),
        (b"<?xml version='1.0' encoding='iso-8859-1'?><rss>caf\xe9</rss>", ()),
        (b"<rss>\x81\xe9</rss>", ("encoding", "bad_bytes")),
        (codecs.BOM_UTF8 + codecs.BOM_UTF8 + b"<rss/>", ("byte_order_mark",)),
        (codecs.BOM_UTF16_LE + "\ufeff<rss/>".encode("utf-16-le"), ("byte_order_mark",)),
        (codecs.BOM_UTF8 + b"<rss/>", ()),
    ],
)
def test_a_fault_of_the_bytes_is_reported(body: bytes, repairs: tuple[str, ...]) -> None:
    found = decode(body)
    assert isinstance(found, Decoded)
    assert found.repairs == repairs


def test_a_few_bad_bytes_do_not_spoil_good_utf_8() -> None:
    found = decode("<?xml version='1.0' encoding='utf-8'?><rss>Привет</rss>".encode() + b"\xff")
    assert isinstance(found, Decoded)
    assert "Привет" in found.text
    assert found.repairs == ("bad_bytes",)


def test_a_bad_byte_does_not_make_a_declaration_worthless() -> None:
    body = "<?xml version='1.0' encoding='gb2312'?><rss>中文</rss>".encode("gb18030") + b"\xff"
    assert "中文" in text_of(body, "text/xml; charset=nonsense")


def test_utf_8_that_is_none_is_read_as_windows_1252() -> None:
    assert "café" in text_of(b"<?xml version='1.0' encoding='utf-8'?><rss>caf\xe9</rss>")


def test_surrogate_pairs_in_utf_8_become_one_character() -> None:
    assert text_of(b"A\xed\xa0\xbd\xed\xb8\x80B") == "A😀B"
    assert text_of(b"A\xed\xa0\xbdB") == "A\ufffdB"


def test_a_last_character_cut_in_two_is_dropped() -> None:
    assert text_of("<rss>é日".encode()[:-1]) == "<rss>é"


@given(st.binary(max_size=300), st.sampled_from([None, "text/xml; charset=shift_jis", "text/xml; charset=punycode"]))
def test_no_bytes_raise_and_no_text_has_surrogates(body: bytes, content_type: str | None) -> None:
    found = decode(body, content_type)
    if isinstance(found, Decoded):
        found.text.encode()


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60))
def test_no_label_raises(label: str) -> None:
    decode(f"<?xml version='1.0' encoding='{label}'?><rss>\xe9</rss>".encode("latin-1"), f"text/xml; charset={label}")
