"""The stored results of a discovery, and their update by another one: nothing is lost (rules R13, D1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from feedward.discovery.candidate import Candidate, DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import Discovery, DiscoveryOutcome, SitePage
from feedward.discovery.score import rank
from feedward.discovery.site import CANDIDATES_KEPT, SiteCandidate, StatusChange, StoredSite
from feedward.discovery.site_update import (
    HISTORY_KEPT,
    changed,
    updated,
)
from feedward.discovery.stored_candidate import ALIASES_KEPT
from feedward.model import Item, Outcome
from feedward.urls.key import url_hash
from tests.unit.discovery.candidates import NOW, SITE, asked, feed, invalid, items, lead, untested, valid

FEED = SITE + "feed"
RSS = SITE + "rss"
DAY = 86400


def discovery(*candidates: Candidate, outcome: DiscoveryOutcome | None = None, **more: Any) -> Discovery:
    """A discovery of the example site that found `candidates`."""
    ranked = rank(candidates, asked())
    is_found = any(candidate.is_canonical for candidate in ranked)
    return Discovery(
        input_url="example.com",
        url=SITE,
        outcome=outcome or (DiscoveryOutcome.FOUND if is_found else DiscoveryOutcome.NO_FEED),
        candidates=ranked,
        **{"page": SitePage(url=SITE, title="Example", favicon=SITE + "icon.png", language="en"), **more},
    )


def after(before: StoredSite | None, found: Discovery, *, now: int = NOW, **more: Any) -> StoredSite:
    return updated(before, found, site_id="s1", now=now, **more)


def of(site: StoredSite, url: str) -> SiteCandidate:
    return next(each for each in site.candidates if each.candidate_url == url)


# --- the first time -----------------------------------------------------------------------------------


def test_site_is_stored_with_the_data_of_its_page() -> None:
    site = after(None, discovery(valid(FEED), requests=3, rounds=2), feed_id="F1", canonical_feed_url=FEED).site

    assert (site.site_id, site.input_url, site.url, site.canonical_url) == ("s1", "example.com", SITE, SITE)
    assert (site.domain, site.title, site.favicon, site.language) == ("example.com", "Example", SITE + "icon.png", "en")
    assert (site.created_at, site.last_discovered_at, site.rev) == (NOW, NOW, 1)
    assert (site.feed_id, site.canonical_feed_url) == ("F1", FEED)
    assert (site.outcome, site.complete, site.requests, site.rounds) == (DiscoveryOutcome.FOUND, True, 3, 2)


def test_candidate_is_stored_with_all_that_is_known_of_it() -> None:
    document = feed(language="en", description="About tea", posts=items(5))
    leads = (lead(FEED, position=1, why="link rel=alternate"), lead(FEED, Source.GUESS_ROOT))
    found = replace(valid(FEED, document, *leads), aliases=(RSS,))

    stored = of(after(None, discovery(found), feed_id="F1"), FEED)

    assert stored.url_hash == url_hash(FEED)
    assert (stored.source, stored.why) == (Source.LINK, "link rel=alternate")
    assert stored.discovered_from == (DiscoveredFrom.HTML, DiscoveredFrom.GUESS)
    assert (stored.kind, stored.is_canonical, stored.feed_id) == (Kind.MAIN, True, "F1")
    assert stored.score == sum(stored.parts.values()) > 700
    assert (stored.title, stored.description, stored.site_url, stored.language) == ("Example", "About tea", SITE, "en")
    assert (stored.item_count, len(stored.items), stored.newest_item_at) == (5, 3, NOW)
    assert stored.items[0] == {"id": SITE + "p0", "url": SITE + "p0", "title": "Post 0", "published_at": NOW}
    assert (stored.first_seen_at, stored.last_valid_at, stored.missing_since) == (NOW, NOW, None)
    assert stored.history == (StatusChange(at=NOW, status=ValidationStatus.VALID, outcome=None),)
    assert (stored.last_error, stored.http_status, stored.aliases) == (None, 200, (RSS,))


def test_invalid_and_untested_candidates_are_stored_too() -> None:
    site = after(None, discovery(invalid(FEED, outcome=Outcome.GONE), untested(RSS)))

    gone, open_ = of(site, FEED), of(site, RSS)
    assert (gone.validation_status, gone.last_error, gone.detail) == ("invalid", Outcome.GONE, "not found")
    assert (gone.score, gone.parts, gone.last_valid_at) == (600, {"source": 600}, None)
    assert (open_.validation_status, open_.last_error) == ("untested", None)


def test_all_candidates_of_a_new_site_are_written() -> None:
    site = after(None, discovery(valid(FEED), invalid(RSS)))

    assert changed(None, site) == list(site.candidates)


def test_private_site_hashes_its_candidates_under_its_tenant() -> None:
    site = after(None, discovery(valid(FEED)), scope="t1")

    assert (site.site.scope, site.candidates[0].url_hash) == ("t1", url_hash(FEED, "t1"))


# --- again --------------------------------------------------------------------------------------------


def test_the_same_again_changes_no_candidate() -> None:
    found = discovery(valid(FEED), invalid(RSS), untested(SITE + "x"))
    before = after(None, found, feed_id="F1", canonical_feed_url=FEED)

    again = after(before, found, now=NOW + 400 * DAY, feed_id="F1", canonical_feed_url=FEED)

    assert changed(before, again) == []
    assert again.candidates == before.candidates
    assert again.site == replace(before.site, last_discovered_at=NOW + 400 * DAY, rev=2)


def test_news_of_a_feed_is_written_with_its_time() -> None:
    before = after(None, discovery(valid(FEED), valid(RSS, feed(title="Other"))))
    newer = valid(FEED, feed(posts=items(3, newest=NOW + DAY)))

    again = after(before, discovery(newer, valid(RSS, feed(title="Other"))), now=NOW + DAY)

    assert [each.candidate_url for each in changed(before, again)] == [FEED]
    now = of(again, FEED)
    assert (now.first_seen_at, now.last_valid_at, now.newest_item_at) == (NOW, NOW + DAY, NOW + DAY)
    assert len(now.history) == 1


def test_candidate_that_did_not_turn_up_keeps_all_and_is_missing_from_then_on() -> None:
    other = valid(RSS, feed(title="Other"), source=Source.ANCHOR)
    before = after(None, discovery(valid(FEED), other), feed_id="F1")

    gone = after(before, discovery(other), now=NOW + DAY)
    still = after(gone, discovery(other), now=NOW + 2 * DAY)

    assert of(gone, FEED) == replace(of(before, FEED), missing_since=NOW + DAY, is_canonical=False)
    assert of(still, FEED) == of(gone, FEED)
    assert still.candidates[-1].candidate_url == FEED
    assert of(gone, FEED).feed_id == "F1"


def test_candidate_that_turns_up_again_is_not_missing_any_more() -> None:
    first = after(None, discovery(valid(FEED)))
    gone = after(first, discovery(), now=NOW + DAY)

    back = after(gone, discovery(valid(FEED)), now=NOW + 2 * DAY)

    assert of(gone, FEED).missing_since == NOW + DAY
    assert (of(back, FEED).missing_since, of(back, FEED).first_seen_at) == (None, NOW)
    assert of(back, FEED).is_canonical


@pytest.mark.parametrize(
    "more",
    [
        {"complete": False},
        {"outcome": DiscoveryOutcome.UNREACHABLE, "page": None},
        {"outcome": DiscoveryOutcome.REFUSED, "page": None},
    ],
)
def test_a_search_that_did_not_see_the_site_keeps_the_stored_candidates(more: dict[str, Any]) -> None:
    before = after(None, discovery(valid(FEED)), feed_id="F1", canonical_feed_url=FEED)

    again = after(before, discovery(**more), now=NOW + DAY)

    assert again.candidates == before.candidates
    assert (again.site.feed_id, again.site.canonical_feed_url) == ("F1", FEED)
    assert (again.site.title, again.site.canonical_url) == ("Example", SITE)
    assert again.site.last_discovered_at == NOW + DAY


def test_a_seen_candidate_that_was_not_tried_keeps_its_earlier_result() -> None:
    before = after(None, discovery(valid(FEED), invalid(RSS)))

    again = after(before, discovery(untested(FEED), untested(RSS), complete=False), now=NOW + DAY)

    assert changed(before, again) == []
    assert again.candidates == before.candidates


def test_a_missing_candidate_that_is_only_seen_is_not_missing_any_more() -> None:
    before = after(after(None, discovery(valid(FEED))), discovery(), now=NOW + 1)

    again = after(before, discovery(untested(FEED)), now=NOW + 2)

    assert of(again, FEED).missing_since is None
    assert of(again, FEED).validation_status is ValidationStatus.VALID


def test_an_untested_candidate_gets_the_status_of_its_test() -> None:
    before = after(None, discovery(untested(FEED)))

    again = after(before, discovery(valid(FEED)), now=NOW + DAY)

    assert of(again, FEED).validation_status is ValidationStatus.VALID
    assert of(again, FEED).history == (
        StatusChange(at=NOW, status=ValidationStatus.UNTESTED),
        StatusChange(at=NOW + DAY, status=ValidationStatus.VALID),
    )


def test_feed_that_died_keeps_its_earlier_data() -> None:
    before = after(None, discovery(valid(FEED, feed(title="Tea"))), feed_id="F1")

    dead = of(after(before, discovery(invalid(FEED, outcome=Outcome.GONE)), now=NOW + DAY), FEED)

    assert (dead.validation_status, dead.last_error, dead.is_canonical) == ("invalid", Outcome.GONE, False)
    assert (dead.title, dead.item_count, dead.feed_id, dead.last_valid_at) == ("Tea", 3, "F1", NOW)
    assert dead.parts == {"source": 600}
    assert dead.history[-1] == StatusChange(at=NOW + DAY, status=ValidationStatus.INVALID, outcome=Outcome.GONE)


def test_another_error_of_the_same_status_is_written_but_is_no_change_of_status() -> None:
    before = after(None, discovery(invalid(FEED, outcome=Outcome.NOT_FOUND)))

    again = after(before, discovery(invalid(FEED, outcome=Outcome.GONE)), now=NOW + DAY)

    assert [each.last_error for each in changed(before, again)] == [Outcome.GONE]
    assert len(of(again, FEED).history) == 1


def test_history_keeps_the_last_changes() -> None:
    site: StoredSite | None = None
    for n in range(30):
        site = after(site, discovery(valid(FEED) if n % 2 else invalid(FEED)), now=NOW + n)

    assert site
    history = of(site, FEED).history
    assert len(history) == HISTORY_KEPT == 20
    assert [change.at for change in history] == list(range(NOW + 10, NOW + 30))


# --- the choice ---------------------------------------------------------------------------------------


def test_a_better_feed_takes_the_choice_over() -> None:
    before = after(None, discovery(valid(RSS, source=Source.GUESS_ROOT)), feed_id="F1", canonical_feed_url=RSS)

    found = discovery(valid(FEED, feed(title="New")), valid(RSS, source=Source.GUESS_ROOT))
    again = after(before, found, now=NOW + DAY, feed_id="F2", canonical_feed_url=FEED)

    assert [(each.candidate_url, each.is_canonical, each.feed_id) for each in again.candidates] == [
        (FEED, True, "F2"),
        (RSS, False, "F1"),
    ]
    assert (again.site.feed_id, again.site.canonical_feed_url) == ("F2", FEED)


def test_a_choice_that_was_not_registered_this_time_is_the_feed_that_it_was() -> None:
    before = after(None, discovery(valid(FEED)), feed_id="F1", canonical_feed_url=FEED + "/")

    again = after(before, discovery(valid(FEED)), now=NOW + DAY)

    assert (again.site.feed_id, again.site.canonical_feed_url) == ("F1", FEED + "/")


def test_a_new_choice_that_was_not_registered_is_no_old_feed() -> None:
    before = after(None, discovery(valid(RSS)), feed_id="F1", canonical_feed_url=RSS)

    again = after(before, discovery(valid(FEED)), now=NOW + DAY)

    assert (again.site.feed_id, again.site.canonical_feed_url) == (None, None)


def test_a_site_that_has_no_feed_any_more_has_no_choice() -> None:
    before = after(None, discovery(valid(FEED)), feed_id="F1", canonical_feed_url=FEED)

    again = after(before, discovery(invalid(FEED)), now=NOW + DAY)

    assert (again.site.outcome, again.site.feed_id) == (DiscoveryOutcome.NO_FEED, None)
    assert not any(each.is_canonical for each in again.candidates)
    assert of(again, FEED).feed_id == "F1"


def test_there_is_never_more_than_one_choice() -> None:
    before = after(None, discovery(valid(FEED)))

    again = after(before, discovery(valid(RSS), complete=False), now=NOW + DAY)

    assert [each.candidate_url for each in again.candidates if each.is_canonical] == [RSS]
    assert of(again, FEED).missing_since is None


# --- the site -----------------------------------------------------------------------------------------


def test_site_keeps_its_birth_its_first_input_and_its_job() -> None:
    before = after(None, discovery(), job_id="s1.1")

    again = after(before, replace(discovery(), input_url="EXAMPLE.com/"), now=NOW + DAY)

    assert (again.site.created_at, again.site.input_url, again.site.job_id) == (NOW, "example.com", "s1.1")


def test_site_that_moved_says_where_it_is() -> None:
    page = SitePage(url="https://blog.new.co.uk/", title="New")

    site = after(after(None, discovery()), discovery(page=page), now=NOW + DAY).site

    assert (site.url, site.canonical_url, site.domain, site.title) == (SITE, page.url, "new.co.uk", "New")
    assert (site.favicon, site.language) == (None, None)


def test_site_without_a_page_is_known_by_its_url() -> None:
    site = after(None, discovery(valid(FEED, source=Source.DIRECT), page=None)).site

    assert (site.canonical_url, site.domain, site.title) == (SITE, "example.com", None)


# --- sizes --------------------------------------------------------------------------------------------


def test_texts_are_cut_and_urls_that_are_too_long_are_left_out() -> None:
    long = "x" * 5000
    posts = [Item(id=long, url=SITE + long, title=long), Item(id="2", url="javascript:alert(1)"), Item(url="/p/3")]
    document = feed(title=long, description=long, site_url=SITE + long, language=long, posts=posts)
    found = replace(valid(FEED, document), aliases=tuple(f"{SITE}{n}" for n in range(50)), detail=long)

    stored = of(after(None, discovery(found)), FEED)

    assert (len(stored.title or ""), len(stored.description or ""), stored.site_url) == (500, 1000, None)
    assert stored.items == ({"title": "x" * 300}, {"id": "2"}, {"url": SITE + "p/3"})
    assert (len(stored.aliases), len(stored.language or "")) == (ALIASES_KEPT, 35)
    assert len(stored.detail) == 300


def test_texts_of_a_page_are_cut() -> None:
    page = SitePage(url=SITE, title="x" * 5000, favicon="data:image/png;base64,AAAA", generator="g" * 5000)

    site = after(None, discovery(page=page)).site

    assert (len(site.title or ""), site.favicon, len(site.generator or "")) == (500, None, 200)


def test_candidate_whose_url_cannot_be_a_key_is_left_out() -> None:
    site = after(None, discovery(untested(SITE + "x" * 3000), untested("nonsense"), untested(FEED)))

    assert [each.candidate_url for each in site.candidates] == [FEED]


def test_of_two_spellings_of_one_url_the_working_one_is_kept() -> None:
    site = after(None, discovery(invalid("http://example.com/feed"), valid("https://example.com/feed/")))

    assert [each.candidate_url for each in site.candidates] == ["https://example.com/feed/"]


def test_site_keeps_500_candidates_the_valid_ones_and_the_highest_scores() -> None:
    failed = [invalid(f"{SITE}bad{n}", lead(f"{SITE}bad{n}", Source.GUESS_ROOT)) for n in range(300)]
    waiting = [untested(f"{SITE}later{n}") for n in range(300)]
    good = [valid(f"{SITE}good{n}", feed(title=str(n))) for n in range(10)]

    site = after(None, discovery(*failed, *waiting, *good))

    by_status = Counter(each.validation_status for each in site.candidates)
    assert by_status == {ValidationStatus.VALID: 10, ValidationStatus.UNTESTED: 300, ValidationStatus.INVALID: 190}
    assert site.site.candidates_left_out == 110
    assert len(changed(None, site)) == len(site.candidates) == CANDIDATES_KEPT == 500


def test_candidates_that_a_search_left_out_are_counted_too() -> None:
    found = replace(discovery(*(untested(f"{SITE}{n}") for n in range(501))), candidates_left_out=7)

    assert after(None, found).site.candidates_left_out == 8
    assert after(None, discovery(valid(FEED))).site.candidates_left_out == 0


def test_same_discovery_of_a_full_site_changes_no_candidate() -> None:
    found = discovery(valid(FEED), *(untested(f"{SITE}{n}") for n in range(600)))
    before = after(None, found)

    again = after(before, found, now=NOW + DAY)

    assert changed(before, again) == []
    assert again.site.candidates_left_out == before.site.candidates_left_out == 101


def test_a_choice_that_ended_is_written_before_all_else_that_went_missing() -> None:
    def saved(before: StoredSite | None, found: Discovery, now: int) -> StoredSite:
        site = after(before, found, now=now)
        written = {each.url_hash: each for each in (before.candidates if before else ())}
        written |= {each.url_hash: each for each in changed(before, site)}
        return replace(site, candidates=tuple(written.values()))

    many = [valid(f"{SITE}good{n}", feed(title=str(n), posts=items(9))) for n in range(80)]
    poor = valid(f"{SITE}poor", feed(title="Poor", posts=()), lead(f"{SITE}poor", Source.GUESS_ROOT))
    site = saved(None, discovery(*many), NOW)
    site = saved(site, discovery(poor, *(invalid(f"{SITE}x{n}") for n in range(79))), NOW + 1)
    site = saved(site, discovery(valid(FEED), *(invalid(f"{SITE}y{n}") for n in range(79))), NOW + 2)

    assert [each.candidate_url for each in site.candidates if each.is_canonical] == [FEED]


def test_a_site_does_not_grow_without_end_but_valid_feeds_are_always_taken() -> None:
    site: StoredSite | None = None
    for n in range(10):
        found = [invalid(f"{SITE}{n}/{m}") for m in range(80)]
        site = after(site, discovery(valid(f"{SITE}good{n}", feed(title=str(n))), *found), now=NOW + n)

    assert site
    assert len(site.candidates) <= CANDIDATES_KEPT + 10
    assert sum(each.validation_status is ValidationStatus.VALID for each in site.candidates) == 10


def test_known_candidates_beyond_one_save_are_not_called_missing() -> None:
    failed = [invalid(f"{SITE}bad{n:03}") for n in range(90)]
    before = after(None, discovery(*failed))

    again = after(before, discovery(*failed, valid(FEED)), now=NOW + DAY)

    assert [each.missing_since for each in again.candidates] == [None] * 91
