"""The effect of a new version of the key on a row of the registry, and on the owners that it finds."""

from __future__ import annotations

from dataclasses import replace

from feedward.errors import InvalidInput
from feedward.urls.rekey import Claim, OutdatedUrl, Owner, RekeyPlan, plan_rekey

FEED = Owner(owner_id="feed", url="https://example.com/feed", url_hash="old", rev=1)
ROW = Owner(owner_id="row", url="https://example.com/feed", url_hash="old", rev=1)
URL = OutdatedUrl(url_hash="old", url="https://example.com/feed", key_version="1", feed=FEED)


def hash_of(url: str, scope: str) -> str:
    """A key that distinguishes all spellings, and refuses `ftp:`."""
    if url.startswith("ftp:"):
        raise InvalidInput("url", "not an http(s) URL")
    return f"{scope}|{url}"


def test_a_feed_is_claimed_and_has_a_new_hash_of_its_own() -> None:
    assert plan_rekey(URL, hash_of) == RekeyPlan(
        claims=(Claim(url_hash="|https://example.com/feed", url=URL.url, feed_id="feed"),),
        feed_hash="|https://example.com/feed",
    )


def test_an_alias_is_claimed_and_leaves_the_feeds_own_hash() -> None:
    alias = replace(URL, url_hash="alias", url="https://example.com/rss")

    assert plan_rekey(alias, hash_of) == RekeyPlan(
        claims=(Claim(url_hash="|https://example.com/rss", url=alias.url, feed_id="feed"),)
    )


def test_a_feed_and_a_row_of_one_hash_are_claimed_together() -> None:
    plan = plan_rekey(replace(URL, row=ROW), hash_of)

    assert plan.claims == (Claim(url_hash="|https://example.com/feed", url=URL.url, feed_id="feed", row_id="row"),)
    assert plan.feed_hash == plan.row_hash == "|https://example.com/feed"


def test_spellings_that_the_new_key_tells_apart_are_both_claimed() -> None:
    feed = replace(FEED, url="http://example.com/feed")
    plan = plan_rekey(replace(URL, feed=feed), hash_of)

    assert [claim.url_hash for claim in plan.claims] == ["|https://example.com/feed", "|http://example.com/feed"]
    assert plan.feed_hash == "|http://example.com/feed"


def test_a_private_url_keeps_its_scope() -> None:
    plan = plan_rekey(replace(URL, feed=replace(FEED, scope="acme")), hash_of)

    assert plan.feed_hash == "acme|https://example.com/feed"


def test_a_row_and_a_feed_of_different_scopes_have_claims_of_their_own() -> None:
    plan = plan_rekey(replace(URL, row=replace(ROW, scope="acme")), hash_of)

    assert [(claim.feed_id, claim.row_id) for claim in plan.claims] == [("feed", None), (None, "row")]


def test_a_url_without_an_owner_claims_nothing() -> None:
    assert plan_rekey(replace(URL, feed=None), hash_of) == RekeyPlan()


def test_a_stored_text_that_is_no_url_any_more_is_unusable() -> None:
    assert plan_rekey(replace(URL, url="ftp://example.com/"), hash_of) == RekeyPlan(unusable=True)
