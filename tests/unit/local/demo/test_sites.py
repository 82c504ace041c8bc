"""The sites file tells its stories without contradictions."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from feedward.canonical.result import Reason
from feedward.discovery.result import DiscoveryOutcome
from feedward.feeds.parse import parse_feed
from feedward.frontier.decide import REASONS
from feedward.frontier.row import RowStatus
from feedward.model import Feed, Outcome
from feedward_local.demo.sites import load_sites

SITES = load_sites()


def test_it_has_more_than_a_dozen_hosts_and_all_are_reserved_names() -> None:
    assert len(SITES.hosts) > 12
    assert all(host.endswith(".example") for host in SITES.hosts)


def test_every_story_has_something_to_try_and_something_to_tell() -> None:
    told = [one.story for one in SITES.tries] + [one.story for one in SITES.finds]
    told += [one.story for one in SITES.collects]
    assert {name for name, _ in SITES.stories} == set(told)
    assert len({one.story for one in SITES.finds}) > 12
    assert all(tells for _, tells in SITES.stories)


def test_the_description_uses_the_words_of_the_specification() -> None:
    for one in SITES.tries:
        reason = Reason(one.expected["reason"])
        assert (one.expected["url"] is None) == (reason in (Reason.ERROR, Reason.UNSAFE_URL, Reason.BAD_URL)), one.url
        if "outcome" in one.expected:
            Outcome(one.expected["outcome"])


def test_every_answer_is_a_page_of_the_made_up_internet() -> None:
    for one in SITES.tries:
        if one.expected["url"]:
            page = SITES.find(one.expected["url"])
            assert page is not None, one.url
            assert page.status == 200, one.url


def test_the_description_of_a_discovery_uses_the_words_of_the_specification() -> None:
    for one in SITES.finds:
        outcome = DiscoveryOutcome(one.said["outcome"])
        assert (one.answer is not None) == (outcome is DiscoveryOutcome.FOUND), one.url
        assert one.said.keys() <= {"outcome", "page_outcome", "intent", "retry_after_s"}
        if "page_outcome" in one.said:
            Outcome(one.said["page_outcome"])


def test_the_description_of_pages_to_collect_uses_the_words_of_the_specification() -> None:
    for one in SITES.collects:
        is_fetched = RowStatus(one.said["status"]) is RowStatus.FETCHED
        assert is_fetched == (one.said["last_error"] is None), one.url
        assert is_fetched or one.said["last_error"] in REASONS, one.url
        page = SITES.find(one.said["url"])
        assert not is_fetched or (page is not None and page.status == 200), one.url
        assert one.same_as is None or one.same_as in [each.url for each in SITES.collects]


def test_every_feed_that_is_to_be_found_is_one() -> None:
    for one in SITES.finds:
        for url in (*one.also, *([one.answer] if one.answer else [])):
            page = SITES.find(url)
            assert page is not None, url
            assert isinstance(parse_feed(page.body), Feed), url


def test_pages_are_found_by_the_exact_url_or_by_path_when_they_look_at_no_query() -> None:
    assert SITES.find("https://garden.example/feed?anything=1") is SITES.find("https://garden.example/feed")
    assert SITES.find("https://forum.example/feed.php?board=8") is None
    assert SITES.find("https://ridge.example/index.rdf") is None


def test_a_catch_all_page_answers_the_urls_that_no_other_page_of_its_host_has() -> None:
    shell = SITES.find("https://lantern.example/no/such/page?q=1")
    assert shell is not None
    assert b"Lantern Slides" in shell.body
    assert SITES.find("https://lantern.example/rss.xml") is not shell
    assert SITES.find("http://lantern.example/") is None


def test_pages_are_at_absolute_urls_of_default_ports() -> None:
    for url in SITES.pages:
        parts = urlsplit(url)
        assert parts.scheme in ("http", "https")
        assert parts.port is None
        assert parts.path.startswith("/")


@pytest.mark.parametrize(
    ("pages", "says"),
    [
        ("[{ at = ['https://a.example/'], colour = 'red' }]", "colour"),
        ("[{ at = ['https://a.example/'] }, { at = ['https://a.example/'] }]", "two pages"),
    ],
)
def test_an_entry_that_makes_no_sense_is_named(tmp_path: Path, pages: str, says: str) -> None:
    path = tmp_path / "sites.toml"
    path.write_text(f"[feed]\n[[story]]\nname = 'odd'\ntells = ''\ntry = []\npages = {pages}\n")
    with pytest.raises(ValueError, match=f"odd: .*{says}"):
        load_sites(path)


def test_a_phase_has_its_own_page_at_a_url_and_leaves_the_others_alone() -> None:
    feed, home = "https://almanac.example/feed.xml", "https://orchard.example/"
    always, moved = SITES.find(feed), SITES.find(feed, "almanac-moved")
    assert always is not None
    assert moved is not None
    assert (always.status, moved.status) == (200, 301)
    assert SITES.find(feed, "almanac-gone") is not moved
    assert SITES.find(home, "almanac-moved") is SITES.find(home)
    assert SITES.find("https://almanac.example/posts/feed.xml") is None
