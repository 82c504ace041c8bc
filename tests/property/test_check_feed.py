"""For any server and any order of messages, a feed stays due within its cap, and twice is once (rules I4, I6).
(rules I4, I6).
"""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from feedward.scheduling.shards import due_shard
from feedward.services.check.answer import CheckDisposition
from tests.fakes.directory import NOW
from tests.unit.services.check.checked import DAY, URL, Checked, moved, page, rss, status

CAPS_S = {"healthy": DAY, "degraded": DAY // 2, "unhealthy": 7 * DAY}
ELSEWHERE = "https://example.org/feed.xml"
PAGES: dict[str, dict[str, Any]] = {
    "old": page(rss(f"a@{NOW - 99}", f"b@{NOW - 9999}"), etag='"1"'),
    "news": page(rss(f"c@{NOW}", f"a@{NOW - 99}"), etag='"2"'),
    "undated": page(rss("x", "y")),
    "empty feed": page(rss()),
    "html": page("<!doctype html><p>hello"),
    "empty": page(""),
    "cut": page(rss("p", "q")[:-40]),
    "404": status(404),
    "410": status(410),
    "429": status(429, **{"Retry-After": "100000"}),
    "500": status(500),
    "503": status(503, **{"Retry-After": "999999999"}),
    "timeout": {"error": "timeout"},
    "dns": {"error": "dns_error"},
    "moved": moved(301, ELSEWHERE),
    "lent": moved(302, ELSEWHERE),
    "loop": moved(307, URL),
}
events = st.lists(
    st.tuples(st.sampled_from(sorted(PAGES)), st.booleans(), st.booleans(), st.sampled_from([0, 60, 3600, 9 * DAY])),
    min_size=1,
    max_size=5,
)


def lived(story: list[tuple[str, bool, bool, int]], *, twice: bool) -> Checked:
    checked = Checked({URL: PAGES["old"], ELSEWHERE: PAGES["news"]})
    for served, is_ours, comes_again, late_s in story:
        checked.serve(PAGES[served], checked.feed["url"])
        due = checked.due()
        checked.wait(max(0, checked.due_at(due) - checked.directory.clock.now()) + late_s)
        minute = checked.directory.clock.now() // 60
        answer = checked.check(due, outage_minutes=frozenset({minute} if is_ours else ()))
        assert answer.disposition is CheckDisposition.APPLIED
        _is_due_within_its_cap(checked, served)
        if twice and comes_again:
            checked.check(due)
    return checked


def _is_due_within_its_cap(checked: Checked, served: str) -> None:
    feed, now = checked.feed, checked.directory.clock.now()
    cap = 7 * DAY if served in ("429", "503") else CAPS_S[feed["state"]]
    assert 60 <= checked.due_at() - now <= cap * 1.1
    assert ("slot" in feed, "slot_from" in feed) == ("due_shard" not in feed, "next_check_at" not in feed)
    assert feed.get("due_shard") in (None, due_shard(feed["host"]))


@given(events)
def test_a_feed_is_always_due_within_its_cap(story: list[tuple[str, bool, bool, int]]) -> None:
    checked = lived(story, twice=False)
    assert len(checked.item("RECENT")["items"]) <= 20


@given(events)
@example([("cut", False, False, 0), ("undated", False, False, 0), ("moved", False, True, 9 * DAY)])  # a move waits
def test_messages_that_come_again_change_nothing(story: list[tuple[str, bool, bool, int]]) -> None:
    once, again = lived(story, twice=False), lived(story, twice=True)
    assert once.directory.bus.events.entries == again.directory.bus.events.entries
    assert once.directory.contents.under(once.feed_id, "") == again.directory.contents.under(again.feed_id, "")
