"""The form of a key (rules AK1 to AK3)."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from feedward.access.key import Key, new_key, parse_key

ROOT = Path(__file__).parents[3]
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


KEYS_IN_TEXT = re.compile(rb"fw_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}")


def keys_in(text: bytes) -> list[str]:
    """Texts that a scanner would report: of the form of a key, with a right check."""
    return [found.decode() for found in KEYS_IN_TEXT.findall(text) if parse_key(found.decode())]


def test_a_scanner_finds_a_key_in_any_text() -> None:
    assert keys_in(f'{{"key": "{KEY.text}"}}'.encode()) == [KEY.text]
    assert keys_in(KEY.text.replace("Z", "Y").encode()) == []


def test_the_repository_holds_no_key() -> None:
    """Keys of tests are drawn as they run (rule AK11)."""
    folders = ("bench", "docs", "events", "functions", "layers", "local", "requirements", "seed", "tests")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    files += [path for path in ROOT.iterdir() if path.is_file()]

    assert {str(path): keys_in(path.read_bytes()) for path in files if keys_in(path.read_bytes())} == {}
