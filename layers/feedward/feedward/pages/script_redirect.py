"""Finds the target of a small page with a script that does nothing but go elsewhere (rule L4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from feedward.pages.may_refresh import MAX_STUB

_MAX_DELAY_MS: Final = 5000
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# Old scripts are inside a comment, for browsers without scripts.
_IN_COMMENT: Final = re.compile(
    r"(<script(?=[\s>])[^>]{0,500}+>)\s{0,20}+<!--([^<>]{1,3000}?)-->(?=\s{0,20}+</script)", re.IGNORECASE
)
_SCRIPT: Final = re.compile(r"<script(?=[\s>])[^>]{0,500}+>([^<]{1,3000}+)</script", re.IGNORECASE)
_ON_LOAD: Final = re.compile(r"""<body\s[^>]{0,200}?\bonload\s?=\s?(?:"([^"<>]{1,1000}+)"|'([^'<>]{1,1000}+)')""", re.I)
_FUNCTION: Final = r"(?:function\s?\w{0,20}\(\)\s{0,20}\{|\(\)\s?=>\s?\{?)"
# A function or a string that runs at once or soon.
_LATER: Final = re.compile(
    rf"\s*+(?:window\.)?(?:setTimeout\(\s*+(?:{_FUNCTION}|(?P<quote>[\"']))(?P<later>.{{1,2500}}?)(?:\}}|(?P=quote))?"
    rf"\s*+,\s*+(?P<ms>[0-9]{{1,5}})\s*+\)|onload\s?=\s?{_FUNCTION}(?P<loaded>[^{{}}]{{1,2500}}+)\}})\s*+;?\s*+",
    re.DOTALL,
)
_GOES: Final = re.compile(
    r"""\s*+(?:(?:window|document|self|top|parent)\.)*location(?:\.href)?\s*+"""
    r"""(?:=\s*+|\.(?:replace|assign)\s*+\(\s*+)(["'])([^"'\\\s<>]{1,2048}+)\1\s*+\)?\s*+;?\s*+"""
)


def script_reference(html: str) -> str | None:
    """Return the reference to which a script of a small page goes, if going there is all that it does; else None."""
    if len(html) > MAX_STUB or "location" not in html:
        return None
    codes = (code.replace("\\/", "/") for code in _codes(html))
    return next((found[2] for code in codes if (found := _GOES.fullmatch(_run_soon(code)))), None)


def _codes(html: str) -> Iterator[str]:
    markup = _COMMENT.sub("", _IN_COMMENT.sub(_shown, html))
    yield from _SCRIPT.findall(markup)
    for found in _ON_LOAD.finditer(markup):
        yield found[1] or found[2]


def _shown(hidden: re.Match[str]) -> str:
    return hidden[1] + hidden[2].rstrip().removesuffix("//")


def _run_soon(code: str) -> str:
    """Return the code that a timer of at most 5 s, or the end of loading, runs; else the code itself."""
    found = _LATER.fullmatch(code)
    if found is None or int(found["ms"] or 0) > _MAX_DELAY_MS:
        return code
    return found["later"] or found["loaded"]
