"""A large body waits for memory, which is not the server's failure."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest

from feedward.adapters.fetching.body import decode_body
from feedward.errors import MemoryBusy
from feedward.model import Outcome
from tests.faults.site import answer, answer_bytes, serving

LARGE = b"<rss>" + b" " * 3_000_000 + b"</rss>"
FREE = 1 << 20


class Room:
    """ports.BodyRoom: `waits` is the time until a lease, and None if there is none."""

    free_bytes = FREE

    def __init__(self, waits: float | None = 0.0) -> None:
        self.waits = waits
        self.asked = 0

    def reserve(self) -> float:
        self.asked += 1
        if self.waits is None:
            raise MemoryBusy("no lease")
        return self.waits if self.asked == 1 else 0.0


PACKED = answer_bytes("200 OK\r\nContent-Encoding: gzip", gzip.compress(LARGE))
PLAIN = answer_bytes("200 OK", LARGE)
CUT = answer("200 OK\r\nContent-Length: 2000000", "<rss>")


@pytest.mark.parametrize("script", [PACKED, PLAIN], ids=["packed", "plain"])
def test_a_large_body_is_read_once_it_has_a_lease(script: list[object]) -> None:
    with serving(script) as site:
        room = Room()
        assert site.fetcher().fetch(site.url(), room=room).body == LARGE
        assert room.asked


@pytest.mark.parametrize("script", [PACKED, PLAIN], ids=["packed", "plain"])
def test_a_large_body_without_a_lease_is_no_failure_of_the_server(script: list[object]) -> None:
    with serving(script) as site, pytest.raises(MemoryBusy):
        site.fetcher().fetch(site.url(), room=Room(None))


def test_a_small_body_needs_no_lease() -> None:
    with serving(answer_bytes("200 OK", b"<rss/>")) as site:
        assert site.fetcher().fetch(site.url(), room=Room(None)).outcome is Outcome.OK


@pytest.mark.parametrize(("waits", "is_theirs"), [(0.0, True), (0.5, True), (2.0, False)])
def test_a_server_that_gave_up_while_we_waited_is_not_blamed(waits: float, is_theirs: bool) -> None:
    with serving(CUT) as site:
        fetcher = site.fetcher()
        if is_theirs:
            assert fetcher.fetch(site.url(), room=Room(waits)).outcome is Outcome.TRUNCATED
        else:
            with pytest.raises(MemoryBusy):
                fetcher.fetch(site.url(), room=Room(waits))


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_memory_is_asked_for_before_it_is_used(coding: str, pack: Callable[[bytes], bytes]) -> None:
    sizes: list[int] = []
    assert decode_body(pack(LARGE), coding, 10 << 20, sizes.append) == LARGE
    assert sizes[-1] == len(LARGE)
    assert all(after - before <= 1 << 18 for before, after in zip([0, *sizes], sizes, strict=False))
