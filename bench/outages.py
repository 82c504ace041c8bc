"""An outage of our own network of an hour, a day and four days: does it make any healthy feed unhealthy (rule H5)?

A directory of a thousand feeds checks about four in a minute, but the rule needs 20. Each outage is simulated in an
otherwise identical world, from three days before it to three days after. Deterministic.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from bench.health_world.failures import Answer, Failing
from bench.health_world.feedward_polling import Happened, Simulation
from bench.health_world.rhythms import DAY, START
from bench.health_world.tally import total
from bench.health_world.world import World, make_world
from bench.table import print_table
from feedward.model import Outcome

HOUR = 3600
FEEDS = (60, 200, 1_000)
OUTAGES = {"none": 0, "an hour": HOUR, "a day": DAY, "4 days": 4 * DAY}
AROUND_S = 3 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """The events in one world, and its requests."""

    happened: Happened
    requests: int


def live_through(world: World, outage_s: int) -> Lived:
    """Simulate the world with one outage of our own in place of its outages."""
    begin = START + AROUND_S
    away = Failing(begin=begin, end=begin + outage_s, answer=Answer(outcome=Outcome.DNS_ERROR))
    simulation = Simulation(World(feeds=world.feeds, outages=(away,) if outage_s else ()))
    simulation.run(begin + outage_s + AROUND_S)
    return Lived(happened=simulation.happened, requests=total(simulation.tallies.values()).requests)


def row(count: int, name: str, lived: Lived) -> tuple[str, ...]:
    """The row of the table."""
    happened = lived.happened
    return (
        f"{count:,}",
        name,
        f"{OUTAGES[name] // 60:,}",
        f"{len(happened.marked_minutes):,}",
        f"{lived.requests:,}",
        f"{happened.probed:,}",
        f"{happened.healthy_became_unhealthy}",
    )


def main() -> None:
    """Print a row for each size of directory and each outage."""
    print(f"playing outages in directories of {', '.join(map(str, FEEDS))} feeds", file=sys.stderr)
    heading = ("feeds", "away for", "minutes", "recognised", "requests", "by the probe", "well, and unhealthy by it")
    rows = []
    for count in FEEDS:
        world = make_world(count)
        rows += [row(count, name, live_through(world, away_s)) for name, away_s in OUTAGES.items()]
    print_table("Our own outages", heading, rows)
