"""CSV (rule IM9): comma, semicolon or tab, `sep=`, with or without a header. The content of a column shows its kind."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from feedward.exports.csv_rows import FORMULA
from feedward.intake.entry import Found, Path, is_address, words
from feedward.intake.limits import LINE_CHARS
from feedward.subscriptions.folders import path_of

DELIMITERS: Final = (",", ";", "\t")
_SAMPLE: Final = 50
_LINES_OF_A_ROW: Final = 20
_NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("url", "xmlurl", "feed", "feedurl", "rss", "rssurl", "feedlink", "address", "channelurl"), "url"),
    **dict.fromkeys(("link", "address"), "url"),
    **dict.fromkeys(("siteurl", "htmlurl", "site", "website", "homepage", "weburl"), "site_url"),
    **dict.fromkeys(("title", "name", "feedtitle", "text", "channeltitle", "channelname", "label"), "title"),
    **dict.fromkeys(("folder", "folders", "category", "categories", "tag", "tags", "group", "groups"), "folders"),
    **dict.fromkeys(("ordner", "kategorie", "dossier", "catégorie", "carpeta", "categoría", "categoria"), "folders"),
    **dict.fromkeys(("cartella", "pasta", "папка", "категория", "文件夹", "分类", "フォルダ"), "folders"),
    **dict.fromkeys(("language", "lang"), "language"),
    **dict.fromkeys(("description", "summary", "notes"), "description"),
}


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """The positions of the columns, by content. `width` is that of the header, 0 without one."""

    places: Mapping[str, int] = field(default_factory=dict)
    width: int = 0

    def cell(self, row: _Row, name: str) -> str:
        place = self.places.get(name)
        return row.cells[place] if place is not None and place < len(row.cells) else ""


def delimiter_of(lines: Sequence[str]) -> str | None:
    """Return the delimiter of the table that these first lines form; None if they are no table.

    A line with a single address may contain a comma. A header, or two rows with as many cells, make a table.
    """
    first = lines[0].strip().lower() if lines else ""
    if first.startswith("sep=") and len(first) == 5:
        return first[4]
    counts = {each: _score(lines, each) for each in DELIMITERS}
    best = max(counts, key=lambda each: counts[each])
    return best if counts[best] else None


def _score(lines: Sequence[str], delimiter: str) -> int:
    """The number of lines that are table rows with this delimiter; 0 if there is no table."""
    rows = [row.cells for row in _rows(lines, delimiter)]
    wide = [cells for cells in rows if len(cells) > 1]
    if not wide:
        return 0
    named = [column_of(cell) for cell in wide[0]]
    if "url" in named or "site_url" in named:
        return len(wide) + 1
    addressed = [cells for cells in wide if any(is_address(cell.strip()) for cell in cells)]
    alone = [cells for cells in rows if len(cells) == 1 and is_address(cells[0].split(maxsplit=1)[0])]
    if len(alone) >= len(addressed):  # a list in which some lines contain the delimiter
        return 0
    begin_with_words = [
        cells for cells in addressed if not is_address(cells[0].strip()) or any(" " in cell.strip() for cell in cells)
    ]
    same = len({len(cells) for cells in wide}) == 1 and len(wide) >= 2
    return len(addressed) if addressed and (begin_with_words or same) else 0


def has_header(lines: Sequence[str]) -> bool:
    """Return whether the first of these lines names the columns of a table, one of them that of addresses."""
    rows = (next(iter(_rows(lines[:2], delimiter)), None) for delimiter in DELIMITERS)
    return any(row and len(row.cells) > 1 and {"url", "site_url"} & set(map(column_of, row.cells)) for row in rows)


def column_of(header: str) -> str | None:
    """Return the kind of a column with this header: url, site_url, title, folders, language, description; or None."""
    return _NAMES.get(_key(header))


def read_table(text: str, delimiter: str) -> Iterator[Found]:
    """Yield the entries of a table in order."""
    lines = text.split("\n")
    sample = list(islice(_rows(lines, delimiter), _SAMPLE))
    columns, has_header = _columns(sample)
    rows = _rows(lines, delimiter)
    if has_header:
        next(rows)
    for row in rows:
        yield _found(row, columns)


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[_Row]:
    """The non-empty rows. An unclosed quote affects only its own row."""
    at = 0
    while at < len(lines):
        start, row = at, lines[at]
        at += 1
        if not row.strip() or (start == 0 and row.lower().startswith("sep=")) or _is_comment(row, start, delimiter):
            continue
        while row.count('"') % 2 and at < len(lines) and at - start < _LINES_OF_A_ROW and len(row) < LINE_CHARS:
            row, at = f"{row}\n{lines[at]}", at + 1
        if row.count('"') % 2:
            row, at = lines[start], start + 1
        cells = _cells(row, delimiter)
        if any(cell.strip() for cell in cells):
            yield _Row(start + 1, cells)


def _is_comment(row: str, at: int, delimiter: str) -> bool:
    """Return whether a row begins as comments do, has no address, and is not a header with a column of numbers."""
    if not row.startswith("#"):
        return False
    cells = [cell.strip(' "') for cell in row.split(delimiter)] if ":" in row or at < _SAMPLE else []
    has_address = any(is_address(cell) for cell in cells)
    return not has_address and (at >= _SAMPLE or all(column_of(cell) is None for cell in cells))


def _cells(row: str, delimiter: str) -> list[str]:
    if len(row) > LINE_CHARS:
        return [row[:LINE_CHARS]]
    is_odd = row.count('"') % 2 == 1
    rows: Iterator[list[str]] = csv.reader(
        [row], delimiter=delimiter, skipinitialspace=True, quoting=csv.QUOTE_NONE if is_odd else csv.QUOTE_MINIMAL
    )
    try:
        cells = next(rows, [])
    except csv.Error:  # a line break outside quotes
        cells = row.split(delimiter)
    return [_armed(cell) for cell in cells]


def _armed(cell: str) -> str:
    """Remove the apostrophe that an export puts before a cell that spreadsheets take for a formula (rule IM9)."""
    rest = cell.lstrip("'").lstrip(" ")
    return cell[1:] if cell.startswith("'") and rest[:1] in FORMULA and rest else cell


def _columns(sample: Sequence[_Row]) -> tuple[_Columns, bool]:
    """The columns, and whether the first row is a header, that is, has no address (rule IM9)."""
    if not sample:
        return _Columns(), False
    header = sample[0].cells
    has_header = not any(is_address(cell.strip()) for cell in header) and any(_key(cell) in _NAMES for cell in header)
    has_header = has_header or (len(sample) > 1 and not any(_looks_like_address(cell) for cell in header))
    places: dict[str, int] = {}
    if has_header:
        for place, cell in enumerate(header):
            name = column_of(cell)
            if name is not None and (name != "url" or name not in places or _key(cell) in ("xmlurl", "feedurl")):
                places.setdefault(name, place)
    rows = [row.cells for row in (sample[1:] if has_header else sample)]
    return _Columns(places=_by_content(places, rows), width=len(header) if has_header else 0), has_header


def _by_content(named: dict[str, int], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Complete the columns by their content: feed addresses, site addresses, then the first column of words."""
    width = max((len(cells) for cells in rows), default=0)
    addresses = [sum(_looks_like_address(cell) for cell in _column(rows, place)) for place in range(width)]
    feeds = [sum(_looks_like_feed(cell) for cell in _column(rows, place)) for place in range(width)]
    places = dict(named)
    if "url" not in places or not (places["url"] < width and addresses[places["url"]]):
        best = max(range(width), key=lambda place: (feeds[place], addresses[place], -place), default=None)
        if best is not None and addresses[best]:
            places["url"] = best
    taken = set(places.values())
    if "site_url" not in places:
        others = [place for place in range(width) if addresses[place] and place not in taken]
        places.update({"site_url": others[0]} if others else {})
    taken = set(places.values())
    if "title" not in places:
        worded = [place for place in range(width) if place not in taken and any(_column(rows, place))]
        places.update({"title": worded[0]} if worded else {})
    return places


def _column(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    return [cells[place].strip() for cells in rows if place < len(cells)]


def _looks_like_address(cell: str) -> bool:
    text = cell.strip()
    return is_address(text) or (" " not in text and "/" in text and "." in text.partition("/")[0])


def _looks_like_feed(cell: str) -> bool:
    text = cell.lower()
    return _looks_like_address(text) and any(word in text for word in ("rss", "feed", "atom", ".xml", "rdf"))


def _key(cell: str) -> str:
    return "".join(character for character in cell.lower() if character.isalpha())


def _found(row: _Row, columns: _Columns) -> Found:
    site_url = columns.cell(row, "site_url").strip()
    url = columns.cell(row, "url").strip() or site_url
    if not url or (len(row.cells) > columns.width > 0 and not _looks_like_address(url)):  # a title with a comma
        url = next((cell.strip() for cell in row.cells if is_address(cell.strip())), url)
    return Found(
        line=row.line,
        url=url,
        title=words(columns.cell(row, "title")),
        site_url=site_url or None,
        paths=_paths(columns.cell(row, "folders")),
        language=words(columns.cell(row, "language")),
        description=words(columns.cell(row, "description")),
    )


def _paths(cell: str) -> tuple[Path, ...]:
    """The folders of a cell, separated by semicolons, bars or commas. A slash separates names; `\\/` and `\\;`
    escape."""
    mark = next((each for each in (";", "|", ",") if each in cell), None)
    parts = re.split(rf"(?<!\\){re.escape(mark)}", cell) if mark else [cell]
    names = (path_of(part.replace("\\;", ";")) for part in parts[:50])
    paths = (tuple(clean for name in path if (clean := words(name))) for path in names)
    return tuple(dict.fromkeys(path for path in paths if path))
