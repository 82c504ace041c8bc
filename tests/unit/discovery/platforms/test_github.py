from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.platforms.index import platform_leads

REPOSITORY = ["releases.atom", "commits.atom", "tags.atom"]


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


def of_repository(*rest: str) -> list[str]:
    return [f"https://github.com/o/r/{part}" for part in rest]


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/o",
        "https://github.com/o/",
        "http://GITHUB.com/o?tab=repositories",
        "https://www.github.com/o#readme",
        "https://github.com./o",
    ],
)
def test_a_person_or_organization_has_its_activity(url: str) -> None:
    assert feeds(url) == ["https://github.com/o.atom"]


@pytest.mark.parametrize(
    "page",
    [
        *("", "/", ".git", "?tab=readme-ov-file", "/issues", "/issues/12", "/pull/7/files", "/releases"),
        *("/releases/tag/v1.0", "/actions", "/stargazers", "/security/advisories", "/graphs/contributors"),
    ],
)
def test_a_repository_has_releases_commits_and_tags_in_this_order(page: str) -> None:
    assert feeds(f"https://github.com/o/r{page}") == of_repository(*REPOSITORY)


@pytest.mark.parametrize(
    ("page", "first"),
    [
        ("tags", "tags.atom"),
        ("commits", "commits.atom"),
        ("commits/main", "commits/main.atom"),
        ("commits/main/", "commits/main.atom"),
        ("commits/main/src/a%20b.py", "commits/main/src/a%20b.py.atom"),
        ("wiki", "wiki.atom"),
        ("wiki/Roadmap", "wiki.atom"),
        ("discussions", "discussions.atom"),
        ("discussions/42", "discussions.atom"),
        ("discussions/categories/announcements", "discussions/categories/announcements.atom"),
    ],
)
def test_a_page_with_a_feed_of_its_own_has_that_first(page: str, first: str) -> None:
    found = feeds(f"https://github.com/o/r/{page}")
    assert found[0] == f"https://github.com/o/r/{first}"
    assert set(found) >= set(of_repository(*REPOSITORY))


@pytest.mark.parametrize(
    ("page", "history"),
    [
        ("tree/main", "commits/main.atom"),
        ("tree/feature/x", "commits/feature/x.atom"),
        ("blob/main/docs/feed.atom", "commits/main/docs/feed.atom.atom"),
        ("blame/main/a.py", "commits/main/a.py.atom"),
    ],
)
def test_a_branch_or_a_file_adds_its_history_behind_the_repositorys_feeds(page: str, history: str) -> None:
    assert feeds(f"https://github.com/o/r/{page}") == of_repository(*REPOSITORY, history)


@pytest.mark.parametrize(
    "path",
    [
        *("", "/", "/explore", "/Explore", "/settings/profile", "/orgs/github/teams", "/topics/rss", "/search?q=x"),
        *("/marketplace/actions", "/sponsors/someone", "/login", "/about", "/collections/x", "/apps/dependabot"),
        *("/o/r/something/unknown", "/-bad", "/o.atom", "/o/r.atom", "/o/r/releases.atom", "/o/r/commits/main.atom"),
        *("/o/r/commits.atom", "/o/r/tags.atom", "/o/r/wiki.atom", "/o/r/discussions.atom", "/%20/r", "/o/.git"),
    ],
)
def test_a_page_of_no_person_and_a_feed_itself_have_no_feed(path: str) -> None:
    assert feeds(f"https://github.com{path}") == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/defunkt", ["defunkt.atom"]),
        ("/defunkt/", ["defunkt.atom"]),
        ("/defunkt/1234567890abcdef", ["defunkt.atom"]),
        ("/defunkt/123456/revisions", ["defunkt.atom"]),
        ("/defunkt/forked", ["defunkt.atom"]),
        ("/defunkt/starred", ["defunkt/starred.atom", "defunkt.atom"]),
        ("/1234567", []),
        ("/aa5a315d61ae9438b18d", []),
        ("/discover", []),
        ("/search?q=x", []),
        ("/defunkt.atom", []),
        ("/defunkt/starred.atom", []),
        ("/", []),
    ],
)
def test_gists_belong_to_the_person_in_the_path_and_a_bare_gist_names_no_person(path: str, expected: list[str]) -> None:
    assert feeds(f"https://gist.github.com{path}") == [f"https://gist.github.com/{name}" for name in expected]


def test_parts_of_a_repository_are_told_from_the_whole() -> None:
    kinds = {lead.url.rpartition("/")[2]: lead.kind for lead in platform_leads("https://github.com/o/r/wiki")}
    assert kinds == {
        "wiki.atom": Kind.SECTION,
        "releases.atom": Kind.MAIN,
        "commits.atom": Kind.MAIN,
        "tags.atom": Kind.MAIN,
    }
