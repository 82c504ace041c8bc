"""URLs as log lines and messages may show them: no credentials, no query values (security X11). Pure."""

from __future__ import annotations

import re

from feedward.urls.parse import parse_url

MAX_CHARS = 512
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_USERINFO = re.compile(r"(//)[^/?#]*@")


def redact_url(text: str) -> str:
    """`https://u:p@a.example/x?token=1#y` -> `https://a.example/x?...`, at most 512 characters, one line.

    Works on any text, so that what is no URL can be logged too.
    """
    url = parse_url(text)
    shown = _UNSEEN.sub("", text) if url is None else url.href
    head, mark, _ = shown.partition("#")[0].partition("?")
    return (_USERINFO.sub(r"\1", head.replace("\\", "/"))[: MAX_CHARS - 4]) + ("?..." if mark else "")
