"""The input, the page behind it and the links of the page itself (rule D6)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.model import FetchResult, Outcome, Wanted
from feedward.services.discover.discover import discover
from tests.fakes.fetcher import FakeFetcher
from tests.unit.services.discover.discovered import candidate, chosen, find, html, link, moved, paths, rss, valid

A = "http://tea.example"
FEED = rss(f"{A}/")


# --- the input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("", DiscoveryOutcome.BAD_URL),
        ("tea", DiscoveryOutcome.BAD_URL),
        ("mailto:me@tea.example", DiscoveryOutcome.BAD_URL),
        ("file:///etc/passwd", DiscoveryOutcome.BAD_URL),
        ("http://tea.example:22/", DiscoveryOutcome.BLOCKED),
        ("http://me:secret@tea.example/", DiscoveryOutcome.BLOCKED),
        ("http://127.0.0.1/", DiscoveryOutcome.BLOCKED),
        ("feed://localhost/feed", DiscoveryOutcome.BLOCKED),
        ("http://[::1]/", DiscoveryOutcome.BLOCKED),
    ],
)
def test_a_forbidden_url_ends_immediately_without_a_request(url: str, outcome: DiscoveryOutcome) -> None:
    found, internet = find(url, {f"{A}/": html()})
    assert (found.outcome, found.complete, found.requests, found.rounds) == (outcome, True, 0, 0)
    assert (found.url, found.candidates, internet.fetched) == ("", (), [])
    assert found.detail
    assert "secret" not in found.detail


@pytest.mark.parametrize("written", ["tea.example", "  tea.example/ ", "feed:tea.example", "feed://tea.example/"])
def test_missing_or_feed_like_scheme_tries_https_and_then_http(written: str) -> None:
    found, internet = find(written, {f"{A}/": html(link("/feed")), f"{A}/feed": FEED})
    assert (found.url, chosen(found)) == (f"{A}/", f"{A}/feed")
    assert internet.fetched[:2] == ["https://tea.example/", f"{A}/"]


def test_written_scheme_stays_where_it_answers() -> None:
    found, internet = find(f"{A}/#top", {f"{A}/": html(link("/feed")), f"{A}/feed": FEED})
    assert (found.input_url, found.url) == (f"{A}/#top", f"{A}/")
    assert internet.requests == [f"{A}/", f"{A}/feed"]


# --- a feed was typed ----------------------------------------------------------------------------------


def test_feed_that_was_typed_is_the_answer_with_one_request() -> None:
    found, internet = find(f"{A}/comments/feed", {f"{A}/comments/feed": FEED, f"{A}/": html(link("/feed"))})
    assert (found.outcome, chosen(found), found.page) == (DiscoveryOutcome.FOUND, f"{A}/comments/feed", None)
    assert (found.requests, found.rounds, len(internet.requests)) == (1, 1, 1)
    assert found.candidates[0].discovered_from == (DiscoveredFrom.DIRECT,)


def test_typed_feed_of_another_site_is_the_answer_too() -> None:
    found, _ = find("http://proxy.example/tea", {"http://proxy.example/tea": FEED})
    assert (found.outcome, chosen(found)) == (DiscoveryOutcome.FOUND, "http://proxy.example/tea")


def test_typed_feed_that_moved_is_found_where_it_is() -> None:
    found, _ = find(f"{A}/rss", {f"{A}/rss": moved("/feed/"), f"{A}/feed/": FEED})
    assert (chosen(found), found.requests, found.rounds) == (f"{A}/feed/", 2, 1)
    assert found.candidates[0].url == f"{A}/rss"


@pytest.mark.parametrize("path", ["/sitemap.xml", "/wp-json/feed", "/feeds.opml", "/feed.json"])
def test_typed_feed_is_taken_even_if_its_url_looks_like_another_document(path: str) -> None:
    found, _ = find(f"{A}{path}", {f"{A}{path}": FEED})
    assert (found.outcome, chosen(found), found.requests) == (DiscoveryOutcome.FOUND, f"{A}{path}", 1)


def test_candidate_has_the_data_of_its_feed() -> None:
    found, _ = find(f"{A}/feed", {f"{A}/feed": rss(f"{A}/", title="Tea", items=5)})
    feed = found.candidates[0]
    assert (feed.title, feed.site_url, feed.format, feed.item_count, len(feed.items)) == ("Tea", f"{A}/", "rss", 5, 3)
    assert feed.newest_item_at == 1786356000
    assert (feed.status, feed.outcome, feed.http_status, feed.detail) == (ValidationStatus.VALID, Outcome.OK, 200, "")


# --- the page ------------------------------------------------------------------------------------------


def test_advertised_feed_is_found_with_two_requests_in_two_rounds() -> None:
    head = link("feed.xml", "Tea") + '<link rel="icon" href="/leaf.png">'
    found, internet = find(f"{A}/blog/", {f"{A}/blog/": html(head), f"{A}/blog/feed.xml": FEED})
    assert (chosen(found), found.outcome, found.complete) == (f"{A}/blog/feed.xml", DiscoveryOutcome.FOUND, True)
    assert (found.requests, found.rounds, len(internet.requests)) == (2, 2, 2)
    assert found.page
    assert (found.page.url, found.page.title, found.page.favicon) == (f"{A}/blog/", "Home", f"{A}/leaf.png")
    assert (found.page_outcome, found.http_status) == (Outcome.OK, 200)


class Negotiating(FakeFetcher):
    """Sends a feed at the home page's own URL to requests for a feed."""

    def fetch(self, url: str, **how: Any) -> FetchResult:
        self.network[f"{A}/"] = FEED if how.get("wants", Wanted.FEED) is Wanted.FEED else html(link("") + self.more)
        return super().fetch(url, **how)

    more = ""


def test_a_page_that_says_to_be_a_feed_itself_is_asked_once_more_as_one() -> None:
    internet = Negotiating({f"{A}/": FEED}, answers_404=True)
    found = discover(f"{A}/", fetcher=internet)
    assert (chosen(found), internet.requests) == (f"{A}/", [f"{A}/", f"{A}/"])


def test_a_page_that_names_another_feed_too_is_not_asked_again() -> None:
    internet = Negotiating({f"{A}/": FEED, f"{A}/feed.xml": FEED}, answers_404=True)
    internet.more = link("feed.xml")
    found = discover(f"{A}/", fetcher=internet)
    assert (chosen(found), internet.requests) == (f"{A}/feed.xml", [f"{A}/", f"{A}/feed.xml"])


def test_a_page_at_a_feeds_path_was_asked_as_a_feed_already() -> None:
    _, internet = find(f"{A}/feed", {f"{A}/feed": html(link(""))})
    assert internet.requests.count(f"{A}/feed") == 1


def test_links_belong_to_where_the_page_was_found() -> None:
    pages = {"http://old.example/": moved(f"{A}/new/"), f"{A}/new/": html(link("feed")), f"{A}/new/feed": FEED}
    found, _ = find("http://old.example/", pages)
    assert (chosen(found), found.site_url, found.requests, found.rounds) == (f"{A}/new/feed", f"{A}/new/", 3, 2)


def test_all_that_is_advertised_is_tried_and_told_of() -> None:
    head = link("/comments/feed", "Comments") + link("/tag/green/feed", "green") + link("/feed") + link("/gone.xml")
    pages = {f"{A}/": html(head), f"{A}/feed": FEED}
    pages |= {f"{A}/{path}/feed": rss(f"{A}/", title=path) for path in ("comments", "tag/green")}
    found, _ = find(f"{A}/", pages)
    assert valid(found) == [f"{A}/feed", f"{A}/tag/green/feed", f"{A}/comments/feed"]
    gone = candidate(found, f"{A}/gone.xml")
    assert (gone.status, gone.outcome, gone.http_status) == (ValidationStatus.INVALID, Outcome.NOT_FOUND, 404)
    assert gone.detail == "nothing is there"
    assert (found.requests, found.rounds) == (5, 2)


def test_the_likely_main_feed_is_tried_though_a_hundred_others_stand_before_it() -> None:
    others = "".join(link(f"/category/c{n}/feed", f"c{n}") for n in range(100))
    found, internet = find(f"{A}/", {f"{A}/": html(others + link("/feed")), f"{A}/feed": FEED})
    assert chosen(found) == f"{A}/feed"
    assert found.requests == len(internet.requests) == 11
    assert (len(found.candidates), found.candidates_left_out) == (101, 0)
    untested = [each for each in found.candidates if each.status is ValidationStatus.UNTESTED]
    assert {each.detail for each in untested} == {"not needed"}


def test_the_feed_that_lies_nearest_is_tried_though_sixty_of_other_places_stand_before_it() -> None:
    head = "".join(link(f"/sec{n}/feed/", f"sec{n}") for n in range(60)) + link("/feed/", "Site")
    sections = {f"{A}/sec{n}/feed/": rss(f"{A}/sec{n}/", title=f"sec{n}") for n in range(60)}
    found, internet = find(f"{A}/", {f"{A}/": html(head), f"{A}/feed/": rss(f"{A}/"), **sections})
    assert (chosen(found), len(internet.requests)) == (f"{A}/feed/", 11)


def test_of_the_feeds_that_a_page_of_feeds_lists_the_main_one_is_chosen() -> None:
    names = [f"sec{n}" for n in range(30)]
    listed = "".join(f'<a href="/xml/{name}.xml">{name}</a>' for name in names) + '<a href="/xml/x.xml">Top stories</a>'
    feeds = {f"{A}/xml/{name}.xml": rss(f"{A}/", title=name) for name in [*names, "x"]}
    pages = {f"{A}/": html("", '<a href="/rss-feeds">RSS</a>'), f"{A}/rss-feeds": html("", listed), **feeds}
    found, internet = find(f"{A}/", pages)
    assert (chosen(found), len(internet.requests)) == (f"{A}/xml/x.xml", 10)


def test_the_page_has_the_intent_of_the_typed_url() -> None:
    head = link("/feed") + link("/tag/green/feed", "green")
    pages = {f"{A}/tag/green/": html(head), f"{A}/feed": FEED, f"{A}/tag/green/feed": rss(f"{A}/", title="green")}
    assert chosen(find(f"{A}/tag/green/", pages)[0]) == f"{A}/tag/green/feed"
    assert chosen(find(f"{A}/tag/green/", pages, intent=Kind.MAIN)[0]) == f"{A}/feed"


def test_link_header_counts_also_where_no_page_was_read() -> None:
    page = {"headers": {"Link": '</f>; rel="alternate"; type="application/rss+xml"', "Content-Type": "text/plain"}}
    found, _ = find(f"{A}/", {f"{A}/": {**page, "body": "hello"}, f"{A}/f": FEED})
    assert (chosen(found), found.page) == (f"{A}/f", None)
    assert candidate(found, f"{A}/f").source is Source.LINK_HEADER


def test_a_document_that_is_never_a_feed_is_not_requested() -> None:
    head = link("/wp-json/oembed/1.0/embed?url=x") + link("/reading.opml") + link("/feed")
    found, internet = find(f"{A}/", {f"{A}/": html(head), f"{A}/feed": FEED})
    assert paths(internet) == ["/", "/feed"]
    assert [each.url for each in found.candidates] == [f"{A}/feed"]


def test_name_that_leads_inside_is_a_candidate_that_is_not_asked_for() -> None:
    head = link("http://10.0.0.1/feed") + link("http://router.example/feed") + link("/feed")
    pages = {f"{A}/": html(head), f"{A}/feed": FEED, "http://router.example/feed": FEED}
    found, internet = find(f"{A}/", pages, dns={"router.example": ["192.168.0.1"]})
    inside = candidate(found, "http://router.example/feed")
    assert (inside.status, inside.outcome) == (ValidationStatus.INVALID, Outcome.BLOCKED)
    assert (valid(found), paths(internet)) == ([f"{A}/feed"], ["/", "/feed"])


# --- pages that only forward ------------------------------------------------------------------------------


REFRESH = '<meta http-equiv="refresh" content="0; url=/home">'


def test_meta_refresh_is_followed_for_one_hop() -> None:
    pages = {f"{A}/": html(REFRESH), f"{A}/home": html(link("/feed")), f"{A}/feed": FEED}
    found, _ = find(f"{A}/", pages)
    assert (chosen(found), found.site_url, found.rounds) == (f"{A}/feed", f"{A}/home", 3)


def test_meta_refresh_of_a_page_that_names_feeds_is_not_followed() -> None:
    found, internet = find(f"{A}/", {f"{A}/": html(REFRESH + link("/feed")), f"{A}/feed": FEED})
    assert (chosen(found), paths(internet)) == (f"{A}/feed", ["/", "/feed"])


def test_meta_refresh_may_lead_to_the_feed_itself() -> None:
    found, _ = find(f"{A}/", {f"{A}/": html(REFRESH), f"{A}/home": FEED})
    assert (chosen(found), found.candidates[0].source, found.requests) == (f"{A}/home", Source.DIRECT, 2)


def test_meta_refresh_that_leads_to_nothing_leaves_the_page_as_it_was() -> None:
    found, _ = find(f"{A}/", {f"{A}/": html(REFRESH, '<a href="/feed.rss">RSS</a>'), f"{A}/feed.rss": FEED})
    assert (chosen(found), found.site_url) == (f"{A}/feed.rss", f"{A}/")


# --- anchors ------------------------------------------------------------------------------------------------


def test_anchor_with_a_feeds_path_is_tried_together_with_advertised_feeds() -> None:
    pages = {f"{A}/": html(link("/feed"), '<a href="/news/feed.rss">News by RSS</a>'), f"{A}/feed": FEED}
    found, _ = find(f"{A}/", pages | {f"{A}/news/feed.rss": rss(f"{A}/", title="News")})
    assert (set(valid(found)), found.rounds) == ({f"{A}/feed", f"{A}/news/feed.rss"}, 2)


def test_anchor_that_only_its_words_speak_for_is_tried_where_nothing_better_is_advertised() -> None:
    anchor = '<a href="/out.php?id=3" title="RSS">subscribe</a>'
    pages = {f"{A}/": html("", anchor), f"{A}/out.php?id=3": FEED}
    assert chosen(find(f"{A}/", pages)[0]) == f"{A}/out.php?id=3"
    found, internet = find(f"{A}/", pages | {f"{A}/": html(link("/feed"), anchor), f"{A}/feed": FEED})
    assert paths(internet) == ["/", "/feed"]
    assert candidate(found, f"{A}/out.php?id=3").status is ValidationStatus.UNTESTED


def test_page_that_an_anchor_led_to_is_read_once_for_its_own_links() -> None:
    listed = html(link("/all.xml"), '<a href="/tea.rss">tea</a>' + '<a href="/feeds/more">more feeds</a>')
    pages = {f"{A}/": html("", '<a href="/feeds/">RSS feeds</a>'), f"{A}/feeds/": listed, f"{A}/all.xml": FEED}
    pages |= {f"{A}/tea.rss": rss(f"{A}/", title="T"), f"{A}/feeds/more": html(link("/never.xml"))}
    found, internet = find(f"{A}/", pages)
    assert (chosen(found), found.rounds) == (f"{A}/all.xml", 3)
    assert candidate(found, f"{A}/all.xml").source is Source.SECOND_HOP_LINK
    assert candidate(found, f"{A}/tea.rss").source is Source.SECOND_HOP
    assert "/never.xml" not in paths(internet)


def test_no_more_than_eight_links_of_those_pages_are_tried() -> None:
    listed = html("".join(link(f"/{n}.xml") for n in range(30)))
    pages = {f"{A}/": html("", '<a href="/feeds/">RSS feeds</a>'), f"{A}/feeds/": listed}
    found, internet = find(f"{A}/", pages)
    assert len([path for path in paths(internet) if path.strip("/")[:-4].isdecimal()]) == 8
    assert found.outcome is DiscoveryOutcome.NO_FEED


def test_https_link_of_an_http_page_whose_host_has_no_https_is_tried_over_http() -> None:
    found, _ = find(f"{A}/", {f"{A}/": html(link("https://tea.example/main")), f"{A}/main": FEED})
    assert (chosen(found), found.requests) == (f"{A}/main", 2)


def test_https_link_of_an_https_page_is_never_tried_over_http() -> None:
    pages = {"https://tea.example/": html(link("/main")), "https://tea.example/main": {"error": "tls_error"}}
    found, internet = find("https://tea.example/", pages | {f"{A}/main": FEED})
    assert found.canonical is None
    assert f"{A}/main" not in internet.requests


# --- platforms --------------------------------------------------------------------------------------------------


def test_platform_rule_by_the_url_alone_goes_in_the_round_of_the_page() -> None:
    channel = "UC0123456789abcdefghijkl"
    feed = f"https://www.youtube.com/feeds/videos.xml?channel_id={channel}"
    page = f"https://www.youtube.com/channel/{channel}"
    found, _ = find(page, {page: html(), feed: rss(f"{page}/")})
    assert (chosen(found), found.rounds) == (feed, 1)
    assert candidate(found, feed).discovered_from[0] is DiscoveredFrom.PLATFORM


def test_platform_feed_that_was_typed_is_asked_for_alone() -> None:
    url = "https://github.com/someone/tea/releases.atom"
    found, internet = find(url, {url: rss("https://github.com/someone/tea/releases")})
    assert (chosen(found), internet.fetched) == (url, [url])


def test_platforms_own_document_names_the_feed() -> None:
    lookup = "https://itunes.apple.com/lookup?id=123&entity=podcast"
    page = "https://podcasts.apple.com/us/podcast/tea/id123"
    answer: dict[str, Any] = {"body": '{"results": [{"feedUrl": "http://pods.example/tea"}]}'}
    found, _ = find(page, {page: html(), lookup: answer, "http://pods.example/tea": rss("http://tea.example/")})
    assert (chosen(found), found.requests, found.rounds) == ("http://pods.example/tea", 3, 2)
    assert found.candidates[0].discovered_from == (DiscoveredFrom.PLATFORM,)


@pytest.mark.parametrize("body", ["", "[]", "{", '{"results": [1, {"feedUrl": 5}]}', '{"results": [{"feedUrl": "x"}]}'])
def test_platforms_document_that_says_nothing_is_no_trouble(body: str) -> None:
    page = "https://podcasts.apple.com/us/podcast/tea/id123"
    found, _ = find(page, {page: html(), "https://itunes.apple.com/lookup?id=123&entity=podcast": {"body": body}})
    assert found.outcome is DiscoveryOutcome.NO_FEED


# --- platforms and parts of a site ---------------------------------------------------------------------


def test_part_that_only_the_platform_knows_is_tried_where_the_page_names_just_the_main_feed() -> None:
    page = f"{A}/tag/oolong/"
    pages = {
        page: html('<meta name="generator" content="Ghost 5.8">' + link("/rss/")),
        f"{A}/rss/": FEED,
        f"{A}/tag/oolong/rss/": rss(f"{A}/", title="Oolong"),
    }

    found, _ = find(page, pages)

    assert (chosen(found), valid(found)) == (f"{A}/tag/oolong/rss/", [f"{A}/tag/oolong/rss/", f"{A}/rss/"])


def test_repository_that_is_called_rss_is_no_feed_by_its_name() -> None:
    releases = "https://github.com/tea/rss/releases.atom"

    found, _ = find("https://github.com/tea/rss", {"https://github.com/tea/rss": html(), releases: FEED})

    assert (chosen(found), found.rounds) == (releases, 1)


def test_post_dated_years_ahead_makes_no_other_feed_stale() -> None:
    ahead = rss(f"{A}/", title="Ahead")
    ahead["body"] = re.sub("<pubDate>[^<]*", "<pubDate>Mon, 10 Aug 2099 10:00:00 GMT", ahead["body"], count=1)
    pages = {f"{A}/": html(link("/feed") + link("/ahead")), f"{A}/feed": rss(f"{A}/", title="Tea"), f"{A}/ahead": ahead}

    found, _ = find(f"{A}/", pages, now=lambda: 1_786_400_000)

    assert chosen(found) == f"{A}/feed"
    assert max(each.newest_item_at or 0 for each in found.candidates) == 1_786_400_000
