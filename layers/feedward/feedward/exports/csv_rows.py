"""CSV (rule EX5): UTF-8 with a BOM, CRLF, each cell quoted, no cell that a spreadsheet takes for a formula. Pure."""

from __future__ import annotations

import re
from typing import Final

from feedward.exports.export_entry import ExportEntry, Folder, line_text
from feedward.subscriptions.folders import tag_of

COLUMNS: Final = ("title", "url", "site_url", "folders", "category", "language", "description")
# The beginnings of formulas. Spreadsheets also take the full-width signs of East Asian keyboards.
FORMULA: Final = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:[.,]\d+)?%?")


def csv_head() -> str:
    """Return the BOM and the row of names."""
    return "\ufeff" + _row(COLUMNS)


def csv_row(entry: ExportEntry) -> str:
    """Return the row of a feed."""
    cells = (
        entry.title,
        entry.url,
        entry.site_url,
        _folders(entry.folders),
        entry.category,
        entry.language,
        entry.description,
    )
    return _row(tuple(disarmed(line_text(cell or "")) for cell in cells))


def _folders(folders: tuple[Folder, ...]) -> str:
    """Return the tags of folders, separated by semicolons; `\\;` is a semicolon in a name.

    A single tag that contains another separator of tags ends with a semicolon.
    """
    tags = [tag_of(folder).replace(";", "\\;") for folder in folders]
    tags = [f"{tag} " if tag.endswith("\\") else tag for tag in tags]  # else it would escape the semicolon
    is_alone = len(tags) == 1 and any(mark in tags[0] for mark in "|,")
    return "; ".join(tags) + (";" if is_alone else "")


def disarmed(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: with one apostrophe, which an import removes.

    A cell that already has such an apostrophe gets another one, so the import restores the original. A number is no
    formula.
    """
    rest = cell.lstrip("'").lstrip(" ")
    if rest[:1] not in FORMULA or not rest:
        return cell
    return cell if _NUMBER.fullmatch(cell) else f"'{cell}"


def _row(cells: tuple[str, ...]) -> str:
    quoted = (cell.replace('"', '""') for cell in cells)
    return ",".join(f'"{cell}"' for cell in quoted) + "\r\n"
