"""Which feed may take a lost one's place: the same site's, a better one, and of the same kind (rule H6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.discovery.candidate import Candidate, Kind, Lead, Source, ValidationStatus
from feedward.discovery.requested_part import Asked
from feedward.discovery.score import rank
from feedward.feeds.signature import signature
from feedward.model import Feed, FeedFormat, Item, Outcome
from feedward.services.revive.successor import Lost, Tie, judge, successors
from tests.unit.discovery.candidates import NOW, feed, items

DAY = 86_400


def found(
    url: str,
    *,
    site: str | None = "https://example.com/",
    posts: tuple[Item, ...] | None = None,
    source: Source = Source.LINK,
    page: str = "https://example.com/",
    title: str = "Example",
    lost: Lost | None = None,
    **members: Any,
) -> Candidate:
    """A valid candidate as a discovery of the lost feed's site ranks it."""
    posts = items(site=site or "https://example.com/") if posts is None else posts
    parsed: Feed = feed(site_url=site, posts=posts, title=title)
    candidate = Candidate(
        url=url,
        final_url=url,
        leads=(Lead(url=url, source=source, page_url=page),),
        status=ValidationStatus.VALID,
        title=title,
        site_url=site,
        format=FeedFormat.RSS,
        item_count=len(posts),
        items=posts[:3],
        newest_item_at=max((item.published_at or 0 for item in posts), default=None),
        feed=parsed,
        outcome=Outcome.OK,
    )
    asked = lost or Lost(url="https://example.com/old.xml", sites=("https://example.com/",))
    [ranked] = rank([replace(candidate, **members)], Asked(url=asked.site, page_url=asked.site, intent=asked.kind))
    return ranked


LOST = Lost(url="https://example.com/old.xml", sites=("https://example.com/",), title="Example", newest_item_at=NOW)


# --- the same site's ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost_url_and_site", "url_and_site_link", "tie"),
    [
        # the same page, or a page of the same domain
        ("example.com/old.xml example.com/", "example.com/new example.com/", Tie.SITE_LINK),
        ("example.com/old.xml example.com/", "feeds.example.net/x example.com/", Tie.SITE_LINK),
        ("example.com/old.xml www.example.com/", "blog.example.com/feed blog.example.com/", Tie.SITE_LINK),
        ("proxy.example/name example.com/", "example.com/rss example.com/", Tie.SITE_LINK),
        # it says nothing of its site, but lies there
        ("example.com/old.xml example.com/", "example.com/new", Tie.DOMAIN),
        ("old.example.com/rss.xml new.example.com/blog", "new.example.com/feed", Tie.DOMAIN),
        # another site's
        ("example.com/old.xml example.com/", "other.net/feed other.net/", None),
        ("example.com/old.xml example.com/", "example.com/new other.net/", None),
        ("a.github.io/feed a.github.io/", "b.github.io/feed b.github.io/", None),
        # one of many sites on a domain
        ("cs.example.edu/~ada/feed cs.example.edu/~ada/", "cs.example.edu/~bob/feed cs.example.edu/~bob/", None),
        ("cs.example.edu/~ada/feed cs.example.edu/~ada/", "cs.example.edu/~ada/r cs.example.edu/~ada/", Tie.SITE_LINK),
        ("medium.com/feed/@ada medium.com/@ada", "medium.com/feed/@bob medium.com/@bob", None),
        ("medium.com/feed/@ada medium.com/@ada", "medium.com/feed medium.com/", None),
        ("ada.substack.com/rss ada.substack.com/", "bob.substack.com/feed bob.substack.com/", None),
        ("ada.substack.com/rss ada.substack.com/", "ada.substack.com/feed ada.substack.com/", Tie.SITE_LINK),
    ],
)
def test_evidence_for_a_lost_feed(lost_url_and_site: str, url_and_site_link: str, tie: Tie | None) -> None:
    lost_url, site = (f"https://{each}" for each in lost_url_and_site.split())
    url, *links = (f"https://{each}" for each in url_and_site_link.split())
    site_link = links[0] if links else None
    lost = Lost(url=lost_url, sites=(site,))
    page = site if tie is Tie.DOMAIN else "https://elsewhere.example/"
    judged = judge(found(url, site=site_link, posts=items(site=site_link or url), page=page, lost=lost), lost)
    assert judged.tie is tie
    assert bool(judged.objection) == (tie is None)


def test_a_guess_at_the_root_is_not_the_feed_of_a_persons_directory() -> None:
    lost = Lost(url="https://example.edu/~ada/feed", sites=("https://example.edu/~ada/",))
    guess = found("https://example.edu/feed", site="https://example.edu/", source=Source.GUESS_ROOT, lost=lost)
    assert judge(guess, lost).objection == "another site's"


def test_a_feed_that_a_directorys_own_page_advertises_is_its_feed_at_any_url() -> None:
    lost = Lost(url="https://example.com/blog/rss", sites=("https://www.example.com/blog",))
    named = found("https://example.com/feed", page="https://example.com/blog/", lost=lost)
    assert judge(named, lost).objection == ""


def test_the_same_items_prove_it_wherever_it_is() -> None:
    lost = replace(LOST, items=items(5))
    moved = found("https://moved.example/feed", site="https://moved.example/", posts=items(4, newest=NOW))
    assert judge(moved, lost).tie is Tie.SAME_ITEMS
    assert judge(moved, lost).objection == ""


def test_the_same_document_proves_it_though_no_item_is_remembered() -> None:
    copy = found("https://moved.example/feed", site="https://moved.example/", posts=items(3))
    assert copy.feed
    lost = replace(LOST, document=signature(copy.feed, copy.url))
    assert judge(copy, lost).tie is Tie.SAME_ITEMS


# --- a better one ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "objection"),
    [
        ({"status": ValidationStatus.INVALID, "detail": "not a feed"}, "not a feed"),
        ({"status": ValidationStatus.UNTESTED}, "untested"),
        ({"url": "https://example.com/old.xml"}, "the old URL"),
        ({"final_url": "http://example.com/old.xml/"}, "the old URL"),
        ({"item_count": 0}, "it has no items"),
        ({"newest_item_at": NOW - 31 * DAY}, "its items are older"),
        ({"newest_item_at": NOW - 29 * DAY}, ""),
        ({"newest_item_at": None}, ""),
    ],
)
def test_objections_to_a_candidate(members: dict[str, Any], objection: str) -> None:
    candidate = replace(found("https://example.com/new.xml"), **members)
    assert judge(candidate, LOST).objection == objection


@pytest.mark.parametrize(
    ("newest", "known", "objection"),
    [
        (NOW + 1, NOW, ""),
        (NOW, NOW, "it has nothing newer"),
        (None, NOW, "it has nothing newer"),
        (NOW, None, ""),
    ],
)
def test_a_feed_that_is_there_gives_way_only_to_newer_items(
    newest: int | None, known: int | None, objection: str
) -> None:
    lost = replace(LOST, is_there=True, newest_item_at=known)
    candidate = replace(found("https://example.com/new.xml"), newest_item_at=newest)
    assert judge(candidate, lost).objection == objection


@pytest.mark.parametrize(
    ("lost_url", "lost_title", "url", "title", "is_taken"),
    [
        ("https://example.com/feed", "Example", "https://example.com/rss", "Example", True),
        ("https://example.com/feed", "Example", "https://example.com/comments/feed", "Comments for Example", False),
        ("https://example.com/feed", "Example", "https://example.com/tag/tea/feed", "tea - Example", False),
        ("https://example.com/category/tea/feed", "Tea", "https://example.com/category/tea/rss", "Tea", True),
        ("https://example.com/category/tea/feed", "Tea", "https://example.com/category/rum/feed", "Rum", False),
        ("https://example.com/category/tea/feed", "Tea", "https://example.com/feed", "Example", False),
        ("https://example.com/comments/feed", "Comments", "https://example.com/feed", "Example", False),
    ],
)
def test_it_covers_the_part_of_the_lost_feed(
    lost_url: str, lost_title: str, url: str, title: str, is_taken: bool
) -> None:
    lost = Lost(url=lost_url, sites=("https://example.com/",), title=lost_title)
    judged = judge(found(url, title=title, lost=lost), lost)
    assert (judged.objection == "") == is_taken


@pytest.mark.parametrize(
    ("had", "url", "has", "is_taken"),
    [
        # a part of the site: two posts of five, and not the newest ones of five
        ("feed", "category/tea/feed", (1, 3), False),
        ("feed", "category/tea/feed", (2, 3, 4), False),
        ("feed", "category/blog/feed", (0, 1, 2, 3, 4), True),
        ("feed", "category/blog/feed", (0, 1, 2), True),
        ("feed", "author/ann/feed", (0, 1, 2, 4), True),
        ("feed", "rss", (1, 3), True),
        # and the whole, for a subscriber of a part
        ("category/tea/feed", "feed", (-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), False),
    ],
)
def test_shared_items_do_not_make_a_part_the_whole_or_the_whole_a_part(
    had: str, url: str, has: tuple[int, ...], is_taken: bool
) -> None:
    posts = items(12, newest=NOW + DAY)
    known = posts[1:6] if had == "feed" else posts[1:10:3]
    lost = Lost(url=f"https://example.com/{had}", sites=("https://example.com/",), title="Example", items=known)
    candidate = found(f"https://example.com/{url}", posts=tuple(posts[n + 1] for n in has), lost=lost)
    judged = judge(candidate, lost)
    assert judged.tie is Tie.SAME_ITEMS
    assert (judged.objection == "") == is_taken


def test_a_url_with_a_token_is_only_for_a_private_feed() -> None:
    candidate = found("https://example.com/feed?token=0123456789abcdef0123456789abcdef")
    assert judge(candidate, LOST).objection == "its URL has a private token"
    assert judge(candidate, replace(LOST, is_private=True)).objection == ""


def test_the_best_that_may_be_taken_is_first_and_the_same_items_go_before_any_score() -> None:
    lost = replace(LOST, items=items(5))
    news = tuple(
        replace(item, id=f"n{n}", url=f"https://example.com/n{n}", title=f"News {n}") for n, item in enumerate(items(9))
    )
    high = found("https://example.com/new.xml", posts=news)
    low = found("https://moved.example/feed", site="https://moved.example/", posts=items(2))
    dead = replace(high, url="https://example.com/dead", final_url=None, status=ValidationStatus.INVALID)
    order = successors([dead, high, low], lost)
    assert [each.candidate.url for each in order] == [low.url, high.url, dead.url]
    assert [bool(each.objection) for each in order] == [False, False, True]


def test_a_feed_without_a_known_site_has_its_own_directory() -> None:
    lost = Lost(url="https://example.com/blog/feed.xml")
    assert lost.kind is Kind.MAIN
    assert judge(found("https://example.com/blog/atom", site=None, lost=lost), lost).tie is Tie.DOMAIN


# --- other spellings of the lost URL --------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost_url", "url"),
    [
        ("http://example.com/old.xml", "https://example.com/old.xml"),
        ("https://example.com/feed/", "https://example.com/feed"),
        ("https://example.com/feed", "https://example.com/feed/"),
    ],
)
def test_another_spelling_of_the_url_is_proof_enough_and_comes_first(lost_url: str, url: str) -> None:
    lost = replace(LOST, url=lost_url)
    better = found("https://example.com/new.xml")
    spelling = found(url, site="https://other.example/", posts=items(site="https://other.example/"))
    first, _ = successors([better, spelling], lost)
    assert (first.candidate, first.tie, first.objection) == (spelling, Tie.SPELLING, "")
    assert judge(spelling, replace(lost, is_there=True)).objection == "the old URL"
