"""Reads the sites files: feeds, and stories with their pages and examples. The files explain their entries."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from feedward_local.demo.documents import FeedText, document

SITES_FILES = tuple(
    Path(__file__).with_name(name) for name in ("sites.toml", "sites_to_discover.toml", "sites_to_collect.toml")
)
ALWAYS = ""  # the phase of pages that name none
PAGE_ENTRIES = frozenset(
    {
        *("at", "feed", "self", "updated", "body", "html", "type", "redirect", "status", "headers"),
        *("delay_s", "any_query", "certificate", "browsers_only", "phase"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """An answer of the made-up internet at some URLs."""

    at: tuple[str, ...]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay_s: float = 0.0
    any_query: bool = False
    wrong_certificate: bool = False
    browsers_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """A URL to canonicalize and its expected result: members of the API's answer, by name."""

    story: str
    url: str
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """A URL for discovery, and its expected result.

    `answer` is the chosen feed's URL, `also` other feeds that must be among the candidates, in this order; `said` are
    members of the API's answer, by name: the outcome at least.
    """

    story: str
    url: str
    answer: str | None
    also: tuple[str, ...]
    said: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect:
    """A URL to collect, and the expected members of its row in the API's answer, by name.

    `same_as` is the URL of another page with the same content.
    """

    story: str
    url: str
    said: Mapping[str, Any]
    same_as: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """The whole made-up internet. `stories` are pairs (name, description).

    `pages` answer unless the current phase has another page at the same URL: `phases` has those by the phase's name.
    """

    stories: tuple[tuple[str, str], ...]
    pages: Mapping[str, Page]
    tries: tuple[Try, ...]
    finds: tuple[Find, ...] = ()
    collects: tuple[Collect, ...] = ()
    phases: Mapping[str, Mapping[str, Page]] = field(default_factory=dict)

    @property
    def hosts(self) -> frozenset[str]:
        """All names that exist."""
        return self.hosts_of("https") | self.hosts_of("http")

    def hosts_of(self, scheme: str) -> frozenset[str]:
        """The names that answer over `http` or `https`."""
        split = [urlsplit(url) for pages in (self.pages, *self.phases.values()) for url in pages]
        return frozenset(parts.hostname or "" for parts in split if parts.scheme == scheme)

    @property
    def wrong_certificates(self) -> frozenset[str]:
        """The names whose certificate is for another name."""
        return frozenset(urlsplit(url).hostname or "" for url, page in self.pages.items() if page.wrong_certificate)

    def find(self, url: str, phase: str = "") -> Page | None:
        """Return the page at a URL, as given by a request line and Host header: its own page, or the host's `/*`.

        `phase` is the current one: its page at that very URL has priority.
        """
        page = self.phases.get(phase, {}).get(url) or self.pages.get(url)
        if page is None:
            page = self.pages.get(url.partition("?")[0])
            page = page if page is not None and page.any_query else None
        return page or self.pages.get("/".join([*url.split("/")[:3], "*"]))

    @property
    def first_to_try(self) -> str:
        """The URL that is shown to a new user."""
        return self.tries[0].url


@functools.cache
def load_sites(*paths: Path) -> Sites:
    """Read the sites files. Raises ValueError with the story's name if an entry is invalid."""
    contents = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths or SITES_FILES]
    feeds = {
        name: FeedText(**_tuples(entry)) for content in contents for name, entry in content.get("feed", {}).items()
    }
    stories = [story for content in contents for story in content["story"]]
    pages = _pages(stories, feeds)
    return Sites(
        stories=tuple((story["name"], " ".join(story["tells"].split())) for story in stories),
        pages=pages.pop(ALWAYS, {}),
        phases=pages,
        tries=tuple(_try(entry, story["name"]) for story in stories for entry in story.get("try", ())),
        finds=tuple(_find(entry, story["name"]) for story in stories for entry in story.get("discover", ())),
        collects=tuple(_collect(entry, story["name"]) for story in stories for entry in story.get("collect", ())),
    )


def _pages(stories: Sequence[Mapping[str, Any]], feeds: Mapping[str, FeedText]) -> dict[str, dict[str, Page]]:
    """Return the pages by phase and URL."""
    pages: dict[str, dict[str, Page]] = {}
    for story in stories:
        for entry in story["pages"]:
            page = _page(entry, feeds, story["name"])
            here = pages.setdefault(entry.get("phase", ALWAYS), {})
            for url in page.at:
                if url in here:
                    raise ValueError(f"{story['name']}: {url} has two pages")
                here[url] = page
    return pages


def _page(entry: dict[str, Any], feeds: Mapping[str, FeedText], story: str) -> Page:
    if unknown := entry.keys() - PAGE_ENTRIES:
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
    elif "html" in entry:
        headers["Content-Type"], body = "text/html; charset=utf-8", entry["html"].encode()
    return Page(
        at=tuple(entry["at"]),
        status=status,
        headers=headers,
        body=body,
        delay_s=entry.get("delay_s", 0.0),
        any_query=entry.get("any_query", False),
        wrong_certificate=entry.get("certificate") == "wrong",
        browsers_only=entry.get("browsers_only", False),
    )


def _try(entry: dict[str, Any], story: str) -> Try:
    """`url` is the requested URL; `answer` is the expected `url` of the result, none if it is missing."""
    expected = {name: value for name, value in entry.items() if name not in ("url", "answer")}
    return Try(story=story, url=entry["url"], expected={"url": entry.get("answer"), **expected})


def _find(entry: dict[str, Any], story: str) -> Find:
    """Read a discovery. Without an outcome, a feed is expected to be found."""
    said = {name: value for name, value in entry.items() if name not in ("url", "answer", "also")}
    return Find(
        story=story,
        url=entry["url"],
        answer=entry.get("answer"),
        also=tuple(entry.get("also", ())),
        said={"outcome": "found", **said},
    )


def _collect(entry: dict[str, Any], story: str) -> Collect:
    """Read a page to collect. Without a status, it is expected to be fetched."""
    return Collect(
        story=story,
        url=entry["url"],
        said={
            "url": entry.get("lands", entry["url"]),
            "status": entry.get("status", "fetched"),
            "last_error": entry.get("last_error"),
        },
        same_as=entry.get("same_as"),
    )


def _tuples(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
