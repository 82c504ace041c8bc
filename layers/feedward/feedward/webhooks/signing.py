"""Signs deliveries as Standard Webhooks specifies, and creates the secrets (rules K4, K5). Pure.

The receiver checks the bytes that were sent: `id.timestamp.body`, signed with HMAC-SHA256.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

SECRET_BYTES: Final = 32
PREFIX: Final = "whsec_"


def new_secret() -> bytes:
    """Return a new random secret."""
    return secrets.token_bytes(SECRET_BYTES)


def written_secret(secret: bytes) -> str:
    """Return a secret in the receiver's format: `whsec_` and standard base64 with padding."""
    return PREFIX + base64.b64encode(secret).decode()


def signed_headers(signing: Sequence[bytes], *, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of an attempt at `timestamp` (epoch seconds), signed with each of the secrets."""
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    signatures = (base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode() for secret in signing)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
