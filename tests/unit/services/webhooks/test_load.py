"""Many events, failing receivers, dying workers: a healthy receiver gets everything, soon, and hardly twice."""

from __future__ import annotations

from feedward.model import Outcome
from tests.fakes.directory import NOW
from tests.fakes.webhooks import answered, unanswered
from tests.unit.services.webhooks.load_world import LoadWorld, Receiver

RECEIVERS = 50
EVENTS = 25
EVERY_S = 3
FAILING = (
    Receiver(lambda _: unanswered(Outcome.TIMEOUT), takes_s=15.0),
    Receiver(lambda _: answered(500)),
    Receiver(lambda _: unanswered(Outcome.CONNECT_ERROR), takes_s=0.01),
    Receiver(lambda _: answered(302)),
    Receiver(lambda _: answered(410)),
)


def receivers() -> dict[str, Receiver]:
    """Fifty receivers, every fifth of which fails, in five ways."""

    def one(number: int) -> Receiver:
        way = FAILING[number // 5 % len(FAILING)]
        return Receiver(way.answer, way.takes_s) if number % 5 == 0 else Receiver(lambda _: answered(204), 0.2)

    return {f"https://r{number}.example/hook": one(number) for number in range(RECEIVERS)}


def test_healthy_receivers_get_each_event_soon_and_hardly_twice_though_workers_die() -> None:
    world = LoadWorld(receivers())
    world.dies_each = 70
    for number in range(EVENTS):
        world.happen(str(number), NOW + 60 + EVERY_S * number)

    world.run(NOW + 60 + EVERY_S * EVENTS + 1800)

    healthy = [each for number, each in enumerate(world.receivers.values()) if number % 5]
    arrivals = [times for each in healthy for times in each.got.values()]
    assert world.deaths >= 1
    assert {len(each.got) for each in healthy} == {EVENTS}
    assert sum(map(len, arrivals)) / len(arrivals) < 1.05
    first = sorted(min(times) - world.happened[event] for each in healthy for event, times in each.got.items())
    # A dead worker holds its messages for 6 minutes: with so few events that is up to one delivery in 20.
    assert first[int(len(first) * 0.9)] < 10
    failing = [each for number, each in enumerate(world.receivers.values()) if number % 5 == 0]
    assert max(len(each.asked) for each in failing) < 5 + 40  # five, those under way, and one in a while


def test_a_receiver_that_comes_back_after_many_events_is_not_flooded() -> None:
    back_at = NOW + 1800
    receiver = Receiver(lambda at: answered(204) if at >= back_at else unanswered(Outcome.CONNECT_ERROR), takes_s=0.2)
    world = LoadWorld({"https://r0.example/hook": receiver}, workers=8)
    for number in range(120):
        world.happen(str(number), NOW + 60 + number)

    world.run(NOW + 5400)

    assert len(receiver.got) == 120
    after = sorted(at for at in receiver.asked if at >= back_at)
    a_second = [sum(at <= each < at + 1 for each in after) for at in after]
    assert max(a_second) <= 5 / 0.2 + 5  # five at a time, of 0.2 s each
