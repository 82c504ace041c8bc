"""Creates, lists, rotates and revokes keys (rules AK2, AK9, AK10, TN12).

Each change is decided on the stored keys of the tenant, and written with optimistic locking on the tenant's `rev`: a
losing decision is made again. The text of a key is returned only by `create_key` and `rotate_key`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from feedward.access.caller import Caller, Scope
from feedward.access.key import Key, new_key
from feedward.access.stored_key import OVERLAP_S, StoredKey, check_room, find, outlived, revoked, rotated
from feedward.access.tenant import Tenant, tenant_name
from feedward.deadline import Deadline
from feedward.errors import Conflict, InvalidInput, NotFound, WrongState
from feedward.services.access.ports import KeyPorts

ANSWER_S: Final = 10.0
# Each retry means that another change of the tenant's keys succeeded.
_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key with its text, which is shown only once; `replaces` is the key that a rotation replaced."""

    key: StoredKey
    text: str = field(repr=False)
    replaces: StoredKey | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDraft:
    """The settings of a new key: its name, scope and expiry (epoch seconds; None: it does not expire)."""

    name: str
    scope: Scope
    expires_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A decision about a tenant's keys."""

    new: tuple[StoredKey, ...] = ()
    changed: tuple[StoredKey, ...] = ()


_Decide = Callable[[Sequence[StoredKey], int], _Change]


def create_key(caller: Caller, draft: KeyDraft, *, ports: KeyPorts, tenant_id: str | None = None) -> NewKey:
    """Create a key of the tenant (POST /v1/keys). The first key creates the tenant.

    Raises InvalidInput (`scope`, `expires_at`, `tenant_id`; rule TN3), NotFound for a tenant that is not the caller's,
    WrongState for a tenant that has 20 live keys or was deleted, Conflict, and the errors of the store.
    """
    if tenant_id is not None:
        tenant_name(tenant_id)
    _check_tenant(caller, tenant_id)
    _check_scope(caller, draft.scope, tenant_id)
    if draft.expires_at is not None and draft.expires_at <= ports.clock.now():
        raise InvalidInput("expires_at", "expected a future time")
    drawn = new_key()

    def decide(keys: Sequence[StoredKey], now: int) -> _Change:
        check_room(keys, now)
        return _Change(new=(_stored(drawn, tenant_id, draft, now),))

    done = _changed(tenant_id, decide, ports, is_founding=True)
    return NewKey(key=done.new[0], text=drawn.text)


def list_keys(caller: Caller, *, ports: KeyPorts, tenant_id: str | None = None) -> tuple[StoredKey, ...]:
    """Return the keys of the tenant, oldest first, including those that ended in the last 30 days (GET /v1/keys).

    Raises NotFound for a tenant that is not the caller's, and the errors of the store.
    """
    _check_tenant(caller, tenant_id)
    store = ports.keys.within(Deadline.after(ANSWER_S))
    tenant = store.tenant(tenant_id)
    return tuple(store.keys(tenant)) if tenant else ()


def rotate_key(
    caller: Caller, key_id: str, *, ports: KeyPorts, tenant_id: str | None = None, overlap_s: int = OVERLAP_S
) -> NewKey:
    """Create a successor with the same name and scope, and set the old key's end (POST /v1/keys/{id}/rotate; rule AK9).

    The successor of an expiring key gets the same lifetime. Raises NotFound, WrongState, Conflict, and the errors of
    the store.
    """
    _check_tenant(caller, tenant_id)
    drawn = new_key()

    def decide(keys: Sequence[StoredKey], now: int) -> _Change:
        old = find(keys, key_id)
        _check_scope(caller, old.scope, tenant_id)
        life = old.expires_at - old.created_at if old.expires_at else None
        draft = KeyDraft(name=old.name, scope=old.scope, expires_at=now + life if life else None)
        new = _stored(drawn, tenant_id, draft, now)
        return _Change(new=(new,), changed=(rotated(keys, old, new, overlap_s=overlap_s, now=now),))

    done = _changed(tenant_id, decide, ports)
    return NewKey(key=done.new[0], text=drawn.text, replaces=done.changed[0])


def revoke_key(
    caller: Caller, key_id: str, *, ports: KeyPorts, tenant_id: str | None = None, keep_an_admin: bool = True
) -> StoredKey:
    """Revoke a key immediately (DELETE /v1/keys/{id}), once. A key of any scope may revoke itself.

    Raises NotFound, WrongState for the last admin key of a tenant (rule AK10), Conflict, and the errors of the store.
    """
    if not caller.scope.includes(Scope.ADMIN) and not (caller.key_id == key_id and caller.tenant_id == tenant_id):
        raise NotFound("there is no key with this id")
    _check_tenant(caller, tenant_id)

    def decide(keys: Sequence[StoredKey], now: int) -> _Change:
        old = find(keys, key_id)
        if not caller.scope.includes(old.scope):
            raise NotFound("there is no key with this id")
        return _Change(changed=(revoked(keys, old, keep_an_admin=keep_an_admin, now=now),))

    return _changed(tenant_id, decide, ports).changed[0]


def _check_tenant(caller: Caller, tenant_id: str | None) -> None:
    """Raise NotFound unless the tenant is the caller's, or the caller is an operator (rule TN12)."""
    if tenant_id != caller.tenant_id and caller.scope is not Scope.OPERATOR:
        raise NotFound("there is no tenant with this name")


def _check_scope(caller: Caller, scope: Scope, tenant_id: str | None) -> None:
    """Raise InvalidInput for a scope above the caller's, and for operator outside the deployment's own user."""
    if not caller.scope.includes(scope):
        raise InvalidInput("scope", f"a key of the scope {caller.scope} cannot grant a wider scope")
    if scope is Scope.OPERATOR and tenant_id is not None:
        raise InvalidInput("scope", "only the deployment's own keys can be operator: a tenant's keys are at most admin")


def _stored(drawn: Key, tenant_id: str | None, draft: KeyDraft, now: int) -> StoredKey:
    return StoredKey(
        key_id=drawn.key_id,
        sha256=drawn.sha256,
        tenant_id=tenant_id,
        scope=draft.scope,
        name=draft.name,
        created_at=now,
        expires_at=draft.expires_at,
    )


def _changed(tenant_id: str | None, decide: _Decide, ports: KeyPorts, *, is_founding: bool = False) -> _Change:
    """Decide and write until no other change interferes. Return the written change."""
    store = ports.keys.within(Deadline.after(ANSWER_S))
    for _ in range(_ROUNDS):
        now = ports.clock.now()
        tenant = store.tenant(tenant_id)
        if tenant is None and not is_founding:
            raise NotFound("there is no key with this id")
        tenant = tenant or Tenant(tenant_id=tenant_id, created_at=now)
        if tenant.is_gone:
            raise WrongState("this tenant was deleted, and its name is never reused")
        keys = store.keys(tenant)
        change = decide(keys, now)
        if not change.new and all(each in keys for each in change.changed):
            return change
        old = outlived(keys, now)
        ids = (*(key.key_id for key in keys if key not in old), *(key.key_id for key in change.new))
        if store.save(replace(tenant, key_ids=ids), new=change.new, changed=change.changed, dropped=old):
            return change
    raise Conflict("the tenant's keys kept changing")
