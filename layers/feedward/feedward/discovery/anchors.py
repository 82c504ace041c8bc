"""Feed-like anchors (rule D5), best first: strong if the path says feed, weak if only the surrounding words say feed.

A page may have 100,000 anchors, so all are tested unresolved, and only hits are resolved.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from heapq import nsmallest

from feedward.discovery.anchor_words import (
    PathHint,
    class_word,
    label_word,
    path_hint,
    readable,
    says_comments,
    subscribe_word,
)
from feedward.discovery.candidate import Lead, Source
from feedward.discovery.links import MAX_TITLE
from feedward.discovery.rejects import is_never_a_feed
from feedward.discovery.subscribe_buttons import button_feed
from feedward.feeds.language import language_tag
from feedward.feeds.text import plain
from feedward.pages.elements import Anchor
from feedward.pages.media_types import TypeHint, bare_type, type_hint
from feedward.pages.page_urls import PageUrls
from feedward.urls.parse import parse_http_url

MAX_ANCHORS = 1000
_MAX_RESOLVED = 2000
_MAX_SHOWN = 60
_SHORT_LABEL = 40
_WORDS = "feed|rss|atom|rdf|xml"
# Cheap tests that exclude most anchors. Full-width letters and invisible characters may hide a word.
_IN_PATH = re.compile(_WORDS, re.IGNORECASE)
_IN_LABEL = re.compile(rf"{_WORDS}|subscri|syndicat|[\u00ad\u200b-\u200f\u2060-\u2069\ufeff-\uff5e]", re.IGNORECASE)

# Hosts that serve feeds and nothing else.
_FEED_HOST = re.compile(
    r"(?:https?:)?//((?:feeds[0-9]?\.(?:acast|audiomeans|blubrry|buzzsprout|captivate|castos|feedblitz|feedburner|fireside"
    r"|libsyn|megaphone|redcircle|simplecast|soundcloud|transistor|zencastr)|feed\.podbean|rss\.(?:acast|art19))"
    r"\.(?:com|fm|fr))/[^?#]",
    re.IGNORECASE,
)


class _Tier(IntEnum):
    """The confidence of an anchor among those of its kind."""

    PLAIN = 0
    VAGUE = 1
    """The word is deep in the path, in a long text, or only in the class."""
    COMMENTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sign:
    """The sign by which an anchor is feed-like."""

    source: Source
    tier: _Tier
    why: str
    only_subscribe: bool = False
    """It only says "subscribe"."""


_BUTTON = _Sign(source=Source.ANCHOR, tier=_Tier.PLAIN, why="subscribe button")


def anchor_leads(anchors: Iterable[Anchor], urls: PageUrls, *, known: Container[str] = ()) -> list[Lead]:
    """Return at most 1000 feed-like anchors: strong ones first, then own ones, then by confidence and order.

    `known` are URLs that the page advertises already.
    """
    best: dict[str, tuple[tuple[bool, bool, int, int], Lead]] = {}
    for place, (anchor, url, sign) in enumerate(_feed_like(anchors, urls)):
        rank = (sign.source is not Source.ANCHOR, not urls.is_own(url), _tier(anchor, url, sign), place)
        if url not in known and (url not in best or rank < best[url][0]):
            best[url] = (rank, _lead(anchor, url, sign, urls.page_url))
    ranked = nsmallest(MAX_ANCHORS, best.values(), key=lambda ranked: ranked[0])
    return [replace(lead, position=position) for position, (_, lead) in enumerate(ranked)]


def _feed_like(anchors: Iterable[Anchor], urls: PageUrls) -> Iterator[tuple[Anchor, str, _Sign]]:
    """Yield the feed-like anchors with their URLs; at most 2000 are resolved for each kind of sign."""
    left = {True: _MAX_RESOLVED, False: _MAX_RESOLVED}
    for anchor in anchors:
        href = anchor.attributes.get("href")
        if not href:
            continue
        button = button_feed(href)
        by_path = button is not None or _may_say_feed_in_path(href) or anchor.attributes.get("type") is not None
        label = _label_sign(anchor) if not by_path and left[False] and _may_say_feed(anchor) else None
        by_host = not (by_path or label) and _FEED_HOST.match(href) is not None
        if not (by_path or label or by_host) or not left[by_path]:
            continue
        left[by_path] -= 1
        url = urls.candidate(button or href)
        if url is None or is_never_a_feed(url, anchor.attributes.get("type")):
            continue
        sign = label or _type_sign(anchor) or _path_sign(url) or (_BUTTON if button else _label_sign(anchor))
        if sign is None or (sign.only_subscribe and is_shop(url, urls.page_url)):
            sign = _host_sign(url)
        if sign:
            yield anchor, url, sign


def _may_say_feed_in_path(href: str) -> bool:
    """Search for the words where a path or a query can be."""
    host = href.find("//") + 2
    path = max(href.find("/", host), host) if host > 1 else 0
    return _IN_PATH.search(href, path) is not None


def _may_say_feed(anchor: Anchor) -> bool:
    """Search all texts of an anchor for the words in one pass."""
    if len(anchor.attributes) == 1 and not anchor.images:
        return _IN_LABEL.search(anchor.text) is not None
    return any(text and _IN_LABEL.search(text) for _, text in _labels(anchor))


def _type_sign(anchor: Anchor) -> _Sign | None:
    kind = anchor.attributes.get("type")
    if kind is None or type_hint(kind) is not TypeHint.FEED:
        return None
    return _Sign(source=Source.ANCHOR, tier=_Tier.PLAIN, why=f"anchor type={bare_type(kind)}")


def _path_sign(url: str) -> _Sign | None:
    hint = path_hint(url)
    if hint is PathHint.NONE:
        return None
    tier = _Tier.PLAIN if hint is PathHint.ENDS_LIKE_FEED else _Tier.VAGUE
    shown = f"/{url.partition('//')[2].partition('/')[2]}"
    return _Sign(source=Source.ANCHOR, tier=tier, why=f"anchor to {_shown(shown)}")


def _host_sign(url: str) -> _Sign | None:
    """Return the sign of a host that only serves feeds."""
    found = _FEED_HOST.match(url)
    return _Sign(source=Source.WEAK_ANCHOR, tier=_Tier.PLAIN, why=f"anchor to {found[1]}") if found else None


def _label_sign(anchor: Anchor) -> _Sign | None:
    """Return the sign of the first text, title, aria-label, image or class that says feed, else of a subscribe word."""
    labels = [(name, text) for name, text in _labels(anchor) if text and _IN_LABEL.search(text)]
    for name, text in labels:
        if class_word(text) if name == "class" else label_word(text):
            return _weak(name, text)
    for name, text in labels:
        if name != "class" and subscribe_word(text):
            return replace(_weak(name, text), only_subscribe=True)
    return None


def _weak(name: str, text: str) -> _Sign:
    is_plain = name != "class" and len(text.strip()) <= _SHORT_LABEL
    tier = _Tier.PLAIN if is_plain else _Tier.VAGUE
    return _Sign(source=Source.WEAK_ANCHOR, tier=tier, why=f'anchor {name} "{_shown(text)}"')


def _labels(anchor: Anchor) -> Iterator[tuple[str, str | None]]:
    yield "text", anchor.text
    yield "title", anchor.attributes.get("title")
    yield "aria-label", anchor.attributes.get("aria-label")
    yield "image", anchor.attributes.get("alt")
    for image in anchor.images:
        yield "image", image
    yield "class", anchor.attributes.get("class")


def _tier(anchor: Anchor, url: str, sign: _Sign) -> _Tier:
    """Return the confidence of an anchor. Anchors for comments come last."""
    is_comments = says_comments(url) or says_comments(anchor.text[:_SHORT_LABEL])
    return _Tier.COMMENTS if is_comments else sign.tier


def _lead(anchor: Anchor, url: str, sign: _Sign, page_url: str) -> Lead:
    title = anchor.attributes.get("title") or anchor.text
    return Lead(
        url=url,
        source=sign.source,
        title=plain(readable(title), MAX_TITLE),
        language=language_tag(anchor.attributes.get("hreflang")),
        why=sign.why,
        page_url=page_url,
    )


def _shown(text: str) -> str:
    return plain(readable(text), _MAX_SHOWN) or ""


_SHOP_WORDS = """
    shop store cart basket checkout order orders buy pay payment payments purchase pricing price prices plan plans
    account accounts login signin signup register registration member members membership memberships join donate
    donation donations offer offers deal deals gift gifts abo abos abonnement abonnements subscription subscriptions
    newsletter newsletters email mail mailing sms premium patron patreon print magazine edition click clicks clk ad ads
    adclick redirect redir out go away track tracking campaign promo
"""
_SHOP_NAMES = frozenset(_SHOP_WORDS.split())
_PATH_WORD = re.compile("[a-z]+")


def is_shop(url: str, page_url: str) -> bool:
    """Return whether `url` is on another host than the page, has another URL in it, or says shop in its path."""
    target, page = parse_http_url(url), parse_http_url(page_url)
    if target is None or page is None or _host(target.hostname) != _host(page.hostname):
        return True
    says_url = "http" in target.search.lower()
    return says_url or not _SHOP_NAMES.isdisjoint(_PATH_WORD.findall(target.pathname.lower()))


def _host(hostname: str) -> str:
    return hostname.removeprefix("www.")
