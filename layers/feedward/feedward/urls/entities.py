"""HTML entities in pasted and published URLs (spec C5).

Only entities that end in `;` are decoded: `&section=1` is a parameter, whatever a browser's HTML parser makes of
`&sect`. They are decoded until none is left, so that a second pass changes nothing, in one walk over the text.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

_ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LONGEST = 33


def has_entity(text: str) -> bool:
    """Tell whether `text` contains at least one whole HTML entity."""
    return any(is_entity(found.group()) for found in _ENTITY.finditer(text))


def is_entity(text: str) -> bool:
    """Tell whether `text` is exactly one HTML entity, `&` and `;` included."""
    return _ENTITY.fullmatch(text) is not None and (text[1] == "#" or text[1:] in html5)


def decode_entities(text: str) -> str:
    """Decode entities until none is left (`&amp;amp;` is `&`), in linear time.

    Entities for tab and line breaks become nothing, as these characters are dropped from URLs anyway.
    """
    if "&" not in text or ";" not in text or not has_entity(text):
        return text
    out: list[str] = []
    open_at: list[int] = []  # where in `out` each "&" stands that may still begin an entity
    for part in re.split("([&;])", text):
        if part == "&":
            open_at.append(len(out))
            out.append(part)
        elif part == ";":
            _close(out, open_at)
        elif part:
            out.append(part)
    return "".join(out)


def _close(out: list[str], open_at: list[int]) -> None:
    """Put a `;` behind `out`, and what it makes of the text since the last `&`: perhaps a `;` again."""
    while open_at:
        entity = "".join(out[open_at[-1] :]) + ";"
        if len(entity) > _LONGEST or not is_entity(entity):
            break
        del out[open_at.pop() :]
        decoded = unescape(entity)
        if decoded == ";":
            continue
        if decoded == "&":
            open_at.append(len(out))
        if decoded not in ("\t", "\n", "\r"):
            out.append(decoded)
        return
    open_at.clear()
    out.append(";")
