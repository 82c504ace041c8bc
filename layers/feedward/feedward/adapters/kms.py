"""Keys that never leave KMS: ports.ExportSigner signs exports, ports.SecretBox encrypts secrets of webhooks.

openssl checks a signature with the public part of its key.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from feedward.adapters.aws_calls import Backoff, Calls, OnFirstUse, ServicePort, aws_client
from feedward.errors import InvalidSetting, StoreUnavailable

_OPENED_AT_MOST: Final = 1000
# `openssl dgst -sha256 -verify` reads the signatures of these two.
_ALGORITHMS: Final = ("RSASSA_PKCS1_V1_5_SHA_256", "ECDSA_SHA_256")


class KmsSigner(ServicePort):
    """ports.ExportSigner. Thread-safe. The client is created at its first use."""

    def __init__(
        self, key_arn: str, make_client: Callable[[], Any] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(Calls(StoreUnavailable, backoff))
        self._key_arn = key_arn
        self._kms: Callable[[], Any] = OnFirstUse(make_client or _kms_client)

    def sign(self, digest: bytes) -> bytes:
        """Return the signature of a SHA-256 digest. Raises InvalidSetting for a key that cannot make one."""
        signed = self._calls.ask(
            self._kms().sign,
            KeyId=self._key_arn,
            Message=digest,
            MessageType="DIGEST",
            SigningAlgorithm=self._algorithm,
        )
        return bytes(signed["Signature"])

    @cached_property
    def _algorithm(self) -> str:
        offered = self._calls.ask(self._kms().get_public_key, KeyId=self._key_arn).get("SigningAlgorithms") or ()
        algorithm = next((each for each in _ALGORITHMS if each in offered), None)
        if algorithm is None:
            raise InvalidSetting("PACK_SIGNING_KEY_ARN", "is not an RSA or P-256 signing key")
        return algorithm


class KmsSecretBox(ServicePort):
    """ports.webhooks.SecretBox (rule K5). Thread-safe. The client is created at its first use.

    This process caches decrypted secrets by their encrypted form: a receiver with many events costs one call.
    """

    def __init__(
        self, key_arn: str, make_client: Callable[[], Any] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(Calls(StoreUnavailable, backoff))
        self._key_arn = key_arn
        self._kms: Callable[[], Any] = OnFirstUse(make_client or _kms_client)
        self._opened: dict[tuple[str, str], bytes] = {}
        self._lock = threading.Lock()

    def seal(self, secret: bytes, *, place: Mapping[str, str]) -> str:
        """Return the encrypted secret as a text."""
        sealed = self._calls.ask(
            self._kms().encrypt, KeyId=self._key_arn, Plaintext=secret, EncryptionContext=dict(place)
        )
        return base64.b64encode(sealed["CiphertextBlob"]).decode()

    def open(self, sealed: str, *, place: Mapping[str, str]) -> bytes:
        """Return the secret. Raises FeedwardError if it was sealed for another place or by another key."""
        known = (sealed, repr(sorted(place.items())))
        with self._lock:
            found = self._opened.get(known)
        return found if found is not None else self._open(sealed, place, known)

    def _open(self, sealed: str, place: Mapping[str, str], known: tuple[str, str]) -> bytes:
        answer = self._calls.ask(
            self._kms().decrypt,
            KeyId=self._key_arn,
            CiphertextBlob=base64.b64decode(sealed),
            EncryptionContext=dict(place),
        )
        secret = bytes(answer["Plaintext"])
        with self._lock:
            if len(self._opened) >= _OPENED_AT_MOST:
                self._opened.clear()
            self._opened[known] = secret
        return secret


def _kms_client() -> Any:
    return aws_client("kms")
