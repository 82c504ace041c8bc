"""The simulated year is the same each time, its counts add up, and violations of its goals are detected."""

from __future__ import annotations

import contextlib
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import pytest

import bench.__main__ as bench_main
from bench import health
from bench.health_world import feedward_polling, timetables
from bench.health_world.clock import play
from bench.health_world.failures import FOREVER, PASSING, Answer, Failing, Move
from bench.health_world.feedward_polling import Simulation
from bench.health_world.hourly import HOUR, poll_hourly
from bench.health_world.invariant import H3BrokenError, I4BrokenError, hold_h3, hold_i4
from bench.health_world.miniflux import Subscription, interval_s, poll_by_entry_frequency
from bench.health_world.pushed import PushedSimulation
from bench.health_world.rhythms import DAY, END, RHYTHMS, START, YEAR
from bench.health_world.tally import Tally, total
from bench.health_world.timetables import ByHalfGap
from bench.health_world.world import Address, SimulatedFeed, World, make_world, moment_of
from feedward.health import outage
from feedward.health.decision import Decision
from feedward.health.feed_health import FeedHealth
from feedward.health.outcomes import OUTCOMES
from feedward.model import FeedState, Outcome
from feedward.scheduling.slots import Place, Slot

MINUTE = 60
FEEDS = 14  # the fewest that have one of each class, and a weekly feed more
SEED = 38  # its news feed publishes seldom and asks for hourly checks: few checks make its year
TIMEOUT, GONE = Answer(outcome=Outcome.TIMEOUT), Answer(outcome=Outcome.GONE)


@pytest.fixture(scope="module")
def year() -> health.Year:
    return health.play_year(FEEDS, seed=SEED)


@pytest.fixture(scope="module")
def many() -> tuple[SimulatedFeed, ...]:
    """The 200 feeds of a world."""
    return make_world(200).feeds


def feed(nth: int = 0, *, every: int = 30 * MINUTE, days: int = 5, **said: object) -> SimulatedFeed:
    """A feed that publishes steadily for some days, at minutes of its own."""
    first = START + nth * 7 * MINUTE % every
    plain = SimulatedFeed(
        id=f"feed-{nth}",
        host=f"host-{nth}.example",
        rhythm="steady",
        published=array("q", range(first + every, START + days * DAY, every)),
        history=tuple(range(first - 20 * every, first, every)),
        hint_s=None,
        failures=(),
        move=None,
    )
    return replace(plain, **said)  # type: ignore[arg-type]


def played(world: World, days: float) -> Simulation:
    simulation = Simulation(world)
    simulation.run(START + int(days * DAY))
    return simulation


# --- the world ------------------------------------------------------------------------------------


def test_a_seed_always_makes_the_same_world_and_another_seed_another() -> None:
    assert make_world(FEEDS, seed=1) == make_world(FEEDS, seed=1)
    assert make_world(FEEDS, seed=1) != make_world(FEEDS, seed=2)


def test_classes_share_the_feeds_and_none_is_lost(many: Sequence[SimulatedFeed]) -> None:
    assert sum(rhythm.share for rhythm in RHYTHMS) == pytest.approx(1)
    counted = Counter(each.rhythm for each in many)
    assert sum(counted.values()) == 200
    assert counted["news, hourly"] == 22
    assert set(counted) == {rhythm.name for rhythm in RHYTHMS}


@pytest.mark.parametrize(
    ("rhythm", "least", "most"),
    [
        ("news, hourly", 8, 160),
        ("several a day", 1, 9),
        ("daily", 0.6, 1),
        ("weekly", 1 / 20, 1 / 6),
        ("monthly", 1 / 40, 1 / 20),
        ("releases, in bursts", 1 / 200, 1),
        ("sporadic blog", 1 / 400, 1),
        ("silent all year", 0, 0),
    ],
)
def test_feeds_of_a_class_publish_as_its_name_says(
    many: Sequence[SimulatedFeed], rhythm: str, least: float, most: float
) -> None:
    rates = [
        len(each.published) / 365
        for each in many
        if each.rhythm == rhythm and not any(failing.end == FOREVER for failing in each.failures)
    ]
    assert rates
    assert least <= min(rates) <= max(rates) <= most


def test_a_dying_feed_publishes_nothing_in_the_last_days_and_one_that_vanished_nothing_at_all(
    many: Sequence[SimulatedFeed],
) -> None:
    for each in many:
        assert list(each.published) == sorted(each.published)
        assert all(START <= at < END for at in each.published)
        for failing in each.failures:
            if failing.end == FOREVER:
                assert all(at < failing.begin for at in each.published)


def test_every_failing_outcome_occurs() -> None:
    failing = {outcome for outcome, row in OUTCOMES.items() if not row.is_success}
    assert set(PASSING) == failing


def test_failures_of_a_feed_lie_apart_and_in_order(many: Sequence[SimulatedFeed]) -> None:
    for each in many:
        ends = [START] + [failing.end for failing in each.failures]
        assert all(failing.begin >= end for failing, end in zip(each.failures, ends, strict=False))
        assert all(failing.end > failing.begin for failing in each.failures)


def test_an_address_answers_by_its_failures_its_move_and_our_network() -> None:
    mine = feed(
        failures=(Failing(begin=START + HOUR, end=START + 2 * HOUR, answer=TIMEOUT),),
        move=Move(at=START + 5 * HOUR, redirects_until=START + 6 * HOUR, after=GONE),
    )
    cut = Answer(outcome=Outcome.DNS_ERROR)
    address = Address(mine, (Failing(begin=START + 3 * HOUR, end=START + 4 * HOUR, answer=cut),))
    assert address.visit(START).outcome is Outcome.NOT_MODIFIED
    assert address.visit(START + HOUR) == TIMEOUT
    assert not address.cut_off
    assert address.visit(START + 2 * HOUR).outcome is Outcome.OK
    assert len(address.take_new(START + 2 * HOUR)) == 4
    assert address.visit(START + 3 * HOUR) == cut
    assert address.cut_off
    assert address.own_answer(START + 3 * HOUR).outcome is Outcome.OK
    assert not address.is_elsewhere(START + 4 * HOUR)
    assert address.visit(START + 5 * HOUR).moved
    assert address.is_elsewhere(START + 5 * HOUR)
    assert address.visit(START + 6 * HOUR) == GONE
    address.moved = True
    assert address.visit(START + 7 * HOUR).outcome is Outcome.OK


# --- counts -----------------------------------------------------------------------------------------


def test_the_same_year_comes_out_twice() -> None:
    once, again = (health.play_year(4, seed=SEED, end=START + 30 * DAY) for _ in range(2))
    assert again.feedward == once.feedward
    assert again.happened == once.happened
    assert again.before == once.before
    assert (again.hourly, again.miniflux) == (once.hourly, once.miniflux)


def test_the_time_in_all_states_is_a_year_for_each_feed(year: health.Year) -> None:
    for tally in year.feedward.values():
        assert tally.in_state_s.total() == tally.feeds * YEAR
        assert FeedState.PAUSED not in tally.in_state_s


def test_every_poll_ends_in_a_decision_that_is_held_to_i4(year: health.Year) -> None:
    assert year.happened.held_i4 == total(year.feedward.values()).polls > 0
    assert year.happened.healthy_became_unhealthy == 0


def test_no_item_is_found_twice_or_before_it_was_published(year: health.Year) -> None:
    for way in (year.feedward, year.before, year.hourly, year.miniflux, year.miniflux_by_default):
        for tally in way.values():
            assert tally.items_found <= tally.items
            assert min(tally.late_by, default=0) >= 0
        assert total(way.values()).items == sum(len(each.published) for each in year.world.feeds)


def test_nearly_all_items_are_found_under_feedward(year: health.Year) -> None:
    whole = total(year.feedward.values())
    assert whole.items_found > 0.99 * whole.items


def test_hourly_polling_is_computed_as_if_it_were_played() -> None:
    whole = make_world(40)
    chosen = [each for each in whole.feeds if each.published][::3]
    world = World(feeds=tuple(chosen), outages=whole.outages)
    expected = Tally(feeds=len(chosen), items=sum(len(each.published) for each in chosen))
    for each in chosen:
        address = Address(each, world.outages)
        for now in range(START + moment_of(each, HOUR // 60) * 60, END, HOUR):
            expected.polls += 1
            if OUTCOMES[address.visit(now).outcome].is_success:
                expected.found(address.take_new(now), now)
    computed = total(poll_hourly(world).values())
    assert computed.polls == expected.polls == len(chosen) * 365 * 24
    assert computed.late_by == expected.late_by


def test_a_tally_tells_delays_and_costs() -> None:
    tally = Tally(polls=300)
    tally.found([START + minute * 60 for minute in range(100)], START + 100 * 60)
    assert tally.items_found == 100
    assert tally.polls_per_item == 3
    assert (tally.delay_minutes(0.5), tally.delay_minutes(0.95)) == (50, 95)
    assert Tally(polls=3).polls_per_item is None
    assert Tally().delay_minutes(0.5) is None


def test_the_clock_plays_each_feed_at_the_first_tick_after_its_time_and_never_twice_in_one() -> None:
    ticks: list[tuple[list[int], int]] = []

    def tick(due: Sequence[int], now: int) -> dict[int, int | None]:
        ticks.append((list(due), now - START))
        return {nth: now if nth == 0 else None for nth in due}

    play([START + 1, START + 60], tick, end=START + 200)
    assert ticks == [([0, 1], 60), ([0], 120), ([0], 180)]


def test_a_feed_checked_early_is_due_by_that_check() -> None:
    ticks: list[tuple[list[int], int]] = []

    def tick(due: Sequence[int], now: int) -> dict[int, int | None]:
        ticks.append((list(due), now - START))
        return {0: None, 1: START + 240} if due == [0] else {1: None}

    play([START + 60, START + 120], tick, end=START + 600)
    assert ticks == [([0], 60), ([1], 240)]


# --- the rule of miniflux ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weekly", "floor_s", "minutes"),
    [
        (0, 0, 1440),
        (1, 0, 1440),
        (7, 0, 1440),
        (14, 0, 720),
        (168, 0, 60),
        (5000, 0, 5),
        (168, 7200, 120),
        (0, 10**6, 1440),
    ],
)
def test_the_interval_is_a_week_over_its_entries(weekly: int, floor_s: int, minutes: int) -> None:
    assert interval_s(weekly, floor_s) == minutes * 60


def test_the_week_s_entries_are_counted_as_a_rate_of_the_known_ones() -> None:
    kept = Subscription(Address(feed(every=DAY, days=30), ()))
    assert kept.weekly_count(START) == 7
    kept.address.take_new(START + 20 * DAY)
    assert kept.weekly_count(START + 20 * DAY) == 7
    assert kept.weekly_count(START + 26 * DAY) == 7
    assert kept.weekly_count(START + 27 * DAY) == 0


def test_a_feed_is_given_up_after_three_errors_and_kept_without_a_limit() -> None:
    broken = feed(failures=(Failing(begin=START, end=START + DAY, answer=TIMEOUT),))
    world = World(feeds=(broken,), outages=())
    given_up, kept = poll_by_entry_frequency(world)["steady"], poll_by_entry_frequency(world, error_limit=0)["steady"]
    assert (given_up.polls, given_up.items_found) == (3, 0)
    assert kept.items_found == kept.items


# --- goals of feedward ------------------------------------------------------------------------------


def decision(state: FeedState, due: int | None) -> Decision:
    place = None if due is None else Place(from_s=due)
    return Decision(health=FeedHealth(feed_id="one", state=state), place=place, next_check_at=due)


OK, LIMITED = Answer(outcome=Outcome.OK), Answer(outcome=Outcome.RATE_LIMITED, status=429, retry_after_s=30 * DAY)


@pytest.mark.parametrize(
    ("state", "longest_s", "answer"),
    [
        (FeedState.HEALTHY, 24 * HOUR, OK),
        (FeedState.DEGRADED, 12 * HOUR, TIMEOUT),
        (FeedState.UNHEALTHY, 7 * DAY, TIMEOUT),
        (FeedState.HEALTHY, 7 * DAY, LIMITED),
        (FeedState.DEGRADED, 2 * DAY, Answer(outcome=Outcome.SERVER_ERROR, status=503, retry_after_s=2 * DAY)),
        (FeedState.DEGRADED, 12 * HOUR, Answer(outcome=Outcome.SERVER_ERROR, status=500, retry_after_s=2 * DAY)),
    ],
)
def test_i4_is_broken_beyond_the_cap_and_its_jitter_and_in_the_past(
    state: FeedState, longest_s: int, answer: Answer
) -> None:
    latest = START + longest_s + longest_s // 10
    assert hold_i4(decision(state, latest), answer, START) == latest
    for due in (latest + 1, START, START - 1, None):
        with pytest.raises(I4BrokenError):
            hold_i4(decision(state, due), answer, START)


def test_i4_is_broken_by_a_pause_that_no_person_made() -> None:
    with pytest.raises(I4BrokenError):
        hold_i4(decision(FeedState.PAUSED, START + HOUR), OK, START)


def test_the_simulation_stops_where_a_decision_breaks_i4(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(health: FeedHealth, *_: object) -> Decision:
        return Decision(health=health, place=Place(from_s=START + 40 * DAY), next_check_at=START + 40 * DAY)

    monkeypatch.setattr(timetables, "decide", late)
    with pytest.raises(I4BrokenError, match="feed-0 is healthy"):
        played(World(feeds=(feed(),), outages=()), days=1)


@pytest.mark.parametrize(("minutes", "is_held"), [(39, False), (40, True), (60, True), (61, False)])
def test_h3_is_broken_before_two_thirds_of_the_class_and_after_it(minutes: int, is_held: bool) -> None:
    due = START + minutes * MINUTE
    place = Place(from_s=START, slot=Slot(every=60, phase=minutes % 60))
    late = replace(decision(FeedState.HEALTHY, due), place=Place(from_s=due, slot=place.slot))
    with contextlib.nullcontext() if is_held else pytest.raises(H3BrokenError):
        hold_h3(late, due, START)


def test_the_rule_before_writes_three_units_a_check_and_slots_write_at_most_one_a_day() -> None:
    quiet = World(feeds=tuple(feed(nth, every=DAY, published=array("q"), history=()) for nth in range(9)), outages=())
    slots, before = played(quiet, days=30), Simulation(quiet, ByHalfGap)
    before.run(START + 30 * DAY)
    assert before.tallies["steady"].units_per_unchanged == 3
    assert slots.tallies["steady"].unchanged == slots.tallies["steady"].polls > 0
    assert slots.tallies["steady"].units["heartbeat"] <= 9 * 20
    assert slots.tallies["steady"].units["class"] == 9 * 4 * 3


def test_a_pushed_feed_is_seen_at_once_and_checked_once_a_day_beside_its_news() -> None:
    world = World(feeds=tuple(feed(nth, every=3 * HOUR, days=60) for nth in range(5)), outages=())
    simulation = PushedSimulation(world)
    simulation.run(START + 60 * DAY)
    tally = simulation.tallies["steady"]
    assert tally.items_found == tally.items
    assert tally.delay_minutes(0.95) == 1
    assert tally.polls - tally.items <= 5 * (60 + 10)
    assert (played(world, days=60).tallies["steady"].delay_minutes(0.5) or 0) > 2


def test_publishers_clocks_jump_in_spring_and_in_autumn(many: Sequence[SimulatedFeed]) -> None:
    daily = [each for each in many if each.rhythm == "daily" and len(each.published) > 250]
    jumps = [hours_of(each, months=(6, 7)) - hours_of(each, months=(1, 2)) for each in daily]
    assert sum(abs(jump + 1) < 0.5 for jump in jumps) > len(jumps) / 2
    assert sum(abs(jump) < 0.5 for jump in jumps) > 0


def hours_of(each: SimulatedFeed, months: tuple[int, ...]) -> float:
    """The median hour at which a feed publishes in some months of the year, from noon of its median day on."""
    begin = START + min(months) * 30 * DAY
    found = [at for at in each.published if begin <= at < begin + 60 * DAY]
    middle = median(at % DAY for at in each.published)
    return median((at - middle + DAY / 2) % DAY for at in found) / HOUR


def outage_world(count: int, *, hours: int, every: int = 30 * MINUTE) -> World:
    """Feeds that are checked twice as often as they publish, all healthy, with our network down after an hour."""
    down = Failing(begin=START + HOUR, end=START + (1 + hours) * HOUR, answer=TIMEOUT)
    return World(feeds=tuple(feed(nth, every=every) for nth in range(count)), outages=(down,))


def require_hosts(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let this many hosts suffice to detect an outage, so that few feeds can stand for many."""
    monkeypatch.setattr(outage, "LEAST_HOSTS", count)
    monkeypatch.setattr(feedward_polling, "LEAST_HOSTS", count)


def test_our_own_outage_is_seen_in_the_totals_of_its_minutes_and_in_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require_hosts(monkeypatch, 5)
    simulation = played(outage_world(100, hours=3), days=1 / 2)
    marked = {(minute - START // 60) for minute in simulation.happened.marked_minutes}
    assert marked <= set(range(60, 240))
    assert len(marked) > 120
    assert simulation.happened.outage_checks_counted < simulation.happened.outage_checks
    assert simulation.tallies["steady"].in_state_s[FeedState.DEGRADED] < 100 * (3 * HOUR + 15 * MINUTE)


@pytest.mark.parametrize(("every", "days"), [(30 * MINUTE, 2), (DAY, 4)])
def test_our_own_outage_of_days_never_makes_a_healthy_feed_unhealthy(
    monkeypatch: pytest.MonkeyPatch, every: int, days: int
) -> None:
    require_hosts(monkeypatch, 5)
    simulation = played(outage_world(15, hours=24 * days, every=every), days=days + 2)
    assert simulation.happened.outage_checks > simulation.happened.probed > 0
    assert simulation.happened.became_unhealthy == 0
    assert simulation.tallies["steady"].in_state_s[FeedState.UNHEALTHY] == 0


def test_without_the_probe_the_same_outage_makes_them_unhealthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulation, "_probe_outage", lambda *_: [])
    assert played(outage_world(60, hours=96, every=DAY), days=6).happened.healthy_became_unhealthy > 30


def test_a_few_feeds_that_fail_by_themselves_are_looked_at_and_not_taken_for_our_outage() -> None:
    down = (Failing(begin=START + HOUR, end=START + 2 * HOUR, answer=TIMEOUT),)
    feeds = [feed(nth, every=DAY) for nth in range(57)] + [feed(nth, failures=down) for nth in range(57, 60)]
    happened = played(World(feeds=tuple(feeds), outages=()), days=1).happened
    assert happened.probed > 0
    assert not happened.marked_minutes


def test_19_hosts_are_too_few_to_decide_without_the_probe() -> None:
    happened = played(outage_world(19, hours=3), days=1).happened
    assert happened.outage_checks > 0
    assert (happened.probed, happened.marked_minutes) == (0, set())


def test_the_same_outage_unseen_makes_them_unhealthy_and_that_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    require_hosts(monkeypatch, 10**9)
    happened = played(outage_world(60, hours=90), days=4).happened
    assert not happened.marked_minutes
    assert happened.healthy_became_unhealthy == happened.became_unhealthy == 60


def test_a_platform_that_is_down_is_not_taken_for_our_own_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    require_hosts(monkeypatch, 4)
    down = (Failing(begin=START + HOUR, end=START + 6 * HOUR, answer=TIMEOUT),)
    feeds = tuple(feed(nth, host="platform.example", failures=down) for nth in range(60))
    simulation = played(World(feeds=feeds, outages=()), days=1)
    assert not simulation.happened.marked_minutes
    assert simulation.tallies["steady"].in_state_s[FeedState.DEGRADED] > 60 * 4 * HOUR


@pytest.mark.parametrize("told_for", [0, 3 * DAY])
def test_a_feed_that_moves_is_followed_by_its_redirect_or_found_again(told_for: int) -> None:
    move = Move(at=START + DAY, redirects_until=START + DAY + told_for, after=GONE)
    simulation = played(World(feeds=(feed(move=move),), outages=()), days=5)
    happened, tally = simulation.happened, simulation.tallies["steady"]
    assert (happened.moves_adopted, happened.revived) == ((1, 0) if told_for else (0, 1))
    assert tally.items_found >= tally.items - 2


def test_a_feed_that_is_down_at_its_new_address_too_is_not_found_again() -> None:
    move = Move(at=START + DAY, redirects_until=START + DAY, after=GONE)
    down = (Failing(begin=START + DAY, end=FOREVER, answer=GONE),)
    happened = played(World(feeds=(feed(move=move, failures=down),), outages=()), days=3).happened
    assert happened.revivals > 0
    assert happened.revived == 0


def test_a_feed_that_is_gone_for_good_becomes_unhealthy_by_its_own_fault() -> None:
    gone = (Failing(begin=START + DAY, end=FOREVER, answer=TIMEOUT),)
    happened = played(World(feeds=(feed(days=1, failures=gone),), outages=()), days=6).happened
    assert happened.became_unhealthy == 1
    assert (happened.healthy_became_unhealthy, happened.unhealthy_too_soon) == (0, 0)


# --- output -----------------------------------------------------------------------------------------


def test_the_tables_have_a_row_for_each_class_and_all(year: health.Year, capsys: pytest.CaptureFixture[str]) -> None:
    health.print_feedward(year.feedward, FEEDS)
    health.print_beside(year)
    health.print_in_all(year)
    health.print_units(year)
    health.print_pushed(year)
    health.print_happened(year)
    health.print_targets(year)
    printed = capsys.readouterr().out
    for rhythm in RHYTHMS:
        assert f"  {rhythm.name}" in printed
    whole = total(year.feedward.values())
    assert "write units an unchanged check" in printed
    assert "delay p50 of daily feeds in minutes" in printed
    assert f"{whole.requests:,}" in printed
    assert f"{FEEDS * 8760:,}" in printed
    assert f"{whole.requests / (FEEDS * 8760):.3f}" in printed


@pytest.mark.parametrize(("arguments", "full"), [(["health"], False), (["health", "--full"], True)])
def test_the_full_size_is_asked_for_by_a_flag(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], full: bool
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(health, "main", lambda *, full: asked.append(full))
    bench_main.main(arguments)
    assert asked == [full]
