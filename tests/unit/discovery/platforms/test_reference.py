from __future__ import annotations

import pytest

from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads

CONFIG = '{"wgPageName":"%s","wgScriptPath":"%s"%s}'


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


@pytest.mark.parametrize(
    ("url", "first"),
    [
        ("https://arxiv.org/list/cs.AI/recent", "https://rss.arxiv.org/rss/cs.AI"),
        ("http://www.arXiv.org/list/cs.AI+cs.LG/new?skip=0", "https://rss.arxiv.org/rss/cs.AI+cs.LG"),
        ("https://arxiv.org/list/astro-ph.HE/pastweek", "https://rss.arxiv.org/rss/astro-ph.HE"),
        ("https://export.arxiv.org/archive/hep-th", "https://rss.arxiv.org/rss/hep-th"),
        ("https://arxiv.org/a/warner_s_1", "https://arxiv.org/a/warner_s_1.atom2"),
        (
            "https://arxiv.org/search/?query=dark+matter&searchtype=all",
            "https://export.arxiv.org/api/query?search_query=all:dark+matter&sortBy=submittedDate&sortOrder=descending",
        ),
    ],
)
def test_arxiv(url: str, first: str) -> None:
    assert feeds(url)[0] == first


@pytest.mark.parametrize(
    "url",
    [
        *(
            "https://arxiv.org/",
            "https://arxiv.org/abs/2401.00001",
            "https://arxiv.org/list/",
            "https://arxiv.org/help",
        ),
        *(
            "https://rss.arxiv.org/rss/cs.AI",
            "https://arxiv.org/a/warner_s_1.atom2",
            "https://arxiv.org/list/a%20b/new",
        ),
    ],
)
def test_a_paper_and_a_feed_of_arxiv_have_none(url: str) -> None:
    assert feeds(url) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", ["index.php?title=Special:RecentChanges&feed=atom"]),
        ("/wiki/Main_Page", ["index.php?title=Special:RecentChanges&feed=atom"]),
        ("/wiki/Special:RecentChanges?limit=500", ["index.php?title=Special:RecentChanges&feed=atom"]),
        ("/wiki/special:recent_changes", ["index.php?title=Special:RecentChanges&feed=atom"]),
        ("/wiki/Special:NewPages", ["index.php?title=Special:NewPages&feed=atom"]),
        ("/wiki/RSS", ["index.php?title=RSS&action=history&feed=atom"]),
        ("/w/index.php?title=RSS&action=history", ["index.php?title=RSS&action=history&feed=atom"]),
        ("/wiki/C%2B%2B", ["index.php?title=C%2B%2B&action=history&feed=atom"]),
        ("/wiki/AT&T", ["index.php?title=AT%26T&action=history&feed=atom"]),
        ("/wiki/TCP/IP", ["index.php?title=TCP/IP&action=history&feed=atom"]),
        ("/wiki/Special:Contributions/Jo_E", ["api.php?action=feedcontributions&user=Jo_E&feedformat=atom"]),
        ("/wiki/Special:Random", []),
        ("/w/index.php?title=RSS&action=history&feed=atom", []),
        ("/w/api.php?action=feedcontributions&user=Jo&feedformat=atom", []),
        ("/api/rest_v1/", []),
    ],
)
@pytest.mark.parametrize("host", ["en.wikipedia.org", "EN.m.wikipedia.org"])
def test_wikipedia(host: str, path: str, expected: list[str]) -> None:
    assert feeds(f"https://{host}{path}") == [f"https://en.wikipedia.org/w/{feed}" for feed in expected]


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("User:Jo", "api.php?action=feedcontributions&user=Jo&feedformat=atom"),
        ("Category:Foo", "index.php?title=Special:RecentChangesLinked/Category:Foo&feed=atom"),
    ],
)
def test_a_user_and_a_category_of_wikipedia_have_a_feed_beside_the_history(path: str, first: str) -> None:
    found = feeds(f"https://commons.wikimedia.org/wiki/{path}")
    root = "https://commons.wikimedia.org/w/"
    assert found == [root + first, f"{root}index.php?title={path}&action=history&feed=atom"]


def test_the_wikis_that_have_no_languages() -> None:
    expected = "https://www.wikidata.org/w/index.php?title=Q42&action=history&feed=atom"
    assert feeds("https://www.wikidata.org/wiki/Q42") == feeds("https://m.wikidata.org/wiki/Q42") == [expected]


@pytest.mark.parametrize("host", ["www.wikipedia.org", "upload.wikimedia.org", "dumps.wikimedia.org"])
def test_hosts_that_are_no_wiki_have_none(host: str) -> None:
    assert feeds(f"https://{host}/") == []


@pytest.mark.parametrize(
    ("url", "html", "expected"),
    [
        (
            "http://w.example/index.php/Foo",
            CONFIG % ("Foo", "", ""),
            ["/index.php?title=Foo&action=history&feed=atom"],
        ),
        (
            "http://w.example/title/K%C3%B6ln",
            CONFIG % (r"K\u00f6ln", "/mw", ""),
            ["/mw/index.php?title=K%C3%B6ln&action=history&feed=atom"],
        ),
        ("http://w.example/", CONFIG % ("Start", "/w", ""), ["/w/index.php?title=Special:RecentChanges&feed=atom"]),
        (
            "http://w.example/wiki/Spezial:Letzte_%C3%84nderungen",
            CONFIG % ("Spezial:x", "/w", ',"wgCanonicalSpecialPageName":"Recentchanges"'),
            ["/w/index.php?title=Special:RecentChanges&feed=atom"],
        ),
        ("http://w.example/wiki/Spezial:Suche", CONFIG % ("x", "/w", ',"wgCanonicalSpecialPageName":"Search"'), []),
        (
            "http://w.example/wiki/Foo",
            '<link rel="EditURI" href="//w.example/x/api.php?action=rsd">',
            ["/x/index.php?title=Special:RecentChanges&feed=atom"],
        ),
        ("http://w.example/wiki/Foo", '<link rel="EditURI" href="//other.example/x/api.php?action=rsd">', []),
    ],
)
def test_a_self_hosted_mediawiki_names_its_generator_and_its_script_path(
    url: str, html: str, expected: list[str]
) -> None:
    page = Page(url=url, base_url=url, html=html, generator="MediaWiki 1.41.0")
    assert [lead.url for lead in page_platform_leads(url, page)] == [f"http://w.example{feed}" for feed in expected]


@pytest.mark.parametrize(
    ("author", "feed"),
    [("warner_s_1", "warner_s_1"), ("0000-0002-1825-0097", "0000-0002-1825-0097"), ("0000-0002-1694-233x",) * 2],
)
def test_an_author_of_arxiv_has_a_name_or_a_number(author: str, feed: str) -> None:
    assert feeds(f"https://arxiv.org/a/{author}") == [
        f"https://arxiv.org/a/{feed.upper() if '-' in feed else feed}.atom2"
    ]


def test_a_paper_of_arxiv_names_the_subject_that_it_is_filed_under() -> None:
    url = "https://arxiv.org/abs/2401.00001v2"
    html = '<a class="abs-button" href="/list/cs.LG/new">new</a> | <a href="/list/math.AG/recent">recent</a>'

    assert [lead.url for lead in page_platform_leads(url, Page(url=url, base_url=url, html=html))] == [
        "https://rss.arxiv.org/rss/cs.LG",
        "https://rss.arxiv.org/atom/cs.LG",
    ]
    assert page_platform_leads(url, Page(url=url, base_url=url, html="")) == []


def test_a_wiki_in_two_scripts_has_a_path_for_each() -> None:
    assert feeds("https://zh.wikipedia.org/zh-tw/%E6%9C%88") == [
        "https://zh.wikipedia.org/w/index.php?title=%E6%9C%88&action=history&feed=atom"
    ]
    assert feeds("https://en.wikipedia.org/api-docs") == []
