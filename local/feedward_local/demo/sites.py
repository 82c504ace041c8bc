"""Reads the sites file: feeds, and stories with their pages and what to try. sites.toml says what the entries mean."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from feedward_local.demo.documents import FeedText, document

SITES_FILE = Path(__file__).with_name("sites.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the made-up internet answers at some URLs."""

    at: tuple[str, ...]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay_s: float = 0.0
    any_query: bool = False
    wrong_certificate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """A URL to ask for and what a person should see: members of the API's answer, by name."""

    story: str
    url: str
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """The whole made-up internet. `stories` are (name, what it tells)."""

    stories: tuple[tuple[str, str], ...]
    pages: Mapping[str, Page]
    tries: tuple[Try, ...]

    @property
    def hosts(self) -> frozenset[str]:
        """All names that exist."""
        return self.hosts_of("https") | self.hosts_of("http")

    def hosts_of(self, scheme: str) -> frozenset[str]:
        """The names that answer over `http` or `https`."""
        split = [urlsplit(url) for url in self.pages]
        return frozenset(parts.hostname or "" for parts in split if parts.scheme == scheme)

    @property
    def wrong_certificates(self) -> frozenset[str]:
        """The names whose certificate is for another name."""
        return frozenset(urlsplit(url).hostname or "" for url, page in self.pages.items() if page.wrong_certificate)

    def find(self, url: str) -> Page | None:
        """Return what answers at a URL, as a request line and Host header give it."""
        page = self.pages.get(url)
        if page is None:
            page = self.pages.get(url.partition("?")[0])
            page = page if page is not None and page.any_query else None
        return page

    @property
    def first_to_try(self) -> str:
        """The URL that a newcomer is shown."""
        return self.tries[0].url


@functools.cache
def load_sites(path: Path = SITES_FILE) -> Sites:
    """Read the sites file. Raises ValueError with the story's name when an entry makes no sense."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    feeds = {name: FeedText(**_tuples(entry)) for name, entry in content["feed"].items()}
    pages: dict[str, Page] = {}
    tries: list[Try] = []
    for story in content["story"]:
        for entry in story["pages"]:
            page = _page(entry, feeds, story["name"])
            for url in page.at:
                if url in pages:
                    raise ValueError(f"{story['name']}: {url} has two pages")
                pages[url] = page
        tries += [_try(entry, story["name"]) for entry in story["try"]]
    stories = tuple((story["name"], " ".join(story["tells"].split())) for story in content["story"])
    return Sites(stories=stories, pages=pages, tries=tuple(tries))


def _page(entry: dict[str, Any], feeds: Mapping[str, FeedText], story: str) -> Page:
    known = {"at", "feed", "self", "updated", "body", "type", "redirect", "status", "headers", "delay_s", "any_query"}
    if unknown := entry.keys() - known - {"certificate"}:
        raise ValueError(f"{story}: a page has no {sorted(unknown)}")
    headers = dict(entry.get("headers", {}))
    body, status = b"", entry.get("status", 301 if "redirect" in entry else 200)
    if "redirect" in entry:
        headers["Location"] = entry["redirect"]
    elif "feed" in entry:
        kind, body = document(feeds[entry["feed"]], self_url=entry.get("self"), updated=entry.get("updated"))
        headers["Content-Type"] = kind
    elif "body" in entry:
        headers["Content-Type"], body = entry["type"], entry["body"].encode()
    return Page(
        at=tuple(entry["at"]),
        status=status,
        headers=headers,
        body=body,
        delay_s=entry.get("delay_s", 0.0),
        any_query=entry.get("any_query", False),
        wrong_certificate=entry.get("certificate") == "wrong",
    )


def _try(entry: dict[str, Any], story: str) -> Try:
    """`url` is what is asked; `answer` is what the result calls `url`, and none is expected without it."""
    expected = {name: value for name, value in entry.items() if name not in ("url", "answer")}
    return Try(story=story, url=entry["url"], expected={"url": entry.get("answer"), **expected})


def _tuples(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
