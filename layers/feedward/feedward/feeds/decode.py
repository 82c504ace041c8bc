"""Decodes documents: byte order mark, valid UTF-8, XML declaration, HTTP charset, the usual one of the feed's language,
Windows-1252, in this order.

Labels are read as browsers read them (latin-1 means Windows-1252, gb2312 means GB18030). UTF-7 in a declaration is
refused: it hides markup from every check. Nothing here raises, whatever the bytes.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from feedward.feeds.repairs import Repair
from feedward.model import Rejection, RejectionReason

_HEAD = 4096
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,400}?\bencoding\s{0,20}=\s{0,20}["']?\s{0,20}([A-Za-z0-9._:+-]{1,40}(?:\x20\d[\d-]{0,8})?)"""
)
_CHARSET = re.compile(r"""charset\s{0,20}[=:]\s{0,20}["']?\s{0,20}([A-Za-z0-9._:+-]{1,40})""", re.IGNORECASE)

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# The start of a document without a mark whose units are wider than a byte: an ASCII character among zeros.
_WIDE = (
    (re.compile(rb"[\x09-\x7e]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\0[\x09-\x7e]"), "utf-32-be"),
    (re.compile(rb"[\x09-\x7e]\0[\x09-\x7e]\0"), "utf-16-le"),
    (re.compile(rb"\0[\x09-\x7e]\0[\x09-\x7e]"), "utf-16-be"),
)
_EBCDIC_XML = b"\x4c\x6f\xa7\x94"

# The codec that reads a label as browsers do, by Python's codec for the label.
_SUPERSETS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
    "euc_kr": "cp949", "big5": "big5hkscs", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "utf-16": "utf-16-le", "utf-32": "utf-32-le",
}  # fmt: skip
_KNOWN = """
    ascii utf-8 utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5
    iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-16 tis-620
    koi8-r koi8-u koi8-t kz1048 ptcp154 mac-roman mac-cyrillic mac-greek mac-latin2 mac-turkish cp037 cp437 cp500 cp720
    cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp874 cp932 cp949 cp950
    cp1026 cp1140 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 gb2312 gbk gb18030 hz big5 big5hkscs
    shift_jis shift_jis_2004 shift_jisx0213 euc_jp euc_jis_2004 euc_jisx0213 euc_kr johab iso2022_jp iso2022_jp_1
    iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext iso2022_kr
"""
_CODECS = frozenset(_KNOWN.split())
# Labels of the web that Python does not know, where dropping `x-` and reading `windows-` as `cp` does not help.
_WEB_LABELS = {
    "windows-31j": "cp932", "cn-big5": "big5", "csbig5": "big5", "dos-874": "cp874", "gb_2312-80": "gbk",
    "iso-8859-8-i": "iso8859-8", "iso-8859-8-e": "iso8859-8", "csiso88598i": "iso8859-8", "csiso88598e": "iso8859-8",
    "logical": "iso8859-8", "visual": "iso8859-8", "koi": "koi8-r", "koi8": "koi8-r", "koi8-ru": "koi8-u",
    "sun_eu_greek": "iso8859-7", "mac": "mac-roman", "mac-ukrainian": "mac-cyrillic", "unicode": "utf-16-le",
    "ucs-2": "utf-16-le", "iso-10646-ucs-2": "utf-16-le", "ks_c_5601-1989": "cp949",
    "cseucpkdfmtjapanese": "euc_jp",
}  # fmt: skip
_PREFIXES_OF_LABELS = re.compile(r"(?:x-)+")
# Encodings in 7-bit bytes, which look like valid UTF-8, and the bytes by which each is detected.
_SEVEN_BIT = {"iso2022": b"\x1b", "hz": b"~{"}


class Decoded(NamedTuple):
    """The text of a document, without byte order mark; `repairs` names the faults of its bytes."""

    text: str
    repairs: tuple[Repair, ...] = ()


def decode(body: bytes, content_type: str | None = None, *, meta_label: str | None = None) -> Decoded | Rejection:
    """Decode a document. Rejects only UTF-7 (`unsupported_encoding`); unknown labels are skipped.

    `meta_label` is the charset that a page declares in its markup; it is the last label to count.
    """
    head = body[:_HEAD]
    for mark, codec in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return _by_codec(body, codec)
    label = _declared_label(head)
    if label and _is_utf7(label):
        return Rejection(reason=RejectionReason.UNSUPPORTED_ENCODING, detail=f"declared encoding {label}")
    declared = _codec(label)
    meta = None if meta_label and _is_utf7(meta_label) else _codec(meta_label)
    labelled = [codec for codec in (declared, _http_codec(content_type), meta) if codec]
    certain = _wide_codec(head) or next((codec for codec in labelled if _uses_seven_bits(body, codec)), None)
    if certain:
        return _by_codec(body, certain)
    return _as_utf8(body, declared) or _as_labelled(body, labelled)


def _by_codec(body: bytes, codec: str) -> Decoded:
    """Decode by a codec that is certain; bad bytes become U+FFFD and are reported."""
    try:
        return _decoded(body.decode(codec))
    except UnicodeError:
        return _decoded(body.decode(codec, "replace"), Repair.BAD_BYTES)


def _as_utf8(body: bytes, declared: str | None) -> Decoded | None:
    """Decode UTF-8, also with surrogate pairs (CESU-8), a last character cut in two, or a minority of bad bytes."""
    try:
        return _decoded(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return _decoded(body[: error.start].decode("utf-8"), Repair.BAD_BYTES)
    if b"\xed" in body and (paired := _pair_surrogates(body)) is not None:
        return _decoded(paired, Repair.BAD_BYTES)
    if declared not in (None, "utf-8"):
        return None
    text = body.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = len(text) - len(text.encode("ascii", "ignore")) - bad
    return _decoded(text, Repair.BAD_BYTES) if bad < good else None


def _pair_surrogates(body: bytes) -> str | None:
    try:
        text = body.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _as_labelled(body: bytes, codecs_by_trust: list[str]) -> Decoded:
    """Decode by the first label that fits every byte, else by the first with bad bytes replaced, else as Windows-1252.

    If no label can be right, the encoding is guessed, and the guess is reported as a repair.
    """
    candidates = [codec for codec in codecs_by_trust if not codec.startswith("utf-")]
    for codec in candidates:
        try:
            return _decoded(body.decode(codec))
        except UnicodeError:
            continue
    if candidates:
        return _by_codec(body, candidates[0])
    from feedward.feeds.charset_guesses import codec_of_language  # noqa: PLC0415 - most documents have a label that fits

    guess = _by_codec(body, codec_of_language(body) or "cp1252")
    return guess._replace(repairs=(Repair.ENCODING, *guess.repairs))


def _decoded(text: str, *repairs: Repair) -> Decoded:
    """Return `text` without its byte order mark; a second mark is a fault."""
    bare = text.lstrip("\ufeff") if text[:1] == "\ufeff" else text
    marks = (Repair.BYTE_ORDER_MARK,) if len(text) - len(bare) > 1 else ()
    return Decoded(text=bare, repairs=(*marks, *repairs))


def _declared_label(head: bytes) -> str | None:
    """Return the encoding of the XML declaration, anywhere in the head."""
    if head.startswith(_EBCDIC_XML):
        head = head.decode("cp037").encode("ascii", "replace")
    start = head.find(b"<?xml")
    found = _DECLARED.match(head, start) if start >= 0 else None
    return found[1].decode("ascii") if found else None


def _http_codec(content_type: str | None) -> str | None:
    found = _CHARSET.search((content_type or "")[:500])
    return None if found is None or _is_utf7(found[1]) else _codec(found[1])


def _is_utf7(label: str) -> bool:
    bare = re.sub(r"[^a-z0-9]", "", label.lower()) if "7" in label else ""
    return "utf7" in bare or bare == "u7"


def _codec(label: str | None) -> str | None:
    """Return Python's codec for a label, if documents use it."""
    if not label:
        return None
    bare = _PREFIXES_OF_LABELS.sub("", label.lower(), count=1) if label[:2] in ("x-", "X-") else label.lower()
    try:
        name = codecs.lookup(_WEB_LABELS.get(bare) or bare.replace("windows-", "cp", 1)).name
    except (LookupError, ValueError):
        from feedward.feeds.charset_guesses import name_of_misspelt  # noqa: PLC0415 - few labels are unknown

        name = name_of_misspelt(bare)
    return _SUPERSETS.get(name, name) if name in _CODECS else None


def _wide_codec(head: bytes) -> str | None:
    return next((codec for start, codec in _WIDE if start.match(head)), None) if b"\0" in head[:4] else None


def _uses_seven_bits(body: bytes, codec: str | None) -> bool:
    if not codec:
        return False
    if codec in ("cp037", "cp500", "cp1026", "cp1140"):
        return body.startswith(_EBCDIC_XML)
    return any(codec.startswith(family) and sign in body for family, sign in _SEVEN_BIT.items())
