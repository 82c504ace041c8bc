"""The authorizer reads once, writes once an hour, and fails rather than refuses if the store is unavailable."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import Scope
from feedward.access.key import SECRET_CHARS, Key
from feedward.access.stored_key import StoredKey
from feedward.errors import StoreUnavailable, Throttled
from feedward.services.access.authorize import authorize

NOW = 1_800_000_000
HOUR = NOW - NOW % 3600
KEY = Key(key_id="4fT9xQ2LmB7c", secret="s" * SECRET_CHARS)  # the same in each process


class Keys:
    """Stored keys that count their reads, and may fail."""

    def __init__(self, *keys: StoredKey) -> None:
        self.stored = {key.key_id: key for key in keys}
        self.reads, self.touched = 0, list[int]()
        self.reading: Exception | None = None
        self.touching: Exception | None = None

    def within(self, deadline: Any) -> Keys:
        assert deadline.left_s() <= 1.0
        return self

    def get(self, key_id: str) -> StoredKey | None:
        self.reads += 1
        if self.reading:
            raise self.reading
        return self.stored.get(key_id)

    def touch(self, _key_id: str, *, hour: int) -> None:
        if self.touching:
            raise self.touching
        self.touched.append(hour)


def stored(**members: Any) -> StoredKey:
    given = {"tenant_id": "acme", "scope": Scope.READ, "name": "ci", "created_at": NOW - 10, **members}
    return StoredKey(key_id=KEY.key_id, sha256=KEY.sha256, **given)


def judged(keys: Any, authorization: str = f"Bearer {KEY.text}") -> Any:
    return authorize(authorization, keys=keys, now=NOW)


@pytest.mark.parametrize("sent", [f"Bearer {KEY.text}", f"bearer {KEY.text}", f"  BEARER   {KEY.text}  "])
def test_a_right_key_is_known_by_one_read(sent: str) -> None:
    keys = Keys(stored())

    assert judged(keys, sent) == {
        "verdict": "ok",
        "tenant": "acme",
        "key_id": KEY.key_id,
        "scope": "read",
        "expires_at": 0,
    }
    assert keys.reads == 1


@pytest.mark.parametrize(
    "sent", ["", "Bearer", KEY.text, f"Basic {KEY.text}", f"Bearer {KEY.text}x", f"Bearer{KEY.text}"]
)
def test_a_text_without_the_form_of_a_key_is_refused_without_a_read(sent: str) -> None:
    keys = Keys(stored())

    assert judged(keys, sent) is None
    assert keys.reads == 0


def test_an_unknown_key_is_refused_after_one_read() -> None:
    keys = Keys()

    assert judged(keys) is None
    assert (keys.reads, keys.touched) == (1, [])


@pytest.mark.parametrize(("last", "touched"), [(None, [HOUR]), (HOUR - 3600, [HOUR]), (HOUR, []), (HOUR + 3600, [])])
def test_the_last_use_is_noted_once_an_hour(last: int | None, touched: list[int]) -> None:
    keys = Keys(stored(last_used_at=last))
    judged(keys)

    assert keys.touched == touched


def test_a_key_that_has_ended_is_not_noted_as_used() -> None:
    keys = Keys(stored(revoked_at=NOW - 1))

    assert judged(keys)["verdict"] == "revoked"
    assert keys.touched == []


def test_a_use_that_cannot_be_stored_refuses_no_key() -> None:
    keys = Keys(stored())
    keys.touching = Throttled("busy")

    assert judged(keys)["verdict"] == "ok"


def test_a_store_that_is_away_is_an_error_and_no_refusal() -> None:
    keys = Keys(stored())
    keys.reading = StoreUnavailable("away")

    with pytest.raises(StoreUnavailable):
        judged(keys)
