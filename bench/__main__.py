"""`make bench`: all measurements, one after the other, in one run. `--full`: simulations at full size."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial

from bench import (
    authorizer,
    canonicalizations,
    checks,
    cold_start,
    collect,
    day,
    discovery,
    health,
    keys,
    outages,
    parsing,
    search,
    webhooks,
)

PARTS: dict[str, Callable[[], None]] = {
    "keys": keys.main,
    "parsing": parsing.main,
    "canonicalizations": canonicalizations.main,
    "discovery": discovery.main,
    "health": health.main,
    "day": day.main,
    "outages": outages.main,
    "checks": checks.main,
    "collect": collect.main,
    "search": search.main,
    "authorizer": authorizer.main,
    "webhooks": webhooks.main,
    "cold_start": cold_start.main,
}


def main(arguments: list[str]) -> None:
    """Run the named parts, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure feedward, as ratios in one run.")
    parser.add_argument("part", nargs="*", help=f"all without one: {', '.join(PARTS)}")
    parser.add_argument("--full", action="store_true", help="simulations at full size")
    asked = parser.parse_args(arguments)
    parts = PARTS | {
        "health": partial(health.main, full=asked.full),
        "day": partial(day.main, full=asked.full),
        "webhooks": partial(webhooks.main, full=asked.full),
    }
    unknown = [name for name in asked.part if name not in parts]
    if unknown:
        parser.error(f"no part {unknown[0]}; there are: {', '.join(parts)}")
    for name in asked.part or parts:
        parts[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
