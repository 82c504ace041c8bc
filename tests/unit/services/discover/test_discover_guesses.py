"""Where a site names nothing: common paths, its other pages, RSSHub (rule D6)."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.model import Outcome
from tests.unit.services.discover.discovered import candidate, chosen, find, html, link, moved, paths, rss, valid

A = "http://oak.example"
FEED = rss(f"{A}/")


@pytest.mark.parametrize(
    ("path", "rounds"),
    [("/feed", 2), ("/atom.xml", 2), ("/feed.xml", 2), ("/feed.json", 3), ("/index.atom", 3), ("/atom", 3)],
)
def test_common_path_is_found_in_the_first_or_the_second_wave(path: str, rounds: int) -> None:
    found, _ = find(f"{A}/", {f"{A}/": html(), f"{A}{path}": FEED})
    assert (chosen(found), found.rounds) == (f"{A}{path}", rounds)
    assert found.candidates[0].discovered_from == (DiscoveredFrom.GUESS,)


def test_second_wave_is_not_sent_where_the_first_one_finds_a_feed() -> None:
    _, internet = find(f"{A}/", {f"{A}/": html(), f"{A}/rss.xml": FEED, f"{A}/rss": FEED})
    assert "/rss" not in paths(internet)


def test_directory_of_the_page_comes_before_the_root() -> None:
    pages = {f"{A}/blog/": html(), f"{A}/blog/feed": rss(f"{A}/blog/", title="Blog"), f"{A}/feed": FEED}
    assert valid(find(f"{A}/blog/", pages)[0]) == [f"{A}/blog/feed", f"{A}/feed"]


def test_generator_of_the_page_names_the_path() -> None:
    head = '<meta name="generator" content="Ghost 5.8">'
    found, internet = find(f"{A}/", {f"{A}/": html(head), f"{A}/rss/": FEED})
    assert (chosen(found), paths(internet)) == (f"{A}/rss/", ["/", "/rss/"])


def test_path_that_was_asked_for_already_is_not_guessed_again() -> None:
    _, internet = find(f"{A}/", {f"{A}/": html(link("/feed"))})
    assert paths(internet).count("/feed") == 1


def test_guesses_that_lead_to_one_feed_are_one_candidate() -> None:
    found, _ = find(f"{A}/", {f"{A}/": html(), f"{A}/feed": moved("/index.xml"), f"{A}/index.xml": FEED})
    assert valid(found) == [f"{A}/index.xml"]
    assert candidate(found, f"{A}/feed") is candidate(found, f"{A}/index.xml")


def test_site_that_answers_everything_with_its_page_has_no_feed() -> None:
    found, _ = find(f"{A}/", {f"{A}*": html(body="<div id=app></div>")})
    assert (found.outcome, valid(found), found.complete) == (DiscoveryOutcome.NO_FEED, [], True)
    assert {each.outcome for each in found.candidates} == {Outcome.NOT_FEED}
    assert found.rounds <= 4


def test_feed_of_another_site_does_not_end_the_search() -> None:
    pages = {f"{A}/": html(link("http://news.example/rss")), f"{A}/feed": FEED}
    found, _ = find(f"{A}/", pages | {"http://news.example/rss": rss("http://news.example/")})
    assert (chosen(found), set(valid(found))) == (f"{A}/feed", {f"{A}/feed", "http://news.example/rss"})


def test_site_that_only_links_to_another_sites_feed_has_none_of_its_own() -> None:
    pages = {f"{A}/": html(link("http://news.example/rss")), "http://news.example/rss": rss("http://news.example/")}
    found, _ = find(f"{A}/", pages)
    assert (found.outcome, chosen(found)) == (DiscoveryOutcome.NO_FEED, None)
    assert valid(found) == ["http://news.example/rss"]


# --- the site's other pages ---------------------------------------------------------------------------------


def test_root_of_the_site_is_read_where_a_deep_page_names_nothing() -> None:
    pages = {f"{A}/shop/tea": html(), f"{A}/": html(link("/out.php?f=1")), f"{A}/out.php?f=1": FEED}
    found, _ = find(f"{A}/shop/tea", pages)
    assert chosen(found) == f"{A}/out.php?f=1"
    assert candidate(found, f"{A}/out.php?f=1").source is Source.SECOND_HOP_LINK
    assert found.rounds == 4
    assert found.requests <= 24


def test_root_is_read_though_the_page_named_more_dead_feeds_than_the_budget_has_requests() -> None:
    dead = "".join(link(f"/dead{n}.xml") for n in range(12)) + "".join(f'<a href="/d{n}.rss">RSS</a>' for n in range(9))
    pages = {f"{A}/shop/tea": html(dead), f"{A}/": html(link("/out.php?f=1")), f"{A}/out.php?f=1": FEED}
    found, internet = find(f"{A}/shop/tea", pages)
    assert (chosen(found), len(internet.requests) <= 24) == (f"{A}/out.php?f=1", True)


def test_root_that_a_dead_link_led_to_is_read_without_another_request() -> None:
    pages = {f"{A}/shop/tea": html(link("/old")), f"{A}/old": moved("/"), f"{A}/": html(link("/odd")), f"{A}/odd": FEED}
    found, internet = find(f"{A}/shop/tea", pages)
    assert (chosen(found), paths(internet).count("/")) == (f"{A}/odd", 1)


def test_root_that_is_a_feed_is_a_candidate() -> None:
    found, _ = find(f"{A}/shop/tea", {f"{A}/shop/tea": html(), f"{A}/": FEED})
    assert chosen(found) == f"{A}/"


def test_page_that_the_page_calls_canonical_is_read() -> None:
    head = '<link rel="canonical" href="http://www.oak.example/wood">'
    pages = {
        f"{A}/m/wood": html(head),
        "http://www.oak.example/wood": html(link("/odd")),
        "http://www.oak.example/odd": FEED,
    }
    assert chosen(find(f"{A}/m/wood", pages)[0]) == "http://www.oak.example/odd"


def test_typed_page_that_is_gone_does_not_hide_the_site() -> None:
    found, _ = find(f"{A}/2019/old-post", {f"{A}/": html(link("/out.php?f=1")), f"{A}/out.php?f=1": FEED})
    assert (found.outcome, chosen(found)) == (DiscoveryOutcome.FOUND, f"{A}/out.php?f=1")
    assert (found.page_outcome, found.http_status) == (Outcome.NOT_FOUND, 404)


# --- RSSHub -----------------------------------------------------------------------------------------------------

HUB = "http://hub.example"


def test_rsshub_comes_last_and_its_feed_is_external() -> None:
    page = "https://bsky.app/profile/oak.example"
    from feedward.discovery.rsshub.routes import rsshub_leads

    leads = rsshub_leads(page, HUB)
    assert leads, "the page needs a route"
    found, internet = find(page, {page: html(), leads[0].url: rss(page)}, rsshub_base=HUB)
    assert (chosen(found), internet.fetched[-1].startswith(HUB)) == (leads[0].url, True)
    assert found.candidates[0].discovered_from == (DiscoveredFrom.EXTERNAL,)
    assert find(page, {page: html(), leads[0].url: rss(page)}, rsshub_base=None)[0].outcome is DiscoveryOutcome.NO_FEED


def test_rsshub_is_not_asked_where_the_site_has_a_feed() -> None:
    page = "https://bsky.app/profile/oak.example"
    _, internet = find(page, {page: html(link("/mine.xml")), "https://bsky.app/mine.xml": rss(page)}, rsshub_base=HUB)
    assert not [url for url in internet.fetched if url.startswith(HUB)]


def test_untested_candidates_say_why() -> None:
    anchors = "".join(f'<a href="/odd{n}" title="RSS">x</a>' for n in range(9))
    found, _ = find(f"{A}/", {f"{A}/": html("", anchors)})
    late = [each for each in found.candidates if each.status is ValidationStatus.UNTESTED]
    assert [each.detail for each in late] == ["not among the best, for which the request budget was spent"] * 3


# --- where a home page names nothing itself -----------------------------------------------------------


BLOG = rss(f"{A}/blog/")


@pytest.mark.parametrize(
    "body",
    [
        '<a href="/blog/">Blog</a>',
        '<a href="/p/12"> Blog </a>',
        '<a href="/news">News</a><a href="/blog/">Read on</a>',
        '<a href="/blog/2026/hello">Hello</a><a href="/blog">All posts</a>',
    ],
)
def test_blog_that_the_home_page_links_is_read_for_its_feeds(body: str) -> None:
    blog = html(link("/blog/all.php"))
    pages = {f"{A}/": html("", body), f"{A}/blog": blog, f"{A}/blog/": blog, f"{A}/p/12": blog}
    found, internet = find(f"{A}/", {**pages, f"{A}/blog/all.php": BLOG})
    assert (chosen(found), candidate(found, f"{A}/blog/all.php").source) == (
        f"{A}/blog/all.php",
        Source.SECOND_HOP_LINK,
    )
    assert len(internet.requests) <= 15


GHOST, HUGO = (f'<meta name="generator" content="{name}">' for name in ("Ghost 5.8", "Hugo 0.120"))


@pytest.mark.parametrize(
    ("home", "blog", "feed", "generator"),
    [
        *(("/", "/blog/", f"/blog/{name}", "") for name in ("rss.xml", "feed.xml", "index.xml", "atom.xml", "feed")),
        *(("/", "/blog/", f"/blog/{name}", "") for name in ("rss", "feed/", "atom")),
        *(("/", f"/{place}/", f"/{place}/feed.xml", "") for place in ("news", "posts", "articles", "journal", "notes")),
        ("/", "/blog", "/blog/rss.xml", ""),
        ("/", "/news/", "/news/rss/", GHOST),
        ("/", "/posts/", "/posts/index.xml", HUGO),
        ("/en/", "/en/blog/", "/en/blog/rss.xml", ""),
    ],
)
def test_common_path_below_the_blog_that_the_home_page_links_is_found(
    home: str, blog: str, feed: str, generator: str
) -> None:
    pages = {f"{A}{home}": html(generator, f'<a href="{blog}">Read</a>'), f"{A}{blog}": html(generator)}
    found, internet = find(f"{A}{home}", {**pages, f"{A}{feed}": rss(f"{A}{blog}")})
    assert (chosen(found), found.complete) == (f"{A}{feed}", True)
    assert len(internet.requests) <= 24


@pytest.mark.parametrize(
    "place", ["notes", "weeknotes", "%D0%B1%D0%BB%D0%BE%D0%B3", "bit%C3%A1cora", "aktualno%C5%9Bci"]
)
def test_blog_that_names_its_own_feed_is_not_searched_for_another(place: str) -> None:
    blog = f"{A}/{place}"
    pages = {f"{A}/": html("", f'<a href="/{place}">Read</a>'), blog: html("", f'<a href="/{place}/feed">Feed</a>')}
    found, internet = find(f"{A}/", {**pages, f"{blog}/feed": rss(blog)})
    assert (chosen(found), found.complete) == (f"{blog}/feed", True)
    assert len(internet.requests) <= 14
    assert found.candidates[0].kind is (Kind.SECTION if "notes" in place else Kind.MAIN)


def test_blog_whose_page_names_another_feed_is_searched_for_its_own() -> None:
    pages = {f"{A}/": html("", '<a href="/news/">News</a>'), f"{A}/news/": html(link("/news/world/feed", "World"))}
    feeds = {f"{A}/news/world/feed": rss(f"{A}/news/world/"), f"{A}/news/rss.xml": rss(f"{A}/news/", title="News")}
    assert chosen(find(f"{A}/", {**pages, **feeds})[0]) == f"{A}/news/rss.xml"


def test_blog_of_a_site_builder_is_tried_first() -> None:
    pages = {f"{A}/": html('<meta name="generator" content="Webflow">'), f"{A}/blog/rss.xml": rss(f"{A}/blog")}
    found, internet = find(f"{A}/", pages)
    assert (chosen(found), len(internet.requests)) == (f"{A}/blog/rss.xml", 2)


def test_blog_is_looked_at_before_the_news_and_rsshub_after_both() -> None:
    body = '<a href="/news/">News</a><a href="/blog/">Blog</a>'
    pages = {f"{A}/": html("", body), f"{A}/blog/": html(), f"{A}/news/": html(), f"{A}/news/rss.xml": FEED}
    found, internet = find(f"{A}/", pages)
    asked = paths(internet)
    assert (chosen(found), len(asked) <= 24) == (f"{A}/news/rss.xml", True)
    assert asked.index("/blog/feed") < asked.index("/news/feed")


def test_blog_at_a_host_of_its_own_is_read() -> None:
    pages = {f"{A}/": html("", '<a href="http://blog.oak.example/">Stories</a>')}
    blog = {"http://blog.oak.example/": html(link("/x.php")), "http://blog.oak.example/x.php": BLOG}
    assert chosen(find(f"{A}/", pages | blog)[0]) == "http://blog.oak.example/x.php"


def test_blog_at_another_site_is_not_this_ones() -> None:
    pages = {f"{A}/": html("", '<a href="http://elm.example/blog/">Blog</a>'), "http://elm.example/blog/": html()}
    _, internet = find(f"{A}/", pages)
    assert "http://elm.example/blog/" not in internet.requests


def test_blog_is_not_read_where_a_common_path_has_the_feed() -> None:
    pages = {f"{A}/": html("", '<a href="/blog/">Blog</a>'), f"{A}/blog/": html(), f"{A}/feed": FEED}
    assert "/blog/" not in paths(find(f"{A}/", pages)[1])


def test_page_of_a_feed_that_is_a_page_is_read() -> None:
    pages = {f"{A}/": html('<link rel="feed" type="text/html" href="/archive">'), f"{A}/archive": html(link("/x.php"))}
    assert chosen(find(f"{A}/", {**pages, f"{A}/x.php": FEED})[0]) == f"{A}/x.php"


def test_pages_that_lead_on_twice_are_followed_where_nothing_else_is_found() -> None:
    on = '<meta http-equiv="refresh" content="0;url={}">'
    pages = {f"{A}/": html(on.format("/en/")), f"{A}/en/": html(on.format("/en/home"))}
    found, _ = find(f"{A}/", {**pages, f"{A}/en/home": html(link("/x.php")), f"{A}/x.php": FEED})
    assert chosen(found) == f"{A}/x.php"


def test_only_frame_is_the_page() -> None:
    pages = {f"{A}/": {"body": '<frameset><frame src="http://elm.example/~jo/"></frameset>'}}
    pages |= {
        "http://elm.example/~jo/": html(link("f.php")),
        "http://elm.example/~jo/f.php": rss("http://elm.example/"),
    }
    found, _ = find(f"{A}/", pages)
    assert (chosen(found), found.requests) == ("http://elm.example/~jo/f.php", 3)


def test_frames_are_read_where_nothing_else_is_found() -> None:
    pages = {f"{A}/": {"body": '<frameset><frame src="/nav"><frame src="/main"></frameset>'}, f"{A}/nav": html()}
    found, _ = find(f"{A}/", {**pages, f"{A}/main": html(link("/f.php")), f"{A}/f.php": FEED})
    assert chosen(found) == f"{A}/f.php"


@pytest.mark.parametrize(
    ("generator", "feed"), [("WordPress 4.1", "/?feed=rss2"), ("TYPO3 CMS", "/?type=100")], ids=["wordpress", "typo3"]
)
def test_generator_has_a_second_path(generator: str, feed: str) -> None:
    head = f'<meta name="generator" content="{generator}">'
    found, _ = find(f"{A}/", {f"{A}/": html(head), f"{A}{feed}": FEED})
    assert (chosen(found), found.rounds) == (f"{A}{feed}", 3)


def test_common_path_that_is_advertised_behind_many_others_is_tried_all_the_same() -> None:
    head = "".join(link(f"/s{n}.php?tag={n}", "Posts by tag") for n in range(12)) + link("/feed", "Search results")
    pages = {f"{A}/s{n}.php?tag={n}": rss(f"{A}/s{n}/", title=f"s{n}") for n in range(12)}
    assert "/feed" in paths(find(f"{A}/", {f"{A}/": html(head), f"{A}/feed": FEED, **pages})[1])


def test_site_that_asks_for_consent_elsewhere_is_asked_for_its_common_paths() -> None:
    wall = {"http://consent.example/?to=oak": html(), "http://consent.example*": html()}
    found, internet = find(
        f"{A}/x", {f"{A}/x": moved("http://consent.example/?to=oak", 302), **wall, f"{A}/feed": FEED}
    )
    assert chosen(found) == f"{A}/feed"
    assert len(internet.requests) <= 24
