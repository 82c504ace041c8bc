"""KMS in memory: it decrypts its own ciphertexts, in the same context only."""
# ruff: noqa: N803 - the arguments have botocore's names

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.fakes.dynamodb_table import client_error


class InMemoryKms:
    """Stands in for botocore's client of KMS. `asked`: the called operations, in order."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encrypt(self, *, KeyId: str, Plaintext: bytes, EncryptionContext: Mapping[str, str]) -> dict[str, Any]:
        self.asked.append("Encrypt")
        sealed = {"key": KeyId, "text": Plaintext.hex()[::-1], "context": dict(EncryptionContext)}
        return {"CiphertextBlob": json.dumps(sealed).encode()}

    def decrypt(self, *, KeyId: str, CiphertextBlob: bytes, EncryptionContext: Mapping[str, str]) -> dict[str, Any]:
        self.asked.append("Decrypt")
        sealed = json.loads(CiphertextBlob)
        if sealed["key"] != KeyId or sealed["context"] != dict(EncryptionContext):
            raise client_error("InvalidCiphertextException", "Decrypt", ResponseMetadata={"HTTPStatusCode": 400})
        return {"Plaintext": bytes.fromhex(sealed["text"][::-1])}
