"""Files of exports in MiniStack's S3 and in the fake: parts become a file that a link leads to."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import urllib3

from feedward.adapters.aws_calls import aws_client
from feedward.adapters.kms import KmsSigner
from feedward.adapters.s3.files import S3ExportFiles
from feedward.errors import InvalidSetting, StoreUnavailable
from tests.fakes.bodies import BUCKET
from tests.fakes.export_files import FakeKms, MultipartS3
from tests.fakes.feed_store import PATIENT

PARTS = (b"a" * 5 * 1024 * 1024, b"the rest")
KEY = "01M8/feeds.opml"


@pytest.fixture(scope="session")
def real_s3(ministack: str) -> Iterator[Any]:
    """A client with MiniStack's own address, which links are signed for."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patched.setenv(name, "test")
        patched.setenv("AWS_DEFAULT_REGION", "us-east-1")
        client = aws_client("s3", endpoint_url=ministack, signature_version="s3v4")
    yield client
    client.close()


@pytest.fixture(params=["fake", "real"])
def files(request: pytest.FixtureRequest) -> S3ExportFiles:
    if request.param == "fake":
        fake: Any = MultipartS3()
        return S3ExportFiles(BUCKET, lambda: fake, backoff=PATIENT)
    client = request.getfixturevalue("real_s3")
    name = f"b{uuid.uuid4().hex[:12]}"
    client.create_bucket(Bucket=name)
    return S3ExportFiles(name, lambda: client, backoff=PATIENT)


def begun(files: S3ExportFiles) -> str:
    return files.begin(KEY, media_type="text/x-opml; charset=utf-8", name="feeds.opml")


def put(files: S3ExportFiles, upload: str) -> list[str]:
    return [str(files.put_part(KEY, upload, number, body)) for number, body in enumerate(PARTS, start=1)]


def test_parts_become_a_file(files: S3ExportFiles) -> None:
    upload = begun(files)
    put(files, upload)

    assert files.end(KEY, upload, put(files, upload))

    assert b"".join(files.chunks(KEY)) == b"".join(PARTS)


def test_a_file_that_was_ended_by_another_worker_is_there(files: S3ExportFiles) -> None:
    upload = begun(files)
    etags = put(files, upload)
    files.end(KEY, upload, etags)

    assert files.end(KEY, upload, etags)


def test_an_upload_that_has_gone_takes_no_part_and_makes_no_file(files: S3ExportFiles) -> None:
    assert files.put_part(KEY, "gone", 1, b"x") is None
    assert not files.end(KEY, "gone", ["x"])


def test_a_file_that_is_missing_is_no_mistake_of_the_call(files: S3ExportFiles) -> None:
    with pytest.raises(StoreUnavailable):
        next(files.chunks(KEY))


def test_a_link_leads_to_the_file_under_its_name(real_s3: Any) -> None:
    name = f"b{uuid.uuid4().hex[:12]}"
    real_s3.create_bucket(Bucket=name)
    files = S3ExportFiles(name, lambda: real_s3, backoff=PATIENT)
    upload = begun(files)
    files.end(KEY, upload, put(files, upload))

    found = urllib3.request("GET", files.link(KEY))

    assert (found.status, found.data) == (200, b"".join(PARTS))
    assert found.headers["content-type"] == "text/x-opml; charset=utf-8"
    assert found.headers["content-disposition"] == 'attachment; filename="feeds.opml"'


def test_a_key_that_cannot_sign_is_named() -> None:
    kms = FakeKms()
    kms.algorithm = "ML_DSA_SHAKE_256"

    with pytest.raises(InvalidSetting, match="PACK_SIGNING_KEY_ARN"):
        KmsSigner("arn", lambda: kms, backoff=PATIENT).sign(b"0" * 32)
