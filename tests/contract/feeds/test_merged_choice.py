"""After a merge, the site that chose the merged feed names the surviving one (rule I3)."""

from __future__ import annotations

from dataclasses import replace

from tests.contract.benches.feeds import NOW, new_feed
from tests.contract.benches.moves import a_move, moves
from tests.contract.benches.sites import SITE_ID, candidate, stored_site
from tests.contract.conftest import Bench

OLD, NEW = "https://example.com/old", "https://example.com/new"


def merged(bench: Bench) -> tuple[str, str]:
    """Two feeds: the second is the site's choice, and is then merged into the first."""
    a = bench.store.register(new_feed("a", OLD)).feed_id
    chosen = new_feed("b", NEW, now=NOW + 1, site_id=SITE_ID, is_canonical=True, canonical_score=90)
    b = bench.store.register(chosen).feed_id
    rows = (replace(candidate(NEW), feed_id=b, is_canonical=True), candidate("https://example.com/c"))
    known = stored_site(*rows, feed_id=b, canonical_feed_url=NEW)
    assert bench.sites.save(known, changed=rows, seen_rev=0)
    moves(bench).move(a_move(bench, a, NEW))
    return a, b


def test_the_site_its_candidates_and_the_feeds_texts_agree(bench: Bench) -> None:
    a, b = merged(bench)
    assert bench.sites.repoint(b, now=NOW)
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert (found.site.feed_id, found.site.canonical_feed_url, found.site.rev) == (a, NEW, 2)
    assert {each.candidate_url: each.feed_id for each in found.candidates} == {NEW: a, "https://example.com/c": None}
    [meta] = bench.contents.under(a, "META")
    assert (meta["site_id"], meta["is_canonical"], meta["canonical_score"]) == (SITE_ID, True, 90)


def test_doing_it_again_writes_nothing(bench: Bench) -> None:
    _, b = merged(bench)
    bench.sites.repoint(b, now=NOW)
    bench.faults.calls.clear()
    assert bench.sites.repoint(b, now=NOW)
    assert "transact_write_items" not in bench.faults.calls


def test_a_site_that_chose_another_feed_meanwhile_keeps_it(bench: Bench) -> None:
    _, b = merged(bench)
    found = bench.sites.site(SITE_ID)
    assert found is not None
    other = replace(found, site=replace(found.site, feed_id="OTHER"))
    assert bench.sites.save(other, changed=(), seen_rev=1)
    assert bench.sites.repoint(b, now=NOW)
    kept = bench.sites.site(SITE_ID)
    assert kept is not None
    assert kept.site.feed_id == "OTHER"


def test_a_feed_that_is_not_merged_and_one_without_a_site_need_no_repointing(bench: Bench) -> None:
    a = bench.store.register(new_feed("a", OLD)).feed_id
    bench.faults.calls.clear()
    assert bench.sites.repoint(a, now=NOW)
    assert bench.sites.repoint("0NONE", now=NOW)
    assert "transact_write_items" not in bench.faults.calls
