"""Plain text by rule P1: no tags, decoded once, white space collapsed, no control or bidi characters.

Every pattern is linear, since no character can match in two ways. An attempt at a tag passes the next `<` only inside
quotes. Each quote swaps two of three states (outside, in "", in ''), so no two attempts are in the same state, and at
most three overlap.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

from feedward.feeds.limits import MAX_VALUE

# A tag as browsers read it: quoted values may have `>` and `<`; if quotes are not paired, the next `>` ends the tag.
_TAG = re.compile(
    r"""<[a-zA-Z/!?](?:(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>|[^<>]*+>|(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>)"""
)
_SILENT = re.compile(r"<(script|style)(?=[\s/>])", re.IGNORECASE)
_ENDS_OF_SILENT = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")}
_TAG_NAME = re.compile(r"</?([a-zA-Z0-9]*+)")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_BREAKING = """
    address article aside blockquote br center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
    li main nav ol option p pre section table tbody td tfoot th thead tr ul
"""
# Elements that separate words; others (b, i, a) may be inside a word.
BREAKS = frozenset(_BREAKING.split())


def _unwanted() -> dict[int, str | None]:
    """Return the characters to remove, and the C1 controls that mean Windows-1252 characters (`&#146;`)."""
    table: dict[int, str | None] = dict.fromkeys((*range(0x20), 0x7F))
    for code in range(0x80, 0xA0):
        table[code] = bytes([code]).decode("cp1252", "ignore") or None
    table |= dict.fromkeys((0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029), " ")
    bidi = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    return table | dict.fromkeys((*bidi, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)))


_UNWANTED = _unwanted()


def plain(text: str, limit: int) -> str | None:
    """Collapse white space, remove control and bidi characters and lone surrogates, cut at `limit`; None if empty."""
    text = text[:MAX_VALUE]
    if not text.isprintable():
        text = text.translate(_UNWANTED)
    return " ".join(text.split())[:limit].rstrip() or None


def plain_from_html(text: str, limit: int) -> str | None:
    """Do the same for a value that may be HTML: tags are dropped and character references decoded, both once."""
    text = text[:MAX_VALUE]
    if "<" in text:
        if "<![CDATA[" in text:
            text = _without_escaped_section(text)
        if "<!--" in text:
            text = _without_comments(text)
        if _SILENT.search(text):
            text = _without_scripts(text)
        text = _TAG.sub(_space_for_break, text)
    if "&" in text:
        text = _REFERENCE.sub(_decoded, text)
    return plain(text, limit)


def _without_escaped_section(text: str) -> str:
    """Return the content of a CDATA section that was escaped once too often, if it is all the text."""
    bare = text.strip()
    is_whole = bare.startswith("<![CDATA[") and bare.find("]]>") == len(bare) - 3
    return bare[9:-3] if is_whole else text


def _without_comments(text: str) -> str:
    """Remove comments with the markup inside them. A comment without end is treated as a tag."""
    kept, at = [], 0
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        kept.append(text[at:start])
        at = end + 3
        start = text.find("<!--", at)
    return "".join([*kept, text[at:]])


def _without_scripts(text: str) -> str:
    """Remove scripts and styles with their text, unless there is no other text. One without end is treated as a tag."""
    kept, at = [], 0
    endless = set[str]()
    for start in _SILENT.finditer(text):
        name = start[1].lower()
        if start.start() < at or name in endless:
            continue
        end = _ENDS_OF_SILENT[name].search(text, start.end())
        if end is None:
            endless.add(name)
            continue
        kept.append(text[at : start.start()])
        at = end.start()
    without = "".join([*kept, text[at:]])
    return without if _TAG.sub("", without).strip() else text


def _space_for_break(tag: re.Match[str]) -> str:
    name = _TAG_NAME.match(tag[0])
    return " " if name and name[1].lower() in BREAKS else ""


def _decoded(reference: re.Match[str]) -> str:
    """Decode only references that are known as a whole: `html.unescape` would read `&notit;` as `&not` + `it;`."""
    text = reference[0]
    return unescape(text) if text[1] == "#" or text[1:] in html5 else text
