"""The Link header (RFC 8288): several links in one, several headers joined by commas; malformed ones are left out.

Accepts common faults: bare and single-quoted values, blanks anywhere, empty elements. Patterns do not backtrack, so
parsing takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

MAX_HEADER_CHARS = 65_536
MAX_LINKS = 200

_BETWEEN = re.compile(r"[\s,]*+")
_TARGET = re.compile(r"<([^<>]*+)>")
_QUOTED = r'"(?>(?:[^"\\]|\\(?:.|\Z))*)(?:"|\Z)'
_PARAMETER = re.compile(
    rf"""\s*+;\s*+(?:([^\s"'=;,<>]++)\s*+(?:=\s*+({_QUOTED}|'[^']*+'(?=\s*+(?:[;,]|\Z))|[^\s;,]*+))?)?""", re.DOTALL
)
_REST = re.compile(rf"""(?>(?:{_QUOTED}|[^",])*)""", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderLink:
    """One link: its target as written, and its parameters by lower-case name, the first of each."""

    target: str
    parameters: Mapping[str, str]


def parse_link_header(value: str) -> list[HeaderLink]:
    """The links of a Link header's value, in order; at most 200."""
    return [link for _, link in zip(range(MAX_LINKS), _links(value[:MAX_HEADER_CHARS]), strict=False)]


def _links(value: str) -> Iterator[HeaderLink]:
    at = _end(_BETWEEN, value, 0)
    while at < len(value):
        target = _TARGET.match(value, at)
        if target:
            parameters, at = _parameters(value, target.end())
            end = _end(_REST, value, at)
            if not value[at:end].strip():
                yield HeaderLink(target=target[1].strip(), parameters=parameters)
            at = end
        else:
            at = _end(_REST, value, at)
        at = _end(_BETWEEN, value, at)


def _parameters(value: str, at: int) -> tuple[dict[str, str], int]:
    found: dict[str, str] = {}
    while parameter := _PARAMETER.match(value, at):
        at = parameter.end()
        if parameter[1]:
            found.setdefault(parameter[1].lower(), _unquoted(parameter[2] or ""))
    return _with_extended_title(found), at


def _end(pattern: re.Pattern[str], value: str, at: int) -> int:
    found = pattern.match(value, at)
    return found.end() if found else at


def _unquoted(text: str) -> str:
    if text[:1] == '"':
        return _ESCAPED.sub(r"\1", text[1:].removesuffix('"') if len(text) > 1 else "").strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == "'" else text


def _with_extended_title(parameters: dict[str, str]) -> dict[str, str]:
    """`title*=UTF-8'en'...` counts more than `title` (RFC 8288, section 3.4.1)."""
    charset, _, rest = parameters.pop("title*", "").partition("'")
    if charset.lower() in ("utf-8", "iso-8859-1") and "'" in rest:
        parameters["title"] = unquote(rest.partition("'")[2], charset, "replace")
    return parameters
