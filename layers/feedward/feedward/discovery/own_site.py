"""Decides whether a feed belongs to the site. One with another site's link and items is never chosen (rule D5).

Sites are distinguished by registrable domain. Private addresses (localhost, a bare word) are ignored: a feed generated
on a laptop may contain them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from feedward.discovery.candidate import Candidate, Kind, Source, ValidationStatus
from feedward.discovery.places import segments, without_feed_words
from feedward.discovery.requested_part import Asked, is_requested
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import Url, join_url, parse_http_url
from feedward.urls.safety import is_public_address

_NAMES = """all everything alles alle tout toute toutes tous todo todas todos tutte tutti wszystko alla allt top topnews
    topstories headlines main home homepage front frontpage latest recent index portal startseite schlagzeilen une
    portada ultimas últimas ultime ultimenotizie senaste forside etusivu"""
# Words that may accompany them: "Top stories", "Toute l'actualité", `rss_all.xml`.
_OTHERS = """rss rss2 atom rdf xml feed feeds json php asp aspx html news newsfeed story stories article articles post
    posts page full content items entries the our of from site website sitewide blog complete and a à l la le les los
    las de der die das il gli actualité actualités actualite actualites nachrichten artikel meldungen noticias noticia
    notizie nyheter uutiset"""
_WHOLE = frozenset(_NAMES.split())
_ALLOWED = _WHOLE | frozenset(_OTHERS.split())
_WORDS = re.compile(r"[^\W_]+")
_MAX_WORDS = 6


def names_whole_site(url: str, title: str | None) -> bool:
    """Return whether the last part of the path, or the title, names only the whole site."""
    path = without_feed_words(segments(url))
    return _is_whole(path[-1] if path else "") or _is_whole(title or "")


def _is_whole(name: str) -> bool:
    words = _WORDS.findall(name[:100].lower())
    return 0 < len(words) <= _MAX_WORDS and not _WHOLE.isdisjoint(words) and set(words) <= _ALLOWED


FIRST_ITEMS = 10
_OF_ONE_MACHINE = (".local", ".localhost", ".internal", ".lan", ".test", ".invalid")
# Leads made for the typed URL itself, wherever the feed is hosted.
_MADE_FOR_IT = frozenset({Source.DIRECT, Source.PLATFORM, Source.RSSHUB})


class Whose(Enum):
    """The owner of the site that a link, or most of several links, point to."""

    OWN = "own"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongs:
    """The owners of the sites that a feed's site link, its items' links and its own URL point to."""

    site_link: Whose
    item_links: Whose
    feed_host: Whose

    @property
    def is_another_sites(self) -> bool:
        """True if no link ties the feed to the site: its site link and its items belong to another site.

        If one of the two is missing, the feed's own URL counts instead.
        """
        said = [each for each in (self.site_link, self.item_links) if each is not Whose.UNKNOWN]
        if len(said) == 2:
            return Whose.OWN not in said
        return self.feed_host is Whose.OTHER and Whose.OWN not in said


def belongs(candidate: Candidate, asked: Asked) -> Belongs:
    """Compare a valid candidate's links with the requested site."""
    base = parse_http_url(candidate.final_url or candidate.url)
    ours = _domains((asked.url, asked.page_url))
    items = candidate.feed.items if candidate.feed else candidate.items
    return Belongs(
        site_link=_whose(base, candidate.site_url, ours),
        item_links=_of_most([_whose(base, item.url, ours) for item in items[:FIRST_ITEMS]]),
        feed_host=_whose(base, base.href if base else None, ours),
    )


def is_own_site(candidate: Candidate, asked: Asked) -> bool:
    """Return whether a feed may be chosen for the requested site (rule D5)."""
    if any(lead.source in _MADE_FOR_IT for lead in candidate.leads):
        return True
    return not belongs(candidate, asked).is_another_sites


def is_settled(candidates: Sequence[Candidate], asked: Asked) -> bool:
    """Return whether the search may stop: there is a valid main feed of the site, or a feed of the requested part.

    A podcast counts too: most sites that advertise only a podcast are the show's own. `rank` must have set the kinds.
    """
    return any(
        candidate.status is ValidationStatus.VALID
        and (candidate.source is Source.DIRECT or _answers(candidate, asked))
        and is_own_site(candidate, asked)
        for candidate in candidates
    )


def _answers(candidate: Candidate, asked: Asked) -> bool:
    return candidate.kind in (Kind.MAIN, Kind.PODCAST) or is_requested(candidate, asked)


def _domains(urls: Iterable[str]) -> frozenset[str]:
    parsed = (parse_http_url(url) for url in urls)
    return frozenset(_domain(url.hostname) for url in parsed if url)


def _whose(base: Url | None, link: str | None, ours: frozenset[str]) -> Whose:
    url = join_url(base, link.strip()) if base and link else None
    if url is None or url.protocol not in ("http:", "https:"):
        return Whose.UNKNOWN
    domain = _domain(url.hostname)
    if domain in ours:
        return Whose.OWN
    return Whose.UNKNOWN if _is_private(domain) else Whose.OTHER


def _of_most(each: Sequence[Whose]) -> Whose:
    known = [whose for whose in each if whose is not Whose.UNKNOWN]
    if not known:
        return Whose.UNKNOWN
    return Whose.OWN if 2 * known.count(Whose.OWN) >= len(known) else Whose.OTHER


def _is_private(domain: str) -> bool:
    if domain.startswith("[") or domain.replace(".", "").isdigit():
        return not is_public_address(domain.strip("[]"))
    return "." not in domain or domain.endswith(_OF_ONE_MACHINE)


@lru_cache(maxsize=256)
def _domain(hostname: str) -> str:
    return registrable_domain(hostname)
