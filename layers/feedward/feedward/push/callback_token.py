"""The token of a callback's path and the secret of its signatures (rules W2, W13). Pure."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final, Self

_TOKEN_BYTES: Final = 24
_SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(r"[0-9a-f]{48}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The credentials of one subscription, as given to the hub: 192 random bits in the path, and the secret, in hex."""

    token: str = field(repr=False)
    secret: str = field(repr=False)

    @classmethod
    def new(cls) -> Self:
        """Return new random credentials."""
        return cls(token=secrets.token_hex(_TOKEN_BYTES), secret=secrets.token_hex(_SECRET_BYTES))

    @classmethod
    def unpacked(cls, packed: bytes) -> Self:
        """Decode the value of `packed`."""
        token, _, secret = packed.decode("ascii").partition(".")
        return cls(token=token, secret=secret)

    def packed(self) -> bytes:
        """Return both as one text, for encryption."""
        return f"{self.token}.{self.secret}".encode("ascii")

    @property
    def token_hash(self) -> str:
        """Return the stored hash of the token."""
        return token_hash(self.token)


def token_hash(token: str) -> str:
    """Return the sha256 of a token in hex."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token."""
    return _TOKEN.fullmatch(text) is not None


def is_token_of(token: str, stored_hash: str) -> bool:
    """Compare a token with a stored hash in constant time."""
    return hmac.compare_digest(token_hash(token), stored_hash)


def callback_url(base: str, feed_id: str, token: str) -> str:
    """Return the callback of a subscription."""
    return f"{base.rstrip('/')}/v1/push/{feed_id}/{token}"
