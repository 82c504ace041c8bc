"""Bodies are stored once under their hash and read back unchanged, or not at all: in memory, and in MiniStack's S3."""

from __future__ import annotations

import gzip
import hashlib
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_localstack.session import RunningSession

from feedward.adapters.aws_calls import aws_client
from feedward.adapters.s3.bodies import REMEMBERED, S3Bodies, body_key
from feedward.errors import FeedwardError, StoreUnavailable, Throttled
from tests.fakes.bodies import BUCKET, FakeBodies, InMemoryS3
from tests.fakes.feed_store import PATIENT

PAGE = "<title>Gr\u00fc\u00dfe</title>".encode() * 50


@dataclass
class Bucket:
    """A bucket under test: the client, and its name."""

    client: Any
    name: str

    def bodies(self) -> S3Bodies:
        """Bodies as another process sees them, without its caches."""
        return S3Bodies(self.name, lambda: self.client, backoff=PATIENT)


@pytest.fixture(scope="session")
def real_s3(aws_session: RunningSession) -> Iterator[Any]:
    with aws_session.botocore.patch_botocore():
        client = aws_client("s3")
    yield client
    client.close()


@pytest.fixture(params=["fake", "real"])
def bucket(request: pytest.FixtureRequest) -> Bucket:
    if request.param == "fake":
        return Bucket(InMemoryS3(), BUCKET)
    client = request.getfixturevalue("real_s3")
    name = f"b{uuid.uuid4().hex[:12]}"
    client.create_bucket(Bucket=name)
    return Bucket(client, name)


def sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def raw(bucket: Bucket, key: str) -> bytes:
    found: bytes = bucket.client.get_object(Bucket=bucket.name, Key=key)["Body"].read()
    return found


@pytest.mark.parametrize("body", [b"", b"x", PAGE, bytes(range(256)) * 4000], ids=["empty", "byte", "page", "1 MB"])
def test_a_body_comes_back_as_it_was(bucket: Bucket, body: bytes) -> None:
    kept = bucket.bodies().keep(body)

    assert kept == sha(body)
    assert bucket.bodies().read(kept) == body


def test_a_body_lies_compressed_under_its_hash(bucket: Bucket) -> None:
    kept = bucket.bodies().keep(PAGE)

    stored = raw(bucket, f"bodies/{kept[:2]}/{kept}.gz")
    assert gzip.decompress(stored) == PAGE
    assert len(stored) < len(PAGE)
    assert stored[4:8] == bytes(4), "the time of compression would make each process write other bytes"


def test_a_missing_object_is_none(bucket: Bucket) -> None:
    assert bucket.bodies().read(sha(b"never kept")) is None


def test_a_body_that_is_there_is_not_written_again(bucket: Bucket) -> None:
    put = bucket.client.put_object
    put(Bucket=bucket.name, Key=body_key(sha(PAGE)), Body=b"first", ContentType="", IfNoneMatch="*")

    assert bucket.bodies().keep(PAGE) == sha(PAGE)
    assert raw(bucket, body_key(sha(PAGE))) == b"first"


def test_two_processes_keep_one_body_at_once(bucket: Bucket) -> None:
    with ThreadPoolExecutor(8) as pool:
        kept = set(pool.map(lambda _: bucket.bodies().keep(PAGE), range(16)))

    assert kept == {sha(PAGE)}
    assert bucket.bodies().read(sha(PAGE)) == PAGE


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"no gzip",
        gzip.compress(b"another body"),
        gzip.compress(PAGE)[:-9],
        gzip.compress(PAGE)[:30] + b"\xff" * 30,
    ],
    ids=["empty", "no gzip", "another", "cut off", "garbled"],
)
def test_a_body_that_does_not_match_its_hash_is_missing(bucket: Bucket, stored: bytes) -> None:
    put = bucket.client.put_object
    put(Bucket=bucket.name, Key=body_key(sha(PAGE)), Body=stored, ContentType="", IfNoneMatch="*")

    assert bucket.bodies().read(sha(PAGE)) is None


def test_a_bucket_that_is_not_there_is_our_mistake(bucket: Bucket) -> None:
    bodies = S3Bodies(f"{bucket.name}-none", lambda: bucket.client, backoff=PATIENT)

    with pytest.raises(FeedwardError, match="NoSuchBucket") as raised:
        bodies.keep(PAGE)
    assert not isinstance(raised.value, StoreUnavailable | Throttled)


# --- cases that MiniStack does not have: the fake alone ----------------------------------------------


def test_a_recently_stored_body_is_not_stored_again() -> None:
    bodies = FakeBodies()

    assert {bodies.keep(PAGE) for _ in range(5)} == {sha(PAGE)}
    assert bodies.s3.puts == [body_key(sha(PAGE))]


def test_a_process_remembers_only_the_latest() -> None:
    bodies = FakeBodies()
    for number in range(REMEMBERED + 1):
        bodies.keep(str(number).encode())

    bodies.keep(b"0")
    bodies.keep(str(REMEMBERED).encode())
    assert len(bodies.s3.puts) == REMEMBERED + 2
    assert len(bodies.s3.objects) == REMEMBERED + 1


@pytest.mark.parametrize("knob", ["throttles", "fails", "conflicts", "loses_answers"])
def test_a_put_is_tried_again(knob: str) -> None:
    bodies = FakeBodies()
    setattr(bodies.s3, knob, 2)

    assert bodies.keep(PAGE) == sha(PAGE)
    assert bodies.read(sha(PAGE)) == PAGE


@pytest.mark.parametrize("knob", ["throttles", "fails", "breaks_off"])
def test_a_read_is_tried_again(knob: str) -> None:
    bodies = FakeBodies()
    bodies.keep(PAGE)
    setattr(bodies.s3, knob, 2)

    assert bodies.read(sha(PAGE)) == PAGE


@pytest.mark.parametrize(("knob", "error"), [("throttles", Throttled), ("fails", StoreUnavailable)])
def test_a_store_that_stays_away_is_an_error_and_nothing_is_remembered(knob: str, error: type[Exception]) -> None:
    bodies = FakeBodies()
    setattr(bodies.s3, knob, 100)

    with pytest.raises(error):
        bodies.keep(PAGE)
    with pytest.raises(error):
        bodies.read(sha(PAGE))
    setattr(bodies.s3, knob, 0)
    bodies.keep(PAGE)
    assert bodies.read(sha(PAGE)) == PAGE


def test_no_client_is_made_before_it_is_needed() -> None:
    made: list[InMemoryS3] = []

    def make() -> Any:
        made.append(InMemoryS3())
        return made[-1]

    bodies = S3Bodies(BUCKET, make, backoff=PATIENT)
    assert made == []
    for number in range(3):
        bodies.keep(str(number).encode())
    assert len(made) == 1


@given(st.binary(max_size=2000))
def test_any_bytes_come_back(body: bytes) -> None:
    bodies = FakeBodies()

    assert bodies.read(bodies.keep(body)) == body
