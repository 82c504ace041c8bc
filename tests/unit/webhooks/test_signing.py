"""Signatures as the public verifier of Standard Webhooks reads them."""

from __future__ import annotations

import time

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from feedward.webhooks.signing import new_secret, signed_headers, written_secret

BODY = '{"type":"feed.moved","data":{"title":"Grüße"}}'.encode()


def headers(*secrets: bytes, at: int | None = None) -> dict[str, str]:
    return signed_headers(secrets, message_id="01M3", timestamp=int(time.time()) if at is None else at, body=BODY)


def test_the_public_verifier_accepts_our_signature() -> None:
    secret = new_secret()

    assert Webhook(written_secret(secret)).verify(BODY, headers(secret))["type"] == "feed.moved"


def test_both_secrets_of_a_rotation_verify() -> None:
    old, new = new_secret(), new_secret()
    both = headers(new, old)

    for secret in (old, new):
        assert Webhook(written_secret(secret)).verify(BODY, both)
    assert "  " not in both["webhook-signature"]


@pytest.mark.parametrize("change", ["body", "id", "time", "secret"])
def test_a_changed_cursor_is_refused(change: str) -> None:
    secret = new_secret()
    sent, verifier = headers(secret), Webhook(written_secret(new_secret() if change == "secret" else secret))
    if change == "id":
        sent["webhook-id"] = "01M4"
    if change == "time":
        sent["webhook-timestamp"] = str(int(sent["webhook-timestamp"]) + 1)

    with pytest.raises(WebhookVerificationError):
        verifier.verify(BODY + b" " if change == "body" else BODY, sent)


def test_a_secret_has_32_bytes_in_standard_base64() -> None:
    written = {written_secret(new_secret()) for _ in range(50)}

    assert len(written) == 50
    assert all(len(each) == len("whsec_") + 44 for each in written)
    assert not any({"-", "_"} & set(each.removeprefix("whsec_")) for each in written)
