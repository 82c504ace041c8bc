"""The displayed texts of a feed, such as title and description: written when they change (rule D12). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.model import FeedFormat
from feedward.urls.parse import parse_http_url

TITLE_CHARS = 1000
DESCRIPTION_CHARS = 4000
URL_CHARS = 2048
LANGUAGE_CHARS = 100
HUBS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedTexts:
    """The texts of one document, cut to sizes that fit the table (rule R1). None if the document has no such text."""

    title: str | None = None
    description: str | None = None
    site_url: str | None = None
    language: str | None = None
    hub_urls: tuple[str, ...] = ()
    format: FeedFormat | None = None


def texts_of(
    *,
    title: str | None,
    description: str | None,
    site_url: str | None,
    language: str | None,
    hub_urls: tuple[str, ...],
    format: FeedFormat | None,  # noqa: A002 - the field's name
) -> FeedTexts:
    """Return the texts of a document. A URL is kept whole or not at all, and only if it is http or https."""
    return FeedTexts(
        title=cut(title, TITLE_CHARS),
        description=cut(description, DESCRIPTION_CHARS),
        site_url=web_url(site_url),
        language=cut(language, LANGUAGE_CHARS),
        hub_urls=tuple(hub for hub in hub_urls if web_url(hub))[:HUBS],
        format=format,
    )


def cut(text: str | None, limit: int) -> str | None:
    """Return at most `limit` characters of a text, or None for an empty one."""
    return text[:limit] or None if text else None


def web_url(url: str | None) -> str | None:
    """Return an http(s) URL unchanged, or None for another scheme or a URL that is too long (a cut URL is useless)."""
    return url if url and len(url) <= URL_CHARS and parse_http_url(url) else None
