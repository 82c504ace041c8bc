"""Search: 100,000 made-up feeds with 10 item titles each, in 12 scripts: the index, its changes and its queries.

tantivy runs on the same documents and queries, in the peers' environment, with feedward's tokens: its own tokenizers
find no Chinese word. It ranks names above texts by BM25. `python -m bench.search FEEDS` measures another size.
"""

from __future__ import annotations

import gzip
import json
import shutil
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.discovery import PEERS_PYTHON
from bench.finder_processes import ROOT
from bench.search_world import document, documents, queries, vocabularies
from bench.table import print_table
from feedward.search.analyser import words
from feedward.search.document import encoded_document
from feedward.search.fields import ANYWHERE, NAMES, tokens_of

FEEDS = 100_000
CHANGES = 1000
QUERIES = 400
FORMS = {"prefix of 3": "prefix", "prefix of 2": "prefix", "mistyped word": "typo"}


def main(feeds: int = FEEDS) -> None:
    """Print the tables of search."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        asked = write_world(folder, feeds)
        built = step(folder, "build", "documents")
        searched = step(folder, "search", "queries")
        copied = folder / "copy.sqlite"
        shutil.copy(folder / "index.sqlite", copied)
        applied = step(folder, "apply", "changes", index=copied)
        changed = step(folder, "search", "queries", index=copied)
        peer = tantivy(folder, asked)
        print_index(folder, feeds, built=built, searched=searched, applied=applied, peer=peer)
        print_queries(searched, changed, peer)


def write_world(folder: Path, feeds: int) -> dict[str, list[str]]:
    """Write documents, changes, queries and, for the peer, tokens. Returns the queries by kind."""
    with (folder / "documents").open("w") as lines, (folder / "tokens").open("w") as tokens:
        for one in documents(feeds):
            lines.write(encoded_document(one) + "\n")
            fields = tokens_of(one).fields
            tokens.write(
                json.dumps([" ".join(" ".join(fields[name]) for name in part) for part in (NAMES, ANYWHERE)]) + "\n"
            )
    known = vocabularies()
    with (folder / "changes").open("w") as lines:
        for number in range(0, feeds, max(1, feeds // CHANGES)):
            lines.write(encoded_document(document(number, known, version=2)) + "\n")
    asked = queries([document(number, known) for number in range(0, feeds, 37)], QUERIES)
    (folder / "queries").write_text(json.dumps(asked))
    return asked


def step(folder: Path, name: str, given: str, *, index: Path | None = None) -> dict[str, Any]:
    """Run a step in a separate process and return its output."""
    command = [
        sys.executable,
        "-m",
        "bench.search_process",
        name,
        str(folder / given),
        str(index or folder / "index.sqlite"),
    ]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def tantivy(folder: Path, asked: Mapping[str, Sequence[str]]) -> dict[str, Any] | None:
    """tantivy's results for the same documents and queries; None if it is not installed or fails."""
    if not PEERS_PYTHON.exists():
        print("tantivy is not installed: `make bench` does it", file=sys.stderr)
        return None
    rows = {
        kind: [(FORMS.get(kind, "words"), [token for word in words(text) for token in word.tokens]) for text in texts]
        for kind, texts in asked.items()
    }
    (folder / "peer_queries").write_text(json.dumps(rows))
    (folder / "tantivy").mkdir()
    command = [str(PEERS_PYTHON), str(ROOT / "bench" / "peer_search.py")]
    done = subprocess.run(
        [*command, *(str(folder / name) for name in ("tokens", "peer_queries", "tantivy"))],
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        print("tantivy failed", file=sys.stderr)
        return None
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def print_index(
    folder: Path,
    feeds: int,
    *,
    built: Mapping[str, Any],
    searched: Mapping[str, Any],
    applied: Mapping[str, Any],
    peer: Mapping[str, Any] | None,
) -> None:
    """Print the costs of an index."""
    size = (folder / "index.sqlite").stat().st_size / 1e6
    beside = (folder / "index.sqlite.jsonl").stat().st_size / 1e6
    delta = len(gzip.compress((folder / "changes").read_bytes(), 6)) / 1e6
    own = (f"{built['seconds']:.1f} s", f"{size:.0f} MB")
    other = (f"{peer['built']:.1f} s", f"{peer['mb']:.0f} MB") if peer else ("-", "-")
    rows = [
        ("build, processor time", own[0], other[0]),
        ("size", own[1], other[1]),
        ("memory of the build, at most", f"{built['peak_mb']:.0f} MB", "-"),
        ("documents beside it", f"{beside:.0f} MB", "-"),
        ("open and first answer", f"{searched['opened'] * 1e3:.1f} ms", "-"),
        (
            "memory of a search process, before and after",
            f"{searched['before_mb']:.0f}, {searched['after_mb']:.0f} MB",
            "-",
        ),
        (f"a delta of {applied['count']:,} changes", f"{applied['seconds']:.2f} s, {delta:.2f} MB gzipped", "-"),
    ]
    print_table(f"Search: an index of {feeds:,} feeds", ("", "feedward", "tantivy"), rows)


def print_queries(searched: Mapping[str, Any], changed: Mapping[str, Any], peer: Mapping[str, Any] | None) -> None:
    """Print the processor time of queries by kind, and over all of them."""
    rows = []
    own, after = with_all(searched["seconds"]), with_all(changed["seconds"])
    other = with_all(peer["seconds"]) if peer else {}
    for kind, taken in own.items():
        found = f"{searched['hits'][kind] / len(taken):.0%}" if kind in searched["hits"] else ""
        cells = [percentiles(part) for part in (taken, after[kind], other.get(kind))]
        rows.append((kind, found, *cells))
    heading = ("p50 / p99 ms", "found", "feedward", "with the delta", "tantivy")
    print_table("Search: processor time of a query, by kind", heading, rows)


def with_all(seconds: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """The rows, and one of all queries."""
    return {**seconds, "all of these": [taken for row in seconds.values() for taken in row]}


def percentiles(seconds: Sequence[float] | None) -> str:
    """The median and the 99th percentile in milliseconds."""
    if not seconds:
        return "-"
    return f"{statistics.median(seconds) * 1e3:.2f} / {statistics.quantiles(seconds, n=100)[-1] * 1e3:.2f}"


if __name__ == "__main__":
    main(*(int(size) for size in islice(sys.argv, 1, 2)))
