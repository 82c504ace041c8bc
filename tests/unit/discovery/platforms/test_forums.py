from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


def reddit(*paths: str) -> list[str]:
    return [f"https://www.reddit.com/{path}" for path in paths]


@pytest.mark.parametrize("host", ["reddit.com", "www.reddit.com", "old.reddit.com", "np.reddit.com", "M.Reddit.com"])
def test_reddit_under_all_its_names_has_one(host: str) -> None:
    assert feeds(f"http://{host}/r/x/") == reddit("r/x/.rss", "r/x/comments/.rss")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", [".rss"]),
        ("/new/", ["new/.rss"]),
        ("/r/x/top/?sort=top&t=week", ["r/x/top/.rss?t=week", "r/x/comments/.rss"]),
        ("/r/x/new?t=week", ["r/x/new/.rss", "r/x/comments/.rss"]),
        ("/r/x/about/rules", ["r/x/.rss", "r/x/comments/.rss"]),
        ("/r/a+b", ["r/a+b/.rss", "r/a+b/comments/.rss"]),
        ("/r/x/comments", ["r/x/comments/.rss", "r/x/.rss"]),
        ("/r/x/comments/1abc/a_title/?sort=new", ["r/x/comments/1abc/.rss", "r/x/.rss"]),
        ("/comments/1abc", ["comments/1abc/.rss"]),
        ("/r/x/search?q=a%20b&restrict_sr=1&sort=new", ["r/x/search.rss?q=a%20b&sort=new&restrict_sr=on", "r/x/.rss"]),
        ("/search/?q=a+b", ["search.rss?q=a+b"]),
        ("/u/spez", ["user/spez/.rss"]),
        ("/R/x", ["r/x/.rss", "r/x/comments/.rss"]),
        ("/U/spez", ["user/spez/.rss"]),
        ("/user/spez/submitted/", ["user/spez/submitted/.rss"]),
        ("/user/spez/comments/", ["user/spez/comments/.rss"]),
        ("/user/spez/comments/1abc/a_title", ["user/spez/comments/1abc/.rss"]),
        ("/user/spez/m/many/top?t=all", ["user/spez/m/many/top/.rss?t=all"]),
        ("/r/u_spez", ["user/spez/.rss"]),
        ("/domain/example.com/new/", ["domain/example.com/new/.rss"]),
    ],
)
def test_reddit_has_a_feed_of_each_listing(path: str, expected: list[str]) -> None:
    assert feeds(f"https://www.reddit.com{path}") == reddit(*expected)


@pytest.mark.parametrize(
    "path",
    [
        *("/about", "/settings", "/r", "/r/", "/user", "/user/me", "/login?dest=x", "/search", "/r/a%20b", "/domain/x"),
        *("/.rss", "/r/x.rss", "/r/x/.rss", "/r/x/top/.rss?t=week", "/r/x/comments/1abc/.rss", "/user/spez/.rss"),
    ],
)
def test_reddits_own_pages_and_feeds_have_none(path: str) -> None:
    assert feeds(f"https://www.reddit.com{path}") == []


@pytest.mark.parametrize("service", ["ads", "developers", "support", "oauth"])
def test_reddits_services_are_not_its_front_page(service: str) -> None:
    assert feeds(f"https://{service}.reddit.com/") == []


def test_a_short_address_of_reddit_is_a_posts() -> None:
    assert feeds("https://redd.it/1abc") == reddit("comments/1abc/.rss")
    assert feeds("https://i.redd.it/1abc.png") == []


def test_comments_of_reddit_are_told_from_posts() -> None:
    kinds = [lead.kind for lead in platform_leads("https://www.reddit.com/r/x/")]
    assert kinds == [Kind.MAIN, Kind.COMMENTS]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *((path, ["rss"]) for path in ("", "news", "news?p=2", "front?day=2024-01-01")),
        *((path, ["showrss"]) for path in ("show", "shownew")),
        *((path, []) for path in ("newest", "item?id=1", "user?id=pg", "ask", "jobs", "rss", "showrss", "login")),
    ],
)
def test_hacker_news_gives_a_feed_of_the_front_page_and_show_alone(path: str, expected: list[str]) -> None:
    assert feeds(f"https://news.ycombinator.com/{path}") == [
        f"https://news.ycombinator.com/{feed}" for feed in expected
    ]


@pytest.mark.parametrize("path", ["/item?id=1", "/user?id=pg", "/newest", "/ask"])
def test_pages_of_hacker_news_without_a_feed_lead_to_the_sites(path: str) -> None:
    url = f"https://news.ycombinator.com{path}"

    assert feeds(url) == []
    assert [lead.url for lead in page_platform_leads(url, Page(url=url, base_url=url))] == [
        "https://news.ycombinator.com/rss"
    ]


@pytest.mark.parametrize(
    ("path", "first"),
    [
        *(("", "rss"), ("page/2", "rss"), ("newest", "newest.rss"), ("newest/page/3", "newest.rss")),
        *(("recent", "newest.rss"), ("top/1w", "top/rss"), ("comments", "comments.rss")),
        *(("t/rss", "t/rss.rss"), ("t/a,b/page/2", "t/a,b.rss")),
        *(("domains/example.com", "domains/example.com.rss"), ("domain/example.com", "domains/example.com.rss")),
        *(("~pushcx", "~pushcx/stories.rss"), ("u/pushcx", "~pushcx/stories.rss")),
        *(("~pushcx/stories/page/2", "~pushcx/stories.rss"), ("newest/pushcx", "~pushcx/stories.rss")),
    ],
)
def test_lobsters(path: str, first: str) -> None:
    assert feeds(f"https://lobste.rs/{path}")[0] == f"https://lobste.rs/{first}"


@pytest.mark.parametrize(
    "path", ["s/abc/a_title", "about", "login", "search?q=x", "rss.rss", "newest.rss", "t/a.rss", "~"]
)
def test_other_pages_of_lobsters_do_not_get_the_front_pages_feed(path: str) -> None:
    assert feeds(f"https://lobste.rs/{path}") == []


@pytest.mark.parametrize(
    ("path", "first", "kind"),
    [
        ("/", "/latest.rss", Kind.MAIN),
        ("/latest", "/latest.rss", Kind.MAIN),
        ("/top?period=weekly", "/top.rss", Kind.MAIN),
        ("/c/python/7", "/c/python/7.rss", Kind.CATEGORY),
        ("/c/dev/python/7/l/latest", "/c/dev/python/7.rss", Kind.CATEGORY),
        ("/c/python/7/none", "/c/python/7.rss", Kind.CATEGORY),
        ("/tag/a%20b", "/tag/a%20b.rss", Kind.TAG),
        ("/t/hello-world/42/7", "/t/hello-world/42.rss", Kind.TOPIC),
        ("/t/42", "/t/42.rss", Kind.TOPIC),
        ("/u/jo/summary", "/u/jo/activity.rss", Kind.MAIN),
        ("/g/team", "/g/team/posts.rss", Kind.MAIN),
    ],
)
@pytest.mark.parametrize("base", ["", "/forum"])
def test_discourse_is_known_by_its_generator(base: str, path: str, first: str, kind: Kind) -> None:
    url = f"http://talk.example{base}{path}"
    html = f'<meta id="data-discourse-setup" data-base-uri="{base}">'
    page = Page(url=url, base_url=url, html=html, generator="Discourse 3.2.0 - https://github.com/discourse/discourse")
    leads = page_platform_leads(url, page)
    assert (leads[0].url, leads[0].kind) == (f"http://talk.example{base}{first}", kind)
    assert f"http://talk.example{base}/latest.rss" in [lead.url for lead in leads]
