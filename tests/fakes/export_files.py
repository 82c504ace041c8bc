"""The files of exports for tests of everything above them: the real adapter, on a bucket in memory, with knobs."""
# ruff: noqa: N803 - the arguments have boto3's names

from __future__ import annotations

from io import BytesIO
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

from feedward.adapters.kms import KmsSigner
from feedward.adapters.s3.files import S3ExportFiles
from tests.fakes.bodies import BUCKET, InMemoryS3, _error
from tests.fakes.feed_store import PATIENT


class MultipartS3(InMemoryS3):
    """A bucket that takes files in parts. `uploads` are the unfinished ones."""

    def __init__(self) -> None:
        super().__init__()
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.begun: list[dict[str, Any]] = []

    def create_multipart_upload(self, *, Bucket: str, Key: str, **headers: str) -> dict[str, str]:
        self._check(Bucket, "CreateMultipartUpload")
        upload_id = f"upload-{len(self.begun)}"
        self.begun.append({"Key": Key, **headers})
        self.uploads[upload_id] = {}
        return {"UploadId": upload_id}

    def upload_part(self, *, Bucket: str, Key: str, UploadId: str, PartNumber: int, Body: bytes) -> dict[str, str]:
        self._check(Bucket, "UploadPart")
        if UploadId not in self.uploads:
            raise _error("NoSuchUpload", 404, "UploadPart")
        self.uploads[UploadId][PartNumber] = bytes(Body)
        return {"ETag": f"{Key}-{PartNumber}"}

    def complete_multipart_upload(
        self, *, Bucket: str, Key: str, UploadId: str, MultipartUpload: dict[str, Any]
    ) -> dict[str, str]:
        self._check(Bucket, "CompleteMultipartUpload")
        if UploadId not in self.uploads:
            raise _error("NoSuchUpload", 404, "CompleteMultipartUpload")
        parts = self.uploads.pop(UploadId)
        self.objects[Key] = b"".join(parts[part["PartNumber"]] for part in MultipartUpload["Parts"])
        return {"ETag": ""}

    def get_object(self, *, Bucket: str, Key: str, Range: str = "bytes=0-") -> dict[str, Any]:
        first, _, last = Range.removeprefix("bytes=").partition("-")
        body = super().get_object(Bucket=Bucket, Key=Key)["Body"].read()
        return {"Body": BytesIO(body[int(first) : int(last) + 1 if last else None]), "ETag": ""}

    def generate_presigned_url(self, operation: str, *, Params: dict[str, Any], ExpiresIn: int) -> str:
        return f"https://{Params['Bucket']}.example/{Params['Key']}?{operation}&expires={ExpiresIn}"


class FakeExportFiles(S3ExportFiles):
    """Files in memory."""

    def __init__(self) -> None:
        self.s3 = MultipartS3()
        super().__init__(BUCKET, lambda: self.s3, backoff=PATIENT)  # type: ignore[arg-type, return-value]


class FakeKms:
    """Stands in for botocore's client of KMS, with a real key of its own."""

    def __init__(self, kind: str = "ec") -> None:
        self.key: Any = (
            ec.generate_private_key(ec.SECP256R1()) if kind == "ec" else rsa.generate_private_key(65537, 2048)
        )
        self.algorithm = "ECDSA_SHA_256" if kind == "ec" else "RSASSA_PKCS1_V1_5_SHA_256"

    def get_public_key(self, *, KeyId: str) -> dict[str, Any]:
        encoding, form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        der = self.key.public_key().public_bytes(encoding, form)
        return {"KeyId": KeyId, "PublicKey": der, "SigningAlgorithms": [self.algorithm]}

    def sign(self, *, KeyId: str, Message: bytes, MessageType: str, SigningAlgorithm: str) -> dict[str, Any]:
        assert (MessageType, SigningAlgorithm) == ("DIGEST", self.algorithm)
        digest = utils.Prehashed(hashes.SHA256())
        if self.algorithm == "ECDSA_SHA_256":
            return {"KeyId": KeyId, "Signature": self.key.sign(Message, ec.ECDSA(digest))}
        return {"KeyId": KeyId, "Signature": self.key.sign(Message, padding.PKCS1v15(), digest)}


def fake_signer(kms: FakeKms) -> KmsSigner:
    """The real adapter with a test's key."""
    return KmsSigner("arn:aws:kms:eu-west-1:123456789012:key/1", lambda: kms, backoff=PATIENT)
