"""Recent results are answered from the records; a repeated search updates them in place."""

from __future__ import annotations

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.discovery.candidate import Kind
from feedward.discovery.result import DiscoveryOutcome
from feedward.services.discover.discover_site import answer_discovery
from feedward.services.discover.reuse import REUSE_S
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.services.discover.blog import (
    COMMENTS,
    FEED,
    HOME,
    SITE_ID,
    document,
    page,
    requested,
    site,
)

# --- reused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", [HOME, "blog.example.com", "http://blog.example.com", f"{HOME}#top"])
def test_recent_results_are_answered_without_a_request(url: str) -> None:
    directory = FakeDirectory(site())
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    before = requested(directory)
    directory.clock.advance(REUSE_S)
    again = answer_discovery(SELF_HOSTED, url, directory=directory)
    assert (again.reused, again.site) == (True, first.site)
    assert requested(directory) == before


def test_after_15_minutes_the_site_is_looked_at_again() -> None:
    directory = FakeDirectory(site())
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    before = requested(directory)
    directory.clock.advance(REUSE_S + 1)
    again = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert not again.reused
    assert requested(directory) > before
    assert again.site.site.last_discovered_at == NOW + REUSE_S + 1


def test_refresh_looks_again_at_once() -> None:
    directory = FakeDirectory(site())
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    before = requested(directory)
    assert not answer_discovery(SELF_HOSTED, HOME, directory=directory, refresh=True).reused
    assert requested(directory) > before


def test_another_intent_looks_again_and_the_same_one_does_not() -> None:
    directory = FakeDirectory(
        {HOME: page("/posts.xml", "/comments.xml"), FEED: document(), COMMENTS: document(COMMENTS)}
    )
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer_discovery(SELF_HOSTED, HOME, directory=directory, intent=Kind.MAIN).reused
    assert not answer_discovery(SELF_HOSTED, HOME, directory=directory, intent=Kind.COMMENTS).reused
    assert answer_discovery(SELF_HOSTED, HOME, directory=directory, intent=Kind.COMMENTS).reused


@pytest.mark.parametrize(
    ("asked", "then"),
    [
        ("https://blog.example.com/", "http://blog.example.com/"),
        ("https://blog.example.com/", "blog.example.com"),
        (f"{HOME}?utm_source=x", "http://blog.example.com/"),
    ],
)
def test_a_failure_of_one_spelling_is_no_answer_to_another(asked: str, then: str) -> None:
    plain = "http://blog.example.com/"
    directory = FakeDirectory({plain: page("/posts.xml"), f"{plain}posts.xml": document(f"{plain}posts.xml")})
    assert answer_discovery(SELF_HOSTED, asked, directory=directory).site.site.outcome is DiscoveryOutcome.UNREACHABLE
    assert answer_discovery(SELF_HOSTED, asked, directory=directory).reused
    answer = answer_discovery(SELF_HOSTED, then, directory=directory)
    assert (answer.reused, answer.site.site.outcome) == (False, DiscoveryOutcome.FOUND)
    assert answer_discovery(SELF_HOSTED, asked, directory=directory).site.site.outcome is DiscoveryOutcome.FOUND
    assert len(directory.contents.sites()) == 1


def test_rediscovery_updates_in_place_and_forgets_no_candidate() -> None:
    directory = FakeDirectory(site())
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    moved = "https://blog.example.com/new.xml"
    directory.internet.network = FakeDirectory({HOME: page("/new.xml"), moved: document(moved)}).internet.network
    directory.clock.advance(REUSE_S + 1)
    again = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    old = next(each for each in again.site.candidates if each.candidate_url == FEED)
    assert again.site.candidates[0].candidate_url == moved
    assert (old.is_canonical, old.feed_id, old.missing_since) == (False, first.site.site.feed_id, NOW + REUSE_S + 1)
    assert again.site.site.created_at == NOW
    assert len(directory.contents.sites()) == 1
    assert directory.sites.site(SITE_ID) == again.site


def test_an_event_left_by_a_crash_is_sent_when_the_site_is_requested_again() -> None:
    directory = FakeDirectory(site())
    directory.bus.events.fails = FOR_EVER
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert len(directory.contents.pending("event")) == 1
    directory.bus.events.fails = 0
    assert answer_discovery(SELF_HOSTED, HOME, directory=directory).reused
    assert directory.contents.pending("event") == []
    assert len(directory.bus.details) == 1
