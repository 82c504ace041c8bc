"""Newsletters: Substack, Buttondown, beehiiv. Substack and Buttondown also serve newsletters on their own domains."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Lookup, Platform, Proposal
from feedward.discovery.url_patterns import account_label, names, origin_of, segments
from feedward.urls.parse import Url

# --- Substack

_NO_LETTERS = names("api app cdn email embed help image images mail mg open reader static status support www")
_LETTER = re.compile(r"[a-z0-9][a-z0-9-]{0,62}", re.IGNORECASE).fullmatch
_HANDLE = re.compile(r"@[A-Za-z0-9._-]{1,64}").fullmatch
_SUBSTACK_PODCAST = re.compile(r"https://api\.substack\.com/feed/podcast/[0-9]{1,12}(?:/s/[0-9]{1,12})?\.rss").findall


def _substack_letter(url: Url) -> Sequence[Proposal]:
    letter = account_label(url, "substack.com")
    if not letter or letter in _NO_LETTERS:
        return ()
    return _substack_at(f"https://{letter}.substack.com", segments(url))


def _substack_at(root: str, path: list[str]) -> Sequence[Proposal]:
    return () if path[:1] == ["feed"] else (Proposal(url=f"{root}/feed", what="posts"),)


def _open_substack(url: Url) -> Sequence[Proposal]:
    """Propose the feed of letters.substack.com for open.substack.com/pub/letters/p/post."""
    path = segments(url)
    if len(path) < 2 or path[0] != "pub" or not _LETTER(path[1]):
        return ()
    return (Proposal(url=f"https://{path[1].lower()}.substack.com/feed", what="posts"),)


def _substack_profile(url: Url) -> Lookup | None:
    """Return the look-up of a profile: its document has the newsletter's name, which the handle does not show."""
    path = segments(url)
    if not path or not _HANDLE(path[0]):
        return None
    return Lookup(url=f"https://substack.com/api/v1/user/{path[0][1:]}/public_profile", read=_read_profile)


def _read_profile(body: bytes) -> Sequence[Proposal]:
    try:
        profile = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    letter = profile.get("primaryPublication") if isinstance(profile, dict) else None
    name = letter.get("subdomain") if isinstance(letter, dict) else None
    if not isinstance(name, str) or not _LETTER(name):
        return ()
    return (Proposal(url=f"https://{name.lower()}.substack.com/feed", what="posts"),)


def _is_substack(page: Page) -> bool:
    return "substackcdn.com" in page.html


def _substack_page(url: Url, page: Page) -> Sequence[Proposal]:
    return (*_substack_at(origin_of(url), segments(url)), *_substack_podcasts(url, page))


def _substack_podcasts(_url: Url, page: Page) -> Sequence[Proposal]:
    feeds = dict.fromkeys(_SUBSTACK_PODCAST(page.html))
    return [Proposal(url=feed, kind=Kind.PODCAST, what="podcast") for feed in list(feeds)[:3]]


# --- Buttondown

_BUTTONDOWN_RESERVED = names(
    """
    about account admin affiliates alternatives analytics api archive assets automations billing blog brand
    buttondown.css careers changelog climate comparisons confirm contact customers dashboard docs drafts emails embed
    faq favicon.ico features for gdpr guides help integrations jobs legal login logout media migrate new newsletters
    open-source press pricing privacy register requests resources roadmap robots.txt rss scheduled search security
    settings share shoutouts signup sitemap.xml stack static status subscribe subscribers support surveys tags teams
    terms testimonials tools unsubscribe upgrade use-cases webhooks
    """
)


def _buttondown(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path or path[0].lower() in _BUTTONDOWN_RESERVED or path[-1] in ("rss", "rss.xml", "feed"):
        return ()
    return (Proposal(url=f"https://buttondown.com/{path[0]}/rss", what="emails"),)


def _is_buttondown(page: Page) -> bool:
    """Tell a newsletter's own site by its archive: any site may embed the form."""
    forms = ("buttondown.com/api/emails/embed-subscribe/", "buttondown.email/api/emails/embed-subscribe/")
    return any(form in page.html for form in forms) and "/archive/" in page.html


def _buttondown_page(url: Url, _page: Page) -> Sequence[Proposal]:
    return () if segments(url)[-1:] == ["rss"] else (Proposal(url=f"{origin_of(url)}/rss", what="emails"),)


# --- beehiiv: a newsletter's feed is off by default, and only a page has its URL.

_BEEHIIV_FEED = re.compile(r"https://rss\.beehiiv\.com/feeds/[A-Za-z0-9_-]{1,40}\.xml").findall


def _is_beehiiv(page: Page) -> bool:
    return "media.beehiiv.com" in page.html and "rss.beehiiv.com/feeds/" in page.html


def _beehiiv_page(_url: Url, page: Page) -> Sequence[Proposal]:
    """Propose the feed that the page names, if it names only one: of several, its own one is unknown."""
    feeds = dict.fromkeys(_BEEHIIV_FEED(page.html))
    return [Proposal(url=feed, what="posts") for feed in feeds] if len(feeds) == 1 else ()


RULES: tuple[Platform, ...] = (
    Platform(name="substack", hosts=(".substack.com",), feeds=_substack_letter, page_feeds=_substack_podcasts),
    Platform(name="substack", hosts=("open.substack.com",), feeds=_open_substack),
    Platform(name="substack", hosts=("substack.com",), lookup=_substack_profile),
    Platform(name="substack", page_feeds=_substack_page, generators=("substack",), recognizes=_is_substack),
    Platform(name="buttondown", hosts=("buttondown.com", "buttondown.email"), feeds=_buttondown),
    Platform(name="buttondown", page_feeds=_buttondown_page, generators=("buttondown",), recognizes=_is_buttondown),
    Platform(name="beehiiv", hosts=(".beehiiv.com",), page_feeds=_beehiiv_page),
    Platform(name="beehiiv", page_feeds=_beehiiv_page, generators=("beehiiv",), recognizes=_is_beehiiv),
)
