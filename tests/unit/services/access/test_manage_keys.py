"""Keys from the first to the last, and the rights to manage them (rules AK2, AK9, AK10, TN12)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import pytest

from feedward.access.caller import SELF_HOSTED, Caller, Scope
from feedward.access.key import parse_key
from feedward.access.stored_key import StoredKey
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.errors import FeedwardError, InvalidInput, NotFound, WrongState
from feedward.services.access.manage_keys import KeyDraft, NewKey, create_key, list_keys, revoke_key, rotate_key
from tests.fakes.directory import FakeClock
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.keys import fake_keys, fake_presented_keys

DAY = 86_400


@dataclass
class Bench:
    feeds: FakeFeedStore = field(default_factory=FakeFeedStore)
    clock: FakeClock = field(default_factory=FakeClock)

    @property
    def keys(self) -> DynamoKeyStore:
        return fake_keys(self.feeds)

    def stored(self, key_id: str) -> StoredKey:
        found = fake_presented_keys(self.feeds).get(key_id)
        assert found is not None
        return found


@pytest.fixture
def bench() -> Bench:
    return Bench()


def made(bench: Bench, scope: Scope = Scope.ADMIN, tenant_id: str | None = "acme", **members: int) -> NewKey:
    return create_key(SELF_HOSTED, KeyDraft(name="a key", scope=scope, **members), tenant_id=tenant_id, ports=bench)


def caller_of(key: StoredKey) -> Caller:
    return Caller(tenant_id=key.tenant_id, key_id=key.key_id, scope=key.scope)


def test_a_key_is_shown_once_and_only_its_hash_is_kept(bench: Bench) -> None:
    answer = made(bench)
    key = parse_key(answer.text)
    assert key is not None
    assert (key.key_id, key.fits(bench.stored(key.key_id).sha256)) == (answer.key.key_id, True)
    assert key.secret not in repr(answer)
    assert key.secret not in str(bench.feeds.contents.everything())
    assert list_keys(caller_of(answer.key), tenant_id="acme", ports=bench) == (answer.key,)


@pytest.mark.parametrize("scope", [Scope.READ, Scope.WRITE, Scope.ADMIN])
def test_no_key_gives_more_than_it_has(bench: Bench, scope: Scope) -> None:
    caller = Caller(tenant_id=None, key_id="k", scope=scope)
    with pytest.raises(InvalidInput) as refused:
        create_key(caller, KeyDraft(name="x", scope=Scope.OPERATOR), ports=bench)
    assert refused.value.field == "scope"


def test_an_operator_key_is_of_the_deployment_only(bench: Bench) -> None:
    with pytest.raises(InvalidInput, match="operator"):
        made(bench, Scope.OPERATOR)
    assert made(bench, Scope.OPERATOR, None).key.scope is Scope.OPERATOR


@pytest.mark.parametrize("scope", [Scope.READ, Scope.WRITE, Scope.ADMIN])
def test_no_key_takes_over_or_ends_one_of_a_wider_scope(bench: Bench, scope: Scope) -> None:
    wider = made(bench, Scope.OPERATOR, None).key
    caller = Caller(tenant_id=None, key_id="k", scope=scope)
    for act in (rotate_key, revoke_key):
        with pytest.raises((InvalidInput, NotFound)):
            act(caller, wider.key_id, ports=bench)
    assert list_keys(caller, ports=bench) == (wider,)


def test_an_end_in_the_past_is_refused(bench: Bench) -> None:
    with pytest.raises(InvalidInput) as refused:
        made(bench, expires_at=bench.clock.now())
    assert refused.value.field == "expires_at"


CALLS: list[Callable[[Caller, str, Bench], object]] = [
    lambda caller, _, bench: create_key(caller, KeyDraft(name="x", scope=Scope.READ), tenant_id="acme", ports=bench),
    lambda caller, _, bench: list_keys(caller, tenant_id="acme", ports=bench),
    lambda caller, key_id, bench: rotate_key(caller, key_id, tenant_id="acme", ports=bench),
    lambda caller, key_id, bench: revoke_key(caller, key_id, tenant_id="acme", ports=bench),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("tenant_id", ["zulu", None])
def test_another_tenants_admin_finds_neither_the_tenant_nor_its_keys(
    bench: Bench, call: Callable[[Caller, str, Bench], object], tenant_id: str | None
) -> None:
    theirs = made(bench).key
    before = bench.feeds.contents.everything()
    with pytest.raises(NotFound):
        call(Caller(tenant_id=tenant_id, key_id="k", scope=Scope.ADMIN), theirs.key_id, bench)
    assert bench.feeds.contents.everything() == before


def test_a_key_of_another_tenant_is_as_unknown_as_none(bench: Bench) -> None:
    theirs, ours = made(bench).key, made(bench, tenant_id="zulu").key
    said = set()
    for key_id in (theirs.key_id, "x" * 12):
        for act in (rotate_key, revoke_key):
            with pytest.raises(NotFound) as refused:
                act(caller_of(ours), key_id, tenant_id="zulu", ports=bench)
            said.add(str(refused.value))
    assert len(said) == 1
    assert bench.stored(theirs.key_id) == theirs


def test_rotation_leaves_two_live_keys_for_a_day(bench: Bench) -> None:
    old = made(bench, Scope.WRITE).key
    answer = rotate_key(SELF_HOSTED, old.key_id, tenant_id="acme", ports=bench)
    now = bench.clock.now()
    ending = bench.stored(old.key_id)
    assert (answer.key.scope, answer.key.tenant_id, answer.key.name) == (old.scope, old.tenant_id, old.name)
    assert (ending.expires_at, ending.replaced_by) == (now + DAY, answer.key.key_id)
    assert [each.is_live(now + DAY - 1) for each in (ending, answer.key)] == [True, True]
    assert [each.is_live(now + DAY) for each in (ending, answer.key)] == [False, True]


def test_the_successor_of_a_key_with_an_end_lives_as_long_as_it_did(bench: Bench) -> None:
    old = made(bench, Scope.READ, expires_at=bench.clock.now() + 90 * DAY).key
    bench.clock.advance(80 * DAY)
    answer = rotate_key(SELF_HOSTED, old.key_id, tenant_id="acme", ports=bench)
    assert answer.key.expires_at == bench.clock.now() + 90 * DAY


def test_a_key_that_may_only_read_ends_itself_and_no_other(bench: Bench) -> None:
    made(bench)
    first, second = made(bench, Scope.READ).key, made(bench, Scope.READ).key
    with pytest.raises(NotFound):
        revoke_key(caller_of(first), second.key_id, tenant_id="acme", ports=bench)
    assert revoke_key(caller_of(first), first.key_id, tenant_id="acme", ports=bench).revoked_at == bench.clock.now()
    assert not bench.stored(first.key_id).is_live(bench.clock.now())
    assert bench.stored(second.key_id) == second


def test_the_last_admin_key_goes_by_hand_only(bench: Bench) -> None:
    last = made(bench).key
    with pytest.raises(WrongState, match="last admin"):
        revoke_key(caller_of(last), last.key_id, tenant_id="acme", ports=bench)
    revoke_key(SELF_HOSTED, last.key_id, tenant_id="acme", keep_an_admin=False, ports=bench)
    assert not bench.stored(last.key_id).is_live(bench.clock.now())


def test_to_revoke_again_changes_nothing(bench: Bench) -> None:
    made(bench)
    key = made(bench, Scope.READ).key
    first = revoke_key(SELF_HOSTED, key.key_id, tenant_id="acme", ports=bench)
    bench.clock.advance(60)
    assert revoke_key(SELF_HOSTED, key.key_id, tenant_id="acme", ports=bench) == first


def test_of_many_at_once_twenty_keys_live(bench: Bench) -> None:
    def one(_: int) -> bool:
        try:
            made(bench)
        except WrongState:
            return False
        return True

    with ThreadPoolExecutor(24) as pool:
        done = list(pool.map(one, range(30)))
    assert done.count(True) == 20
    assert len(list_keys(SELF_HOSTED, tenant_id="acme", ports=bench)) == 20


def test_of_many_that_end_each_other_one_admin_stays(bench: Bench) -> None:
    keys = [made(bench).key for _ in range(12)]

    def end(key: StoredKey) -> bool:
        try:
            revoke_key(caller_of(key), key.key_id, tenant_id="acme", ports=bench)
        except FeedwardError:
            return False
        return True

    with ThreadPoolExecutor(12) as pool:
        done = list(pool.map(end, keys))
    assert done.count(True) == 11
    assert sum(bench.stored(each.key_id).is_live(bench.clock.now()) for each in keys) == 1


def test_long_ended_keys_are_forgotten_at_the_next_change(bench: Bench) -> None:
    made(bench)
    key = made(bench, Scope.READ).key
    revoke_key(SELF_HOSTED, key.key_id, tenant_id="acme", ports=bench)
    bench.clock.advance(31 * DAY)
    made(bench, Scope.READ)
    assert fake_presented_keys(bench.feeds).get(key.key_id) is None
    assert key.key_id not in {each.key_id for each in list_keys(SELF_HOSTED, tenant_id="acme", ports=bench)}


def test_a_deleted_tenant_gets_no_key_again(bench: Bench) -> None:
    made(bench)
    tenant = bench.keys.tenant("acme")
    assert tenant is not None
    assert bench.keys.save(replace(tenant, deleting_since=1))
    with pytest.raises(WrongState, match="never reused"):
        made(bench)


@pytest.mark.parametrize("name", ["", "_self", "Acme", "a#b", "x" * 65])
def test_a_tenant_with_a_name_that_cannot_be_is_never_made(bench: Bench, name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        made(bench, tenant_id=name)
    assert refused.value.field == "tenant_id"
    assert bench.feeds.contents.everything() == []
