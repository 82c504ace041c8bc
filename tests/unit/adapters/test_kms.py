"""The box of secrets: a ciphertext of one webhook cannot be decrypted for another."""

from __future__ import annotations

import pytest

from feedward.adapters.kms import KmsSecretBox
from feedward.errors import FeedwardError
from tests.fakes.kms import InMemoryKms

PLACE = {"tenant": "t", "webhook": "w"}
SECRET = bytes(range(32))


def test_a_secret_opens_at_its_place_and_is_asked_for_once() -> None:
    kms = InMemoryKms()
    box = KmsSecretBox("key", lambda: kms)
    sealed = box.seal(SECRET, place=PLACE)

    assert SECRET.hex() not in sealed
    assert [box.open(sealed, place=PLACE) for _ in range(3)] == [SECRET] * 3
    assert kms.asked == ["Encrypt", "Decrypt"]


@pytest.mark.parametrize("place", [{"tenant": "t", "webhook": "x"}, {"tenant": "u", "webhook": "w"}, {}])
def test_a_secret_does_not_open_at_another_place_though_it_was_opened_at_its_own(place: dict[str, str]) -> None:
    box = KmsSecretBox("key", InMemoryKms)
    sealed = box.seal(SECRET, place=PLACE)
    box.open(sealed, place=PLACE)

    with pytest.raises(FeedwardError) as raised:
        box.open(sealed, place=place)
    assert SECRET.hex() not in str(raised.value)
