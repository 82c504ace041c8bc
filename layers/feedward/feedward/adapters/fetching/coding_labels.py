"""Labels that servers send in place of a content coding (rule N4). Few responses need this module."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LABELS = frozenset(
    {
        *("aws-chunked", "chunked", "none", "null", "no", "false", "off", "undefined", "default"),
        *(
            "(null)",
            "unset",
            "auto",
            "empty",
            "str",
            "bytes",
            "not-encoded",
            "no encoding",
            "no-encoding",
            "x-identity",
        ),
        *("nil", "unknown", "uncompressed", "no-transform", "string", "0", "-", "*"),
        *("plain", "text", "raw", "binary", "7bit", "8bit", "quoted-printable", "base64"),
        *("html", "xml", "rss", "atom", "json", "en", "de", "fr", "es", "it", "pt", "ru", "nl", "zh", "ja"),
        *("ascii", "ansi", "us-ascii", "unicode", "latin1", "latin-1", "big5", "gbk", "macintosh"),
        *("shift_jis", "shift-jis", "shiftjis", "sjis", "x-sjis", "euc-jp", "euc-kr", "euc-tw"),
    }
)
# Charsets by their family, media types, and languages with a region: `br` alone is a coding.
_FAMILY = re.compile(
    r"(?:x-)?(?:utf|ucs|iso|windows|cp|koi8|gb|big5|ks_?c|tis|ibm|hz-gb)[-_]?[0-9ru][\w:-]*|x-(?:mac-\w+|gbk|euc-\w+)"
    r"|ansi_x3[\w.-]*|viscii|x-user-defined|[\w.+-]+/[\w.+*-]+|[a-z]{2}-[a-z]{2}"
)


def without_labels(names: Iterable[str]) -> list[str]:
    """Return the names of a Content-Encoding that are codings, or unknown: `"UTF-8"; q=1` is neither."""
    return [name for name in map(_name, names) if name and not _is_label(name)]


def _name(part: str) -> str:
    """` "UTF-8"; q=1` -> `utf-8`."""
    return part.partition(";")[0].strip(" \t\"'").removeprefix("charset=").lower()


def _is_label(name: str) -> bool:
    return name in _LABELS or _FAMILY.fullmatch(name) is not None
