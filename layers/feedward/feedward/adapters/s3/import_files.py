"""Files of imports: ports.ImportFiles over an S3 bucket. The bucket's lifecycle deletes them after a day (rule IM4)."""

from __future__ import annotations

from typing import Final

from feedward.adapters.s3.bucket import BucketPort

PREFIX: Final = "imports/"
UPLOAD_WITHIN_S: Final = 3600


class S3ImportFiles(BucketPort):
    """ports.ImportFiles. Thread-safe."""

    def put(self, key: str, body: bytes) -> None:
        """Store a file."""
        self._ask(self._s3().put_object, Key=PREFIX + key, Body=body)

    def size(self, key: str) -> int | None:
        """Return the length of a stored file in bytes, or None."""
        return self._length(PREFIX + key)

    def read(self, key: str) -> bytes | None:
        """Return a file, or None."""
        return self._content(PREFIX + key)

    def upload_url(self, key: str, length: int) -> str:
        """Return a URL to which a file of exactly this length can be PUT for an hour: the length is signed."""
        return self._s3().generate_presigned_url(
            "put_object",
            Params={"Bucket": self._bucket, "Key": PREFIX + key, "ContentLength": length},
            ExpiresIn=UPLOAD_WITHIN_S,
        )
