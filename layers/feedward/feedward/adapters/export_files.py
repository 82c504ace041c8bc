"""Files of exports: ports.ExportFiles over an S3 bucket. The bucket's lifecycle deletes them after a day (rule EX1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.calls import Backoff, Calls, OnFirstUse, ServicePort, aws_client
from feedward.adapters.s3 import IS_NOT_THERE, unless
from feedward.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PREFIX: Final = "exports/"
LINK_S: Final = 15 * 60
# A part has some MB.
READ_TIMEOUT_S: Final = 20.0
CHUNK_BYTES: Final = 1024 * 1024
# InvalidPart: another worker wrote the part again, with other feeds in it.
_NO_UPLOAD: Final = frozenset({"NoSuchUpload", "InvalidPart"})


class S3ExportFiles(ServicePort):
    """ports.ExportFiles. Thread-safe. The client is created at its first use."""

    def __init__(
        self, bucket: str, make_client: Callable[[], S3Client] | None = None, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(Calls(StoreUnavailable, backoff))
        self._bucket = bucket
        self._s3: Callable[[], S3Client] = OnFirstUse(make_client or _s3_client)

    def begin(self, key: str, *, media_type: str, name: str) -> str:
        """Start a file that is written in parts. Return the id of the upload."""
        begun = self._calls.ask(
            self._s3().create_multipart_upload,
            **self._at(key),
            ContentType=media_type,
            ContentDisposition=f'attachment; filename="{name}"',
        )
        return begun["UploadId"]

    def put_part(self, key: str, upload_id: str, number: int, body: bytes) -> str | None:
        """Store a part, and return its ETag. A retry replaces it. None if the upload does not exist any more."""
        call = partial(unless, _NO_UPLOAD, self._s3().upload_part)
        put: Any = self._calls.ask(call, **self._at(key), UploadId=upload_id, PartNumber=number, Body=body)
        return None if put is None else str(put["ETag"])

    def end(self, key: str, upload_id: str, etags: Sequence[str]) -> bool:
        """Complete the file from its parts. Returns False if neither an upload with these nor the file exists."""
        parts: Any = [{"PartNumber": number, "ETag": etag} for number, etag in enumerate(etags, start=1)]
        call = partial(unless, _NO_UPLOAD, self._s3().complete_multipart_upload)
        done: Any = self._calls.ask(call, **self._at(key), UploadId=upload_id, MultipartUpload={"Parts": parts})
        return done is not None or self._is_there(key)

    def put(self, key: str, body: bytes) -> None:
        """Store a small file."""
        self._calls.ask(self._s3().put_object, **self._at(key), Body=body)

    def chunks(self, key: str) -> Iterator[bytes]:
        """Yield a file in chunks."""
        found: Any = self._calls.ask(self._s3().head_object, **self._at(key))
        for start in range(0, found["ContentLength"], CHUNK_BYTES):
            yield self._calls.ask(self._read, start=start, key=key)

    def link(self, key: str) -> str:
        """Return a URL of the file that is valid for 15 minutes."""
        return self._s3().generate_presigned_url("get_object", Params=self._at(key), ExpiresIn=LINK_S)

    def _read(self, *, key: str, start: int) -> bytes:
        piece = f"bytes={start}-{start + CHUNK_BYTES - 1}"
        return self._s3().get_object(**self._at(key), Range=piece)["Body"].read()

    def _is_there(self, key: str) -> bool:
        call = partial(unless, IS_NOT_THERE, self._s3().head_object)
        return self._calls.ask(call, **self._at(key)) is not None

    def _at(self, key: str) -> dict[str, Any]:
        return {"Bucket": self._bucket, "Key": PREFIX + key}


def _s3_client() -> S3Client:
    client: S3Client = aws_client("s3", read_timeout_s=READ_TIMEOUT_S, signature_version="s3v4")
    return client
