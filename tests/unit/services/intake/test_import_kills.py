"""Imports that are killed anywhere, or done twice, end as one that was left alone (rules IM3, I6, I7)."""

from __future__ import annotations

import pytest

from feedward.intake.job import ImportStatus, Target
from feedward.registration import NewFeed
from feedward.services.intake.do_step import do_step
from feedward.ulid import derived_ulid
from tests.fakes.directory import NOW
from tests.fakes.dynamodb_faults import Died
from tests.unit.services.intake.importing import Importing, opml, rss

KNOWN = "https://known.example/feed"
FILE = opml(
    '<outline text="one">',
    *(rss(f"https://h{number}.example/feed", f"Feed {number}") for number in range(48)),
    rss(KNOWN),
    "</outline>",
    rss("https://h3.example/feed/"),
    '<outline type="rss" text="nothing"/>',
)
SEEDS = "[" + ",".join(f'{{"url": "https://h{number}.example/feed"}}' for number in range(25)) + ', {"url": 5}]'


def world_with_a_feed() -> Importing:
    world = Importing()
    world.store.register(NewFeed(feed_id=derived_ulid(NOW, KNOWN), url=KNOWN, aliases=(KNOWN,), now=NOW))
    return world


def end_of(world: Importing, import_id: str) -> tuple[object, ...]:
    found = world.found(import_id)
    urls = sorted(feed["url"] for feed in world.contents.live().values())
    return found.state, found.counts, world.state(), urls


def killed_at(call: int, file: str, into: Target, *, makes_last: bool) -> tuple[object, ...] | None:
    """The end of an import whose worker dies at this call; None if it was over before."""
    world = world_with_a_feed()
    import_id = world.begin(file, into=into)
    world.lifespan.end_at(call, makes_last=makes_last)
    try:
        world.work()
    except Died:
        world.lifespan.live_on()
        for _ in range(2):
            world.found(import_id)
            world.reconcile()
        return end_of(world, import_id)
    return None


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize(("file", "into"), [(FILE, Target.SUBSCRIPTIONS), (SEEDS, Target.DIRECTORY)])
def test_an_import_that_is_killed_at_any_call_goes_on_to_the_same_end(
    file: str, into: Target, makes_last: bool
) -> None:
    alone = world_with_a_feed()
    expected = end_of(alone, alone.imported(file, into=into).import_id)
    assert expected[0] is ImportStatus.DONE
    ends: list[tuple[object, ...]] = []
    while (end := killed_at(len(ends), file, into, makes_last=makes_last)) is not None:
        ends.append(end)
    assert len(ends) > 8
    assert [end for end in ends if end != expected] == []


def test_steps_that_are_done_twice_and_in_any_order_change_nothing() -> None:
    world = world_with_a_feed()
    import_id = world.begin(FILE)
    (first,) = world.frontier_queue.take()
    for _ in range(2):
        do_step(first.job_id, ports=world, within_s=60.0)  # type: ignore[union-attr]
    steps = world.frontier_queue.take()
    for step in (*reversed(steps), *steps):
        do_step(step.job_id, ports=world, within_s=60.0)  # type: ignore[union-attr]
    alone = world_with_a_feed()
    assert end_of(world, import_id)[:3] == end_of(alone, alone.imported(FILE).import_id)[:3]


def test_a_step_without_time_is_sent_again() -> None:
    world = Importing()
    import_id = world.begin(FILE)
    (first,) = world.frontier_queue.take()
    do_step(first.job_id, ports=world, within_s=60.0)  # type: ignore[union-attr]
    (step,) = world.frontier_queue.take()
    do_step(step.job_id, ports=world, within_s=1.0)  # type: ignore[union-attr]
    assert world.found(import_id).counts.left == 51
    world.work()
    assert world.found(import_id).counts.left == 0


def test_a_subscription_that_comes_between_a_read_and_a_write_is_joined() -> None:
    world = Importing()
    import_id = world.begin(opml(rss("https://a.example/feed"), rss("https://b.example/feed")))
    known = world.imports.known
    made: list[bool] = []

    def known_a_moment_ago(*asked: object) -> object:
        found = known(*asked)  # type: ignore[arg-type]
        if not made:
            made.append(True)
            world.imported(opml(rss("https://a.example/feed", "Quicker")))
        return found

    world.imports.known = known_a_moment_ago  # type: ignore[assignment, method-assign]
    world.work()
    found = world.found(import_id)
    assert (found.counts.joined, found.counts.pending) == (1, 1)
    assert [each.title for each in world.subscribed() if each.url == "https://a.example/feed"] == ["Quicker"]
