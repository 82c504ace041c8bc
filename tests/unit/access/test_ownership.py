"""The owner of a URL, and of its feed, site and pages (rules T1, T4, TN2, TN6, TN7)."""

from __future__ import annotations

import pytest

from feedward.access.ownership import fit_aliases, is_of_another, is_shared, is_visible, prefix_of, scope_of, shown_name

OPEN = "https://example.com/feed"
OWN = "https://example.com/feed?token=9f3a71c2d4e5"


def test_only_a_tenants_url_with_a_token_is_stored_under_it() -> None:
    assert [scope_of("acme", OPEN), scope_of("acme", OWN), scope_of(None, OPEN), scope_of(None, OWN)] == [
        "",
        "acme",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("owner", "url", "seen_by"),
    [
        (None, OPEN, {None, "acme", "zulu"}),
        ("", OPEN, {None, "acme", "zulu"}),
        (None, OWN, {None}),
        ("", OWN, {None}),
        ("acme", OWN, {"acme"}),
        ("acme", OPEN, {"acme"}),
    ],
)
def test_urls_with_a_token_or_an_owner_are_visible_to_one_tenant(
    owner: str | None, url: str, seen_by: set[str | None]
) -> None:
    tenants = (None, "acme", "zulu")
    assert {each for each in tenants if is_visible(each, owner=owner, url=url)} == seen_by
    assert is_shared(owner=owner, url=url) is (seen_by == set(tenants))


def test_outside_of_a_tenant_a_token_and_no_token_never_meet() -> None:
    assert fit_aliases(OPEN, [OWN, OPEN], scope="") == (OPEN,)
    assert fit_aliases(OWN, [OWN, OPEN], scope="") == (OWN,)
    assert fit_aliases(OWN, [OWN, OPEN], scope="acme") == (OWN, OPEN)


def test_the_deployments_own_feed_is_of_another_to_a_tenant() -> None:
    assert [is_of_another(each, OWN, scope="") for each in (None, "acme")] == [False, True]
    assert not is_of_another("acme", OWN, scope="acme")
    assert not is_of_another("acme", OPEN, scope="")


def test_no_tenants_objects_are_among_the_shared_ones() -> None:
    assert (prefix_of(""), prefix_of("ab")) == ("", "_ab/")


@pytest.mark.parametrize(
    ("by", "seen_by"),
    [
        ("revival", {None, "acme", "zulu"}),
        ("acme/0123456789Ab", {"acme"}),
        ("_self/0123456789Ab", {None}),
        ("arn:aws:iam::1:user/x", {None}),
    ],
)
def test_the_actor_is_named_to_its_own_tenant_only(by: str, seen_by: set[str | None]) -> None:
    told = {each: shown_name(each, by) for each in (None, "acme", "zulu")}
    assert {each for each, name in told.items() if name == by} == seen_by
    assert {name for each, name in told.items() if each not in seen_by} <= {"another tenant"}
