"""Plain lists: an address on each line, markdown lists and tables, files of terminal readers (rule IM10).

Comments and code hold no entries. The words of a link, or the cell before an address, are its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from feedward.intake.entry import Found
from feedward.intake.limits import LINE_CHARS
from feedward.intake.words import is_address, words

_LINK: Final = re.compile(r"(!?)\[([^\[\]\n]{0,500})\]\(\s*<?([^\s<>\[\]]{1,2100})>?(?:\s[^()\n]{0,500})?\)")
_BARE: Final = re.compile(
    r"(?:https?|feed|rss|pcast|itpc|podcast):(?://|https?:)[^\s<>\"`|\uff5c\u3000]{1,2100}", re.IGNORECASE
)
_HOSTLIKE: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,63}(?::\d{1,5})?(?:/\S{0,2048})?")
_OTHER_SCHEME: Final = re.compile(
    r"\"?(query|exec|filter|file|ftp|javascript|data|mailto|gopher|gemini|about):(\S.{0,2000})", re.IGNORECASE
)
_QUOTED: Final = re.compile(r'"([^"\n]{1,300})"|(\S{1,300})')
_ENDS: Final = ".,;:!?\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f\u2026'\u201d\u2019\u00bb*_~"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{", "\uff09": "\uff08", "\u3011": "\u3010", "\u300d": "\u300c", ">": "<"}
_COMMENTS: Final = ("#", "//", ";", "--")
_MARKS: Final = re.compile(r"(?:[-*+\u2022]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?")
_COMMANDS: Final = frozenset({"query", "exec", "filter"})


def read_list(text: str) -> Iterator[Found]:
    """Yield the entries of a list in order."""
    fence = ""
    in_comment = False
    for number, whole in enumerate(text.split("\n"), start=1):
        line = whole[:LINE_CHARS].strip()
        in_comment, line = _without_comment(line, in_comment=in_comment)
        mark = line[:3] if line.startswith(("```", "~~~")) else ""
        if fence or mark:
            fence = ("" if mark == fence else fence) if fence else mark
            continue
        if ("." in line or ":" in line) and not line.startswith(_COMMENTS):
            yield from _of_line(line, number)


def _without_comment(line: str, *, in_comment: bool) -> tuple[bool, str]:
    """The line without HTML comments, and whether a comment goes on after it."""
    kept = ""
    while line:
        mark = "-->" if in_comment else "<!--"
        before, found, line = line.partition(mark)
        kept += "" if in_comment else before
        if not found:
            break
        in_comment = not in_comment
    return in_comment, kept.strip()


def _of_line(line: str, number: int) -> Iterator[Found]:
    refused = _OTHER_SCHEME.match(line)
    if refused is not None:
        yield Found(line=number, url=line[:2000], problem=_problem(refused[1].lower()))
        return
    if line.startswith("|"):
        yield from _of_cells(line, number)
        return
    found = list(_addresses(line))
    if len(found) == 1 and line.startswith(found[0][0]):
        yield _of_reader(line, found[0][0], number)
        return
    for url, title in found:
        yield Found(line=number, url=url, title=title)
    plain = _MARKS.sub("", line, count=1)
    if not found and _HOSTLIKE.fullmatch(plain):
        yield Found(line=number, url=plain)


def _problem(scheme: str) -> str:
    if scheme in _COMMANDS:
        return f"{scheme}: is a command of a reader, which is never run"
    return f"{scheme}: is no address of a feed"


def _addresses(text: str) -> Iterator[tuple[str, str | None]]:
    """The addresses of a text with their titles: those of links, then those that stand alone."""
    place = 0
    for link in _LINK.finditer(text):
        yield from ((url, _before(text[place : link.start()])) for url in _bare(text[place : link.start()]))
        if not link[1] and is_address(link[3]):
            yield link[3], _title(link[2])
        place = link.end()
    rest = text[place:]
    for url in _bare(rest):
        yield url, _before(rest.partition(url)[0])


def _bare(text: str) -> Iterator[str]:
    for found in _BARE.finditer(text):
        yield _ended(found[0])


def _ended(url: str) -> str:
    """Take off what ends a sentence, and brackets that were not opened inside."""
    while url:
        last = url[-1]
        if last in _ENDS or (last in _BRACKETS and url.count(_BRACKETS[last]) < url.count(last)):
            url = url[:-1]
            continue
        return url
    return url


def _before(text: str) -> str | None:
    """The words before an address, without the marks of a list."""
    plain = _MARKS.sub("", text.strip(), count=1).strip(' \t:-\u2013\u2014\uff1a*_<([{|,;"')
    return _title(plain)


def _title(text: str) -> str | None:
    title = words(text.replace("**", "").replace("`", ""))
    return None if title is None or is_address(title) else title


def _of_cells(line: str, number: int) -> Iterator[Found]:
    """A row of a markdown table: the last words before an address are its title; a link has its own, unless it says
    what every link says.
    """
    before: str | None = None
    for cell in line.strip("|").split("|"):
        found = list(_addresses(cell))
        for url, title in found:
            own = title if title and title.lower() not in ("rss", "feed", "link", "atom", "xml", "url") else None
            yield Found(line=number, url=url, title=before or own)
        if not found:
            before = _title(cell.strip(" :-")) or before
        elif before is None:
            before = found[0][1]


def _of_reader(line: str, url: str, number: int) -> Found:
    """A line of a terminal reader: the address, then tags, one of which may be the title (`"~Name"`)."""
    rest = line[len(url) :].strip()
    said = [first or second for first, second in _QUOTED.findall(rest)] if rest[:1] in ('"', "~") else []
    titles = [each[1:] for each in said if each.startswith("~")]
    tags = [each for each in said if not each.startswith(("~", "!"))]
    title = titles[0] if titles else None if said else _after(rest)
    return Found(
        line=number,
        url=url,
        title=words(title),
        paths=tuple((name,) for tag in tags[:50] if (name := words(tag))),
    )


def _after(rest: str) -> str | None:
    """The words after an address: a title behind a dash, or a comment, which is none."""
    plain = rest.partition(" #")[0] if not rest.startswith("#") else ""
    return plain.strip(" \t:-\u2013\u2014,;()[]") or None
