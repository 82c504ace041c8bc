"""Finds the target of a small page with a script that does nothing but go elsewhere (rule L4)."""

from __future__ import annotations

import re
from typing import Final

from feedward.pages.may_refresh import MAX_STUB

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT: Final = re.compile(r"<script(?=[\s>])[^>]{0,500}+>([^<]{1,3000}+)</script", re.IGNORECASE)
_GOES: Final = re.compile(
    r"""\s*+(?:(?:window|document|self|top|parent)\.)*location(?:\.href)?\s*+"""
    r"""(?:=\s*+|\.(?:replace|assign)\s*+\(\s*+)(["'])([^"'\\\s<>]{1,2048}+)\1\s*+\)?\s*+;?\s*+"""
)


def script_reference(html: str) -> str | None:
    """Return the reference to which a script of a small page goes, if going there is all that it does; else None."""
    if len(html) > MAX_STUB or "location" not in html:
        return None
    codes = (code.replace("\\/", "/") for code in _SCRIPT.findall(_COMMENT.sub("", html)))
    return next((found[2] for code in codes if (found := _GOES.fullmatch(code))), None)
