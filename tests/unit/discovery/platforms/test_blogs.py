from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


def feeds_of_page(url: str, *, generator: str | None = None, meta: dict[str, str] | None = None) -> list[str]:
    page = Page(url=url, base_url=url, generator=generator, meta=meta or {})
    return [lead.url for lead in page_platform_leads(url, page)]


# --- WordPress.com


@pytest.mark.parametrize(
    ("path", "archive", "kind"),
    [
        ("category/tech/", "category/tech/feed/", Kind.CATEGORY),
        ("category/a/b/page/2/", "category/a/b/feed/", Kind.CATEGORY),
        ("tag/caf%C3%A9", "tag/caf%C3%A9/feed/", Kind.TAG),
        ("tag/x/page/3/", "tag/x/feed/", Kind.TAG),
        ("author/jo/?x=1", "author/jo/feed/", Kind.AUTHOR),
    ],
)
def test_an_archive_of_wordpress_com_has_its_feed_before_the_blogs(path: str, archive: str, kind: Kind) -> None:
    leads = platform_leads(f"https://Blog.WordPress.com/{path}")
    assert (leads[0].url, leads[0].kind) == (f"https://blog.wordpress.com/{archive}", kind)
    assert leads[1].url == "https://blog.wordpress.com/feed/"


@pytest.mark.parametrize("path", ["", "/", "/2024/05/01/a-post/", "/about?x=1#y"])
def test_any_page_of_wordpress_com_leads_to_its_blog(path: str) -> None:
    leads = platform_leads(f"http://blog.wordpress.com{path}")
    assert leads[0].url == "https://blog.wordpress.com/feed/"
    assert [lead.url for lead in leads if lead.kind is Kind.COMMENTS] == ["https://blog.wordpress.com/comments/feed/"]


@pytest.mark.parametrize(
    "url",
    [
        *("https://wordpress.com/read", "https://en.wordpress.com/x", "https://public-api.wordpress.com/rest"),
        *("https://blog.wordpress.com/feed/", "https://blog.wordpress.com/category/tech/feed/"),
        *("https://blog.wordpress.com/comments/feed/", "https://blog.wordpress.com/?feed=rss2"),
        *("https://blog.wordpress.com/wp-login.php", "https://a.b.wordpress.com/"),
    ],
)
def test_wordpress_coms_own_pages_and_feeds_have_none(url: str) -> None:
    assert feeds(url) == []


# --- Blogger


@pytest.mark.parametrize("domain", ["blogspot.com", "blogspot.de", "blogspot.co.uk", "blogspot.com.br"])
def test_a_blogspot_blog_has_its_posts_as_atom_and_rss(domain: str) -> None:
    posts = f"https://x.{domain}/feeds/posts/default"
    assert feeds(f"http://X.{domain}/2024/01/some.html?m=1") == [posts, f"{posts}?alt=rss"]


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("/search/label/a%20b?max-results=20", "/feeds/posts/default/-/a%20b"),
        ("/search/label/a/b", "/feeds/posts/default/-/a/b"),
        ("/search/label/", "/feeds/posts/default"),
        ("/search?q=x", "/feeds/posts/default"),
    ],
)
def test_a_label_of_a_blogspot_blog_comes_first(path: str, first: str) -> None:
    assert feeds(f"https://x.blogspot.com{path}")[0] == f"https://x.blogspot.com{first}"


def test_a_blogspot_feed_has_none() -> None:
    for path in ("/feeds/posts/default", "/feeds/posts/default?alt=rss", "/atom.xml", "/feeds/comments/default"):
        assert feeds(f"https://x.blogspot.com{path}") == []


def test_blogger_on_an_own_domain_is_known_by_its_generator() -> None:
    posts = "http://blog.example/feeds/posts/default"
    found = feeds_of_page("http://blog.example/search/label/x", generator="Blogger")
    assert found == [f"{posts}/-/x", posts, f"{posts}?alt=rss"]
    assert feeds_of_page("http://blog.example/", generator="Hugo 1.0") == []


# --- Tumblr


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://staff.tumblr.com", ["/rss"]),
        ("https://STAFF.tumblr.com/post/123/a-b?x", ["/rss"]),
        ("https://staff.tumblr.com/tagged/a%20b/page/2", ["/tagged/a%20b/rss", "/rss"]),
        ("https://staff.tumblr.com/tagged/rss", ["/tagged/rss/rss", "/rss"]),
        ("https://www.tumblr.com/staff", ["/rss"]),
        ("https://www.tumblr.com/staff/123/a-b", ["/rss"]),
        ("https://www.tumblr.com/@staff", ["/rss"]),
        ("https://www.tumblr.com/blog/staff", ["/rss"]),
        ("https://www.tumblr.com/blog/view/staff/123", ["/rss"]),
        ("https://www.tumblr.com/staff/tagged/x", ["/tagged/x/rss", "/rss"]),
        ("https://staff.tumblr.com/rss", []),
        ("https://staff.tumblr.com/tagged/x/rss", []),
    ],
)
def test_tumblr(url: str, expected: list[str]) -> None:
    assert feeds(url) == [f"https://staff.tumblr.com{path}" for path in expected]


@pytest.mark.parametrize("path", ["", "/", "/dashboard", "/tagged/x", "/search/x", "/explore/trending", "/login"])
def test_tumblrs_own_pages_have_no_feed(path: str) -> None:
    assert feeds(f"https://www.tumblr.com{path}") == []


def test_tumblr_on_an_own_domain_is_known_by_its_page() -> None:
    meta = {"al:android:package": "com.tumblr"}
    assert feeds_of_page("https://blog.example/post/1", meta=meta) == ["https://blog.example/rss"]


# --- Medium


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://medium.com/@ev", ["@ev"]),
        ("https://MEDIUM.com/@ev/a-story-1a2b?source=x", ["@ev"]),
        ("https://medium.com/@ev/feed", ["@ev"]),
        ("https://medium.com/@ev/list/reading-list", ["@ev"]),
        ("https://medium.com/pub", ["pub"]),
        ("https://medium.com/pub/a-story-1a2b", ["pub"]),
        ("https://medium.com/pub/tagged/ai", ["pub/tagged/ai", "pub"]),
        ("https://medium.com/tag/rss", ["tag/rss"]),
        ("https://medium.com/tag/rss/archive/2024", ["tag/rss"]),
        *((f"https://medium.com/{path}", []) for path in ("", "feed/@ev", "feed/pub", "p/1a2b3c", "m/signin", "@")),
        *((f"https://medium.com/{path}", []) for path in ("search?q=x", "me/stories", "tag", "about", "new-story")),
    ],
)
def test_medium(url: str, expected: list[str]) -> None:
    assert feeds(url) == [f"https://medium.com/feed/{path}" for path in expected]


def test_a_subdomain_of_medium_answers_itself_whether_it_is_a_writers_or_a_publications() -> None:
    expected = ["https://name.medium.com/feed", "https://medium.com/feed/name"]
    assert feeds("https://name.medium.com/a-story-1a2b") == expected
    assert feeds("https://name.medium.com/feed") == []
    assert feeds("https://help.medium.com/hc/en-us") == []


@pytest.mark.parametrize(
    "meta", [{"al:ios:app_name": "Medium"}, {"al:android:package": "com.medium.reader"}], ids=["ios", "android"]
)
def test_a_publication_of_medium_on_its_own_domain_is_known_by_its_page(meta: dict[str, str]) -> None:
    url = "https://publication.example.com/some-story-abc123"
    assert feeds_of_page(url, meta=meta) == ["https://publication.example.com/feed"]


def test_mediums_own_pages_are_no_publications_domain() -> None:
    assert feeds_of_page("https://medium.com/about", meta={"al:ios:app_name": "Medium"}) == []


# --- Dev.to


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "https://dev.to/feed"),
        ("/some_user", "https://dev.to/feed/some_user"),
        ("/Some_User/?x", "https://dev.to/feed/Some_User"),
        ("/t/javascript", "https://dev.to/feed/tag/javascript"),
        ("/t/rss/latest", "https://dev.to/feed/tag/rss"),
    ],
)
def test_dev_to(path: str, expected: str) -> None:
    assert feeds(f"https://dev.to{path}") == [expected]


@pytest.mark.parametrize(
    "path", ["/about", "/TOP", "/latest", "/t", "/search", "/feed", "/feed/x", "/x/a-post", "/x.y"]
)
def test_dev_tos_own_pages_posts_and_feeds_have_none(path: str) -> None:
    assert feeds(f"https://dev.to{path}") == []


@pytest.mark.parametrize(("path", "expected"), [("/ben/a-post-1a2", ["ben"]), ("/ben", ["ben"]), ("/t/x/top/week", [])])
def test_an_article_of_dev_to_leads_to_its_author(path: str, expected: list[str]) -> None:
    url = f"https://dev.to{path}"
    page = Page(url=url, base_url=url)

    found = [*platform_leads(url), *page_platform_leads(url, page)]
    assert [lead.url for lead in found if "/tag/" not in lead.url] == [
        f"https://dev.to/feed/{user}" for user in expected
    ]


def test_a_short_address_of_tumblr_is_no_blog() -> None:
    assert feeds("https://at.tumblr.com/staff/123/abc") == []
