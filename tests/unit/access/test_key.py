"""The form of a key (rules AK1 to AK3)."""

from __future__ import annotations

import hashlib

import pytest

from feedward.access.key import Key, new_key, parse_key

KEY = Key(key_id="0123456789Ab", secret="Z" * 30)


def test_a_new_key_is_read_back_from_its_text() -> None:
    key = new_key()
    assert parse_key(key.text) == key
    assert len(key.text) == 52
    assert key.text.startswith("fw_")
    assert key.text.count("_") == 2
    assert new_key() != key


def test_one_wrong_character_anywhere_is_no_key() -> None:
    text = KEY.text
    for place, character in enumerate(text):
        other = "a" if character != "a" else "b"
        assert parse_key(text[:place] + other + text[place + 1 :]) is None


@pytest.mark.parametrize(
    "text", ["", "fw_", KEY.text[:-1], KEY.text + "0", KEY.text + "\n", " " + KEY.text, "Bearer x"]
)
def test_another_form_is_no_key(text: str) -> None:
    assert parse_key(text) is None


def test_the_secret_is_known_by_its_hash_and_shown_nowhere() -> None:
    assert hashlib.sha256(KEY.secret.encode()).hexdigest() == KEY.sha256
    assert (KEY.fits(KEY.sha256), new_key().fits(KEY.sha256)) == (True, False)
    assert KEY.secret not in repr(KEY)
