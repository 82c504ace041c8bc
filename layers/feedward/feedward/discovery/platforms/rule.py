"""What a platform rule is: data plus small pure functions. It only proposes; the feed is validated (spec D1).

Each family of platforms has a file with its rules; `platforms/index.py` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.urls.parse import Url


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A feed URL that a platform has for a URL. `what` names it for people: `releases`, `uploads`, `posts`.

    `kind` is seen from the URL: what a profile or a listing has is its MAIN feed; a tag's and a topic's are told apart.
    """

    url: str
    kind: Kind = Kind.MAIN
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A document of a platform's own API that names the feed: where it is, and how to read the feed's URL out of it."""

    url: str
    read: Callable[[bytes], Sequence[Proposal]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """One platform. `hosts` are hosts without www; one that begins with a dot stands for every host below it.

    `feeds` proposes by the URL alone, best first; `page_feeds` by the page, on these hosts, or, where `generators`
    (lower case beginnings of a page's generator) or `recognizes` say so, on any host. `lookup` names an API document.
    """

    name: str
    hosts: tuple[str, ...] = ()
    feeds: Callable[[Url], Sequence[Proposal]] | None = None
    page_feeds: Callable[[Url, Page], Sequence[Proposal]] | None = None
    generators: tuple[str, ...] = ()
    recognizes: Callable[[Page], bool] | None = None
    lookup: Callable[[Url], Lookup | None] | None = None
