"""Finding the feeds of a site, compared with feedsearch-crawler and feedfinder2: correctness, requests, rounds, time.

All search the same sites on one loopback server, which answers after 50 ms, then after 300 ms, and counts requests.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from tqdm import tqdm

from bench.discovery_server import SiteServer
from bench.discovery_sites import Site, load_discovery_sites
from bench.finder_processes import ROOT, Answer, ask_all
from bench.table import print_table

DELAYS_S = (0.05, 0.3)
MEAN_REQUESTS, MEDIAN_ROUNDS, MOST_ROUNDS = 3.5, 2, 5
PEERS_PYTHON = ROOT / ".tools" / "peers" / "bin" / "python"
OWN = "feedward"
PEERS = ("feedsearch-crawler", "feedsearch-crawler, try_urls", "feedfinder2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One finder over all sites: its answers, and the requests to each site."""

    name: str
    answers: Sequence[Answer]
    requests: Sequence[int]

    @property
    def row(self) -> tuple[str, ...]:
        """The finder's row of the table."""
        right = sum(answer.site.is_right(answer.first) for answer in self.answers)
        seconds = sorted(answer.seconds for answer in self.answers)
        return (
            self.name,
            f"{right}/{len(self.answers)}",
            f"{statistics.mean(self.requests):.1f}",
            str(max(self.requests)),
            f"{statistics.median(seconds):.2f}",
            f"{seconds[round(0.95 * (len(seconds) - 1))]:.2f}",
            f"{seconds[-1]:.2f}",
        )


def measure(name: str, sites: Sequence[Site], server: SiteServer) -> Measured:
    """Run one finder over all sites."""
    finder = [sys.executable, "-m", "bench.feedward_finder", str(server.port)]
    if name != OWN:
        finder = [str(PEERS_PYTHON), str(ROOT / "bench" / "peer_finder.py"), name, str(server.port)]
    server.asked.clear()
    with tqdm(total=len(sites), desc=f"{name}, {server.delay_s * 1000:.0f} ms", file=sys.stderr, leave=False) as shown:
        answers = ask_all(finder, sites, shown.update)
    return Measured(name=name, answers=answers, requests=[server.requests_of(site) for site in sites])


def print_targets(own: Measured) -> None:
    """Print feedward's means next to their targets."""
    rounds = [answer.rounds or 0 for answer in own.answers]
    rows = [
        ("requests a site, mean", f"{statistics.mean(own.requests):.2f}", f"{MEAN_REQUESTS}"),
        ("rounds, median", f"{statistics.median(rounds):.0f}", f"{MEDIAN_ROUNDS}"),
        ("rounds, worst", f"{max(rounds)}", f"{MOST_ROUNDS}"),
    ]
    print_table("Discovery: requests and waits of feedward", ("", "measured", "at most"), rows)


def main() -> None:
    """Print a table for each delay, and feedward's requests and rounds next to their targets."""
    sites = load_discovery_sites()
    names = (OWN, *PEERS) if PEERS_PYTHON.exists() else (OWN,)
    if names == (OWN,):
        print("the other finders are not installed: `make bench` does it", file=sys.stderr)
    heading = ("", "right first", "requests mean", "max", "wall s p50", "p95", "max")
    for delay_s in DELAYS_S:
        with SiteServer(sites, delay_s=delay_s) as server:
            measured = [measure(name, sites, server) for name in names]
        title = f"Discovery: {len(sites)} sites, {delay_s * 1000:.0f} ms a response"
        print_table(title, heading, [one.row for one in measured])
    print_targets(measured[0])
