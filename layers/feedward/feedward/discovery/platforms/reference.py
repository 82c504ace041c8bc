"""Reference works: arXiv, and MediaWiki, by URL on Wikipedia and its sister projects, elsewhere by the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import as_query_value, host_of, names, origin_of, query_value, segments
from feedward.urls.parse import Url

# --- arXiv

_SUBJECTS = re.compile(
    r"[a-z][a-z-]{1,20}(?:\.[A-Za-z-]{2,20})?(?:\+[a-z][a-z-]{1,20}(?:\.[A-Za-z-]{2,20})?){0,50}"
).fullmatch
_ARXIV_AUTHOR = re.compile(r"[a-z0-9_-]+_[0-9]+|(?:[0-9]{4}-){3}[0-9]{3}[0-9x]", re.IGNORECASE).fullmatch
_ARXIV_LIST = re.compile(r"""\bhref=["']?/list/([A-Za-z.-]{2,41})/(?:new|recent|pastweek)\b""").search


def _arxiv(url: Url) -> Sequence[Proposal]:
    match segments(url):
        case ["list" | "archive", subjects, *_] if _SUBJECTS(subjects):
            return _arxiv_papers(subjects)
        case ["a", author] if _ARXIV_AUTHOR(author):
            name = author.upper() if author[:4].isdecimal() else author.lower()
            papers = f"https://arxiv.org/a/{name}.atom2"
            return (Proposal(url=papers, what="papers of the author"),)
        case ["search", *_] if query_value(url, "query"):
            order = "sortBy=submittedDate&sortOrder=descending"
            papers = f"https://export.arxiv.org/api/query?search_query=all:{query_value(url, 'query')}&{order}"
            return (Proposal(url=papers, kind=Kind.SEARCH, what="search"),)
    return ()


def _arxiv_papers(subjects: str) -> tuple[Proposal, ...]:
    return (
        Proposal(url=f"https://rss.arxiv.org/rss/{subjects}", what="new papers"),
        Proposal(url=f"https://rss.arxiv.org/atom/{subjects}", what="new papers as Atom"),
    )


def _arxiv_paper(url: Url, page: Page) -> Sequence[Proposal]:
    """Propose the feed of a paper's primary subject, which its page names."""
    listed = _ARXIV_LIST(page.html) if segments(url)[:1] == ["abs"] else None
    return _arxiv_papers(listed[1]) if listed and _SUBJECTS(listed[1]) else ()


# --- MediaWiki

_WIKIMEDIA = (
    *("wikipedia.org", "wiktionary.org", "wikinews.org", "wikiquote.org", "wikibooks.org", "wikisource.org"),
    *("wikiversity.org", "wikivoyage.org", "wikimedia.org"),
)
_NO_WIKIS = names(
    "api archive.org doc download dumps gerrit icinga integration lists login noc phabricator stats stream tools upload"
)
_SPECIAL = names("special spezial spécial especial speciale speciaal specjalna specialsida speciel toiminnot")
_MAIN_PAGES = frozenset(("main_page", "hauptseite", "wikipedia:hauptseite", "wikipédia:accueil_principal"))
_SPECIAL_FEEDS = {
    "recentchanges": ("Special:RecentChanges", "recent changes"),
    "newpages": ("Special:NewPages", "new pages"),
}
_CONFIG = r'"{}"\s?:\s?"((?:[^"\\]|\\u[0-9a-fA-F]{{4}}|\\.){{1,400}})"'
# A script or a country's words, in place of /wiki/: /zh-tw/, /sr-ec/.
_WIKI_VARIANT = re.compile(r"[a-z]{2,3}-[a-z]{2,5}").fullmatch
_PAGE_NAME = re.compile(_CONFIG.format("wgPageName")).search
_SPECIAL_NAME = re.compile(r'"wgCanonicalSpecialPageName"\s?:\s?"([A-Za-z]{1,80})"').search
_SCRIPT_PATH = re.compile(r'"wgScriptPath"\s?:\s?"(/[^"\\\s]{0,200}|)"').search
_RSD = re.compile(r"""\bhref=["']?(?:https?:)?//([^/"'\s>]{1,255})(/[^"'\s>]{0,200}|)/api\.php\?action=rsd""").search


def _wikimedia(url: Url) -> Sequence[Proposal]:
    """Propose the feeds of a Wikimedia wiki, mobile or not: en.m.wikipedia.org is en.wikipedia.org."""
    host = host_of(url).replace(".m.", ".")
    if host.partition(".")[0] in _NO_WIKIS or host in _WIKIMEDIA:
        return ()
    return _wiki_at(f"https://{host}/w", url, _title(url))


def _single_wiki(url: Url) -> Sequence[Proposal]:
    host = host_of(url).removeprefix("m.")
    return _wiki_at(f"https://www.{host}/w", url, _title(url))


def _title(url: Url) -> str | None:
    """Return the page's title as in the URL, for use in a query; empty for the site itself, None without a page."""
    path = segments(url)
    if not path:
        return ""
    if len(path) > 1 and (path[0] == "wiki" or _WIKI_VARIANT(path[0])):
        return as_query_value(url.pathname.partition(f"/{path[0]}/")[2])
    if path[-1] == "index.php" and query_value(url, "title"):
        return query_value(url, "title")
    return None


def _wiki_at(script: str, url: Url, title: str | None) -> Sequence[Proposal]:
    if title is None or query_value(url, "feed") or query_value(url, "feedformat"):
        return ()
    if not title or _plain(title) in _MAIN_PAGES:
        return (_special(script, "recentchanges"),)
    namespace, colon, name = title.partition(":")
    if colon and _plain(namespace) in _SPECIAL:
        return _special_page(script, name, url)
    return _article(script, title)


def _plain(text: str) -> str:
    return text.lower().replace("%c3%a9", "é").replace(" ", "_")


def _special_page(script: str, page: str, url: Url) -> Sequence[Proposal]:
    """Propose the feed of recent changes, new pages or a user's contributions; other special pages have none."""
    name, _, subject = page.partition("/")
    key = name.lower().replace("_", "").replace("%20", "")
    if key in _SPECIAL_FEEDS:
        return (_special(script, key),)
    subject = subject or query_value(url, "target")
    if key == "contributions" and subject:
        return (_contributions(script, subject),)
    if key in ("recentchangeslinked", "relatedchanges") and subject:
        return (_related(script, subject),)
    return ()


def _article(script: str, title: str) -> Sequence[Proposal]:
    history = Proposal(
        url=f"{script}/index.php?title={title}&action=history&feed=atom", kind=Kind.TOPIC, what="history of the page"
    )
    namespace, colon, name = title.partition(":")
    if colon and _plain(namespace) == "user" and "/" not in name:
        return (_contributions(script, name), history)
    if colon and _plain(namespace) == "category":
        return (_related(script, title), history)
    return (history,)


def _special(script: str, key: str) -> Proposal:
    title, what = _SPECIAL_FEEDS[key]
    return Proposal(url=f"{script}/index.php?title={title}&feed=atom", what=what)


def _contributions(script: str, user: str) -> Proposal:
    feed = f"{script}/api.php?action=feedcontributions&user={user}&feedformat=atom"
    return Proposal(url=feed, what="contributions")


def _related(script: str, title: str) -> Proposal:
    feed = f"{script}/index.php?title=Special:RecentChangesLinked/{title}&feed=atom"
    return Proposal(url=feed, kind=Kind.CATEGORY, what="changes of linked pages")


def _wiki_page(url: Url, page: Page) -> Sequence[Proposal]:
    """Do the same if the page has its title and the path of its scripts."""
    script = _script(url, page.html)
    if script is None:
        return ()
    special = _SPECIAL_NAME(page.html)
    if special:
        title = _title(url) or ""
        return _special_page(script, f"{special[1]}/{title.partition('/')[2]}".removesuffix("/"), url)
    name = _PAGE_NAME(page.html)
    if name is None or not segments(url):
        return _wiki_at(script, url, "")
    return _wiki_at(script, url, _title(url) or _in_query(name[1]))


def _script(url: Url, html: str) -> str | None:
    path = _SCRIPT_PATH(html)
    if path:
        return origin_of(url) + path[1]
    api = _RSD(html)
    return f"{origin_of(url)}{api[2]}" if api and api[1] == url.host else None


def _in_query(name: str) -> str:
    """Return a title from a script as a value of a query."""
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), name)
    text = re.sub(r"\\(.)", r"\1", text).replace("%", "%25")
    return as_query_value(text).replace("#", "%23")


RULES: tuple[Platform, ...] = (
    Platform(name="arxiv", hosts=("arxiv.org", "export.arxiv.org"), feeds=_arxiv, page_feeds=_arxiv_paper),
    Platform(name="mediawiki", hosts=tuple(f".{domain}" for domain in _WIKIMEDIA), feeds=_wikimedia),
    Platform(
        name="mediawiki",
        hosts=("wikidata.org", "m.wikidata.org", "mediawiki.org", "m.mediawiki.org"),
        feeds=_single_wiki,
    ),
    Platform(name="mediawiki", page_feeds=_wiki_page, generators=("mediawiki",)),
)
