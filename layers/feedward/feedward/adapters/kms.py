"""Signs exports with a key of KMS: ports.ExportSigner. The key stays there; openssl checks with its public part."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from feedward.adapters.calls import Backoff, Calls, OnFirstUse, ServicePort, aws_client
from feedward.errors import InvalidSetting, StoreUnavailable

# Of these two the signature is what `openssl dgst -sha256 -verify` reads.
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
            raise InvalidSetting("PACK_SIGNING_KEY_ARN", "is no RSA or P-256 key that signs")
        return algorithm


def _kms_client() -> Any:
    return aws_client("kms")
