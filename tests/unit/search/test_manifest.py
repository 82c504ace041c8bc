"""The manifest: its objects, its compaction, its deletions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from feedward.errors import FeedwardError
from feedward.search.manifest import (
    DAY_S,
    LAG_S,
    NOTHING,
    Base,
    Delta,
    Manifest,
    Retired,
    StoredObject,
    decode_manifest,
    encode_manifest,
)

NOW = 1_790_000_000


def stored(key: str) -> StoredObject:
    return StoredObject(key=key, size=10, sha256="0" * 64)


def base(name: str, count: int = 1000) -> Base:
    return Base(generation=name, index=stored(f"bases/{name}"), documents=stored(f"documents/{name}"), count=count)


def delta(name: str, *, changes: int = 1, size: int = 100, at: int = NOW) -> Delta:
    return Delta(key=f"deltas/{name}", size=size, sha256="1" * 64, changes=changes, at=at)


FULL = Manifest(
    base=base("a"),
    deltas=(delta("1"), delta("2", changes=3)),
    retired=(Retired(key="bases/0", at=NOW),),
    rebuilt_at=NOW,
    asked_at=5,
    claimed_until=6,
)


@pytest.mark.parametrize("manifest", [NOTHING, FULL, Manifest(deltas=(delta("1"),))])
def test_a_manifest_is_read_as_it_was_written(manifest: Manifest) -> None:
    assert decode_manifest(encode_manifest(manifest)) == manifest


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"null", json.dumps({"format": 2}).encode(), b'{"format": 1, "base": 3}', b"\xff"]
)
def test_another_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(FeedwardError):
        decode_manifest(content)


@pytest.mark.parametrize(
    ("deltas", "wants"),
    [
        ([delta(str(n)) for n in range(49)], False),
        ([delta(str(n)) for n in range(50)], True),
        ([delta("1", size=4_999_999)], False),
        ([delta("1", size=2_500_000), delta("2", size=2_500_000)], True),
        ([delta("1", changes=199)], False),
        ([delta("1", changes=100), delta("2", changes=100)], True),
    ],
)
def test_an_index_is_compacted_at_50_deltas_5_mb_or_a_fifth_of_it(deltas: list[Delta], wants: bool) -> None:
    assert Manifest(base=base("a"), deltas=tuple(deltas)).wants_compaction is wants
    assert not Manifest(deltas=tuple(deltas)).wants_compaction


def test_a_small_index_is_not_compacted_for_every_change() -> None:
    assert not Manifest(base=base("a", count=10), deltas=(delta("1", changes=49),)).wants_compaction
    assert Manifest(base=base("a", count=10), deltas=(delta("1", changes=50),)).wants_compaction


def test_a_compaction_of_another_base_is_for_nothing() -> None:
    assert replace(FULL, base=base("b")).compacted(base("c"), FULL, NOW) is None


def test_a_compaction_keeps_later_deltas_and_retires_the_other_objects() -> None:
    after = FULL.with_delta(delta("3")).compacted(base("b"), FULL, NOW + 5)

    assert after is not None
    assert [each.key for each in after.deltas] == ["deltas/3"]
    assert {each.key for each in after.retired} == {"bases/0", "bases/a", "documents/a", "deltas/1", "deltas/2"}
    assert after.claimed_until == 0


def test_a_rebuild_keeps_young_deltas() -> None:
    started = NOW + LAG_S + 1
    before = Manifest(base=base("a"), deltas=(delta("old"), delta("young", at=started - 1)))
    after = before.with_delta(delta("new", at=started)).rebuilt(base("b"), before, started, started + 60)

    assert [each.key for each in after.deltas] == ["deltas/young", "deltas/new"]
    assert (after.rebuilt_at, after.wants_rebuild) == (started, False)


def test_objects_retired_a_day_ago_are_deleted() -> None:
    after, gone = FULL.swept(NOW + DAY_S - 1)
    assert (after, gone) == (FULL, ())
    after, gone = FULL.swept(NOW + DAY_S)
    assert (after.retired, gone) == ((), ("bases/0",))


def test_an_object_that_is_named_again_is_not_deleted() -> None:
    manifest = replace(FULL, retired=(Retired(key="deltas/9", at=0), Retired(key="bases/b", at=0)))
    manifest = manifest.with_delta(delta("9")).rebuilt(base("b"), manifest, NOW, NOW)

    assert not manifest.swept(NOW + 1)[0].named & set(manifest.swept(NOW + 1)[1])
    assert {"deltas/9", "bases/b"} <= manifest.named
