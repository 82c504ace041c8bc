"""The owner of a feed, and the end of a search (rules D5, D6)."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Candidate, Kind, Source
from feedward.discovery.own_site import is_own_site, is_settled
from feedward.discovery.score import rank
from feedward.model import Item
from tests.unit.discovery.candidates import SITE, asked, feed, invalid, items, untested, valid

OTHER = "https://other.example/"


def found(url: str, *, site: str | None, posts: str | None, source: Source = Source.LINK, count: int = 3) -> Candidate:
    """A feed at `url` that names `site` as its site, with items on `posts`."""
    linked = items(count, site=posts) if posts else (Item(id="1", title="No link"),)
    return valid(url, feed(site_url=site, posts=linked), source=source)


@pytest.mark.parametrize(
    ("url", "site", "posts", "own"),
    [
        (SITE + "feed", SITE, SITE, True),
        (OTHER + "feed", OTHER, OTHER, False),
        # A feed host that serves the site's feed.
        ("https://feeds.podhost.example/show", SITE, SITE, True),
        ("https://feeds.feedburner.com/example", SITE, "https://feedproxy.google.com/~r/x/", True),
        ("https://feeds.feedburner.com/example", "https://feeds.feedburner.com/", SITE, True),
        # A planet: its own site, other people's posts. And a page that shows a feed of another site.
        (SITE + "atom.xml", SITE, OTHER, True),
        (SITE + "proxy.xml", OTHER, OTHER, False),
        # One of the two is missing: the place of the feed has to speak for it.
        (SITE + "feed", None, OTHER, True),
        (SITE + "feed", OTHER, None, True),
        (SITE + "feed", None, None, True),
        (OTHER + "feed", None, OTHER, False),
        (OTHER + "feed", OTHER, None, False),
        (OTHER + "feed", None, None, False),
        (OTHER + "feed", None, SITE, True),
        (OTHER + "feed", SITE, None, True),
        # Subdomains and www are the same site; public suffixes are not.
        ("https://blog.example.com/feed", "https://blog.example.com/", "https://www.example.com/", True),
        ("https://example.com.other.example/feed", "https://example.com.other.example/", OTHER, False),
        # The name of the author's own machine proves nothing.
        (SITE + "feed", "http://localhost:1313/", OTHER, True),
        (SITE + "feed", "http://localhost:1313/", "http://localhost:1313/", True),
        (SITE + "feed", "http://127.0.0.1:4000/", "http://192.168.1.5/", True),
        (SITE + "feed", "http://[::1]/", "http://172.16.0.1/", True),
        (SITE + "feed", "http://box.local/", "http://box.local/", True),
        (SITE + "feed", "http://93.184.216.34/", "http://93.184.216.34/", False),
        (SITE + "feed", "/", "/posts/", True),
    ],
)
def test_the_owner_of_a_feed(url: str, site: str | None, posts: str | None, own: bool) -> None:
    assert is_own_site(found(url, site=site, posts=posts), asked()) is own


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("https://me.github.io/", "https://you.github.io/"),
        ("https://a.blogspot.com/", "https://b.blogspot.com/"),
        ("https://a.co.uk/", "https://b.co.uk/"),
        ("http://10.0.0.1/", "http://10.0.0.2.example/"),
    ],
)
def test_neighbours_on_a_host_are_other_sites(typed: str, other: str) -> None:
    assert is_own_site(found(typed + "feed", site=typed, posts=typed), asked(typed))
    assert not is_own_site(found(other + "feed", site=other, posts=other), asked(typed))


@pytest.mark.parametrize("source", [Source.DIRECT, Source.PLATFORM, Source.RSSHUB])
def test_feed_that_a_rule_made_for_the_url_is_its_own_wherever_it_lives(source: Source) -> None:
    assert is_own_site(found(OTHER + "feed", site=OTHER, posts=OTHER, source=source), asked())


def test_site_that_moved_owns_the_feeds_of_both_addresses() -> None:
    view = asked("https://old.example/", page_url="https://new.example/")

    assert is_own_site(found("https://new.example/f", site="https://new.example/", posts="https://new.example/"), view)
    assert is_own_site(found("https://old.example/f", site="https://old.example/", posts="https://old.example/"), view)


def test_half_of_the_items_are_enough() -> None:
    mixed = (*items(5, site=OTHER), *items(5))
    fewer = (*items(6, site=OTHER), *items(4))

    assert is_own_site(valid(OTHER + "f", feed(site_url=OTHER, posts=mixed)), asked())
    assert not is_own_site(valid(OTHER + "f", feed(site_url=OTHER, posts=fewer)), asked())


# --- is the search over? ------------------------------------------------------------------------------


def settled(*candidates: Candidate, page: str = SITE, intent: Kind | None = None) -> bool:
    view = asked(page, intent=intent)
    return is_settled(rank(candidates, view), view)


@pytest.mark.parametrize(
    ("candidate", "page", "over"),
    [
        (valid(SITE + "feed"), SITE, True),
        (valid(SITE + "feed", feed(posts=[])), SITE, True),
        (valid(SITE + "podcast.xml"), SITE, True),
        (valid("https://feeds.podhost.example/show"), SITE, True),
        (invalid(SITE + "feed"), SITE, False),
        (untested(SITE + "feed"), SITE, False),
        (found(OTHER + "feed", site=OTHER, posts=OTHER), SITE, False),
        (valid(SITE + "comments/feed"), SITE, False),
        (valid(SITE + "comments/feed"), SITE + "comments/", True),
        (valid(SITE + "comments/feed", source=Source.DIRECT), SITE, True),
        (valid(SITE + "category/tea/feed"), SITE, False),
        (valid(SITE + "category/tea/feed"), SITE + "category/tea/", True),
        (valid(SITE + "category/tea/feed"), SITE + "category/coffee/", False),
        (valid(SITE + "feed"), SITE + "category/tea/", True),
        (valid(SITE + "notes/index.xml"), SITE + "notes/", True),
        (valid(SITE + "search.rss?q=tea"), SITE, False),
        (valid(SITE + "tagfeed", source=Source.PLATFORM, kind=Kind.TAG), SITE + "t/tea", True),
        (valid(SITE + "comments", source=Source.PLATFORM, kind=Kind.COMMENTS, position=1), SITE, False),
    ],
)
def test_search_is_over_with_a_main_feed_of_the_site_or_the_part_that_was_asked_for(
    candidate: Candidate, page: str, over: bool
) -> None:
    assert settled(candidate, page=page) is over


def test_search_with_nothing_found_is_not_over() -> None:
    assert not settled()


def test_one_good_feed_among_others_ends_the_search() -> None:
    assert settled(invalid(SITE + "a"), valid(SITE + "comments/feed"), valid(SITE + "feed"))


def test_caller_s_own_wish_ends_the_search_too() -> None:
    assert settled(valid(SITE + "comments/feed"), intent=Kind.COMMENTS)
