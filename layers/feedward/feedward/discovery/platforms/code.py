"""Code hosting other than GitHub: GitLab, Gitea with Forgejo (Codeberg), SourceForge, SourceHut.

A project's pages without a feed of their own (issues, pull requests) lead to the project's feeds. Unknown pages lead
to no feed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import as_query_value, has_ending, names, origin_of, query_value, segments
from feedward.urls.parse import Url

_FEED_ENDINGS = (".atom", ".rss")

# --- GitLab

_GITLAB_HOSTS = (
    "gitlab.com",
    "framagit.org",
    "gitlab.freedesktop.org",
    "gitlab.gnome.org",
    "gitlab.haskell.org",
    "gitlab.torproject.org",
    "gitlab.xfce.org",
    "invent.kde.org",
    "salsa.debian.org",
    "code.videolan.org",
)
_GITLAB_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*").fullmatch
_GITLAB_RESERVED = names(
    """
    - .well-known 404.html 422.html 500.html 502.html 503.html abuse_reports admin api apple-touch-icon.png assets
    autocomplete ci dashboard deploy.html explore favicon.ico favicon.png features files groups health_check help
    import invites jwt login logo.svg notification_settings oauth pricing profile projects public robots.txt s search
    sent_notifications sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png snippets subscriptions unicorn_test
    unsubscribes uploads user users v2
    """
)
# Old URLs have these pages without "/-/"; no project may have such a name.
_GITLAB_PAGES = names(
    """
    activity artifacts badges blame blob boards branches builds commit commits compare container_registry create
    create_dir cycle_analytics deployments edit environments files find_file forks graphs import issues jobs labels
    logs_tree merge_requests milestones network new pages pipelines preview project_members protected_branches raw
    refs releases repository services settings snippets starrers tags tree triggers update users variables wikis
    """
)
_GITLAB_USER_PAGES = names("activity contributed followers following groups projects snippets starred")


def _gitlab(url: Url) -> Sequence[Proposal]:
    whole = segments(url)
    path, page = _gitlab_parts(whole)
    if not path or path[0].lower() in _GITLAB_RESERVED or not all(map(_GITLAB_NAME, path)):
        return ()
    if has_ending(path[-1], *_FEED_ENDINGS) or (page and has_ending(page[-1], *_FEED_ENDINGS)):
        return ()
    if query_value(url, "format") == "atom":
        return ()
    place = f"{origin_of(url)}/{'/'.join(path)}"
    if len(path) == 1 or whole[0] == "groups":
        return (Proposal(url=f"{place}.atom", what="activity"),)
    return _gitlab_project(place, page)


def _gitlab_parts(path: list[str]) -> tuple[list[str], list[str]]:
    """Split a path into the project, group or user, and its page."""
    if path[:1] == ["groups"]:
        path = path[1:]
    elif path[:1] == ["users"] and (path[2:3] and path[2] in _GITLAB_USER_PAGES):
        path = path[1:2]
    if "-" in path[1:]:
        cut = path.index("-", 1)
        return path[:cut], path[cut + 1 :]
    for cut in range(2, len(path)):
        if path[cut] in _GITLAB_PAGES:
            return path[:cut], path[cut:]
    return path, []


def _gitlab_project(place: str, page: list[str]) -> Sequence[Proposal]:
    releases = Proposal(url=f"{place}/-/releases.atom", what="releases")
    tags = Proposal(url=f"{place}/-/tags?format=atom", what="tags")
    activity = Proposal(url=f"{place}.atom", what="activity")
    where, rest = (page[0], "/".join(page[1:])) if page else ("", "")
    if where == "tags":
        return (tags, releases, activity)
    if where in ("commits", "tree", "blob") and rest:
        kind = Kind.MAIN if len(page) == 2 else Kind.SECTION
        history = Proposal(url=f"{place}/-/commits/{rest}?format=atom", kind=kind, what="commits")
        return (history, releases, tags, activity) if where == "commits" else (releases, tags, activity, history)
    if where in ("issues", "merge_requests"):
        work = Proposal(url=f"{place}/-/{where}.atom", kind=Kind.SECTION, what=where.replace("_", " "))
        return (work, releases, tags, activity)
    return (releases, tags, activity)


def _is_gitlab(page: Page) -> bool:
    return page.meta.get("og:site_name") == "GitLab"


def _gitlab_page(url: Url, _page: Page) -> Sequence[Proposal]:
    return _gitlab(url)


# --- Gitea, Forgejo, Codeberg

_GITEA_HOSTS = ("codeberg.org", "gitea.com", "code.forgejo.org", "notabug.org", "git.disroot.org", "next.forgejo.org")
_GITEA_RESERVED = names(
    """
    - .well-known about admin api apple-touch-icon.png assets attachments avatar avatars captcha commits debug devtest
    error explore favicon.ico ghost help install issues login manifest.json metrics milestones new notifications org
    plugins pulls raw repo robots.txt search serviceworker.js sitemap.xml ssh_info stars swagger swagger.v1.json
    template user v2
    """
)
_GITEA_PAGES = names(
    """
    actions activity archive blame branches commit commits compare forks graph issues labels media milestone
    milestones packages projects pulls raw releases search settings src stars tag tags watchers wiki
    """
)
_GITEA_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*").fullmatch
_GITEA_SUBPATH = re.compile(r"""appSubUrl: ?['"]([^'"\s]{1,200})['"]""").search


def _gitea(url: Url) -> Sequence[Proposal]:
    return _gitea_at(origin_of(url), segments(url))


def _gitea_at(root: str, path: list[str]) -> Sequence[Proposal]:
    if not path or path[0].lower() in _GITEA_RESERVED or not _GITEA_NAME(path[0]):
        return ()
    if any(has_ending(name, *_FEED_ENDINGS) for name in path[:2]):
        return ()
    if len(path) == 1 or path[1] == "-":
        return (Proposal(url=f"{root}/{path[0]}.rss", what="activity"),)
    return _gitea_repository(f"{root}/{path[0]}/{path[1].removesuffix('.git')}", path[2:])


def _gitea_repository(repository: str, page: list[str]) -> Sequence[Proposal]:
    where = page[0] if page else ""
    if page and where not in _GITEA_PAGES:
        return ()
    releases = Proposal(url=f"{repository}/releases.rss", what="releases")
    tags = Proposal(url=f"{repository}/tags.rss", what="tags")
    activity = Proposal(url=f"{repository}.rss", what="activity")
    if where == "tags":
        return (tags, releases, activity)
    if where in ("src", "commits") and len(page) > 2 and page[1] in ("branch", "tag"):
        kind = Kind.MAIN if len(page) == 3 else Kind.SECTION
        history = Proposal(url=f"{repository}/rss/{'/'.join(page[1:])}", kind=kind, what="commits")
        return (history, releases, activity, tags) if where == "commits" else (releases, activity, tags, history)
    return (releases, activity, tags)


def _is_gitea(page: Page) -> bool:
    keywords = re.split(r"[\s,]+", page.meta.get("keywords", "").lower())
    author = page.meta.get("author", "").lower()
    return "gitea" in keywords or "forgejo" in keywords or author.startswith(("gitea - ", "forgejo – "))


def _gitea_page(url: Url, page: Page) -> Sequence[Proposal]:
    """Do the same below the path where the software is installed."""
    found = _GITEA_SUBPATH(page.html)
    base = found[1].replace("\\", "").strip("/").split("/") if found else []
    path = segments(url)
    return _gitea_at("/".join([origin_of(url), *base]), path[len(base) :]) if path[: len(base)] == base else ()


# --- SourceForge, SourceHut

_FORGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*").fullmatch
_FORGE_TOOLS = names("activity blog bugs discussion feature-requests mailman news patches support-requests tickets")


def _sourceforge(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if len(path) < 2 or path[0] not in ("projects", "p") or not _FORGE_NAME(path[1]):
        return ()
    if path[-1] in ("rss", "feed") or has_ending(path[-1], *_FEED_ENDINGS):
        return ()
    name, page = path[1], path[2:]
    files = Proposal(url=f"https://sourceforge.net/projects/{name}/rss", what="files")
    news = Proposal(url=f"https://sourceforge.net/p/{name}/news/feed.rss", kind=Kind.SECTION, what="news")
    if page[:1] == ["files"] and page[1:]:
        folder = "/".join(part for part in page[1:] if part not in ("download", "latest"))
        if folder and page[-1] != "download":
            within = f"https://sourceforge.net/projects/{name}/rss?path=/{as_query_value(folder)}"
            return (Proposal(url=within, kind=Kind.SECTION, what="files of the folder"), files, news)
    if path[0] == "p" and page and page[0] in _FORGE_TOOLS - {"mailman"}:
        feed = f"https://sourceforge.net/p/{name}/{page[0]}/feed.rss"
        return (Proposal(url=feed, kind=Kind.SECTION, what=page[0]), files, news)
    return (files, news)


def _sourcehut(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if len(path) < 2 or not path[0].startswith("~") or has_ending(path[-1], ".xml"):
        return ()
    repository = f"https://git.sr.ht/{path[0]}/{path[1]}"
    log = Proposal(url=f"{repository}/log/rss.xml", what="commits")
    refs = Proposal(url=f"{repository}/refs/rss.xml", what="releases")
    return (log, refs) if path[2:3] == ["log"] else (refs, log)


RULES: tuple[Platform, ...] = (
    Platform(name="gitlab", hosts=_GITLAB_HOSTS, feeds=_gitlab),
    Platform(name="gitlab", page_feeds=_gitlab_page, recognizes=_is_gitlab),
    Platform(name="gitea", hosts=_GITEA_HOSTS, feeds=_gitea),
    Platform(name="gitea", page_feeds=_gitea_page, recognizes=_is_gitea),
    Platform(name="sourceforge", hosts=("sourceforge.net",), feeds=_sourceforge),
    Platform(name="sourcehut", hosts=("git.sr.ht",), feeds=_sourcehut),
)
