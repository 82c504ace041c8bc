"""One spelling of a path, by RFC 3986 section 6.2.2 and spec C3, on raw text and in linear time.

A stray `%` becomes `%25`, hex is upper-cased, escapes of unreserved characters are decoded, all others stay. Paths
come from the WHATWG parser, which has removed dot segments already, the escaped ones too.
"""

from __future__ import annotations

import re
from unicodedata import normalize as unicode_form
from urllib.parse import quote

from feedward.urls.repair import has_entity, is_entity

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})?")
_ASCII_ESCAPE = re.compile("(%[0-7][0-9A-Fa-f])")
_UTF8_ESCAPES = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")
_BETWEEN = re.compile("&[^&;/]*;")
_SLASHES = re.compile("/{2,}")

_SPELLED = {
    hex_digits: char if (char := chr(int(hex_digits, 16))) in _UNRESERVED else "%" + hex_digits.upper()
    for high in "0123456789abcdefABCDEF"
    for low in "0123456789abcdefABCDEF"
    for hex_digits in [high + low]
}


def one_spelling(path: str) -> str:
    """Spell percent escapes in the one normal way (spec C3)."""
    if "%" not in path:
        return path
    spelled = _ESCAPE.sub(_respell, path)
    if "&" in spelled and ";" in spelled and has_entity(spelled):
        return _ESCAPE.sub(_respell, _BETWEEN.sub(_shield, path)).replace(_SHIELD, "%")
    return spelled


def collapse_slashes(path: str) -> str:
    """Make each run of slashes one."""
    return _SLASHES.sub("/", path) if "//" in path else path


def without_trailing_slash(path: str) -> str:
    """Drop the slashes at the end; the root stays."""
    return path.rstrip("/") or "/" if path.endswith("/") else path


def composed(path: str) -> str:
    """Bring the UTF-8 text of a path into Unicode's form NFC, escapes that are no UTF-8 aside."""
    if "%" not in path:
        return path
    return "".join(
        part if _ASCII_ESCAPE.fullmatch(part) else _escaped(unicode_form("NFC", _UTF8_ESCAPES.sub(_unescaped, part)))
        for part in _ASCII_ESCAPE.split(path)
    )


_SHIELD = "\x00"  # stands for a "%" that is to stay as it is: the parser lets no such character into a path


def _respell(escape: re.Match[str]) -> str:
    hex_digits = escape[1]
    return _SPELLED[hex_digits] if hex_digits else "%25"


def _shield(between: re.Match[str]) -> str:
    """Keep the escapes of a text that would read as an HTML entity without them."""
    text = between.group()
    if not is_entity(_ESCAPE.sub(_respell, text)):
        return text
    return _ESCAPE.sub(lambda escape: _SHIELD + escape.group()[1:].upper(), text)


def _unescaped(run: re.Match[str]) -> str:
    try:
        return bytes.fromhex(run.group().replace("%", "")).decode()
    except UnicodeDecodeError:
        return run.group()


def _escaped(text: str) -> str:
    return quote(text, safe="!$&'()*+,;=:@/~%[]|^\\{}`\"<> ")
