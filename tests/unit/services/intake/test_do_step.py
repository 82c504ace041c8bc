"""A process reads one file of an import at a time, since a large one takes much memory: others go on later."""

from __future__ import annotations

from feedward.intake.job import ImportStatus
from feedward.services.intake import do_step as module
from feedward.services.intake.do_step import CHUNK_S, READ_S, do_step
from tests.unit.services.intake.importing import Importing, opml, rss

A = "https://a.example/feed"


def test_a_file_waits_in_the_queue_while_another_one_takes_the_time_of_the_call() -> None:
    world = Importing()
    import_id = world.begin(opml(rss(A, "Alpha")))
    (step,) = world.frontier_queue.take()
    with module._ONE_FILE:
        done = do_step(step.job_id, ports=world, within_s=READ_S)  # type: ignore[union-attr]
    assert (done.read, world.found(import_id).is_read) == (0, False)

    world.work()
    assert world.found(import_id).state is ImportStatus.DONE


def test_a_file_that_was_read_or_cannot_be_makes_room_for_the_next_one() -> None:
    world = Importing()
    for file in (opml(rss(A, "Alpha")), "PK\x03\x04", opml(rss(A, "Alpha"))):
        world.imported(file)
    assert module._ONE_FILE.acquire(blocking=False)
    module._ONE_FILE.release()


def test_a_chunk_that_waited_for_others_begins_only_with_all_its_time() -> None:
    world = Importing()
    world.begin(opml(rss(A, "Alpha")))
    (first,) = world.frontier_queue.take()
    do_step(first.job_id, ports=world, within_s=60.0)  # type: ignore[union-attr]
    (chunk,) = world.frontier_queue.take()
    with module._SIDE_BY_SIDE, module._SIDE_BY_SIDE:
        done = do_step(chunk.job_id, ports=world, within_s=CHUNK_S)  # type: ignore[union-attr]

    assert done.ended == 0
    assert len(world.frontier_queue.take()) == 1
