"""A site is discovered once, registered and stored; failures of bus, queue and stores are tolerated or reported."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.adapters.dynamodb.feeds.indexed_feeds import DynamoIndexedFeeds
from feedward.discovery.candidate import Kind, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.errors import Conflict
from feedward.feeds import parse
from feedward.model import Outcome
from feedward.services.canonicalize.register import canonicalize_and_register
from feedward.services.discover.discover_site import answer_discovery
from feedward.services.discover.read_sites import find_site
from feedward.services.discover.reuse import REUSE_S
from feedward.services.discover.site_run import RETRIES
from feedward.urls.key import url_hash
from tests.callers import of_tenant
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.canonical.documents import atom
from tests.unit.services.discover.blog import (
    COMMENTS,
    FEED,
    HOME,
    SITE_ID,
    document,
    meta_of,
    page,
    site,
    slow_site,
)

# --- found within the answer's time -----------------------------------------------------------------


def test_a_site_is_answered_with_its_canonical_feed_and_kept() -> None:
    directory = FakeDirectory(site())
    answer = answer_discovery(SELF_HOSTED, "blog.example.com", directory=directory)
    found = answer.site.site
    assert (answer.job, answer.reused, answer.stored) == (None, False, True)
    assert (found.site_id, found.outcome, found.complete) == (SITE_ID, DiscoveryOutcome.FOUND, True)
    assert (found.input_url, found.canonical_url, found.title) == ("blog.example.com", HOME, "A Blog")
    assert found.canonical_feed_url == FEED
    assert directory.sites.site(SITE_ID) == answer.site


def test_the_canonical_feed_is_registered_with_the_sites_choice() -> None:
    directory = FakeDirectory(site())
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    (feed,) = directory.contents.live().values()
    (meta,) = directory.contents.under(feed["feed_id"], "META")
    chosen = answer.site.candidates[0]
    assert feed["url"] == FEED
    assert answer.site.site.feed_id == chosen.feed_id == feed["feed_id"]
    assert (meta["site_id"], meta["is_canonical"], meta["canonical_score"]) == (SITE_ID, True, chosen.score)


def test_a_feed_that_the_directory_had_before_becomes_the_sites_choice() -> None:
    directory = FakeDirectory(site())
    canonicalize_and_register(FEED, fetcher=directory.fetcher, store=directory.store, now=NOW)
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    expected = {"site_id": SITE_ID, "is_canonical": True, "canonical_score": answer.site.candidates[0].score}
    assert meta_of(directory, answer.site.site.feed_id) == expected


def test_a_site_that_chooses_another_feed_takes_its_choice_back() -> None:
    directory = FakeDirectory(site())
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    moved = "https://blog.example.com/new.xml"
    directory.internet.network = FakeDirectory({HOME: page("/new.xml"), moved: document(moved)}).internet.network
    directory.internet.network[moved] = document(moved, body=atom("Other", self_url=moved, items=("8", "9")))
    directory.clock.advance(REUSE_S + 1)
    again = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert first.site.site.feed_id != again.site.site.feed_id
    assert meta_of(directory, first.site.site.feed_id)["is_canonical"] is None
    assert meta_of(directory, again.site.site.feed_id)["is_canonical"] is True


@pytest.mark.parametrize(("most", "outcome"), [(7, Outcome.OK), (5, Outcome.TOO_MANY_REDIRECTS)])
def test_setting_of_redirects_reaches_the_search(most: int, outcome: Outcome) -> None:
    steps = [f"https://blog.example.com/{n}" for n in range(7)] + [HOME]
    hops = {url: {"status": 302, "headers": {"Location": to}} for url, to in pairwise(steps)}
    directory = FakeDirectory({**site(), **hops})
    directory.internet.max_redirects = most
    assert answer_discovery(SELF_HOSTED, steps[0], directory=directory).site.site.page_outcome is outcome


# --- the site's own feed, and its others (rule D5) ---------------------------------------------------------


FREE = {"site_id": None, "is_canonical": None, "canonical_score": None}


def comments() -> dict[str, Any]:
    body = atom("Comments on all posts", self_url=COMMENTS, items=("c1", "c2"))
    return document(body=body.replace("<id>urn:f</id>", f'<id>urn:c</id><link href="{HOME}"/>'))


def test_a_feed_that_came_by_its_own_url_is_no_sites_choice() -> None:
    directory = FakeDirectory({**site(), COMMENTS: comments()})
    for url in (COMMENTS, FEED):
        answer = answer_discovery(SELF_HOSTED, url, directory=directory)
        assert answer.site.site.outcome is DiscoveryOutcome.FOUND
        assert meta_of(directory, answer.site.site.feed_id) == FREE


def test_a_feed_that_came_by_its_own_url_belongs_to_its_site_once_a_page_was_looked_at() -> None:
    directory = FakeDirectory({HOME: page("/posts.xml", "/comments.xml"), FEED: document(), COMMENTS: comments()})
    first = answer_discovery(SELF_HOSTED, COMMENTS, directory=directory)
    of_page = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert of_page.site.site.feed_id != first.site.site.feed_id
    assert meta_of(directory, first.site.site.feed_id) == FREE | {"site_id": SITE_ID}
    assert meta_of(directory, of_page.site.site.feed_id)["is_canonical"] is True


def test_a_feed_that_its_page_does_not_name_belongs_to_its_site_link_once_the_page_was_looked_at() -> None:
    directory = FakeDirectory({**site(), COMMENTS: comments()})
    first = answer_discovery(SELF_HOSTED, COMMENTS, directory=directory)
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert meta_of(directory, first.site.site.feed_id) == FREE | {"site_id": SITE_ID}


def test_a_feed_that_links_to_another_page_of_the_domain_stays_free() -> None:
    other = comments()["body"].replace(f'href="{HOME}"', f'href="{HOME}about"')
    directory = FakeDirectory({**site(), COMMENTS: document(COMMENTS, body=other)})
    first = answer_discovery(SELF_HOSTED, COMMENTS, directory=directory)
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert meta_of(directory, first.site.site.feed_id) == FREE


def test_a_feed_that_comes_by_its_own_url_after_its_page_belongs_to_it_at_once() -> None:
    directory = FakeDirectory({**site(), COMMENTS: comments()})
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    later = answer_discovery(SELF_HOSTED, COMMENTS, directory=directory)
    assert meta_of(directory, later.site.site.feed_id) == FREE | {"site_id": SITE_ID}


def test_the_page_of_a_feeds_own_url_is_no_site_of_it() -> None:
    """A feed that links to itself, or to another feed that was discovered."""
    other = document(COMMENTS, body=comments()["body"].replace(f'href="{HOME}"', f'href="{FEED}"'))
    directory = FakeDirectory({**site(), COMMENTS: other})
    answer_discovery(SELF_HOSTED, FEED, directory=directory)
    answer = answer_discovery(SELF_HOSTED, COMMENTS, directory=directory)
    assert meta_of(directory, answer.site.site.feed_id) == FREE


@pytest.mark.parametrize(("intent", "marked"), [(None, False), (Kind.MAIN, False), (Kind.COMMENTS, False)])
def test_comments_are_never_the_sites_own_feed_though_they_are_all_it_has(intent: Kind | None, marked: bool) -> None:
    directory = FakeDirectory({HOME: page("/comments.xml"), COMMENTS: comments()})
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory, intent=intent)
    assert answer.site.candidates[0].is_canonical
    meta = meta_of(directory, answer.site.site.feed_id)
    assert (meta["site_id"], bool(meta["is_canonical"]), meta["canonical_score"]) == (SITE_ID, marked, None)


def test_a_discovery_for_another_kind_leaves_the_sites_own_feed_alone() -> None:
    directory = FakeDirectory({HOME: page("/posts.xml", "/comments.xml"), FEED: document(), COMMENTS: comments()})
    own = answer_discovery(SELF_HOSTED, HOME, directory=directory).site.site.feed_id
    other = answer_discovery(SELF_HOSTED, HOME, directory=directory, intent=Kind.COMMENTS).site.site.feed_id
    assert other != own
    assert meta_of(directory, own)["is_canonical"] is True
    assert meta_of(directory, other) == FREE | {"site_id": SITE_ID}


def test_a_sites_new_title_is_a_change_of_its_feed_that_the_search_index_reads() -> None:
    directory = FakeDirectory(site())
    indexed = DynamoIndexedFeeds(directory.tables)
    feed_id = answer_discovery(SELF_HOSTED, HOME, directory=directory).site.site.feed_id or ""

    def discovered_again(title: str) -> tuple[str, int]:
        renamed = site()
        renamed[HOME]["body"] = renamed[HOME]["body"].replace("A Blog", title)
        directory.internet.network = FakeDirectory(renamed).internet.network
        directory.clock.advance(REUSE_S + 1)
        answer_discovery(SELF_HOSTED, HOME, directory=directory)
        (found,) = indexed.read([feed_id])
        return found.site.title, found.version

    title, before = discovered_again("A Blog")

    assert discovered_again("A Blog") == (title, before) == ("A Blog", before)
    assert discovered_again("Another name") == ("Another name", before + 1)


def test_a_newer_choice_takes_site_mark_and_score_from_the_older_one() -> None:
    directory = FakeDirectory({HOME: page("/posts.xml"), FEED: document()})
    old = answer_discovery(SELF_HOSTED, HOME, directory=directory).site.site.feed_id
    directory.internet.network = FakeDirectory({HOME: page("/new.xml"), NEW: new_document()}).internet.network
    for _ in range(2):
        directory.clock.advance(REUSE_S + 1)
        new = answer_discovery(SELF_HOSTED, HOME, directory=directory).site.site.feed_id
    assert meta_of(directory, old) == FREE
    assert meta_of(directory, new)["is_canonical"] is True


def test_candidates_name_their_feeds_of_any_registration() -> None:
    directory = FakeDirectory({HOME: page("/posts.xml", "/comments.xml"), FEED: document(), COMMENTS: comments()})
    before = register(COMMENTS, directory)
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert {each.candidate_url: each.feed_id for each in answer.site.candidates} == {
        FEED: answer.site.site.feed_id,
        COMMENTS: before,
    }
    assert directory.sites.site(SITE_ID) == answer.site


def test_candidates_name_feeds_that_were_registered_later() -> None:
    directory = FakeDirectory({HOME: page("/posts.xml", "/comments.xml"), FEED: document(), COMMENTS: comments()})
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    later = register(COMMENTS, directory)
    found = (
        find_site(SELF_HOSTED, SITE_ID, directory=directory).site,
        answer_discovery(SELF_HOSTED, HOME, directory=directory).site,
    )
    assert [each.feed_id for site in found if site for each in site.candidates if each.candidate_url == COMMENTS] == [
        later,
        later,
    ]


def register(url: str, directory: FakeDirectory) -> str | None:
    return canonicalize_and_register(url, fetcher=directory.fetcher, store=directory.store, now=NOW).feed_id


NEW = "https://blog.example.com/new.xml"


def new_document() -> dict[str, Any]:
    body = atom("Other", self_url=NEW, items=("8", "9")).replace(
        "<id>urn:f</id>", f'<id>urn:n</id><link href="{HOME}"/>'
    )
    return document(NEW, body=body)


def test_canonicalizing_asks_and_parses_nothing_that_the_search_did_already(monkeypatch: pytest.MonkeyPatch) -> None:
    directory = FakeDirectory(site())
    parsed: list[str] = []
    parse_feed = parse.parse_feed

    def recorded(body: bytes, **more: Any) -> Any:
        parsed.append(more["url"])
        return parse_feed(body, **more)

    monkeypatch.setattr(parse, "parse_feed", recorded)
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert directory.internet.requests == [HOME, FEED]
    assert parsed.count(FEED) == 1


def test_a_feeds_event_is_sent_and_deleted_from_the_outbox() -> None:
    directory = FakeDirectory(site())
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert [(each["feed_id"], each["url"]) for each in directory.bus.details] == [(answer.site.site.feed_id, FEED)]
    assert directory.contents.pending("event") == []


def test_the_cleaner_url_of_the_feed_is_the_one_that_is_registered() -> None:
    tracked = f"{FEED}?utm_source=page"
    directory = FakeDirectory({HOME: page(tracked), tracked: document(), FEED: document()})
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.site.site.canonical_feed_url == FEED
    assert [feed["url"] for feed in directory.contents.live().values()] == [FEED]
    known = directory.store.find([tracked])
    assert known is not None
    assert known.url == FEED


RSS = "https://blog.example.com/rss"
ELSEWHERE = "https://copies.example.org/feed.xml"


@pytest.mark.parametrize(
    "more",
    [
        {RSS: {"status": 301, "headers": {"Location": FEED}}},
        {RSS: document()},
        {RSS: document(body=f"{document()['body']}<!-- made later -->")},
    ],
    ids=["a redirect", "the same bytes", "the same feed"],
)
def test_further_urls_of_the_chosen_feed_find_it_from_then_on(more: dict[str, Any]) -> None:
    directory = FakeDirectory({HOME: page(FEED, RSS), FEED: document(), **more})
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.site.candidates[0].aliases == (RSS,)
    known = directory.store.find([RSS])
    assert known is not None
    assert known.url == FEED
    again = canonicalize_and_register(RSS, fetcher=directory.fetcher, store=directory.store, now=NOW)
    assert (again.url, again.created) == (FEED, False)


def test_a_known_feed_learns_further_urls_that_lead_to_it() -> None:
    directory = FakeDirectory({HOME: page(FEED, RSS), FEED: document(), RSS: document()})
    canonicalize_and_register(FEED, fetcher=directory.fetcher, store=directory.store, now=NOW)
    assert directory.store.find([RSS]) is None
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert directory.store.find([RSS]) is not None


def test_twins_that_were_registered_apart_become_one_feed() -> None:
    twin = document(body=atom("A Blog", items=("1", "2", "3")))
    directory = FakeDirectory({HOME: page(FEED, RSS), FEED: twin, RSS: twin})
    canonicalize_and_register(RSS, fetcher=directory.fetcher, store=directory.store, now=NOW)
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert len(directory.contents.live()) == 1


def test_a_copy_on_a_foreign_domain_is_no_alias() -> None:
    directory = FakeDirectory({HOME: page(FEED, ELSEWHERE), FEED: document(), ELSEWHERE: document()})
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert directory.store.find([ELSEWHERE]) is None


def test_a_feed_that_the_directory_has_is_joined_and_not_announced_again() -> None:
    directory = FakeDirectory({**site(), "https://other.example.com/": page(FEED)})
    answer_discovery(SELF_HOSTED, HOME, directory=directory)
    directory.bus.events.entries.clear()
    answer = answer_discovery(SELF_HOSTED, "https://other.example.com/", directory=directory)
    assert len(directory.contents.live()) == 1
    assert directory.bus.details == []
    assert answer.stored


def test_a_site_without_a_feed_is_kept_as_that() -> None:
    directory = FakeDirectory({HOME: page()})
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.site.site.outcome is DiscoveryOutcome.NO_FEED
    assert (answer.job, answer.site.site.feed_id) == (None, None)
    assert SITE_ID in directory.contents.sites()
    assert directory.contents.feeds() == {}


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("not a url", DiscoveryOutcome.BAD_URL),
        ("", DiscoveryOutcome.BAD_URL),
        ("javascript:alert(1)", DiscoveryOutcome.BAD_URL),
        ("https://example.com/" + "a" * 3000, DiscoveryOutcome.BAD_URL),
        ("http://169.254.169.254/latest/meta-data/", DiscoveryOutcome.BLOCKED),
        ("http://localhost/", DiscoveryOutcome.BLOCKED),
        ("http://[::1]/", DiscoveryOutcome.BLOCKED),
        ("http://user:secret@example.com/", DiscoveryOutcome.BLOCKED),
        ("https://moved.example.com/", DiscoveryOutcome.BLOCKED),
    ],
)
def test_a_forbidden_url_is_answered_and_never_stored(url: str, outcome: DiscoveryOutcome) -> None:
    inside = {"status": 302, "headers": {"Location": "http://10.0.0.1/"}}
    directory = FakeDirectory({"https://moved.example.com/": inside})
    answer = answer_discovery(SELF_HOSTED, url, directory=directory)
    assert (answer.site.site.outcome, answer.job, answer.stored) == (outcome, None, False)
    assert directory.contents.sites() == {}
    assert directory.contents.jobs() == {}
    assert all("10.0.0.1" not in asked for asked in directory.internet.requests)


def test_a_private_url_is_a_tenants_own() -> None:
    private = f"{HOME}?token=s3cret"
    directory = FakeDirectory(site() | {private: site()[HOME]})
    answer_discovery(SELF_HOSTED, private, directory=directory)
    answer = answer_discovery(of_tenant("tenant"), private, directory=directory)
    assert answer.site.site.site_id == url_hash(private, "tenant")
    assert (answer.reused, answer.site.site.scope) == (False, "tenant")
    assert len(directory.contents.live()) == 2
    assert {each["tenant_id"] for each in directory.bus.details} == {None, "tenant"}


def test_invalid_candidates_are_kept_with_why() -> None:
    directory = FakeDirectory(
        {HOME: page("/gone.xml", "/posts.xml"), FEED: document()} | {f"{HOME}gone.xml": {"status": 410}}
    )
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    gone = next(each for each in answer.site.candidates if each.candidate_url == f"{HOME}gone.xml")
    assert (gone.validation_status, gone.last_error, gone.http_status) == (ValidationStatus.INVALID, "gone", 410)


# --- failures of stores, bus and queue --------------------------------------------------------------


@pytest.mark.parametrize("knob", ["fails", "throttles", "refuses"])
def test_a_failing_bus_costs_no_answer_and_the_event_stays_in_the_outbox(knob: str) -> None:
    directory = FakeDirectory(site())
    setattr(directory.bus.events, knob, FOR_EVER)
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.site.site.feed_id is not None
    assert answer.undelivered == ("throttled" if knob == "throttles" else "bus_unavailable",)
    assert directory.sites.site(SITE_ID) == answer.site
    (undelivered,) = directory.contents.pending("event")
    assert undelivered["detail_type"] == "FeedDiscovered"


def test_a_queue_that_fails_costs_no_answer_and_the_job_stays_pending() -> None:
    directory = slow_site()
    directory.queue.sqs.fails = FOR_EVER
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    job = directory.contents.jobs()[answer.job.job_id]
    assert (job["status"], "pending_shard" in job) == ("pending", True)
    assert answer.undelivered == ("queue_unavailable",)
    assert directory.queue.messages == []


def test_a_store_that_is_away_is_said() -> None:
    directory = FakeDirectory(site())
    directory.faults.throttles = FOR_EVER
    with pytest.raises(Exception, match="slow down"):
        answer_discovery(SELF_HOSTED, HOME, directory=directory)


def test_a_write_that_lost_to_another_is_decided_again() -> None:
    directory = FakeDirectory(site())
    save = directory.sites.save
    others: list[int] = []

    def interrupted(*args: Any, **options: Any) -> bool:
        if len(others) < RETRIES:
            others.append(1)
            before = directory.sites.site(SITE_ID)
            theirs = before or answer_site()
            assert save(theirs, changed=theirs.candidates, seen_rev=before.site.rev if before else 0)
        return save(*args, **options)

    def answer_site() -> Any:
        elsewhere = FakeDirectory({HOME: page("/other.xml"), "https://blog.example.com/other.xml": {"status": 404}})
        return answer_discovery(SELF_HOSTED, HOME, directory=elsewhere).site

    directory.sites.save = interrupted  # type: ignore[method-assign]
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    stored = directory.sites.site(SITE_ID)
    assert stored == answer.site
    assert {each.candidate_url for each in stored.candidates} >= {FEED, "https://blog.example.com/other.xml"}


def test_a_writer_that_loses_every_time_is_a_conflict() -> None:
    directory = FakeDirectory(site())
    tries: list[int] = []
    directory.sites.save = lambda *_, **__: tries.append(1)  # type: ignore[method-assign,assignment]
    with pytest.raises(Conflict):
        answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert len(tries) == 1 + RETRIES
