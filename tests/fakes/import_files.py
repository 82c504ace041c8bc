"""The files of imports for tests of everything above them: the real adapter, on a bucket in memory, with knobs."""

from __future__ import annotations

from feedward.adapters.s3.files import S3ImportFiles
from tests.fakes.bodies import BUCKET, InMemoryS3
from tests.fakes.feed_store import PATIENT


class FakeImportFiles(S3ImportFiles):
    """Files in memory."""

    def __init__(self) -> None:
        self.s3 = InMemoryS3()
        super().__init__(BUCKET, lambda: self.s3, backoff=PATIENT)  # type: ignore[arg-type, return-value]
