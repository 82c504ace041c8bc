"""CSV (rule EX5): UTF-8 with a BOM, CRLF, each cell quoted, cells that a spreadsheet would calculate disarmed. Pure."""

from __future__ import annotations

import re
from typing import Final

from feedward.exports.entry import ExportEntry, line_text
from feedward.subscriptions.folders import tag_of

COLUMNS: Final = ("title", "url", "site_url", "category", "folders", "language", "description")
_FORMULA: Final = frozenset("=+-@\t\r")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:[.,]\d+)?%?")


def csv_head() -> str:
    """Return the BOM and the row of names."""
    return "\ufeff" + _row(COLUMNS)


def csv_row(entry: ExportEntry) -> str:
    """Return the row of a feed."""
    folders = "; ".join(map(tag_of, entry.folders))
    cells = (entry.title, entry.url, entry.site_url, entry.category, folders, entry.language, entry.description)
    return _row(tuple(disarmed(line_text(cell or "")) for cell in cells))


def disarmed(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: with one apostrophe, which an import takes off again.

    A cell that has such an apostrophe already gets another one, so that the import gives what there was. A number is
    none.
    """
    rest = cell.lstrip("'").lstrip(" ")
    if rest[:1] not in _FORMULA or not rest:
        return cell
    return cell if _NUMBER.fullmatch(cell) else f"'{cell}"


def _row(cells: tuple[str, ...]) -> str:
    quoted = (cell.replace('"', '""') for cell in cells)
    return ",".join(f'"{cell}"' for cell in quoted) + "\r\n"
