"""What a document without a usable charset may mean: a label that is misspelt, or the usual charset of its language."""

from __future__ import annotations

import codecs
import re
from typing import Final

# Labels as people write them (`win-1251`, `iso88592`), without marks, and what to put before their number.
_MISSPELT: Final = (
    (re.compile(r"(?:windows|win|cp|ms|ansi|ibm)+(\d{3,4})"), "cp"),
    (re.compile(r"(?:iso)?8859(\d{1,2})"), "iso8859-"),
    (re.compile(r"koi8([rut])"), "koi8-"),
)
_LANGUAGE: Final = re.compile(
    rb"""<(?:dc:)?language>\s{0,20}([a-z]{2}(?:-[a-z]{2})?)|<feed\b[^>]{0,400}?\sxml:lang=["']([a-z]{2})""",
    re.IGNORECASE,
)
_USUAL: Final = (
    ("be bg kk ky mk ru tg tt uk", ("cp1251",)), ("bs cs hr hu pl ro sk sl sq", ("cp1250",)), ("el", ("cp1253",)),
    ("az tr", ("cp1254",)), ("he iw", ("cp1255",)), ("ar fa ur", ("cp1256",)), ("et lt lv", ("cp1257",)),
    ("vi", ("cp1258",)), ("th", ("cp874",)), ("ja", ("euc_jp", "cp932")), ("ko", ("cp949",)),
    ("zh-tw zh-hk", ("big5hkscs",)), ("zh zh-cn zh-sg", ("gb18030",)),
)  # fmt: skip


def name_of_misspelt(label: str) -> str:
    """Return Python's name of the codec that an unknown label, in lower case, means; "" if it means none."""
    bare = re.sub(r"[^a-z0-9]", "", label)
    found = next(((found, start) for pattern, start in _MISSPELT if (found := pattern.fullmatch(bare))), None)
    try:
        return codecs.lookup(found[1] + found[0][1] if found else bare).name
    except (LookupError, ValueError):
        return ""


def codec_of_language(body: bytes) -> str | None:
    """Return a usual codec of the language that the head of a feed names, if it fits every byte of the body."""
    said = _LANGUAGE.search(body[:4096])
    language = (said[1] or said[2]).decode("ascii").lower() if said else ""
    for wanted in (language, language[:2]):
        for codec in next((usual for names, usual in _USUAL if wanted in names.split()), ()):
            try:
                body.decode(codec)
            except UnicodeError:
                continue
            return codec
    return None
