"""Many unrelated hosts that move to one target in a short time (rule F2)."""

from __future__ import annotations

import pytest

from feedward.health.shared_target import SHARED_BY_HOSTS, SharedTarget, is_shared_target, target_key, with_arrival
from tests.unit.health.times import DAY, HOUR, MINUTE, NOW

TARGET = "https://portal.example/login?orig=x"


def seen(*moves: tuple[str, int]) -> SharedTarget:
    shared_target = SharedTarget()
    for host, at in moves:
        shared_target = with_arrival(shared_target, host, TARGET, at)
    return shared_target


def hosts(count: int, every: int = MINUTE) -> list[tuple[str, int]]:
    return [(f"site{n}.example", NOW + n * every) for n in range(count)]


@pytest.mark.parametrize(
    ("moves", "is_shared"),
    [
        (hosts(SHARED_BY_HOSTS), True),
        (hosts(40), True),
        (hosts(SHARED_BY_HOSTS - 1), False),
        (hosts(40, every=HOUR), False),
        ([(f"blog{n}.example.com", NOW) for n in range(40)], False),
        ([("site.example", NOW + n) for n in range(40)], False),
        ([(f"a{n}.portal.example", NOW) for n in range(40)], False),
    ],
)
def test_a_shared_target_is_where_many_unrelated_hosts_lead_within_an_hour(
    moves: list[tuple[str, int]], is_shared: bool
) -> None:
    assert is_shared_target(seen(*moves), moves[-1][1]) is is_shared


def test_a_shared_target_is_remembered_longer_than_a_move_has_to_be_seen() -> None:
    known = seen(*hosts(10))
    next_day = with_arrival(known, "site0.example", TARGET, NOW + DAY + HOUR)
    assert is_shared_target(next_day, NOW + DAY + HOUR)
    assert not is_shared_target(next_day, NOW + 9 * DAY)


def test_the_row_of_a_busy_shared_target_stays_small() -> None:
    assert len(seen(*hosts(1000, every=1)).domains) == SHARED_BY_HOSTS


def test_a_target_is_its_host_and_path() -> None:
    assert target_key(TARGET) == target_key("http://PORTAL.example/login?orig=y#z") == "portal.example/login"
    assert target_key("https://feeds.example/one") != target_key("https://feeds.example/two")
    assert target_key("no url") == "no url"
