"""What was asked for: the view from which candidates are judged (research: intent comes from the typed URL only)."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.discovery.candidate import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`url` is what was typed, made fetchable; `page_url` where it landed. `intent` is the kind of feed that is wanted.

    `language` is the page's, lower case with `-`, where it says one.
    """

    url: str
    page_url: str
    intent: Kind = Kind.MAIN
    language: str | None = None
