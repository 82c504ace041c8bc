"""Plain lists: an address on each line, markdown lists and tables, files of terminal readers (rule IM10).

Comments and code hold no entries. The words of a link, or the cell before an address, are its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from feedward.intake.csv_table import column_of
from feedward.intake.entry import Found, is_address, without_tags, words
from feedward.intake.limits import LINE_CHARS

_LINK: Final = re.compile(r"(!?)\[([^\[\]\n]{0,500})\]\(\s*<?([^\s<>\[\]]{1,2100})>?(?:\s[^()\n]{0,500})?\)")
# An address ends at Chinese or Japanese punctuation and at invisible characters.
_NO_PART: Final = r"\s<>\"`|\uff5c\u3000-\u3002\u300a-\u3011\uff08\uff09\uff0c\uff1b\uff01\u200b\u2060\ufeff"
_BARE: Final = re.compile(
    rf"(?:https?|feed|rss|pcast|itpc|podcast):(?://|https?:)[^{_NO_PART}]{{1,2100}}", re.IGNORECASE
)
_HOSTLIKE: Final = re.compile(
    r"(?:[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,63}|\d{1,3}(?:\.\d{1,3}){3}|localhost(?=[:/]))(?::\d{1,5})?(?:/\S{0,2048})?"
)
_SCHEME_ALONE: Final = re.compile(r"(?:https?|feed|rss|pcast|itpc|podcast):/{0,3}\S{0,2000}", re.IGNORECASE)
_OTHER_SCHEME: Final = re.compile(
    r"\"?(query|exec|filter|file|ftp|javascript|data|mailto|gopher|gemini|about):(\S.{0,2000})", re.IGNORECASE
)
_QUOTED: Final = re.compile(r'"([^"\n]{1,300})"|(\S{1,300})')
_ENDS: Final = ".,;:!?\u3002\uff0c\u3001\uff1b\uff1a\uff01\uff1f\u2026'\u201d\u2019\u00bb*_~"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{", "\uff09": "\uff08", "\u3011": "\u3010", "\u300d": "\u300c", ">": "<"}
_SAYS_FEED: Final = frozenset(
    ("rss", "feed", "link", "atom", "xml", "url", "xmlurl", "feed_url", "feedurl", "rss_url", "href")
)
_NAMED: Final = re.compile(r"[A-Za-z0-9]")
_AROUND: Final = " \t:=-\u2013\u2014\uff1a\u2192\u3001\u3002\uff0c\uff1b*_<>([{}])|,;\"'"
_NUMBER: Final = re.compile(r"\d{1,3}")
_SAYS_SITE: Final = frozenset(("site", "website", "homepage", "home", "web", "html"))
# The separator line below the header of a markdown table.
_RULE: Final = re.compile(r"\|?\s{0,99}:?-{2,99}:?\s{0,99}(?:\|[\s:-]{0,200}){1,50}")
_BAR: Final = re.compile(r"(?<!\\)\|")
_COMMENTS: Final = ("#", "//", ";", "--")
_MARKS: Final = re.compile(r"(?:[-*+\u2022]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?")
_COMMANDS: Final = frozenset({"query", "exec", "filter"})
# Terminal readers quote tags with blanks only; a title among them begins with `~`.
_TITLE_TAG: Final = re.compile(r'(?:^|\s)"?~')


def read_list(text: str) -> Iterator[Found]:
    """Yield the entries of a list in order."""
    fence = before = ""
    in_comment = False
    columns: list[str | None] = []
    for number, whole in enumerate(text.split("\n"), start=1):
        line = whole[:LINE_CHARS].strip()
        in_comment, line = _without_comment(line, in_comment=in_comment)
        mark = line[:3] if line.startswith(("```", "~~~")) else ""
        if fence or mark:
            fence = ("" if mark == fence else fence) if fence else mark
            continue
        if _RULE.fullmatch(line):
            columns = [column_of(cell) for cell in _cells(before)]
        elif "|" not in line:
            columns = []
        before = line
        if ("." in line or ":" in line) and not line.startswith(_COMMENTS):
            yield from _of_line(line, number, columns)


def _without_comment(line: str, *, in_comment: bool) -> tuple[bool, str]:
    """The line without HTML comments, and whether a comment continues on the next line."""
    kept = ""
    while line:
        mark = "-->" if in_comment else "<!--"
        before, found, line = line.partition(mark)
        kept += "" if in_comment else before
        if not found:
            break
        in_comment = not in_comment
    return in_comment, kept.strip()


def _of_line(line: str, number: int, columns: Sequence[str | None]) -> Iterator[Found]:
    refused = _OTHER_SCHEME.match(line)
    if refused is not None:
        yield Found(line=number, url=line[:2000], problem=_problem(refused[1].lower()))
        return
    if line.startswith("|") or columns:
        yield from _of_cells(line, number, columns)
        return
    found = list(_addresses(line))
    if len(found) == 1 and line.startswith(found[0][0]):
        yield _of_reader(line, found[0][0], number)
        return
    for url, title in found:
        yield Found(line=number, url=url, title=title)
    plain = _MARKS.sub("", line, count=1)
    if not found and (_HOSTLIKE.fullmatch(plain) or _SCHEME_ALONE.fullmatch(plain)):
        yield Found(line=number, url=plain)


def _problem(scheme: str) -> str:
    if scheme in _COMMANDS:
        return f"{scheme}: is a command of a reader, which is not run"
    return f"{scheme}: is not the address of a feed"


def _addresses(text: str) -> Iterator[tuple[str, str | None]]:
    """The addresses of a text with their titles."""
    for url, said in _links(text):
        yield url, _title(said)


def _links(text: str) -> Iterator[tuple[str, str]]:
    """The addresses of a text with their link text or the words before them: links first, then bare addresses."""
    place = 0
    for link in _LINK.finditer(text):
        yield from _alone(text[place : link.start()])
        if not link[1] and is_address(link[3]):
            yield link[3], link[2]
        place = link.end()
    yield from _alone(text[place:])


def _alone(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    for found in _BARE.finditer(text):
        url = _ended(found[0])
        yield url, _before(text[place : found.start()])
        place = found.start() + len(url)


def _ended(url: str) -> str:
    """Remove punctuation that ends a sentence, and closing brackets that the address does not open."""
    url = url[: _stray_bracket(url)]
    while url:
        last = url[-1]
        if last in _ENDS or (last in _BRACKETS and url.count(_BRACKETS[last]) < url.count(last)):
            url = url[:-1]
            continue
        return url
    return url


def _stray_bracket(url: str) -> int | None:
    """The position in an address of the bracket that closes one opened before it, as in `[[address][title]]`."""
    at = url.find("]")
    return at if at >= 0 and "[" not in url[:at] else None


def _before(text: str) -> str:
    """The words before an address, without list markers; empty before a quoted address, which is code."""
    plain = _MARKS.sub("", text.strip(), count=1).strip(_AROUND)
    return "" if text.endswith(('"', "'")) or _NUMBER.fullmatch(plain) else plain


def _title(text: str) -> str | None:
    title = words(without_tags(text.replace("**", "").replace("`", "")))
    if title is None or is_address(title) or title.lower() in _SAYS_FEED:
        return None
    return None if title.isascii() and not _NAMED.search(title) else title


def _of_cells(line: str, number: int, columns: Sequence[str | None]) -> Iterator[Found]:
    """A row of a markdown table. Its title is in the title column, else it is the last words before an address or the
    text of a link. The address of a site is not an entry if the row has that of a feed.
    """
    title = before = None
    found: list[tuple[str, str, str | None]] = []
    for column, cell in zip_longest(columns, _cells(line), fillvalue=None):
        links = list(_links(cell or ""))
        found += [(_kind(column, said), url, before or _title(said)) for url, said in links]
        named = _title(links[0][1] if links else (cell or "").strip(" :-"))
        title = named if column == "title" else title
        if named and named.lower() not in _SAYS_SITE and (before is None or not links):
            before = named
    sites = [url for kind, url, _ in found if kind == "site"]
    feeds = [each for each in found if each[0] == "feed"]
    if feeds:
        sites = [url for kind, url, _ in found if kind != "feed"]
    for _, url, own in feeds or [each for each in found if each[0] != "site"] or found:
        site_url = next((site for site in sites if site != url), None)
        yield Found(line=number, url=url, title=title or own, site_url=site_url)


def _cells(line: str) -> list[str]:
    """The cells of a markdown table's row. A bar after a backslash is text."""
    return [cell.replace("\\|", "|") for cell in _BAR.split(line.strip("|"))]


def _kind(column: str | None, said: str) -> str:
    """The kind of target of a table's address: a feed, a site, or unknown."""
    if column == "site_url" or said.strip().lower() in _SAYS_SITE:
        return "site"
    return "feed" if column == "url" or said.strip().lower() in ("rss", "feed", "atom", "xml") else ""


def _of_reader(line: str, url: str, number: int) -> Found:
    """A line of a terminal reader: the address, then tags, one of which may be the title (`"~Name"`)."""
    rest = line[len(url) :].strip()
    has_tags = rest.startswith('"') or _TITLE_TAG.search(rest)
    said = [first or second for first, second in _QUOTED.findall(rest)] if has_tags else []
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
    """The title after an address: the words behind a dash. A comment is not a title."""
    plain = rest.partition(" #")[0] if not rest.startswith(_COMMENTS) else ""
    return _title(plain.strip(" \t:-\u2013\u2014,;()[]"))
