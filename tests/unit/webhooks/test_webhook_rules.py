"""Times and addresses that decide about a delivery: retries, secrets, receivers (rules K5, K7, K13)."""

from __future__ import annotations

import pytest

from feedward.errors import InvalidInput
from feedward.webhooks.receiver_url import receiver_url
from feedward.webhooks.retry_schedule import ATTEMPTS, RETRY_AFTER_MORE_S, STEPS_S, retry_at
from feedward.webhooks.webhook import OLD_SECRET_S, SealedSecrets
from tests.fakes.directory import NOW


@pytest.mark.parametrize("attempts", range(1, ATTEMPTS))
def test_a_retry_comes_after_its_step_and_at_most_a_fifth_later(attempts: int) -> None:
    step_s = STEPS_S[attempts - 1]
    at = retry_at("01M3", attempts, NOW)
    assert at is not None
    assert step_s <= at - NOW <= step_s * 1.2


@pytest.mark.parametrize(("asked_s", "more_s"), [(7 * 86_400, RETRY_AFTER_MORE_S), (600, 595), (-5, 0)])
def test_a_receiver_may_ask_for_two_hours_more_and_never_for_less(asked_s: int, more_s: int) -> None:
    at = retry_at("01M3", 1, NOW, retry_after_s=asked_s)
    assert at is not None
    assert at - NOW in ({5 + more_s} if more_s else {5, 6})


def test_after_the_last_attempt_there_is_none() -> None:
    assert retry_at("01M3", ATTEMPTS, NOW, retry_after_s=60) is None


def test_the_old_secret_signs_for_a_day_and_no_longer() -> None:
    secrets = SealedSecrets(current="new", old="old", old_until=NOW + OLD_SECRET_S)
    assert secrets.signing(NOW + OLD_SECRET_S - 1) == ("new", "old")
    assert secrets.signing(NOW + OLD_SECRET_S) == ("new",)


@pytest.mark.parametrize(
    "url",
    ["http://x.example:443/", "http://x.example:8443/", "https://x.example:444/", "https://own.example.:8443/",
     "https://OWN%2eexample/", "https://user@x.example/", "https://[::ffff:10.0.0.1]/", "ftp://x.example/"],
)  # fmt: skip
def test_a_receiver_without_https_or_of_the_service_itself_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        receiver_url(url, ("Own.Example",))
    assert refused.value.field == "url"
    assert receiver_url("https://x.example:8443/hook#part", ("Own.Example",)) == "https://x.example:8443/hook"
