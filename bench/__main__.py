"""`make bench`: all measurements, one after the other, in one run."""

from __future__ import annotations

import sys
from collections.abc import Callable

from bench import canonicalizations, cold_start, discovery, keys, parsing

PARTS: dict[str, Callable[[], None]] = {
    "keys": keys.main,
    "parsing": parsing.main,
    "canonicalizations": canonicalizations.main,
    "discovery": discovery.main,
    "cold_start": cold_start.main,
}


def main(names: list[str]) -> None:
    """Run the named parts, or all of them."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"bench has no part {unknown[0]}; there are: {', '.join(PARTS)}")
    for name in names or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
