"""The first candidate, and the reason (rules D9, D1, D5)."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from feedward.discovery.candidate import Candidate, Kind, Source, ValidationStatus
from feedward.discovery.score import rank
from feedward.model import FeedFormat, Item
from tests.unit.discovery.candidates import (
    NOW,
    SITE,
    SITES,
    asked,
    asked_of,
    feed,
    invalid,
    items,
    lead,
    of_site,
    untested,
    valid,
)

YEAR = 365 * 86400


def order(ranked: tuple[Candidate, ...]) -> list[str]:
    return [candidate.final_url or candidate.url for candidate in ranked]


def first(*candidates: Candidate, **view: Any) -> str:
    return order(rank(candidates, asked(**view)))[0]


# --- the sites of the cases -------------------------------------------------------------------------


@pytest.mark.parametrize("name", SITES)
def test_feeds_of_a_site_are_in_the_wanted_order(name: str) -> None:
    site, wanted = SITES[name]["args"][0], SITES[name]["expected"]

    ranked = rank(of_site(site, wanted["ranking"])[::-1], asked_of(site))

    assert order(ranked) == wanted["ranking"]
    assert [url for url, each in zip(order(ranked), ranked, strict=True) if each.is_canonical] == wanted["ranking"][:1]


# --- the parts --------------------------------------------------------------------------------------


def test_score_is_the_sum_of_its_parts_and_names_each() -> None:
    (best,) = rank([valid("https://example.com/feed", position=2)], asked())

    assert best.parts == {
        "source": 600,
        "site_link": 60,
        "item_links": 40,
        "feed_host": 20,
        "order": -8,
        "items": 3,
        "format": 3,
        "https": 5,
    }
    assert best.score == 723


@pytest.mark.parametrize(
    ("source", "points"),
    [
        (Source.LINK, 600),
        (Source.LINK_HEADER, 600),
        (Source.LINK_GENERIC, 580),
        (Source.REL_FEED, 580),
        (Source.PLATFORM, 550),
        (Source.SECOND_HOP_LINK, 420),
        (Source.ANCHOR, 400),
        (Source.WEAK_ANCHOR, 320),
        (Source.PAGE_DATA, 315),
        (Source.SECOND_HOP, 310),
        (Source.GUESS_DIRECTORY, 300),
        (Source.GUESS_ROOT, 290),
        (Source.RSSHUB, 100),
    ],
)
def test_source_has_its_points(source: Source, points: int) -> None:
    (best,) = rank([valid("https://example.com/feed", source=source)], asked())

    assert best.parts["source"] == points
    assert best.score == points + 60 + 40 + 20 + 3 + 3 + 5


def test_typed_feed_has_its_thousand_points_alone() -> None:
    document = feed(site_url="https://other.example/", posts=[])
    (best,) = rank([valid("https://example.com/comments/feed", document, source=Source.DIRECT)], asked())

    assert best.parts == {"source": 1000}
    assert (best.score, best.is_canonical, best.kind) == (1000, True, Kind.COMMENTS)


@pytest.mark.parametrize(
    "candidate", [invalid("https://example.com/a/b/c/feed"), untested("https://example.com/a/b/feed")]
)
def test_an_unproven_candidate_has_the_points_of_its_source_only(candidate: Candidate) -> None:
    (only,) = rank([candidate], asked())

    assert only.parts == {"source": 600}
    assert (only.score, only.is_canonical) == (600, False)


@pytest.mark.parametrize(
    ("site_url", "points"),
    [
        ("https://example.com/", 60),
        ("http://example.com", 60),
        ("/", 60),
        ("https://www.example.com/about", 40),
        ("https://blog.example.com/", 40),
        ("https://other.example/", -60),
        ("https://example.com.evil.example/", -60),
        (None, 0),
        ("", 0),
        ("mailto:me@example.com", 0),
        ("http://localhost:4000/", 0),
        ("http://127.0.0.1/", 0),
    ],
)
def test_site_link(site_url: str | None, points: int) -> None:
    (best,) = rank([valid("https://example.com/feed", feed(site_url=site_url))], asked())

    assert best.parts.get("site_link", 0) == points


@pytest.mark.parametrize(
    ("kind_url", "points"),
    [("https://example.com/tag/tea/feed", 60), ("https://example.com/comments/feed", 40)],
)
def test_link_to_the_typed_page_counts_more_for_feeds_of_posts(kind_url: str, points: int) -> None:
    (best,) = rank([valid(kind_url)], asked())

    assert best.parts["site_link"] == points


def link_items(*urls: str | None) -> tuple[Item, ...]:
    return tuple(Item(id=str(n), url=url) for n, url in enumerate(urls))


OWN, OTHER = "https://blog.example.com/p", "https://other.example/p"


@pytest.mark.parametrize(
    ("urls", "points"),
    [
        ([OWN], 40),
        ([OTHER], -20),
        ([OWN, OTHER], 40),
        ([OWN, OTHER, OTHER], -20),
        (["/p/1"], 40),
        ([None, None], 0),
        (["tag:example.com,2026:1"], 0),
        ([OTHER] * 5 + [OWN] * 5, 40),
        ([OTHER] * 10 + [OWN] * 90, -20),
    ],
)
def test_item_links_of_the_first_ten(urls: list[str | None], points: int) -> None:
    (best,) = rank([valid("https://example.com/feed", feed(posts=link_items(*urls)))], asked())

    assert best.parts.get("item_links", 0) == points


@pytest.mark.parametrize(
    ("url", "page", "points"),
    [
        ("https://example.com/feed", SITE, 0),
        ("https://example.com/", SITE, 0),
        ("https://example.com/a/feed", SITE, -10),
        ("https://example.com/a/b/c/d/e/f/g/feed", SITE, -50),
        ("https://example.com/news/feed", "https://example.com/news/", 0),
        ("https://example.com/news/feed", "https://example.com/news", 0),
        ("https://example.com/news/feed", "https://example.com/news/index.html", 0),
        ("https://www.example.com/news/feed", "https://example.com/news/index.html", 0),
        ("https://example.com/news/world/feed", "https://example.com/news/", -10),
        ("https://example.com/other/feed", "https://example.com/news/", -10),
        ("https://feeds.example.com/news/feed", "https://example.com/news/", -10),
    ],
)
def test_depth_does_not_count_the_typed_directory(url: str, page: str, points: int) -> None:
    (best,) = rank([valid(url)], asked(page))

    assert best.parts.get("depth", 0) == points


@pytest.mark.parametrize(("position", "points"), [(0, 0), (1, -4), (5, -20), (6, -20), (90, -20)])
def test_order_on_the_page(position: int, points: int) -> None:
    (best,) = rank([valid("https://example.com/feed", position=position)], asked())

    assert best.parts.get("order", 0) == points


@pytest.mark.parametrize(("position", "points"), [(0, 0), (1, -40), (2, -80), (3, -90), (90, -90)])
def test_a_rules_order_counts_more_than_a_pages(position: int, points: int) -> None:
    (best,) = rank([valid("https://example.com/feed", source=Source.PLATFORM, position=position)], asked())

    assert best.parts.get("order", 0) == points


def test_order_of_guesses_says_nothing() -> None:
    (best,) = rank([valid("https://example.com/feed", source=Source.GUESS_ROOT, position=4)], asked())

    assert "order" not in best.parts


@pytest.mark.parametrize(("count", "points"), [(0, -100), (1, 1), (10, 10), (500, 10)])
def test_items(count: int, points: int) -> None:
    (best,) = rank([valid("https://example.com/feed", feed(posts=items(count)))], asked())

    assert best.parts["items"] == points


@pytest.mark.parametrize(
    ("format_", "points"),
    [(FeedFormat.RSS, 3), (FeedFormat.ATOM, 3), (FeedFormat.RDF, 1), (FeedFormat.JSON_FEED, 0)],
)
def test_format(format_: FeedFormat, points: int) -> None:
    (best,) = rank([valid("https://example.com/feed", feed(format=format_))], asked())

    assert best.parts.get("format", 0) == points


def test_https_counts_where_the_feed_landed() -> None:
    up = valid("http://example.com/feed", final_url="https://example.com/feed")
    down = valid("https://example.com/rss", final_url="http://example.com/rss")

    assert [candidate.parts.get("https", 0) for candidate in rank([up, down], asked())] == [5, 0]


@pytest.mark.parametrize(("age", "points"), [(0, 0), (YEAR, 0), (YEAR + 1, -120), (13 * YEAR, -120)])
def test_stale_is_said_against_the_newest_feed_of_the_site(age: int, points: int) -> None:
    old = valid("https://example.com/old", feed(posts=items(3, newest=NOW - age)))
    new = valid("https://example.com/new-one", feed(posts=items(3)))

    parts = {candidate.url: candidate.parts for candidate in rank([old, new], asked())}

    assert parts["https://example.com/old"].get("stale", 0) == points
    assert "stale" not in parts["https://example.com/new-one"]


def test_a_lone_old_feed_is_not_stale_and_neither_is_one_without_dates() -> None:
    old = valid("https://example.com/old", feed(posts=items(3, newest=86400)))
    undated = valid("https://example.com/undated", feed(posts=link_items(OWN)))

    assert all("stale" not in candidate.parts for candidate in rank([old], asked()))
    assert all("stale" not in candidate.parts for candidate in rank([old, undated], asked()))


def test_a_fresh_feed_of_another_site_makes_none_stale() -> None:
    own = valid("https://example.com/feed", feed(posts=items(3, newest=NOW - 2 * YEAR)))
    other = "https://other.example/"
    foreign = valid("https://other.example/feed", feed(site_url=other, posts=items(site=other)))

    assert all("stale" not in candidate.parts for candidate in rank([own, foreign], asked()))


@pytest.mark.parametrize(
    ("page", "hreflang", "feed_language", "points"),
    [
        ("en", "af", None, -25),
        ("en", None, "af", -25),
        ("en-gb", "en", None, 0),
        ("en", "en-US", "de", 0),
        ("en", "de", "en", -25),
        ("en", None, None, 0),
        (None, "de", "de", 0),
        ("de", "DE_at", None, 0),
    ],
)
def test_language(page: str | None, hreflang: str | None, feed_language: str | None, points: int) -> None:
    candidate = valid("https://example.com/feed", feed(language=feed_language), language=hreflang)

    (best,) = rank([candidate], asked(language=page))

    assert best.parts.get("language", 0) == points


# --- kind -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind", "points"),
    [
        ("feed", Kind.MAIN, 0),
        ("category/tea/feed", Kind.CATEGORY, -300),
        ("tag/tea/feed", Kind.TAG, -300),
        ("author/jo/feed", Kind.AUTHOR, -300),
        ("topic/tea/feed", Kind.TOPIC, -300),
        ("section/tea/feed", Kind.SECTION, -300),
        ("search/tea/feed", Kind.SEARCH, -350),
        ("comments/feed", Kind.COMMENTS, -400),
        ("podcast.xml", Kind.PODCAST, -50),
    ],
)
def test_kind_has_its_points(path: str, kind: Kind, points: int) -> None:
    (best,) = rank([valid(SITE + path)], asked())

    assert (best.kind, best.parts.get("kind", 0)) == (kind, points)


def test_comments_of_one_post_come_after_those_of_the_site() -> None:
    page = "https://example.com/2026/08/hello/"
    of_post = valid(page + "feed/", feed(title="Comments on: Hello", posts=items(10)))
    of_site = valid("https://example.com/comments/feed/", feed(title="Comments", posts=items(3)), position=1)

    assert first(of_post, of_site, url=page) == of_site.url


def test_a_platforms_knowledge_counts_more_than_the_form_of_the_url() -> None:
    candidate = valid("https://example.com/tag/tea/feed", source=Source.PLATFORM, kind=Kind.MAIN)

    assert rank([candidate], asked())[0].kind is Kind.MAIN


def test_a_feed_that_moved_to_another_host_keeps_the_kind_of_its_address() -> None:
    burned = valid("https://example.com/tag/tea/feed", final_url="https://feeds.burner.example/extea")
    moved = valid("https://example.com/tag/tea/feed", final_url="https://example.com/feed")

    assert rank([burned], asked())[0].kind is Kind.TAG
    assert rank([moved], asked())[0].kind is Kind.MAIN


def test_title_of_the_link_adds_to_the_kind() -> None:
    candidate = valid("https://example.com/?feed=x", title="Example » Kommentar-Feed")

    assert rank([candidate], asked())[0].kind is Kind.COMMENTS


# --- the requested kind -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "part"),
    [
        ("category/python/", "category/python/feed/"),
        ("category/python/", "feed/category/python"),
        ("category/python/", "?cat=12&feed=rss2"),
        ("tag/tea", "feeds/tag/tea.xml"),
        ("tags/tea/", "tags/tea/index.xml"),
        ("author/jo/", "author/jo/feed/"),
        ("notes/", "notes/index.xml"),
        ("notes", "notes/index.xml"),
        ("?cat=3", "?cat=3&feed=rss2"),
        ("search?q=tea", "search.rss?q=tea"),
        ("comments/", "comments/feed/"),
        ("podcast/", "podcast/feed.xml"),
        ("section/tea/", "section/tea/rss"),
        ("viewforum.php?f=30", "app.php/feed/forum/30"),
        ("forumdisplay.php?f=30", "external.php?type=RSS2&forumids=30"),
        ("forums/30-open-air", "external.php?type=RSS2&forumids=30"),
        ("f30/", "external.php?type=RSS2&forumids=30"),
        ("t/tea", "atom/t/tea"),
    ],
)
def test_part_that_was_asked_for_beats_the_main_feed(page: str, part: str) -> None:
    posts = items(site=SITE + page)
    main = valid("https://example.com/feed", feed(posts=items(10)))
    asked_for = valid(SITE + part, feed(title="x", posts=posts), position=3)

    ranked = rank([main, asked_for], asked(SITE + page))

    assert (ranked[0].url, ranked[0].parts["kind"]) == (asked_for.url, 150)


@pytest.mark.parametrize(
    ("page", "part"),
    [
        ("", "category/python/feed/"),
        ("category/python/", "category/java/feed/"),
        ("category/python/", "tag/python/feed/"),
        ("?cat=3", "?cat=4&feed=rss2"),
        ("about", "category/about/feed"),
        ("2026/08/hello/", "2026/08/hello/feed/"),
        ("blog/hello.html", "category/blog/feed"),
        ("viewforum.php?f=30", "app.php/feed/forum/3"),
        ("index.php", "app.php/feed/forum/30"),
        ("f30/", "external.php?type=RSS2&forumids=3"),
        ("", "external.php?type=RSS2&forumids=30"),
    ],
)
def test_part_that_was_not_asked_for_comes_after_the_main_feed(page: str, part: str) -> None:
    main = valid("https://example.com/feed", position=9)

    assert first(valid(SITE + part, feed(posts=items(10))), main, url=SITE + page) == main.url


def test_section_that_was_asked_for_is_no_other_section() -> None:
    main = valid("https://example.com/feed", position=9)
    of_section = feed(title="Photos", site_url="https://example.com/photos/", posts=items(10))
    photos = valid("https://example.com/photos/index.xml", of_section)

    assert first(photos, main, url="https://example.com/notes/") == main.url
    assert first(photos, main, url="https://example.com/", intent=Kind.SECTION) == photos.url
    assert first(photos, main, url="https://example.com/photos/") == photos.url


def test_part_whose_name_reads_like_a_headline_can_be_asked_for() -> None:
    page = "https://example.com/green-tea-and-oolong/"
    main = valid("https://example.com/feed")
    part = valid(page + "feed/", feed(title="Green tea", site_url=page), position=3)

    assert first(main, part, url=page) == part.url


def test_caller_may_ask_for_a_kind_that_the_url_does_not_tell() -> None:
    main, comments = valid("https://example.com/feed"), valid("https://example.com/comments/feed", position=1)

    assert first(main, comments, intent=Kind.COMMENTS) == comments.url


def test_caller_may_ask_for_the_main_feed_from_a_page_of_a_part() -> None:
    page = "https://example.com/category/python/"
    main, part = valid("https://example.com/feed", position=3), valid(page + "feed/")

    assert first(main, part, url=page, intent=Kind.MAIN) == main.url


def test_first_proposal_of_a_platform_is_the_feed_that_its_url_asks_for() -> None:
    page = "https://example.com/t/tea"
    tag = valid("https://example.com/feeds/t-tea", source=Source.PLATFORM, kind=Kind.TAG)
    second = valid("https://example.com/feeds/all", source=Source.PLATFORM, kind=Kind.MAIN, position=1)
    third = valid("https://example.com/feeds/x", source=Source.PLATFORM, kind=Kind.COMMENTS, position=2)

    ranked = rank([third, second, tag], asked(page))

    assert order(ranked) == [tag.url, second.url, third.url]


# --- the order of importance (rule D9) -----------------------------------------------------


IN_HOUSE = [source for source in Source if source not in (Source.DIRECT, Source.RSSHUB)]


@pytest.mark.parametrize("path", ["category/a/feed", "comments/feed", "search/?q=a&feed=rss2", "author/jo/feed"])
@pytest.mark.parametrize("source", IN_HOUSE)
def test_main_feed_found_in_any_way_beats_an_advertised_part(source: Source, path: str) -> None:
    main = valid("https://example.com/feed", feed(posts=items(1)), source=source, position=5)
    part = valid(SITE + path, feed(posts=items(10)))

    assert first(part, main) == main.url


@pytest.mark.parametrize("path", ["category/a/feed", "tag/a/feed"])
def test_own_part_beats_the_feed_of_another_site(path: str) -> None:
    other = "https://other.example/"
    foreign = valid(other + "feed", feed(site_url=other, posts=items(10, site=other)), source=Source.ANCHOR)
    own = valid(SITE + path, feed(posts=items(3)))

    assert first(foreign, own) == own.url


@pytest.mark.parametrize(
    ("own", "site_url", "is_first"),
    [
        ("https://example.com/blog/feed", "https://example.com/blog", True),
        ("https://example.com/blog/index.xml", "/blog/", True),
        ("https://example.com/blog/feed", "https://example.com/", False),
        ("https://example.com/other/feed", "https://example.com/blog", False),
    ],
)
def test_the_blog_that_was_typed_beats_the_site_that_its_page_advertises(
    own: str, site_url: str, is_first: bool
) -> None:
    of_blog = valid(own, feed(site_url=site_url), source=Source.ANCHOR)
    of_site = valid("https://example.com/master/feed", feed(posts=items(10)))

    assert first(of_site, of_blog, url="https://example.com/blog") == (of_blog.url if is_first else of_site.url)
    assert first(of_site, of_blog) == of_site.url


def test_sources_are_in_order_where_all_else_is_equal() -> None:
    found = [valid(f"https://example.com/{n:02}", source=source) for n, source in enumerate(Source)]

    ranked = rank(found[::-1], asked())

    assert [each.score for each in ranked] == sorted((each.score for each in found_scores(found)), reverse=True)
    assert ranked[0].source is Source.DIRECT
    assert ranked[-1].source is Source.RSSHUB


def found_scores(found: list[Candidate]) -> list[Candidate]:
    return [rank([candidate], asked())[0] for candidate in found]


def test_podcast_listed_first_does_not_beat_the_articles() -> None:
    podcast = valid("https://example.com/podcast.xml", feed(title="Podcast", posts=items(10)), title="Podcast")
    articles = valid("https://example.com/feed.xml", feed(title="Articles"), position=1, title="Articles")

    assert first(podcast, articles) == articles.url


def test_podcast_is_chosen_where_it_is_all_there_is() -> None:
    (only,) = rank([valid("https://example.com/podcast.xml")], asked())

    assert (only.is_canonical, only.kind) == (True, Kind.PODCAST)


def test_bilingual_site_gives_the_feed_of_the_page_s_language() -> None:
    other = valid("https://example.com/af/rss.xml", language="af")
    same = valid("https://example.com/rss.xml", position=1, language="en")

    assert first(other, same, language="en") == same.url
    assert first(other, same, url="https://example.com/af/", language="af") == other.url


def test_both_feeds_of_a_page_stay_candidates() -> None:
    news, music = valid("https://example.com/news.xml"), valid("https://example.com/music.xml", position=1)

    ranked = rank([music, news], asked())

    assert order(ranked) == [news.url, music.url]
    assert [candidate.is_canonical for candidate in ranked] == [True, False]


# --- the choice -------------------------------------------------------------------------------------


def test_feed_of_another_site_is_never_the_choice() -> None:
    other = "https://other.example/"
    (only,) = rank([valid(other + "feed", feed(site_url=other, posts=items(site=other)))], asked())

    assert not only.is_canonical


def test_feed_of_another_site_is_listed_after_each_feed_that_may_be_chosen() -> None:
    other = "https://other.example/"
    foreign = valid(other + "feed", feed(site_url=other, posts=items(10, site=other)))
    own = valid("https://example.com/a/b/c/d/comments/feed", feed(posts=items(0)), source=Source.RSSHUB, position=9)

    ranked = rank([own, foreign], asked())

    assert [candidate.is_canonical for candidate in ranked] == [True, False]
    assert ranked[1].parts["another_site"] == -1500


def test_an_unproven_url_is_never_chosen() -> None:
    assert not any(each.is_canonical for each in rank([invalid(SITE + "feed"), untested(SITE + "rss")], asked()))


def test_an_old_mark_is_taken_off() -> None:
    old = replace(invalid(SITE + "feed"), is_canonical=True, score=9, parts={"x": 9})

    (only,) = rank([old], asked())

    assert (only.is_canonical, only.parts) == (False, {"source": 600})


def test_nothing_ranks_to_nothing() -> None:
    assert rank([], asked()) == ()


# --- order ------------------------------------------------------------------------------------------


def test_valid_candidates_come_first_then_untested_then_failed_ones() -> None:
    last = valid("https://example.com/z", source=Source.RSSHUB)

    ranked = rank([invalid(SITE + "a"), untested(SITE + "b"), last], asked())

    assert [candidate.status for candidate in ranked] == [
        ValidationStatus.VALID,
        ValidationStatus.UNTESTED,
        ValidationStatus.INVALID,
    ]


def test_ties_go_to_the_shorter_url_then_to_its_text() -> None:
    urls = ["https://example.com/bb", "https://example.com/a", "https://example.com/ab"]

    for shuffled in itertools.permutations(urls):
        ranked = rank([valid(url, feed(title=url)) for url in shuffled], asked())
        assert order(ranked) == ["https://example.com/a", "https://example.com/ab", "https://example.com/bb"]


def test_of_equals_the_one_that_has_dates_comes_first_however_long_its_url_is() -> None:
    dated = valid("https://example.com/a-longer-one", feed(title="dated", posts=items(3)))
    undated = valid("https://example.com/short", feed(title="undated", posts=link_items(OWN) * 3))

    for both in ([dated, undated], [undated, dated]):
        ranked = rank(both, asked())
        assert len({candidate.score for candidate in ranked}) == 1
        assert order(ranked) == [dated.url, undated.url]


def test_kind_of_an_untested_candidate_is_that_of_its_lead() -> None:
    candidate = untested("https://example.com/x", lead("https://example.com/x", title="Comments Feed"))

    assert rank([candidate], asked())[0].kind is Kind.COMMENTS
