"""A year of checking simulated feeds: the cost of feedward's state machine, and how soon it finds new items.

For comparison, the same feeds under the rule that feedward had before slots, under fixed hourly polling and under the
entry-frequency rule of miniflux. Deterministic.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.health_world.feedward_polling import Happened, Simulation
from bench.health_world.hourly import poll_hourly
from bench.health_world.miniflux import ERROR_LIMIT, poll_by_entry_frequency
from bench.health_world.pushed import PushedSimulation, with_hubs
from bench.health_world.rhythms import END, START
from bench.health_world.tally import Tally, total
from bench.health_world.timetables import ByHalfGap
from bench.health_world.world import World, make_world
from bench.table import print_table
from feedward.model import FeedState

FEEDS, FULL_FEEDS = 1_000, 10_000
MOST_OF_HOURLY, MOST_UNITS = 0.24, 0.25
# Delay targets in minutes: for half of all items, nearly all, and half of those of daily feeds.
MEDIAN_DELAY_MIN, LONG_DELAY_MIN, DAILY_DELAY_MIN = 14, 120, 120
# The average cost of a search, by the discovery benchmark.
REQUESTS_A_REVIVAL = 3.5
DAYS = (END - START) / 86_400
STATES = (FeedState.HEALTHY, FeedState.DEGRADED, FeedState.UNHEALTHY)
NEWS, DAILY = "news, hourly", "daily"
BEFORE = "half the gap (before)"

ByRhythm = Mapping[str, Tally]


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """One world, polled in each way: tallies by rhythm, and the events under feedward.

    `before` is feedward with the rule before slots; `pushed` and `unpushed` are only its feeds with hubs.
    """

    world: World
    feedward: ByRhythm
    happened: Happened
    before: ByRhythm
    pushed: ByRhythm
    unpushed: ByRhythm
    hourly: ByRhythm
    miniflux: ByRhythm
    miniflux_by_default: ByRhythm

    @property
    def of_hourly(self) -> float:
        """feedward's requests relative to hourly polling."""
        return self.part_of_hourly(self.feedward)

    def part_of_hourly(self, way: ByRhythm) -> float:
        """Return the requests of a way of polling relative to hourly polling."""
        return total(way.values()).requests / total(self.hourly.values()).requests


def play_year(count: int, *, seed: int = 1, end: int = END) -> Year:
    """Simulate a year of `count` feeds in each way of polling. `end` shortens the simulations that run decisions."""
    world = make_world(count, seed=seed)
    simulation = Simulation(world)
    simulation.run(end)
    before = Simulation(world, ByHalfGap)
    before.run(end)
    pushed, unpushed = PushedSimulation(with_hubs(world)), Simulation(with_hubs(world))
    pushed.run(end)
    unpushed.run(end)
    return Year(
        world=world,
        feedward=simulation.tallies,
        happened=simulation.happened,
        before=before.tallies,
        pushed=pushed.tallies,
        unpushed=unpushed.tallies,
        hourly=poll_hourly(world),
        miniflux=poll_by_entry_frequency(world, error_limit=0),
        miniflux_by_default=poll_by_entry_frequency(world, error_limit=ERROR_LIMIT),
    )


def main(*, full: bool = False) -> None:
    """Print the costs and results of a year, by class of rhythm and in total, and the targets."""
    count = FULL_FEEDS if full else FEEDS
    print(f"playing a year of {count:,} feeds", file=sys.stderr)
    began = time.process_time()
    year = play_year(count)
    print_feedward(year.feedward, count)
    print_beside(year)
    print_in_all(year)
    print_units(year)
    print_pushed(year)
    print_happened(year)
    print_targets(year)
    print(f"  {time.process_time() - began:.0f} s of processor time")


def print_feedward(tallies: ByRhythm, count: int) -> None:
    """Print feedward's table: a row for each class, and one for all."""
    heading = ("", "feeds", "items", "polls a day", "polls an item", "delay p50", "p95", *STATES)
    rows = [
        (
            name,
            f"{tally.feeds:,}",
            f"{tally.items:,}",
            f"{tally.polls / tally.feeds / DAYS:.2f}",
            *_costs(tally),
            *(f"{tally.state_share(state):.2%}" for state in STATES),
        )
        for name, tally in (*tallies.items(), ("all", total(tallies.values())))
        if tally.feeds
    ]
    print_table(f"Health: {count:,} feeds over a year", heading, rows)


def print_beside(year: Year) -> None:
    """Print the classes under all ways of polling."""
    ways = (year.feedward, year.before, year.hourly, year.miniflux)
    names = ("feedward", BEFORE, "hourly", "entry frequency")
    heading = ("polls an item, delay p50, p95", *(cell for name in names for cell in (name, "", "")))
    rows = [
        (name, *(cell for way in ways for cell in _costs(way[name])))
        for name, tally in year.feedward.items()
        if tally.items
    ]
    totals = [total(way.values()) for way in ways]
    rows.append(("all", *(cell for whole in totals for cell in _costs(whole))))
    print_table("Health: the same feeds, polled in other ways", heading, rows)


def print_in_all(year: Year) -> None:
    """Print each way's totals."""
    hourly = total(year.hourly.values())
    ways = {
        "feedward": year.feedward,
        BEFORE: year.before,
        "hourly (computed)": year.hourly,
        "miniflux, entry frequency": year.miniflux,
        f"the same, gives up after {ERROR_LIMIT} errors (default)": year.miniflux_by_default,
    }
    heading = ("", "requests", "of hourly", "polls an item", "delay p50", "p95", "items never seen")
    rows = []
    for name, tallies in ways.items():
        whole = total(tallies.values())
        never = 1 - whole.items_found / whole.items
        share = f"{whole.requests / hourly.requests:.3f}"
        rows.append((name, f"{whole.requests:,}", share, *_costs(whole), f"{never:.2%}"))
    print_table("Health: in all", heading, rows)


def print_units(year: Year) -> None:
    """Print the writes of healthy feeds' checks without news, by reason and by class."""
    whole = total(year.feedward.values())
    rows = [(name, f"{units / whole.unchanged:.3f}") for name, units in whole.units.most_common()]
    rows += [
        (f"of feeds: {name}", f"{tally.units_per_unchanged:.3f}")
        for name, tally in year.feedward.items()
        if tally.unchanged
    ]
    print_table("Health: write units an unchanged check", ("", ""), rows)


def print_pushed(year: Year) -> None:
    """Print the feeds with a hub, with push and without."""
    ways = {"with push": total(year.pushed.values()), "without": total(year.unpushed.values())}
    heading = ("", "feeds", "checks a day", "checks without news", "delay p50", "p95", "units an unchanged check")
    rows = [
        (
            name,
            f"{whole.feeds}",
            f"{whole.polls / whole.feeds / DAYS:.2f}",
            f"{whole.unchanged / whole.polls:.0%}",
            *_costs(whole)[1:],
            f"{whole.units_per_unchanged:.3f}",
        )
        for name, whole in ways.items()
    ]
    print_table("Health: feeds with a hub", heading, rows)


def print_happened(year: Year) -> None:
    """Print the effects of our own outages, the cost and results of revival, and the use of requests."""
    happened = year.happened
    outage_minutes = sum(outage.end - outage.begin for outage in year.world.outages) // 60
    whole, news = total(year.feedward.values()), year.feedward[NEWS]
    rows = [
        ("our own outages", f"{len(year.world.outages)}, {outage_minutes} minutes"),
        ("minutes recognised as ours", f"{len(happened.marked_minutes)}"),
        ("minutes taken for ours that were not", f"{len(happened.marked_minutes - _outage_minutes(year.world))}"),
        ("checks that met them, counted at first", f"{happened.outage_checks:,}, {happened.outage_checks_counted:,}"),
        ("checks of the outage probe, before their time", f"{happened.probed:,}"),
        ("feeds that became unhealthy", f"{happened.became_unhealthy}"),
        ("  of them earlier than without our outage", f"{happened.unhealthy_too_soon}"),
        ("revivals asked for, feeds found again", f"{happened.revivals:,}, {happened.revived}"),
        ("moves adopted", f"{happened.moves_adopted}"),
        ("requests that news cost", f"{news.requests / whole.requests:.0%}"),
        ("requests that silent feeds cost", f"{_silent(year.feedward).requests / whole.requests:.0%}"),
        (f"share of news up to which {MOST_OF_HOURLY} is kept", f"{_news_share_at_target(year.feedward):.1%}"),
    ]
    print_table("Health: what happened under feedward", ("", ""), rows)


def print_targets(year: Year) -> None:
    """Print the measured values next to those before slots and the targets."""
    whole, happened = total(year.feedward.values()), year.happened
    searched = happened.revivals * REQUESTS_A_REVIVAL / total(year.hourly.values()).requests
    rows = [
        *_compared(year),
        (f"requests with revivals, {REQUESTS_A_REVIVAL} each", f"{year.of_hourly + searched:.3f}", "", ""),
        ("healthy feeds unhealthy by our own outage", f"{happened.healthy_became_unhealthy}", "", "0"),
        (f"decisions of {whole.polls:,} that break I4", f"{whole.polls - happened.held_i4}", "", "0"),
    ]
    print_table("Health: targets", ("", "measured", "before", "at most"), rows)


def _compared(year: Year) -> list[tuple[str, str, str, str]]:
    """The rows of the targets with a value for the previous rule."""
    ways = (year.feedward, year.before)
    wholes = [total(way.values()) for way in ways]
    p50, p95 = ([whole.delay_minutes(share) for whole in wholes] for share in (0.5, 0.95))
    daily = [way[DAILY].delay_minutes(0.5) if DAILY in way else None for way in ways]
    units, requests = [whole.units_per_unchanged for whole in wholes], [year.part_of_hourly(way) for way in ways]
    return [
        ("write units an unchanged check", f"{units[0]:.3f}", f"{units[1]:.3f}", f"{MOST_UNITS}"),
        ("requests, of those of hourly polling", f"{requests[0]:.3f}", f"{requests[1]:.3f}", f"{MOST_OF_HOURLY}"),
        ("delay p50 in minutes, all items", f"{p50[0]}", f"{p50[1]}", f"{MEDIAN_DELAY_MIN}"),
        ("delay p95 in minutes, all items", f"{p95[0]}", f"{p95[1]}", f"{LONG_DELAY_MIN}"),
        ("delay p50 of daily feeds in minutes", f"{daily[0]}", f"{daily[1]}", f"{DAILY_DELAY_MIN}"),
    ]


def _costs(tally: Tally) -> Sequence[str]:
    """Polls per item and the two delays, as cells."""
    per_item = "-" if tally.polls_per_item is None else f"{tally.polls_per_item:.2f}"
    return per_item, _minutes(tally.delay_minutes(0.5)), _minutes(tally.delay_minutes(0.95))


def _minutes(minutes: int | None) -> str:
    if minutes is None:
        return "-"
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"


def _outage_minutes(world: World) -> set[int]:
    return {minute for outage in world.outages for minute in range(outage.begin // 60, -(-outage.end // 60))}


def _silent(tallies: ByRhythm) -> Tally:
    return total(tally for tally in tallies.values() if not tally.items)


def _news_share_at_target(tallies: ByRhythm) -> float:
    """The largest share of news feeds, with the others in proportion, at which the target for requests is met."""
    news, others = tallies[NEWS], total(tally for name, tally in tallies.items() if name != NEWS)
    allowed = MOST_OF_HOURLY * 24 * DAYS
    a_news, an_other = news.requests / news.feeds, others.requests / others.feeds
    return (allowed - an_other) / (a_news - an_other)
