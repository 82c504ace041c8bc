"""Common feed paths to try if a site names no feed (rule D7).

There are two waves of common paths, in the page's directory and at the root. If the page names its generator, the
generator's path comes first in its own wave. A feed below a post has its comments, so the blog's directory is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from feedward.discovery.candidate import Lead, Source
from feedward.discovery.places import is_document, post_parent, segments
from feedward.urls.parse import Url, parse_http_url

WAVES: tuple[tuple[str, ...], ...] = (
    ("feed", "index.xml", "rss.xml", "atom.xml", "feed.xml"),
    ("rss", "feed/", "atom", "feed.json", "index.rss", "index.atom"),
)
"""Paths to try in a directory."""
WAVES_BELOW = (WAVES[0], ("rss", "feed/", "rss/", "atom", "feed.json", "index.rss"))
"""Paths to try below a site's blog: some blogs run on Ghost, which serves its feed only with the slash."""

GENERATORS: tuple[tuple[str, str], ...] = (
    *(
        (name, "feed/")
        for name in (
            "wordpress",
            "woocommerce",
            "elementor",
            "wpml",
            "classicpress",
            "site kit by google",
            "easy digital downloads",
            "wpbakery",
            "slider revolution",
            "visual composer",
            "all in one seo",
        )
    ),
    ("ghost", "rss/"),
    ("hugo", "index.xml"),
    ("jekyll", "feed.xml"),
    ("drupal", "rss.xml"),
    ("blogger", "/feeds/posts/default"),
    ("squarespace", "?format=rss"),
    ("spip", "spip.php?page=backend"),
    ("typo3", "?type=9818"),
    ("joomla", "?format=feed&type=rss"),
    ("mediawiki", "/index.php?title=Special:RecentChanges&feed=atom"),
    ("discourse", "/latest.rss"),
    ("wix.com", "/blog-feed.xml"),
    ("hexo", "atom.xml"),
    ("zola", "atom.xml"),
    ("octopress", "atom.xml"),
    ("movable type", "atom.xml"),
    ("typepad", "atom.xml"),
    ("astro", "rss.xml"),
    ("gatsby", "rss.xml"),
    ("nikola", "rss.xml"),
    ("docusaurus", "/blog/rss.xml"),
    ("webflow", "/blog/rss.xml"),
    ("eleventy", "feed.xml"),
    ("bridgetown", "feed.xml"),
    ("lektor", "feed.xml"),
    ("publii", "feed.xml"),
    ("quartz", "index.xml"),
    ("pelican", "/feeds/all.atom.xml"),
    ("dotclear", "feed/atom"),
    ("serendipity", "/feeds/index.rss2"),
    ("textpattern", "rss/"),
    ("typecho", "feed/"),
    ("writefreely", "feed/"),
    ("bear blog", "feed/"),
    ("dokuwiki", "/feed.php"),
    ("phpbb", "/feed"),
    ("xenforo", "/forums/-/index.rss"),
    ("livejournal", "/data/rss"),
    ("tumblr", "/rss"),
    ("plone", "RSS"),
    ("htmly", "feed/rss"),
    ("b2evolution", "?tempskin=_rss2"),
    ("vbulletin", "/external.php?type=RSS2"),
)
"""The start of a generator's name in lower case, and its feed: in the directory; `/`: at the root; `?`: of the page."""

SECOND_PATHS: tuple[tuple[str, str, str], ...] = (
    ("", "feed/", "/?feed=rss2"),
    ("", "?type=9818", "?type=100"),
    ("eleventy", "feed.xml", "feed/feed.xml"),
)
"""A generator's other feed paths: WordPress without pretty URLs, older versions of TYPO3, the base blog of Eleventy."""

_BEFORE_NAME = re.compile(r"\A[\s(]*(?:powered by )?(?:the )?")


def guess_waves(
    page_url: str, generator: str | None = None, common: tuple[tuple[str, ...], ...] = WAVES
) -> list[list[Lead]]:
    """Return the URLs of the page's site to try, in waves, likeliest first, without duplicates.

    `generator` is the page's generator as it names itself. The result is empty for a URL that is not http(s).
    """
    page = parse_http_url(page_url)
    if page is None:
        return []
    places = _places(page)
    own = _path_of(generator)
    said = (generator or "").lower()
    second = tuple(path for name, first, path in SECOND_PATHS if first == own and name in said)
    waves = [(own,), (*second, *common[0]), *common[1:]] if own else list(common)
    seen: set[str] = set()
    return [wave for paths in waves if (wave := list(_wave(page, places, paths, seen)))]


def guess_waves_below(page_url: str, generator: str | None = None) -> list[list[Lead]]:
    """Return the waves for one directory only: that of a site's blog, or the root of its host."""
    page = parse_http_url(page_url)
    place = next(iter(_near(page)), "/") if page else "/"
    below = f"{page.protocol}//{page.host}{place}".rstrip("/") if page else ""
    waves = [
        [lead for lead in wave if lead.url.startswith((f"{below}/", f"{below}?"))]
        for wave in guess_waves(page_url, generator, WAVES_BELOW)
    ]
    return [wave for wave in waves if wave]


def _wave(page: Url, places: Sequence[str], paths: Sequence[str], seen: set[str]) -> Iterator[Lead]:
    """Yield the leads of one wave. `feed` and `feed/` are two URLs, since some servers have only one of them.

    A generator's own path that ends in a slash is tried once: such a server redirects one to the other.
    """
    position = 0
    for path in paths:
        for place in ["/"] if path.startswith("/") else places:
            url = f"{page.protocol}//{page.host}{_in_place(place, path)}"
            if url in seen or url == page.href:
                continue
            seen |= {url, url.rstrip("/")} if len(paths) == 1 else {url}
            source = Source.GUESS_ROOT if place == "/" else Source.GUESS_DIRECTORY
            yield Lead(url=url, source=source, position=position, why=f"guess: {path}", page_url=page.href)
            position += 1


def _in_place(place: str, path: str) -> str:
    if path.startswith("/"):
        return path
    return f"{place.rstrip('/') or '/'}{path}" if path.startswith("?") else f"{place}{path}"


def _places(page: Url) -> list[str]:
    """Return the directories to try, nearest first, each with a trailing slash; the root is last."""
    return list(dict.fromkeys([*_near(page), "/"]))


def _near(page: Url) -> list[str]:
    parts = [part for part in page.pathname.split("/") if part]
    path = segments(page.href)
    parent = post_parent(path)
    if parent is not None:
        return [_joined(parts[: len(parent)])]
    if page.pathname.endswith("/") or not parts:
        return [_joined(parts)]
    if is_document(path[-1]):
        return [_joined(parts[:-1])]
    return [_joined(parts), _joined(parts[:-1])]  # `/blog` may be a directory, or a page in one


def _joined(parts: Sequence[str]) -> str:
    return "/" + "".join(f"{part}/" for part in parts)


def _path_of(generator: str | None) -> str | None:
    if not generator:
        return None
    name = _BEFORE_NAME.sub("", generator.lower(), count=1)
    return next((path for start, path in GENERATORS if name.startswith(start)), None)
