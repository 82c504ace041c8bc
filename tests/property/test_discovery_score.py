"""Properties of any candidates: one order, one choice, points that add up, records that settle and lose nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from feedward.discovery.candidate import Candidate, Kind, Source, ValidationStatus
from feedward.discovery.guesses import guess_waves
from feedward.discovery.kinds import intent_of, kind_of
from feedward.discovery.merge_candidates import merge
from feedward.discovery.own_site import is_own_site
from feedward.discovery.requested_part import Asked
from feedward.discovery.result import Discovery, DiscoveryOutcome
from feedward.discovery.score import rank
from feedward.discovery.site import StoredSite
from feedward.discovery.site_update import changed, updated
from feedward.model import Feed, FeedFormat, Item, Outcome
from tests.unit.discovery.candidates import NOW, invalid, lead, untested, valid

HOSTS = ["https://example.com", "http://example.com", "https://www.example.com", "https://other.example"]
PATHS = [
    "/feed",
    "/feed/",
    "/rss",
    "/comments/feed",
    "/category/tea/feed",
    "/blog/feed",
    "/2026/08/hi/feed/",
    "/?s=x&feed=r",
]
PAGES = [
    "https://example.com/",
    "https://example.com/category/tea/",
    "https://example.com/2026/08/hi/",
    "https://x.example/a",
]

urls = st.builds(lambda host, path: host + path, st.sampled_from(HOSTS), st.sampled_from(PATHS))
links = st.one_of(st.none(), urls, st.sampled_from(["/", "", "javascript:x", "http://localhost/", "nonsense"]))
leads = st.builds(
    lead,
    urls,
    st.sampled_from(Source),
    st.integers(0, 9),
    title=st.sampled_from([None, "Comments Feed", "Tea"]),
    language=st.sampled_from([None, "de", "en-us"]),
    kind=st.sampled_from([None, None, *Kind]),
)
posts = st.lists(
    st.builds(Item, id=st.sampled_from("abc"), url=links, title=st.none(), published_at=st.integers(0, NOW)), max_size=2
)
feeds = st.builds(
    Feed,
    format=st.sampled_from(FeedFormat),
    title=st.sampled_from([None, "Tea", "Comments for Tea", "Podcast"]),
    site_url=links,
    self_url=links,
    language=st.sampled_from([None, "de"]),
    items=posts.map(tuple),
)
asks = st.builds(
    Asked,
    url=st.sampled_from(PAGES),
    page_url=st.sampled_from(PAGES),
    intent=st.sampled_from(Kind),
    language=st.sampled_from([None, "de"]),
)


@st.composite
def candidates(draw: st.DrawFn) -> Candidate:
    url, own = draw(urls), draw(st.lists(leads, min_size=1, max_size=3))
    status = draw(st.sampled_from(ValidationStatus))
    if status is ValidationStatus.VALID:
        return valid(url, draw(feeds), *own, final_url=draw(urls))
    if status is ValidationStatus.INVALID:
        return invalid(url, *own, outcome=draw(st.sampled_from([Outcome.GONE, Outcome.NOT_FEED])))
    return untested(url, *own)


many = st.lists(candidates(), max_size=5)


@given(many, asks, st.randoms())
def test_same_candidates_have_one_order_however_they_came(found: list[Candidate], asked: Asked, random: object) -> None:
    merged = merge(found)
    shuffled = list(merged)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = rank(merged, asked), rank(shuffled, asked)
    assert [(each.url, each.score, each.is_canonical) for each in first] == [
        (each.url, each.score, each.is_canonical) for each in second
    ]


@given(many, asks)
def test_ranking_adds_up_chooses_one_and_settles(found: list[Candidate], asked: Asked) -> None:
    ranked = rank(found, asked)
    assert len(ranked) == len(found)
    assert all(each.score == sum(each.parts.values()) for each in ranked)
    assert rank(ranked, asked) == ranked
    chosen = [each for each in ranked if each.is_canonical]
    may = [each for each in ranked if each.status is ValidationStatus.VALID and is_own_site(each, asked)]
    assert chosen == may[:1]
    scores = [each.score for each in ranked if each.status is ValidationStatus.VALID]
    assert scores == sorted(scores, reverse=True)


@given(many)
def test_merging_loses_no_url_and_no_lead_and_settles(found: list[Candidate]) -> None:
    merged = merge(found)
    told = {url for each in merged for url in (each.url, each.final_url, *each.aliases)}
    assert {each.url for each in found if each.status is ValidationStatus.VALID} <= told
    assert {one for each in found for one in each.leads} == {one for each in merged for one in each.leads}
    assert merge(merged) == merged


def discovery(found: Sequence[Candidate], asked: Asked, complete: bool, outcome: DiscoveryOutcome) -> Discovery:
    return Discovery(
        input_url=asked.url,
        url=asked.url,
        outcome=outcome,
        complete=complete,
        candidates=rank(merge(found), asked),
    )


discoveries = st.builds(discovery, many, asks, st.booleans(), st.sampled_from(DiscoveryOutcome))


@given(st.lists(discoveries, min_size=1, max_size=3))
def test_the_same_discovery_again_changes_nothing_but_the_time(runs: list[Discovery]) -> None:
    site: StoredSite | None = None
    for time, run in enumerate(runs):
        before = site
        site = updated(before, run, site_id="s", now=NOW + time, feed_id="F", canonical_feed_url="https://f.example/")
        known = {each.url_hash: each for each in before.candidates} if before else {}
        kept = {each.url_hash: each for each in site.candidates}
        assert known.keys() <= kept.keys()
        assert all(kept[each].first_seen_at == known[each].first_seen_at for each in known)
        assert all(kept[each].history[: len(known[each].history)] == known[each].history for each in known)
        assert sum(each.is_canonical for each in site.candidates) <= 1

        again = updated(site, run, site_id="s", now=NOW + 99, feed_id="F", canonical_feed_url="https://f.example/")
        assert changed(site, again) == []
        assert again.candidates == site.candidates
        assert again.site == replace(site.site, last_discovered_at=NOW + 99, rev=site.site.rev + 1)


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from("/?&=.-@~%"), max_size=60)


@given(texts, texts)
def test_any_text_has_a_kind_an_intent_and_guesses(one: str, other: str) -> None:
    for url in (one, "https://example.com/" + one):
        assert isinstance(kind_of(url, other, page_url="https://example.com/" + other), Kind)
        assert isinstance(intent_of(url), Kind)
        tried = [each.url for wave in guess_waves(url, other) for each in wave]
        assert len(tried) == len(set(tried))
