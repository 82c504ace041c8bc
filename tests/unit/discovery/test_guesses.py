"""The paths that are searched when no feed is named (rule D7)."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Source
from feedward.discovery.guesses import GENERATORS, guess_waves, guess_waves_below
from feedward.urls.resolve import resolve_url

ORIGIN = "https://example.com"
FIRST = ["feed", "index.xml", "rss.xml", "atom.xml", "feed.xml"]
SECOND = ["rss", "feed/", "atom", "feed.json", "index.rss", "index.atom"]


def paths(page: str, generator: str | None = None) -> list[list[str]]:
    """The paths that are tried for a page, wave by wave."""
    waves = guess_waves(ORIGIN + page, generator)
    return [[lead.url.removeprefix(ORIGIN) for lead in wave] for wave in waves]


def test_home_page_is_looked_at_in_two_waves_at_the_root() -> None:
    assert paths("/") == [[f"/{name}" for name in FIRST], [f"/{name}" for name in SECOND]]


def test_each_path_is_tried_in_the_directory_before_the_root() -> None:
    first, second = paths("/blog/")

    assert first[:4] == ["/blog/feed", "/feed", "/blog/index.xml", "/index.xml"]
    assert (len(first), len(second)) == (10, 12)


@pytest.mark.parametrize(
    ("page", "directories"),
    [
        ("/", ["/"]),
        ("/?page=2", ["/"]),
        ("/blog/", ["/blog/", "/"]),
        ("/blog/index.html", ["/blog/", "/"]),
        ("/blog/index.php?x=1", ["/blog/", "/"]),
        ("/blog", ["/blog/", "/"]),
        ("/in", ["/in/", "/"]),
        ("/en/blog", ["/en/blog/", "/en/", "/"]),
        ("/a/b/", ["/a/b/", "/"]),
        ("/Blog/Caf%C3%A9/", ["/Blog/Caf%C3%A9/", "/"]),
        ("//blog//", ["/blog/", "/"]),
        ("/category/python/", ["/category/python/", "/"]),
        ("/page.html", ["/"]),
        # A post's own feeds are its comments: its blog is looked at.
        ("/2026/08/hello/", ["/"]),
        ("/2026/08/hello", ["/"]),
        ("/2026/08/hello.html", ["/"]),
        ("/blog/2026/08/10/hello/", ["/blog/", "/"]),
        ("/p/first-letter", ["/"]),
        ("/news/p/first-letter", ["/news/", "/"]),
        ("/blog/how-to-brew-a-good-tea", ["/blog/", "/"]),
        ("/how-to-brew-a-good-tea/", ["/"]),
        ("/some-story-abc123", ["/"]),
        ("/?p=12", ["/"]),
        ("/blog/?p=12", ["/blog/", "/"]),
        ("/blog?p=12", ["/blog/", "/"]),
        ("/blog/index.php?p=12", ["/blog/", "/"]),
    ],
)
def test_directories_of_a_page(page: str, directories: list[str]) -> None:
    first, _ = paths(page)

    assert [path.removesuffix("feed") for path in first if path.endswith("/feed")] == directories


def test_page_in_a_country_s_directory_is_looked_at_there_first() -> None:
    second = paths("/in")[1]

    assert second.index("/in/rss") < second.index("/rss")


@pytest.mark.parametrize("page", ["/", "/blog/", "/en/blog", "/2026/08/hello/"])
@pytest.mark.parametrize("generator", [None, "WordPress 6.4", "Squarespace", "Discourse 3.1", "Unknown 1.0"])
def test_each_url_comes_once_and_can_be_fetched(page: str, generator: str | None) -> None:
    urls = [lead.url for wave in guess_waves(ORIGIN + page, generator) for lead in wave]

    assert len(urls) == len(set(urls))
    assert [resolve_url(url) for url in urls] == urls
    assert ORIGIN + page not in urls


@pytest.mark.parametrize(
    ("generator", "page", "wave"),
    [
        ("WordPress 6.4.2", "/", ["/feed/"]),
        ("wordpress.com", "/blog/", ["/blog/feed/", "/feed/"]),
        ("Powered by WPBakery Page Builder - drag and drop page builder for WordPress.", "/", ["/feed/"]),
        ("Elementor 3.18.3; features: e_dom_optimization", "/", ["/feed/"]),
        ("WooCommerce 8.4", "/", ["/feed/"]),
        ("Ghost 5.8", "/", ["/rss/"]),
        ("Hugo 0.121.1", "/notes/", ["/notes/index.xml", "/index.xml"]),
        ("Jekyll v4.3.2", "/", ["/feed.xml"]),
        ("Drupal 10 (https://www.drupal.org)", "/", ["/rss.xml"]),
        ("blogger", "/2026/08/hello.html", ["/feeds/posts/default"]),
        ("Squarespace", "/blog", ["/blog?format=rss", "/?format=rss"]),
        ("Squarespace", "/blog/", ["/blog?format=rss", "/?format=rss"]),
        ("SPIP 4.1.10", "/", ["/spip.php?page=backend"]),
        ("TYPO3 CMS", "/", ["/?type=9818"]),
        ("Joomla! - Open Source Content Management", "/", ["/?format=feed&type=rss"]),
        ("MediaWiki 1.39.1", "/wiki/Tea", ["/index.php?title=Special:RecentChanges&feed=atom"]),
        ("Discourse 3.2.0.beta2 - https://github.com/discourse/discourse", "/c/tea/5", ["/latest.rss"]),
        ("Pelican", "/", ["/feeds/all.atom.xml"]),
        ("Zola", "/", ["/atom.xml"]),
        ("Astro v4.0", "/", ["/rss.xml"]),
    ],
)
def test_generator_has_a_wave_of_its_own_before_all_others(generator: str, page: str, wave: list[str]) -> None:
    waves = paths(page, generator)

    assert waves[0] == wave
    assert len(waves) == 3
    assert {"/index.rss", "/index.atom"} <= set(waves[2])


@pytest.mark.parametrize(
    ("page", "generator", "first"),
    [
        ("/blog/", None, [f"/blog/{name}" for name in FIRST]),
        ("/blog", None, [f"/blog/{name}" for name in FIRST]),
        ("/news/", "Ghost 5.8", ["/news/rss/"]),
        ("/posts/", "Hugo 0.120", ["/posts/index.xml"]),
        ("/blog", "Squarespace", ["/blog?format=rss"]),
        ("/", None, [f"/{name}" for name in FIRST]),
    ],
)
def test_directory_of_a_blog_is_looked_at_alone(page: str, generator: str | None, first: list[str]) -> None:
    waves = [[lead.url.removeprefix(ORIGIN) for lead in wave] for wave in guess_waves_below(ORIGIN + page, generator)]

    assert waves[0] == first
    assert f"{page.rstrip('/')}/atom" in waves[-1]


@pytest.mark.parametrize("generator", ["", "Frontpage 2000", "Microsoft Word 11", "x" * 5000, "  "])
def test_unknown_generator_changes_nothing(generator: str) -> None:
    assert paths("/", generator) == paths("/")


@pytest.mark.parametrize(
    ("generator", "other"),
    [
        ("WordPress 6.4", "/?feed=rss2"),
        ("TYPO3 CMS", "/?type=100"),
        ("Eleventy v3.0.0", "/feed/feed.xml"),
    ],
)
def test_other_path_of_a_generator_is_in_the_first_common_wave(generator: str, other: str) -> None:
    assert paths("/", generator)[1][0] == other
    assert other not in [path for wave in paths("/", "Jekyll v4") for path in wave]


def test_generator_s_path_is_not_tried_again_without_its_slash() -> None:
    tried = [path for wave in paths("/", "WordPress 6.4") for path in wave]

    assert "/feed" not in tried
    assert tried.count("/feed/") == 1


@pytest.mark.parametrize(("name", "path"), GENERATORS)
def test_each_generator_is_found_by_its_name(name: str, path: str) -> None:
    assert paths("/", name.title() + " 1.0")[0][0].endswith(path.lstrip("/"))


def test_leads_say_where_and_why() -> None:
    (first, second, *_), _ = guess_waves("https://example.com/blog/")

    assert (first.source, first.position, first.why) == (Source.GUESS_DIRECTORY, 0, "guess: feed")
    assert (second.source, second.position) == (Source.GUESS_ROOT, 1)
    assert first.page_url == "https://example.com/blog/"


@pytest.mark.parametrize("page", ["", "nonsense", "ftp://example.com/", "mailto:a@b.example"])
def test_no_page_no_guesses(page: str) -> None:
    assert guess_waves(page) == []


def test_port_and_scheme_stay() -> None:
    assert guess_waves("http://example.com:8080/")[0][0].url == "http://example.com:8080/feed"
