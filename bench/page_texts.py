"""Milliseconds to read the visible text of a page, compared with other text extractors from PyPI.

selectolax, the underlying parser, does the minimum of work. The others run in the peers' environment, in a separate
process; each round calls all of them, one after the other.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from bench.collect_server import article
from bench.discovery import PEERS_PYTHON
from bench.finder_processes import ROOT
from bench.table import print_table
from feedward.pages.visible_text import page_text

PEERS = ("inscriptis", "beautifulsoup4", "trafilatura")
OWN, UNDERNEATH = "feedward", "selectolax"
ROUNDS = 9
ARTICLES = (1, 15)


def document(articles: int) -> str:
    """A page with the text of this many articles."""
    parts = [article(number).decode() for number in range(articles)]
    bodies = [part.split("<body>")[1].split("</body>")[0] for part in parts]
    return f"{parts[0].split('<body>')[0]}<body>{''.join(bodies)}</body></html>"


def plain(html: str) -> str:
    """The text by selectolax, with its own treatment of white space."""
    body = LexborHTMLParser(html).body
    return body.text() if body else ""


def seconds_of(read: Callable[[str], object], html: str) -> float:
    """Processor seconds of one reading."""
    start = time.process_time()
    read(html)
    return time.process_time() - start


@contextmanager
def peer_process() -> Iterator[Callable[[str, str], dict[str, Any]]]:
    """A process in the peers' environment: it takes a name and a page, and returns seconds, words and version."""
    command = [str(PEERS_PYTHON), str(ROOT / "bench" / "peer_text.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def ask(name: str, html: str) -> dict[str, Any]:
            stdin.write(json.dumps([name, html]) + "\n")
            stdin.flush()
            said: dict[str, Any] = json.loads(stdout.readline())
            return said

        try:
            yield ask
        finally:
            stdin.close()


def check_same(html: str, said: Mapping[str, Any]) -> None:
    """Check that a peer has read the article; otherwise its time is meaningless."""
    own = len(page_text(html).split())
    if said["words"] < own / 2:
        raise RuntimeError(f"{said['name']} read {said['words']} words where there are {own}")


def measure(html: str, contenders: Mapping[str, Callable[[str], float]]) -> dict[str, float]:
    """Median processor seconds of each contender over the rounds, after a warm-up round."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for count in range(ROUNDS + 1):
        for name, seconds in contenders.items():
            spent = seconds(html)
            if count:
                taken[name].append(spent)
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> None:
    """Print the table. trafilatura also finds the article of a page, which feedward does not need."""
    contenders: dict[str, Callable[[str], float]] = {
        OWN: partial(seconds_of, page_text),
        UNDERNEATH: partial(seconds_of, plain),
    }
    if not PEERS_PYTHON.exists():
        print("the other readers are not installed: `make bench` does it", file=sys.stderr)
        _print(contenders)
        return
    with peer_process() as ask:
        for name in PEERS:
            check_same(document(1), ask(name, document(1)))
            contenders[name] = lambda html, name=name: float(ask(name, html)["seconds"])  # type: ignore[misc]
        _print(contenders)


def _print(contenders: Mapping[str, Callable[[str], float]]) -> None:
    rows = []
    for articles in ARTICLES:
        html = document(articles)
        seconds = measure(html, contenders)
        cells = [f"{taken * 1e3:.2f} ms ({taken / seconds[OWN]:.1f}x)" for taken in seconds.values()]
        rows.append((f"{len(html) // 1000} KB", *cells))
    print_table("Text of a page", ("", *contenders), rows)
