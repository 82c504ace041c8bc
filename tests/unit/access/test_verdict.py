"""The verdict on a key, and the callers that learn it (rules AK3, AK4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.access.caller import SELF_HOSTED, Caller, Scope
from feedward.access.key import SECRET_CHARS, Key, new_key
from feedward.access.stored_key import StoredKey
from feedward.access.verdict import Verdict, context_of, verdict_of
from feedward.api.problems import KeyExpired, KeyRevoked, Unauthorized
from feedward.api.router import caller_of

NOW = 1_800_000_000
KEY = Key(key_id="4fT9xQ2LmB7c", secret="s" * SECRET_CHARS)  # the same in each process
STORED = StoredKey(
    key_id=KEY.key_id, sha256=KEY.sha256, tenant_id="acme", scope=Scope.WRITE, name="ci", created_at=NOW - 10
)
EXPIRED = replace(STORED, expires_at=NOW)
REVOKED = replace(STORED, revoked_at=NOW - 1)


def event(context: object) -> dict[str, object]:
    return {"requestContext": {"authorizer": {"lambda": context}}}


@pytest.mark.parametrize(
    ("stored", "verdict"),
    [
        (STORED, Verdict.OK),
        (replace(STORED, expires_at=NOW + 1), Verdict.OK),
        (EXPIRED, Verdict.EXPIRED),
        (REVOKED, Verdict.REVOKED),
        (replace(REVOKED, expires_at=NOW), Verdict.REVOKED),
        (None, None),
    ],
)
def test_the_verdict_is_of_the_key_as_it_is_stored(stored: StoredKey | None, verdict: Verdict | None) -> None:
    assert verdict_of(KEY, stored, NOW) is verdict


@pytest.mark.parametrize("stored", [STORED, EXPIRED, REVOKED])
def test_a_caller_without_the_secret_learns_nothing_about_a_key(stored: StoredKey) -> None:
    assert verdict_of(Key(key_id=KEY.key_id, secret=new_key().secret), stored, NOW) is None


def test_an_unknown_key_is_compared_as_a_known_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    fits = Key.fits

    def noted(key: Key, sha256: str) -> bool:
        compared.append(sha256)
        return fits(key, sha256)

    monkeypatch.setattr(Key, "fits", noted)
    verdict_of(KEY, None, NOW)
    verdict_of(KEY, STORED, NOW)

    assert [len(each) for each in compared] == [64, 64]


@pytest.mark.parametrize("tenant", ["acme", None])
@pytest.mark.parametrize("scope", Scope)
def test_the_entry_point_makes_of_the_context_the_caller_that_the_key_is_of(tenant: str | None, scope: Scope) -> None:
    context = context_of(replace(STORED, tenant_id=tenant, scope=scope), Verdict.OK)

    assert caller_of(event(context), is_open=False, now=NOW) == Caller(tenant, KEY.key_id, scope)


def test_the_entry_point_refuses_ended_keys() -> None:
    for stored, verdict, refused in (
        (EXPIRED, Verdict.EXPIRED, KeyExpired),
        (REVOKED, Verdict.REVOKED, KeyRevoked),
        (EXPIRED, Verdict.OK, KeyExpired),
    ):
        with pytest.raises(refused):
            caller_of(event(context_of(stored, verdict)), is_open=True, now=NOW)


def test_a_context_has_only_texts_and_numbers_and_no_secret() -> None:
    context = context_of(STORED, Verdict.OK)

    assert {type(value) for value in context.values()} <= {str, int}
    assert KEY.secret not in str(context)
    assert KEY.sha256 not in str(context)


@pytest.mark.parametrize("member", ["verdict", "tenant", "key_id", "scope", "expires_at"])
@pytest.mark.parametrize("value", [None, "", 7.5, [], {}, True])
def test_a_context_that_cannot_be_read_is_no_caller(member: str, value: object) -> None:
    context = {**context_of(STORED, Verdict.OK), member: value}
    with pytest.raises(Unauthorized):
        caller_of(event(context), is_open=True, now=NOW)


@pytest.mark.parametrize(("member", "value"), [("verdict", "OK"), ("scope", "root"), ("expires_at", "soon")])
def test_a_word_that_is_not_known_here_is_no_caller(member: str, value: str) -> None:
    with pytest.raises(Unauthorized):
        caller_of(event({**context_of(STORED, Verdict.OK), member: value}), is_open=False, now=NOW)


@pytest.mark.parametrize("is_open", [True, False])
def test_without_a_verdict_only_an_open_deployment_has_a_caller(is_open: bool) -> None:
    for sent in ({}, {"requestContext": {"authorizer": {"iam": {"userArn": "arn:aws:iam::1:user/x"}}}}):
        if is_open:
            assert caller_of(sent, is_open=True, now=NOW) == SELF_HOSTED
        else:
            with pytest.raises(Unauthorized):
                caller_of(sent, is_open=False, now=NOW)
