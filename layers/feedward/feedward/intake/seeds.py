"""Seed files: a JSON array of `{title, url, site_url, category, language, description}` (rules IM1, IM7).

The array is parsed element by element, so that a malformed entry affects no other. The state of a feed in a file
(validators, times) is ignored.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from feedward.intake.entry import Beyond, Found, Path, words
from feedward.intake.limits import TAG_CHARS

_PART: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|[\[\]{},]', re.DOTALL)
_LIST_OF: Final = re.compile(
    r'\s{0,9999}\{[^\[\]]{0,9999}?"(?:feeds|subscriptions|sources|entries|urls)"\s{0,99}:\s{0,99}(?=\[)'
)
_URLS: Final = ("url", "xml_url", "xmlUrl", "feed_url", "feedUrl", "feed", "rss")
_SITES: Final = ("site_url", "siteUrl", "html_url", "htmlUrl", "site", "website")
_TITLES: Final = ("title", "name", "text")


_LINES: Final = re.compile(r"\s{0,9999}\{[^\n]{1,99999}\}[ \t]{0,99}\n\s{0,9999}\{\s{0,99}\"")
_ONE_LINE: Final = re.compile(
    r'\s{0,9999}\{[^\[\]{}\n]{0,9999}?"(?:url|xml_?url|feed_?url)"\s{0,9}:[^\[\]{}\n]{1,9999}\}\s{0,9999}$',
    re.IGNORECASE,
)
_BETWEEN_LINES: Final = re.compile(r"\}[ \t]{0,99}\n(?=\s{0,9999}\{)")


class _Element(NamedTuple):
    text: str
    line: int


def array_of_lines(text: str) -> str:
    """Return JSON lines, one object each, as one array; any other text is returned unchanged."""
    is_lines = _LINES.match(text) or _ONE_LINE.match(text)
    return f"[{_BETWEEN_LINES.sub('},' + chr(10), text)}]" if is_lines else text


def begins_list(text: str) -> int | None:
    """Return where the array of seeds begins: the document, or its member `feeds`. None if there is none."""
    if text.lstrip().startswith("["):
        return text.index("[")
    found = _LIST_OF.match(text)
    return found.end() if found else None


def read_seeds(text: str, start: int, beyond: Counter[Beyond]) -> Iterator[Found]:
    """Yield the entries of the array that begins at `start`, in order."""
    for each in _elements(text, start):
        if len(each.text) > TAG_CHARS:
            beyond[Beyond.TAG] += 1
            continue
        yield _found(each)


def _elements(text: str, start: int) -> Iterator[_Element]:
    depth, line, counted, begins = 0, 1 + text.count("\n", 0, start), start, start + 1
    for part in _PART.finditer(text, start):
        mark = part[0]
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if (depth == 1 and mark == ",") or depth == 0:
            said = text[begins : part.start()]
            first = begins + len(said) - len(said.lstrip())
            line, counted = line + text.count("\n", counted, first), first
            if said.strip():
                yield _Element(said.strip(), line)
            begins = part.end()
        if depth == 0:
            return
    left = text[begins:].strip()
    if left:
        yield _Element(left, line + text.count("\n", counted, len(text) - len(text[begins:].lstrip())))


def _found(each: _Element) -> Found:
    try:
        said = _loaded(each.text)
    except (ValueError, RecursionError):
        return Found(line=each.line, problem="this entry is not JSON, or the file ends inside of it")
    if isinstance(said, str):
        return Found(line=each.line, url=said)
    if not isinstance(said, dict):
        return Found(line=each.line, problem="an entry is an object with a url")
    wrong = next(
        (
            name
            for name in ("url", "title", "site_url")
            if said.get(name) is not None and not isinstance(said[name], str)
        ),
        None,
    )
    if wrong:
        return Found(line=each.line, title=words(_text(said, _TITLES)), problem=f"{wrong} is not a text")
    url = _text(said, _URLS)
    return Found(
        line=each.line,
        url=url.strip(),
        title=words(_text(said, _TITLES)),
        site_url=_text(said, _SITES).strip() or None,
        paths=_tags(said),
        category=_category(said),
        language=words(_text(said, ("language",))),
        description=words(_text(said, ("description",))),
        problem=None if url.strip() else "this entry has no url",
    )


def _loaded(text: str) -> Any:
    """Return the parsed element. A trailing comma is tolerated."""
    try:
        return json.loads(text)
    except ValueError:
        end = text[-1:]
        before = text[:-1].rstrip()
        if end not in "}]" or not before.endswith(","):
            raise
        return json.loads(before[:-1] + end)


def _text(said: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((said[name] for name in names if isinstance(said.get(name), str) and said[name].strip()), "")


def _category(said: Mapping[str, Any]) -> str | None:
    many = said.get("categories") or said.get("topics")
    first = next((each for each in many if isinstance(each, str)), "") if isinstance(many, list) else ""
    return words(_text(said, ("category",)) or first)


def _tags(said: Mapping[str, Any]) -> tuple[Path, ...]:
    given = said.get("tags") or said.get("folders")
    named = given[:50] if isinstance(given, list) else []
    paths = (tuple(each) if isinstance(each, list) else (each,) for each in named)
    clean = (tuple(name for part in path if isinstance(part, str) and (name := words(part))) for path in paths)
    return tuple(dict.fromkeys(path for path in clean if path))
