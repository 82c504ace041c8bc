"""Does a link's name say that its feed covers the whole site? (`/rss/all.xml`, "Top stories"; research section 7)

A news site lists dozens of feeds, a section each, and the one for everybody has no fixed place among them.
"""

from __future__ import annotations

import re

from feedward.discovery.places import segments, without_feed_words

_NAMES = """all everything alles alle tout toute toutes tous todo todas todos tutte tutti wszystko alla allt top topnews
    topstories headlines main home homepage front frontpage latest recent index portal startseite schlagzeilen une
    portada ultimas últimas ultime ultimenotizie senaste forside etusivu"""
# What may stand beside them: "Top stories", "Toute l'actualité", `rss_all.xml`.
_OTHERS = """rss rss2 atom rdf xml feed feeds json php asp aspx html news newsfeed story stories article articles post
    posts page full content items entries the our of from site website sitewide blog complete and a à l la le les los
    las de der die das il gli actualité actualités actualite actualites nachrichten artikel meldungen noticias noticia
    notizie nyheter uutiset"""
_WHOLE = frozenset(_NAMES.split())
_ALLOWED = _WHOLE | frozenset(_OTHERS.split())
_WORDS = re.compile(r"[^\W_]+")
_MAX_WORDS = 6


def names_whole_site(url: str, title: str | None) -> bool:
    """Tell whether the last part of the path, or the title, names the whole, and nothing but the whole."""
    path = without_feed_words(segments(url))
    return _is_whole(path[-1] if path else "") or _is_whole(title or "")


def _is_whole(name: str) -> bool:
    words = _WORDS.findall(name[:100].lower())
    return 0 < len(words) <= _MAX_WORDS and not _WHOLE.isdisjoint(words) and set(words) <= _ALLOWED
