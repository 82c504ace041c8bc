"""Changes of a tenant's keys (rules AK9, AK10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.access.caller import Scope
from feedward.access.stored_key import (
    ENDED_AT_MOST,
    ENDED_KEPT_S,
    LIVE_AT_MOST,
    OVERLAP_S,
    StoredKey,
    check_room,
    find,
    outlived,
    revoked,
    rotated,
    used_hour,
)
from feedward.errors import NotFound, WrongState

NOW = 1_800_000_000


def key(name: str = "one", scope: Scope = Scope.ADMIN, **members: object) -> StoredKey:
    made = StoredKey(
        key_id=name, sha256="0" * 64, tenant_id="acme", scope=scope, name=name, created_at=NOW, expires_at=None
    )
    return replace(made, **members)  # type: ignore[arg-type]


def test_a_key_lives_until_the_second_of_its_end() -> None:
    ending = key(expires_at=NOW)
    assert (ending.is_live(NOW - 1), ending.is_live(NOW), key(revoked_at=NOW).is_live(NOW)) == (True, False, False)


def test_the_last_use_is_noted_by_the_hour() -> None:
    assert used_hour(NOW + 3599 - NOW % 3600) == NOW - NOW % 3600


def test_there_is_room_for_twenty_live_keys() -> None:
    live = [key(str(number)) for number in range(LIVE_AT_MOST)]
    check_room([*live[1:], key("ended", revoked_at=NOW)], NOW)
    with pytest.raises(WrongState, match="at most 20 live keys"):
        check_room(live, NOW)


def test_a_rotated_key_lives_on_for_a_day() -> None:
    old, new = key("old"), key("new")
    ended = rotated([old], old, new, overlap_s=OVERLAP_S, now=NOW)
    assert ended == replace(old, expires_at=NOW + 86_400, replaced_by="new")


def test_rotation_never_prolongs_a_key() -> None:
    old = key("old", expires_at=NOW + 60)
    assert rotated([old], old, key("new"), overlap_s=OVERLAP_S, now=NOW).expires_at == NOW + 60


@pytest.mark.parametrize(
    ("members", "says"),
    [({"revoked_at": NOW}, "has ended"), ({"expires_at": NOW}, "has ended"), ({"replaced_by": "new"}, "rotate new")],
)
def test_an_ended_or_replaced_key_is_not_rotated(members: dict[str, Any], says: str) -> None:
    old = key("old", **members)
    with pytest.raises(WrongState, match=says):
        rotated([old], old, key("newer"), overlap_s=OVERLAP_S, now=NOW)


def test_a_rotation_needs_room_for_the_second_key() -> None:
    live = [key(str(number)) for number in range(LIVE_AT_MOST)]
    with pytest.raises(WrongState, match="at most 20"):
        rotated(live, live[0], key("new"), overlap_s=OVERLAP_S, now=NOW)


@pytest.mark.parametrize(
    "others",
    [
        [],
        [key("writer", Scope.WRITE)],
        [key("revoked", revoked_at=NOW - 1)],
        [key("expired", expires_at=NOW)],
        [key("going", expires_at=NOW + 9, replaced_by="last")],
    ],
)
def test_the_last_admin_key_is_not_revoked(others: list[StoredKey]) -> None:
    last = key("last")
    with pytest.raises(WrongState, match="last admin key"):
        revoked([last, *others], last, keep_an_admin=True, now=NOW)
    assert revoked([last, *others], last, keep_an_admin=False, now=NOW).revoked_at == NOW


def test_another_admin_or_operator_key_lets_the_first_one_go() -> None:
    old = key("old")
    for scope in (Scope.ADMIN, Scope.OPERATOR):
        assert revoked([old, key("other", scope)], old, keep_an_admin=True, now=NOW) == replace(old, revoked_at=NOW)


def test_a_key_with_a_lower_scope_can_be_revoked_at_any_time() -> None:
    reader = key("reader", Scope.READ)
    assert revoked([reader], reader, keep_an_admin=True, now=NOW).revoked_at == NOW


def test_an_ended_delivery_stays_unchanged() -> None:
    ended = key(revoked_at=NOW - 5)
    assert revoked([ended], ended, keep_an_admin=True, now=NOW) is ended


def test_an_unknown_key_is_not_found() -> None:
    with pytest.raises(NotFound):
        find([key()], "two")
    assert find([key()], "one") == key()


def test_ended_keys_are_shown_for_thirty_days_and_only_the_last_sixty() -> None:
    old = key("old", revoked_at=NOW - ENDED_KEPT_S, expires_at=NOW + 9)
    recent = [key(str(number), revoked_at=NOW - number) for number in range(ENDED_AT_MOST + 1)]
    assert outlived([key(), old, *recent], NOW) == (recent[-1], old)
