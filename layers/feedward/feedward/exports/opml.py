"""OPML 2.0 (rule EX2): an outline for each feed, one line each, inside the folders of a tenant's tags. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Final

from feedward.exports.export_entry import ExportEntry, Folder, line_text

END: Final = "  </body>\n</opml>\n"
_INDENT: Final = "  "
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def opml_head(title: str, now: int) -> str:
    """Return the document up to its first outline. The date is the only thing that differs between two exports."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n  <head>\n'
        f"    <title>{_escaped(title)}</title>\n    <dateCreated>{formatdate(now, usegmt=True)}</dateCreated>\n"
        "  </head>\n  <body>\n"
    )


def opml_feed(entry: ExportEntry, depth: int = 0) -> str:
    """Return the line of a feed. Its type is `rss` for every format: readers accept no other."""
    name = _escaped(entry.name)
    site = f' htmlUrl="{_escaped(entry.site_url)}"' if entry.site_url else ""
    indent = _INDENT * (depth + 2)
    return f'{indent}<outline type="rss" text="{name}" title="{name}" xmlUrl="{_escaped(entry.url)}"{site}/>\n'


@dataclass(slots=True)
class _Level:
    """The folders and feeds inside a folder."""

    folders: dict[str, _Level] = field(default_factory=dict)
    feeds: list[ExportEntry] = field(default_factory=list)

    def within(self, folder: Folder) -> _Level:
        level = self
        for name in folder:
            level = level.folders.setdefault(name, _Level())
        return level


def opml_folders(entries: Iterable[ExportEntry]) -> Iterator[str]:
    """Yield the lines of a tenant's feeds: folders by name, then feeds in their order; a feed is in all its folders."""
    root = _Level()
    for entry in sorted(entries, key=lambda each: each.order):
        for folder in entry.folders or ((),):
            root.within(folder).feeds.append(entry)
    yield from _lines(root, 0)


def _lines(level: _Level, depth: int) -> Iterator[str]:
    indent = _INDENT * (depth + 2)
    for name in sorted(level.folders):
        yield f'{indent}<outline text="{_escaped(name)}" title="{_escaped(name)}">\n'
        yield from _lines(level.folders[name], depth + 1)
        yield f"{indent}</outline>\n"
    for entry in level.feeds:
        yield opml_feed(entry, depth)


def _escaped(text: str) -> str:
    return line_text(text).translate(_ESCAPES)
