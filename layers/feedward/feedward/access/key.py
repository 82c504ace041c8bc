"""The form of a key: `fw_<id>_<secret><check>` in base62 (rules AK1 to AK3). Pure, except that a new key is random.

The check is the CRC32 of the text before it: a mistyped key is refused without a read. The secret has 178 random bits,
so one SHA-256 protects it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
import zlib
from dataclasses import dataclass, field
from typing import Final

PREFIX: Final = "fw_"
ID_CHARS: Final = 12
SECRET_CHARS: Final = 30
CHECK_CHARS: Final = 6
_BASE62: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_DIGITS: Final = "[0-9A-Za-z]"
_FORM: Final = re.compile(
    rf"fw_({_DIGITS}{{{ID_CHARS}}})_({_DIGITS}{{{SECRET_CHARS}}})({_DIGITS}{{{CHECK_CHARS}}})",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key as its owner holds it. `text` is the whole key; repr never shows it or the secret."""

    key_id: str
    secret: str = field(repr=False)

    @property
    def text(self) -> str:
        """The key as it is sent, and shown once."""
        head = f"{PREFIX}{self.key_id}_{self.secret}"
        return head + _check(head)

    @property
    def sha256(self) -> str:
        """The hash that is stored in place of the secret, in hex."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def fits(self, sha256: str) -> bool:
        """Return whether this is the hash of the secret, in constant time."""
        return hmac.compare_digest(self.sha256, sha256)


def new_key() -> Key:
    """Generate a new key."""
    return Key(key_id=_drawn(ID_CHARS), secret=_drawn(SECRET_CHARS))


def parse_key(text: str) -> Key | None:
    """Return the key of this text, or None for another form or a wrong check (rule AK1)."""
    found = _FORM.fullmatch(text)
    if found is None or _check(text[:-CHECK_CHARS]) != found[3]:
        return None
    return Key(key_id=found[1], secret=found[2])


def _drawn(chars: int) -> str:
    return "".join(secrets.choice(_BASE62) for _ in range(chars))


def _check(head: str) -> str:
    number, digits = zlib.crc32(head.encode()), ""
    for _ in range(CHECK_CHARS):
        number, digit = divmod(number, len(_BASE62))
        digits = _BASE62[digit] + digits
    return digits
