"""Files of imports and of exports: ports.ImportFiles and ports.ExportFiles over an S3 bucket. The bucket's lifecycle
deletes them after a day (rules IM4, EX1). A deletion of a tenant deletes its objects at once (rules TN6, TN11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from feedward.access.ownership import prefix_of
from feedward.adapters.aws_calls import Backoff
from feedward.adapters.s3.bucket import BucketPort
from feedward.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

IMPORTS: Final = "imports/"
EXPORTS: Final = "exports/"
UPLOAD_WITHIN_S: Final = 3600
LINK_S: Final = 15 * 60
# A part has some MB.
READ_TIMEOUT_S: Final = 20.0
CHUNK_BYTES: Final = 1024 * 1024
# InvalidPart: another worker wrote the part again, with other feeds in it.
_NO_UPLOAD: Final = frozenset({"NoSuchUpload", "InvalidPart"})
_REMOVED_AT_ONCE: Final = 1000


class S3ImportFiles(BucketPort):
    """ports.ImportFiles. Thread-safe."""

    def put(self, key: str, body: bytes) -> None:
        """Store a file."""
        self._ask(self._s3().put_object, Key=IMPORTS + key, Body=body)

    def size(self, key: str) -> int | None:
        """Return the length of a stored file in bytes, or None."""
        return self._length(IMPORTS + key)

    def read(self, key: str) -> bytes | None:
        """Return a file, or None."""
        return self._content(IMPORTS + key)

    def upload_url(self, key: str, length: int) -> str:
        """Return a URL to which a file of exactly this length can be PUT for an hour: the length is signed."""
        return self._s3().generate_presigned_url(
            "put_object",
            Params={"Bucket": self._bucket, "Key": IMPORTS + key, "ContentLength": length},
            ExpiresIn=UPLOAD_WITHIN_S,
        )


class S3ExportFiles(BucketPort):
    """ports.ExportFiles. Thread-safe."""

    def __init__(
        self, bucket: str, make_client: Callable[[], S3Client] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(bucket, make_client, backoff=backoff, timeout_s=READ_TIMEOUT_S)

    def begin(self, key: str, *, media_type: str, name: str) -> str:
        """Start a file that is written in parts. Return the id of the upload."""
        begun = self._ask(
            self._s3().create_multipart_upload,
            Key=EXPORTS + key,
            ContentType=media_type,
            ContentDisposition=f'attachment; filename="{name}"',
        )
        return str(begun["UploadId"])

    def put_part(self, key: str, upload_id: str, number: int, body: bytes) -> str | None:
        """Store a part, and return its ETag. A retry replaces it. None if the upload does not exist any more."""
        part = {"UploadId": upload_id, "PartNumber": number, "Body": body}
        put = self._ask_unless(_NO_UPLOAD, self._s3().upload_part, Key=EXPORTS + key, **part)
        return None if isinstance(put, str) else str(put["ETag"])

    def end(self, key: str, upload_id: str, etags: Sequence[str]) -> bool:
        """Complete the file from its parts. Returns False if neither an upload with these nor the file exists."""
        parts = {"Parts": [{"PartNumber": number, "ETag": etag} for number, etag in enumerate(etags, start=1)]}
        complete = self._s3().complete_multipart_upload
        done = self._ask_unless(_NO_UPLOAD, complete, Key=EXPORTS + key, UploadId=upload_id, MultipartUpload=parts)
        return not isinstance(done, str) or self._length(EXPORTS + key) is not None

    def put(self, key: str, body: bytes) -> None:
        """Store a small file."""
        self._ask(self._s3().put_object, Key=EXPORTS + key, Body=body)

    def chunks(self, key: str) -> Iterator[bytes]:
        """Yield a file in chunks. Raises StoreUnavailable if it does not exist."""
        length = self._length(EXPORTS + key)
        if length is None:
            raise StoreUnavailable("a file of an export is missing")
        for start in range(0, length, CHUNK_BYTES):
            yield self._ask(self._get, Key=EXPORTS + key, Range=f"bytes={start}-{start + CHUNK_BYTES - 1}")[0]

    def link(self, key: str) -> str:
        """Return a URL of the file that is valid for 15 minutes."""
        place = {"Bucket": self._bucket, "Key": EXPORTS + key}
        return self._s3().generate_presigned_url("get_object", Params=place, ExpiresIn=LINK_S)


class TenantObjects(BucketPort):
    """The objects of tenants. Thread-safe."""

    def remove(self, tenant_id: str) -> tuple[int, Mapping[str, str] | None]:
        """Delete up to a thousand objects with two requests. Return their number, and a place if there may be more.

        Raises StoreUnavailable too if some of them were not deleted: a repeated call finds them.
        """
        prefixes = (f"bodies/{prefix_of(tenant_id)}", f"{IMPORTS}{tenant_id}/", f"{EXPORTS}{prefix_of(tenant_id)}")
        for prefix in prefixes:
            found = self._ask(self._s3().list_objects_v2, Prefix=prefix, MaxKeys=_REMOVED_AT_ONCE)
            keys: Any = [{"Key": each["Key"]} for each in found.get("Contents", ())]
            if keys:
                deleted = self._ask(self._s3().delete_objects, Delete={"Objects": keys, "Quiet": True})
                if deleted.get("Errors"):
                    raise StoreUnavailable("the bucket kept objects of a deleted tenant")
                return len(keys), {"prefix": prefix}
        return 0, None
