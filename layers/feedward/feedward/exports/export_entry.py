"""A feed as exports write it. Pure data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

# Characters that XML 1.0 does not allow, even escaped, that no line may hold (rule EX2), or that an import removes:
# direction marks and other invisible characters.
_FORBIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)

Folder = tuple[str, ...]
"""The names of a folder from the outside in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportEntry:
    """A feed of an export. `place` sorts the entries of the shared directory.

    `folders` are those of a tenant's tags, `category` the approved topic of a shared feed. `is_private`: its address
    has a token (rule EX4).
    """

    url: str
    place: str = ""
    title: str | None = None
    site_url: str | None = None
    category: str | None = None
    language: str | None = None
    description: str | None = None
    folders: tuple[Folder, ...] = ()
    is_private: bool = field(default=False, compare=False)

    @property
    def name(self) -> str:
        """The displayed name: the title, or the URL of a feed without a title."""
        return self.title or self.url

    @property
    def order(self) -> tuple[str, str]:
        """The order of a tenant's feeds, which depends only on exported values (rule EX6)."""
        return self.name.casefold(), self.url


def line_text(text: str) -> str:
    """Return a text for a line: without forbidden characters, its white space collapsed."""
    return " ".join(_FORBIDDEN.sub("", text).split())
