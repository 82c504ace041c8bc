"""Candidates that are one feed become one, and nothing else does (rule D10)."""

from __future__ import annotations

import itertools

import pytest

from feedward.discovery.candidate import Candidate, DiscoveredFrom, Source, ValidationStatus
from feedward.discovery.merge_candidates import merge
from feedward.model import Feed, FeedFormat, Item
from tests.unit.discovery.candidates import SITE, feed, invalid, items, lead, untested, valid


def own(title: str = "Example", **more: object) -> Feed:
    """A feed with a title of its own."""
    return feed(title=title, **more)  # type: ignore[arg-type]


def urls(candidates: list[Candidate]) -> list[str]:
    return [candidate.url for candidate in candidates]


def test_nothing_and_one_stay_as_they_are() -> None:
    one = valid("https://example.com/feed")

    assert merge([]) == []
    assert merge([one]) == [one]


def test_two_urls_that_landed_on_one_are_one_candidate() -> None:
    final = "https://example.com/feed/"
    link = valid("https://example.com/feed", final_url=final)
    anchor = valid("https://example.com/rss", final_url=final, source=Source.ANCHOR)

    (one,) = merge([anchor, link])

    assert (one.url, one.final_url, one.aliases) == (link.url, final, ("https://example.com/rss",))
    assert [each.source for each in one.leads] == [Source.LINK, Source.ANCHOR]
    assert one.discovered_from == (DiscoveredFrom.HTML,)


@pytest.mark.parametrize(
    "spelling",
    [
        "http://example.com/feed",
        "https://example.com/feed/",
        "https://example.com/feed?utm_source=page",
        "https://example.com//feed",
    ],
)
def test_spellings_of_one_url_are_one_candidate(spelling: str) -> None:
    first, second = valid("https://example.com/feed", own("a")), valid(spelling, own("b"), source=Source.ANCHOR)

    (one,) = merge([second, first])

    assert (one.url, one.aliases) == ("https://example.com/feed", (spelling,))


def test_of_two_schemes_the_safe_one_wins() -> None:
    (one,) = merge([valid("http://example.com/feed", own("a")), valid("https://example.com/feed", own("b"))])

    assert (one.url, one.aliases) == ("https://example.com/feed", ("http://example.com/feed",))


def test_one_document_at_two_urls_is_one_candidate() -> None:
    document = feed()
    found = [valid("https://example.com/rss", document, position=1), valid("https://example.com/feed", document)]

    (one,) = merge(found)

    assert (one.url, one.aliases) == ("https://example.com/feed", ("https://example.com/rss",))


def test_profile_s_two_addresses_are_one_candidate() -> None:
    self_url = "https://medium.com/@name/feed"
    posts = items(10, site="https://medium.com/@name/")
    one = valid("https://medium.com/feed/@name", own(self_url=self_url, posts=posts), source=Source.PLATFORM)
    two = valid("https://medium.com/@name/feed", own(self_url=self_url, posts=posts), source=Source.GUESS_ROOT)

    (only,) = merge([two, one])

    assert (only.url, only.aliases) == ("https://medium.com/feed/@name", ("https://medium.com/@name/feed",))
    assert only.discovered_from == (DiscoveredFrom.PLATFORM, DiscoveredFrom.GUESS)


def test_atom_and_rss_of_the_same_items_are_two_feeds() -> None:
    rss = valid("https://example.com/rss.xml", own(format=FeedFormat.RSS))
    atom = valid("https://example.com/atom.xml", own(format=FeedFormat.ATOM), position=1)

    assert urls(merge([rss, atom])) == [rss.url, atom.url]


def test_atom_and_rss_that_name_one_self_link_are_one_feed() -> None:
    self_url = "https://example.com/feed"
    rss = valid("https://example.com/rss.xml", own(format=FeedFormat.RSS, self_url=self_url))
    atom = valid("https://example.com/atom.xml", own(format=FeedFormat.ATOM, self_url="/feed"), position=1)

    assert urls(merge([atom, rss])) == [rss.url]


def test_same_self_link_with_other_items_is_another_feed() -> None:
    self_url = "https://example.com/feed"
    main = valid("https://example.com/feed", own(self_url=self_url))
    part = valid("https://example.com/tag/tea/feed", own("Tea", self_url=self_url, posts=items(2)), position=1)

    assert len(merge([main, part])) == 2


def test_empty_feeds_are_never_one_for_their_emptiness() -> None:
    one = valid("https://example.com/a", own(self_url="https://example.com/feed", posts=[]))
    other = valid("https://example.com/b", own(self_url="https://example.com/feed", posts=[]))

    assert len(merge([one, other])) == 2


def test_same_items_under_another_title_are_another_feed() -> None:
    assert len(merge([valid(SITE + "a", own("News")), valid(SITE + "b", own("Search results"))])) == 2


def test_items_without_urls_are_compared_by_id() -> None:
    posts = tuple(Item(id=str(n)) for n in range(3))
    others = (*posts[:2], Item(id="x"))
    self_url = "https://example.com/feed"
    one = valid(SITE + "a", own("A", self_url=self_url, posts=posts))

    assert len(merge([one, valid(SITE + "b", own("B", self_url=self_url, posts=posts))])) == 1
    assert len(merge([one, valid(SITE + "b", own("B", self_url=self_url, posts=others))])) == 2


def test_a_failed_url_is_never_a_feed_s_alias() -> None:
    failed = invalid("http://example.com/feed")
    works = valid("https://example.com/feed", source=Source.ANCHOR)

    assert urls(merge([failed, works])) == [failed.url, works.url]


def test_failures_that_landed_on_one_page_stay_apart() -> None:
    gone = [invalid(SITE + "a"), invalid(SITE + "b")]

    assert merge(gone) == gone


def test_one_url_found_twice_is_one_candidate_with_both_leads() -> None:
    url = "https://example.com/feed"
    tried, again = invalid(url, source=Source.ANCHOR), untested(url)

    (one,) = merge([tried, again])

    assert one.status is ValidationStatus.INVALID
    assert [each.source for each in one.leads] == [Source.LINK, Source.ANCHOR]
    assert one.aliases == ()


def test_where_a_feed_was_found_needs_no_second_try() -> None:
    landed = valid("https://example.com/feed", final_url="https://example.com/feed/")
    open_ = untested("https://example.com/feed/", source=Source.GUESS_ROOT)

    (one,) = merge([open_, landed])

    assert (one.status, one.url, one.aliases) == (ValidationStatus.VALID, landed.url, ())


def test_a_chain_of_sameness_is_one_feed() -> None:
    self_url = "https://example.com/self"
    a = valid(SITE + "a", own("A", self_url=self_url))
    b = valid(SITE + "b", own("B", self_url=self_url), final_url=SITE + "c")
    c = valid(SITE + "c", own("C"), source=Source.ANCHOR)

    for shuffled in itertools.permutations([a, b, c]):
        (one,) = merge(shuffled)
        assert (one.url, set(one.aliases)) == (a.url, {b.url, c.url})


def test_leads_are_kept_once_and_aliases_of_before_stay() -> None:
    url = "https://example.com/feed"
    first = valid(url, None, lead(url), lead(url, Source.ANCHOR))
    second = valid(url, None, lead(url))

    (one,) = merge([first, second])

    assert one.leads == (lead(url), lead(url, Source.ANCHOR))


def test_remaining_candidates_keep_the_given_order() -> None:
    found = [valid(SITE + name, own(name)) for name in "dbca"]

    assert merge(found) == found
