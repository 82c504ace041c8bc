"""Faults of other finders, as whole discoveries: each has the right ending here."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.discovery.candidate import DiscoveredFrom, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.model import Outcome
from tests.unit.services.discover.discovered import candidate, chosen, find, html, link, moved, paths, rss, valid

A = "https://example.com"
FEED = rss(f"{A}/")
JSON_FEED = {"body": '{"version":"https://jsonfeed.org/version/1","title":"t","items":[]}'}


def test_article_feed_is_chosen_before_the_podcast() -> None:
    head = link("/podcast.xml", "Podcast") + link("/feed.xml", "Articles")
    pages = {f"{A}/": html(head), f"{A}/podcast.xml": rss(f"{A}/", title="Podcast"), f"{A}/feed.xml": FEED}
    assert chosen(find(f"{A}/", pages)[0]) == f"{A}/feed.xml"


def test_feed_that_an_anchor_in_the_footer_advertises_is_found() -> None:
    page = "https://example.se/categories/blog/"
    anchor = '<footer><a href="/categories/blog/index.xml" rel="alternate" type="application/rss+xml">x</a></footer>'
    found, _ = find(page, {page: html("", anchor), f"{page}index.xml": rss(page)})
    assert chosen(found) == f"{page}index.xml"


def test_json_feed_that_is_advertised_as_json_is_found() -> None:
    head = '<link rel="alternate" href="feed.json" type="application/json">'
    found, _ = find(f"{A}/", {f"{A}/": html(head), f"{A}/feed.json": JSON_FEED})
    assert (chosen(found), found.requests) == (f"{A}/feed.json", 2)


def test_channel_page_without_a_feed_link_has_the_channels_feed() -> None:
    page = "https://www.youtube.com/channel/UC0123456789abcdefghijkl"
    feed = "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789abcdefghijkl"
    found, _ = find(page, {page: html(), feed: rss(page)})
    assert (chosen(found), found.candidates[0].discovered_from[0]) == (feed, DiscoveredFrom.PLATFORM)


def test_platform_feed_that_does_not_answer_is_not_the_choice() -> None:
    page = "https://www.youtube.com/channel/UC0123456789abcdefghijkl"
    found, _ = find(page, {page: html()})
    assert (chosen(found), found.outcome) == (None, DiscoveryOutcome.NO_FEED)


def test_display_name_is_never_taken_for_a_user_name() -> None:
    page = "https://www.youtube.com/@Somename"
    naive = "https://www.youtube.com/feeds/videos.xml?user=Somename"
    found, internet = find(page, {page: html(), naive: rss("https://www.youtube.com/user/other")})
    assert (chosen(found), naive in internet.fetched) == (None, False)


@pytest.mark.parametrize("host", ["name.substack.com", "newsletter.example.com", "publication.example.com"])
def test_post_of_a_newsletter_or_publication_leads_to_the_feed_at_the_root(host: str) -> None:
    page, feed = f"https://{host}/p/some-post", f"https://{host}/feed"
    assert chosen(find(page, {page: html(), feed: rss(f"https://{host}/")})[0]) == feed
    story = f"https://{host}/some-story-of-mine-abc123"
    assert chosen(find(story, {story: html(), feed: rss(f"https://{host}/")})[0]) == feed


def test_two_addresses_of_one_publication_are_one_candidate() -> None:
    head = link("https://medium.com/feed/@name") + link("https://medium.com/@name/feed")
    feed = rss("https://medium.com/@name", self_url="https://medium.com/@name/feed")
    pages = {"https://medium.com/feed/@name": feed, "https://medium.com/@name/feed": feed}
    found, _ = find("https://medium.com/@name", {"https://medium.com/@name": html(head), **pages})
    assert len(valid(found)) == 1


def test_advertised_feed_that_turns_out_to_be_the_home_page_is_not_searched_again() -> None:
    pages = {
        f"{A}/news/": html(link("/f1") + link("/f2") + link("/f3")),
        f"{A}/f1": moved("/", 302),
        f"{A}/f2": moved("/", 302),
        f"{A}/f3": FEED,
        f"{A}/": html(link("/f1") + link("/f2") + link("/f9")),
        f"{A}/f9": rss(f"{A}/", title="never"),
    }
    found, internet = find(f"{A}/news/", pages)
    assert chosen(found) == f"{A}/f3"
    assert candidate(found, f"{A}/f1").outcome is Outcome.NOT_FEED
    assert "/f9" not in paths(internet)
    assert found.requests <= 6


def test_feed_in_the_pages_language_is_chosen() -> None:
    head = link("/af/rss.xml", more='hreflang="af"') + link("/rss.xml", more='hreflang="en"')
    page = {"body": f'<!doctype html><html lang="en"><head><title>x</title>{head}</head></html>'}
    pages = {f"{A}/post": page, f"{A}/af/rss.xml": rss(f"{A}/", title="Af"), f"{A}/rss.xml": FEED}
    assert chosen(find(f"{A}/post", pages)[0]) == f"{A}/rss.xml"


def test_feed_that_was_given_is_the_answer_though_its_site_advertises_another() -> None:
    pages = {f"{A}/a/rss": rss(f"{A}/"), f"{A}/": html(link("/all.rss")), f"{A}/all.rss": rss(f"{A}/", title="All")}
    found, internet = find(f"{A}/a/rss", pages)
    assert (chosen(found), paths(internet)) == (f"{A}/a/rss", ["/a/rss"])


def test_relative_link_that_is_right_on_the_home_page_only_is_tried_at_the_root() -> None:
    page = f"{A}/2021/06/post/"
    found, _ = find(page, {page: html(link("atom.xml", "Blog")), f"{A}/atom.xml": FEED})
    assert chosen(found) == f"{A}/atom.xml"
    assert candidate(found, f"{A}/atom.xml").source is Source.LINK
    assert found.requests <= 3


def test_relative_link_that_answers_is_not_tried_at_the_root() -> None:
    page = f"{A}/2021/06/post/"
    pages = {page: html(link("atom.xml")), f"{page}atom.xml": rss(f"{A}/", title="Post"), f"{A}/atom.xml": FEED}
    assert chosen(find(page, pages)[0]) in (f"{page}atom.xml", f"{A}/atom.xml")


def test_all_feeds_of_a_page_are_candidates() -> None:
    head = link("/news.xml", "News") + link("/music.xml", "Music")
    pages = {
        f"{A}/": html(head),
        f"{A}/news.xml": rss(f"{A}/", title="News"),
        f"{A}/music.xml": rss(f"{A}/", title="M"),
    }
    found, _ = find(f"{A}/", pages)
    assert valid(found) == [f"{A}/news.xml", f"{A}/music.xml"]
    assert all(each.score == sum(each.parts.values()) > 0 for each in found.candidates)


def test_guess_below_the_page_comes_before_the_guess_at_the_root() -> None:
    page = "https://www.example.com/in"
    pages = {
        page: html(),
        f"{page}/rss": rss(page, title="In"),
        "https://www.example.com/rss": rss("https://www.example.com/"),
    }
    found, _ = find(page, pages)
    assert valid(found) == [f"{page}/rss", "https://www.example.com/rss"]


def test_page_of_eight_hundred_links_costs_no_more_than_the_budget() -> None:
    anchors = "".join(f'<a href="/feeds/{n}">feed {n}</a>' for n in range(800))
    found, internet = find(f"{A}/", {f"{A}/": html("", anchors), f"{A}*": html()})
    assert len(internet.requests) == found.requests <= 24
    assert (found.complete, found.outcome) == (True, DiscoveryOutcome.NO_FEED)
    assert found.rounds <= 5


def test_page_that_shows_feed_markup_in_a_code_block_is_no_feed() -> None:
    page = html("", "<pre><code><rss version='2.0'><channel></channel></rss></code></pre>")
    found, _ = find(f"{A}/", {f"{A}/": page})
    assert (found.outcome, valid(found)) == (DiscoveryOutcome.NO_FEED, [])


ERROR_FEEDS: dict[str, dict[str, Any]] = {
    "RSS-Bridge": {
        "body": "<rss version='2.0'><channel><title>Bridge</title><link>https://example.com/</link><item>"
        "<title>Bridge returned error 403! (20000)</title><link>https://example.com/</link></item></channel></rss>"
    },
}


@pytest.mark.parametrize("page", ERROR_FEEDS.values(), ids=ERROR_FEEDS)
def test_generators_error_in_the_shape_of_a_feed_is_no_feed(page: dict[str, Any]) -> None:
    found, _ = find(f"{A}/", {f"{A}/": html(link("/bridge")), f"{A}/bridge": page})
    assert candidate(found, f"{A}/bridge").outcome is Outcome.GENERATOR_ERROR
    assert candidate(found, f"{A}/bridge").status is ValidationStatus.INVALID
    assert chosen(found) is None
