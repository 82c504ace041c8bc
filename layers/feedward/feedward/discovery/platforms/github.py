"""GitHub: releases, commits and tags of a repository, a person's activity, and gists.

A repository's pages without a feed of their own (issues, pull requests) lead to the repository's feeds. Unknown pages
lead to no feed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import has_ending, names, segments
from feedward.urls.parse import Url

_FEED_ENDINGS = (".atom", ".rss")

_GITHUB_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}").fullmatch
GITHUB_PAGES = names(
    """
    about account accounts admin advisories analytics api apple-touch-icon apps article articles assets auth billing
    blog board-of-directors business businesses cache captcha career careers case-studies changelog cla classroom
    cloud code-of-conduct codespaces collections comments community compare confirm-email contact contacts contribute
    contributing copilot customer customer-stories customer-terms customers dashboard dashboards design devcontainers
    develop developer developers discover discussions diversity docs downloads downtime editor edu education email
    enterprise enterprises events explore faq favorites features feedback files fixtures followers following forked
    forum forums games gist gists git-guides github-copilot graphql guides help hooks hosting humans images import in
    inbox individual info insights install integration integrations interfaces investors invitations invite issues
    jobs join journal journals js keys languages learn legal library licenses list lists login logos logout
    maintenance malware man marketplace mentions messages mine mirrors mobile models mygist network new newest news
    newsroom nonprofit nonprofits notifications oauth oembed offer offers open-source orders organization
    organizations organize orgs packages page pages partners payments personal plans plugin plugins popular posts
    premium-support press preview previews pricing private product products profile profiles project projects public
    pull pulls raw readme recommendations redeem releases render reply repo repos repositories repository resources
    restore revert robots saml save-net-neutrality saved scraping search security security-advisories server services
    session sessions settings share shop showcases signin signout signup site site-map site-policy sitemap solutions
    spam sponsors staff star starred stars static status statuses storage store stories styleguide subscriptions suggest
    support suspended switch teachers teaching team teams term terms timeline top topic topics tos tour train training
    translations trending trust-center unsubscribe updates upload uploads user username users visualization watching
    who-we-are why-github wiki works-with www
    """
)
_GITHUB_PAGES = names(
    """
    actions activity alerts archive attestations blame blob branches codespaces commit commits community compare
    contribute contributors custom-properties dependents deployments discussions edit environments find forks generate
    graphs insights invitations issues labels license merge-queue milestone milestones models network new packages
    people pkgs projects pull pulls pulse raw readme releases rules runs search security settings stargazers
    subscription tags tree upload watchers wiki
    """
)


_WITH_FEEDS_BELOW = ("commits", "discussions", "releases")


def _github(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path or path[0].lower() in GITHUB_PAGES or not _GITHUB_NAME(path[0]):
        return ()
    if len(path) == 1:
        return (Proposal(url=f"https://github.com/{path[0]}.atom", what="public activity"),)
    return _github_repository(path)


def _github_repository(path: list[str]) -> Sequence[Proposal]:
    owner, name, *page = path
    name = name.removesuffix(".git")
    if not name or has_ending(name, *_FEED_ENDINGS) or (page and page[0] not in _GITHUB_PAGES):
        return ()
    repository = f"https://github.com/{owner}/{name}"
    if page and page[0] in _WITH_FEEDS_BELOW and has_ending(page[-1], ".atom"):
        return ()
    releases, commits, tags = (
        Proposal(url=f"{repository}/{what}.atom", what=what) for what in ("releases", "commits", "tags")
    )
    asked = _github_page(repository, page)
    if page[:1] == ["tags"]:
        return (tags, releases, commits)
    if page[:1] == ["commits"]:
        return (*asked, commits, releases, tags)
    if page and page[0] in ("wiki", "discussions"):
        return (*asked, releases, commits, tags)
    return (releases, commits, tags, *asked)


def _github_page(repository: str, page: list[str]) -> Sequence[Proposal]:
    """Propose the feed of a page that has its own: a branch, a file, the wiki, the discussions."""
    where, rest = (page[0], "/".join(page[1:])) if page else ("", "")
    if where in ("tree", "commits") and len(page) == 2:
        return (Proposal(url=f"{repository}/commits/{rest}.atom", what="commits of the branch"),)
    if where in ("tree", "blob", "commits", "blame", "raw", "edit") and rest:
        return (Proposal(url=f"{repository}/commits/{rest}.atom", kind=Kind.SECTION, what="history of the path"),)
    if where == "wiki":
        return (Proposal(url=f"{repository}/wiki.atom", kind=Kind.SECTION, what="wiki"),)
    if where == "discussions":
        everything = Proposal(url=f"{repository}/discussions.atom", kind=Kind.SECTION, what="discussions")
        if len(page) == 3 and page[1] == "categories":
            category = f"{repository}/discussions/categories/{page[2]}.atom"
            return (Proposal(url=category, kind=Kind.CATEGORY, what="discussions of the category"), everything)
        return (everything,)
    return ()


# --- Gists

_GIST_RESERVED = GITHUB_PAGES | {"atom", "gists", "stars"}
_GIST_ID = re.compile(r"[0-9]+|[0-9a-f]{16,40}").fullmatch


def _gist(url: Url) -> Sequence[Proposal]:
    path = segments(url)
    if not path or path[0].lower() in _GIST_RESERVED or not _GITHUB_NAME(path[0]):
        return ()
    user = f"https://gist.github.com/{path[0]}"
    gists = Proposal(url=f"{user}.atom", what="gists")
    if path[1:2] == ["starred"]:
        return (Proposal(url=f"{user}/starred.atom", what="starred gists"), gists)
    if _GIST_ID(path[0]):  # a gist without its owner: a user of that name is not the owner
        return ()
    if len(path) > 1 and path[1] != "forked" and not _GIST_ID(path[1]):
        return ()
    return (gists,)


RULES: tuple[Platform, ...] = (
    Platform(name="github", hosts=("github.com", "m.github.com"), feeds=_github),
    Platform(name="gist", hosts=("gist.github.com",), feeds=_gist),
)
