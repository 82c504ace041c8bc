"""Downloads a base: ranges of one object, in parallel, into a new file that is used once it is complete (rule Q19)."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Final

from feedward.adapters.search.bucket import SearchBucket
from feedward.errors import StoreUnavailable
from feedward.search.manifest import StoredObject

# One connection to S3 gives 50 to 90 MB a second, and a part is in memory while it arrives.
PART_BYTES: Final = 8_000_000
AT_ONCE: Final = 6
_READ_AT_ONCE: Final = 1 << 20


def download(bucket: SearchBucket, stored: StoredObject, path: Path) -> None:
    """Write the object to `path`, which exists only once its hash is verified.

    Raises StoreUnavailable if the object is missing or damaged, or if the disk is full.
    """
    unfinished = path.with_name(f"{path.name}.part")
    try:
        _write_parts(bucket, stored, unfinished)
        if _hash(unfinished) != stored.sha256:
            raise StoreUnavailable("a file of the search index does not match its hash")
        unfinished.rename(path)
    except OSError as error:
        raise StoreUnavailable(f"a file of the search index cannot be written: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _write_parts(bucket: SearchBucket, stored: StoredObject, path: Path) -> None:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)

    def write(start: int) -> None:
        part = bucket.part(stored.key, start, min(start + PART_BYTES, stored.size))
        if part is None:
            raise StoreUnavailable("a file of the search index is missing")
        os.pwrite(file, part, start)

    try:
        with ThreadPoolExecutor(max_workers=AT_ONCE) as threads:
            for _ in threads.map(write, range(0, stored.size, PART_BYTES)):
                pass
    finally:
        os.close(file)


def _hash(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(_READ_AT_ONCE):
            digest.update(part)
    return digest.hexdigest()
