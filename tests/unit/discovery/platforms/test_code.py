from __future__ import annotations

import pytest

from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


def feeds_of_page(url: str, *, html: str = "", meta: dict[str, str] | None = None) -> list[str]:
    page = Page(url=url, base_url=url, html=html, meta=meta or {})
    return [lead.url for lead in page_platform_leads(url, page)]


PROJECT = [
    "https://gitlab.com/a/b/-/releases.atom",
    "https://gitlab.com/a/b/-/tags?format=atom",
    "https://gitlab.com/a/b.atom",
]


@pytest.mark.parametrize(
    "url",
    [
        "https://gitlab.com/a/b",
        "https://gitlab.com/a/b/",
        "https://GitLab.com/a/b?ref=x#top",
        "https://gitlab.com/a/b/-/pipelines",
        "https://gitlab.com/a/b/pipelines",
        "https://gitlab.com/a/b/-/releases/v1",
    ],
)
def test_a_gitlab_project_has_releases_tags_and_activity(url: str) -> None:
    assert feeds(url) == PROJECT


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("a/b/-/issues", "a/b/-/issues.atom"),
        ("a/b/issues", "a/b/-/issues.atom"),
        ("a/b/-/merge_requests/7", "a/b/-/merge_requests.atom"),
        ("a/b/-/tags", "a/b/-/tags?format=atom"),
        ("a/b/-/commits/main?ref_type=heads", "a/b/-/commits/main?format=atom"),
        ("a/b/c/d/-/commits/main/x%20y", "a/b/c/d/-/commits/main/x%20y?format=atom"),
        ("a/b/c", "a/b/c/-/releases.atom"),
        ("a", "a.atom"),
        ("groups/a", "a.atom"),
        ("groups/a/b/-/issues", "a/b.atom"),
        ("users/bob/projects", "bob.atom"),
    ],
)
def test_a_gitlab_page_with_a_feed_of_its_own_has_that_first(path: str, first: str) -> None:
    assert feeds(f"https://gitlab.com/{path}")[0] == f"https://gitlab.com/{first}"


@pytest.mark.parametrize(
    "path",
    [
        *("", "explore", "search?q=x", "help/user", "users/sign_in", "-/profile", "dashboard/issues", "groups"),
        *("a.atom", "a/b.atom", "a/b/-/releases.atom", "a/b/-/tags?format=atom", "a/b/-/commits/main?format=atom"),
    ],
)
def test_gitlabs_own_pages_and_feeds_have_none(path: str) -> None:
    assert feeds(f"https://gitlab.com/{path}") == []


def test_gitlab_elsewhere_is_known_by_its_page() -> None:
    assert feeds_of_page("http://git.example/a/b", meta={"og:site_name": "GitLab"}) == [
        "http://git.example/a/b/-/releases.atom",
        "http://git.example/a/b/-/tags?format=atom",
        "http://git.example/a/b.atom",
    ]
    assert feeds_of_page("http://git.example/a/b", meta={"og:site_name": "Something"}) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("o", ["o.rss"]),
        ("o/r", ["o/r/releases.rss", "o/r.rss", "o/r/tags.rss"]),
        ("o/r.git", ["o/r/releases.rss", "o/r.rss", "o/r/tags.rss"]),
        ("O/R/issues/5", ["O/R/releases.rss", "O/R.rss", "O/R/tags.rss"]),
        ("o/r/commits/branch/main", ["o/r/rss/branch/main", "o/r/releases.rss", "o/r.rss", "o/r/tags.rss"]),
        ("o/r/src/branch/main/d%20e", ["o/r/releases.rss", "o/r.rss", "o/r/tags.rss", "o/r/rss/branch/main/d%20e"]),
        ("o/r/tags", ["o/r/tags.rss", "o/r/releases.rss", "o/r.rss"]),
        ("o/-/packages", ["o.rss"]),
        *((path, []) for path in ("", "explore/repos", "user/login", "org/create", "o.rss", "o/r.rss", "o/r.atom")),
        *((path, []) for path in ("o/r/releases.rss", "o/r/rss/branch/main", "o/r/atom/branch/main", "o/r/unknown")),
    ],
)
def test_codeberg(path: str, expected: list[str]) -> None:
    assert feeds(f"https://codeberg.org/{path}") == [f"https://codeberg.org/{feed}" for feed in expected]


@pytest.mark.parametrize("meta", [{"keywords": "go,git,self-hosted,gitea"}, {"keywords": "git, forge, Forgejo"}])
def test_gitea_and_forgejo_elsewhere_are_known_by_their_page(meta: dict[str, str]) -> None:
    assert feeds_of_page("https://git.example/o/r", meta=meta)[0] == "https://git.example/o/r/releases.rss"


def test_gitea_may_be_installed_below_a_path() -> None:
    html = r"window.config = {appUrl: 'http:\/\/x.example\/git\/', appSubUrl: '\/git'}"
    meta = {"keywords": "git,forge,forgejo"}
    assert feeds_of_page("http://x.example/git/o", html=html, meta=meta) == ["http://x.example/git/o.rss"]
    assert feeds_of_page("http://x.example/o", html=html, meta=meta) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("projects/x/", ["projects/x/rss", "p/x/news/feed.rss"]),
        ("projects/x/files/latest/download", ["projects/x/rss", "p/x/news/feed.rss"]),
        ("projects/x/files/a%20b/v1/", ["projects/x/rss?path=/a%20b/v1", "projects/x/rss", "p/x/news/feed.rss"]),
        ("projects/x/files/a+b/", ["projects/x/rss?path=/a%2Bb", "projects/x/rss", "p/x/news/feed.rss"]),
        ("p/x/bugs/12/", ["p/x/bugs/feed.rss", "projects/x/rss", "p/x/news/feed.rss"]),
        ("p/x/news/", ["p/x/news/feed.rss", "projects/x/rss"]),
        *((path, []) for path in ("", "projects/", "directory/", "projects/x/rss?path=/a", "p/x/news/feed.rss")),
    ],
)
def test_sourceforge(path: str, expected: list[str]) -> None:
    assert feeds(f"https://sourceforge.net/{path}") == [f"https://sourceforge.net/{feed}" for feed in expected]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("~u/r", ["refs", "log"]),
        ("~u/r/tree/master", ["refs", "log"]),
        ("~u/r/log", ["log", "refs"]),
        ("~u", []),
        ("projects", []),
        ("~u/r/log/rss.xml", []),
    ],
)
def test_sourcehut(path: str, expected: list[str]) -> None:
    assert feeds(f"https://git.sr.ht/{path}") == [f"https://git.sr.ht/~u/r/{feed}/rss.xml" for feed in expected]
