"""A process that builds, changes or searches an index, and prints the cost. One per step, so that memory is measured.

`build LINES INDEX`, `apply LINES INDEX` and `search QUERIES INDEX` print one line of JSON. Seconds are processor time.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from feedward.adapters.search.sqlite_apply import apply
from feedward.adapters.search.sqlite_build import build
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.search.document import DocumentChange, FeedDocument, decoded_document
from feedward.search.results import SearchFilters
from feedward.urls.hosts import registrable_domain

PAGE = 20


def documents_of(lines: Path) -> Iterator[FeedDocument]:
    """Yield the documents of a file."""
    with lines.open("rb") as opened:
        for line in opened:
            yield decoded_document(line)


def memory_mb() -> float:
    """The memory of this process that is not backed by a file, in MB."""
    resident, shared = (int(pages) for pages in Path("/proc/self/statm").read_text().split()[1:3])
    return (resident - shared) * resource.getpagesize() / 1e6


def build_index(lines: Path, index: Path) -> dict[str, Any]:
    """Build an index of the documents of a file."""
    start = time.process_time()
    build(documents_of(lines), index, generation="bench")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    return {"seconds": time.process_time() - start, "peak_mb": peak}


def apply_changes(lines: Path, index: Path) -> dict[str, Any]:
    """Add the documents of a file to an index as one delta, without the time to load the code and its data."""
    changes = [DocumentChange(one.feed_id, one.version, one) for one in documents_of(lines)]
    registrable_domain("example.com")  # loads the list of public suffixes, once in a process
    start = time.process_time()
    count = apply(index, changes)
    return {"seconds": time.process_time() - start, "count": count}


def search(queries: Path, path: Path) -> dict[str, Any]:
    """Open an index and search it: seconds to the first answer, then of each query by kind, and the memory."""
    rows: dict[str, list[str]] = json.loads(queries.read_text())
    before = memory_mb()
    start = time.process_time()
    index = SqliteSearchIndex(path)
    index.search("first", SearchFilters(), limit=PAGE)
    opened = time.process_time() - start
    seconds = {kind: [_seconds(index, text) for text in texts] for kind, texts in rows.items()}
    hits = {
        kind: sum(bool(index.search(text, SearchFilters(), limit=1).hits) for text in texts)
        for kind, texts in rows.items()
    }
    return {"opened": opened, "seconds": seconds, "hits": hits, "before_mb": before, "after_mb": memory_mb()}


def _seconds(index: SqliteSearchIndex, text: str) -> float:
    start = time.process_time()
    index.search(text, SearchFilters(), limit=PAGE)
    return time.process_time() - start


def main() -> None:
    """Run one step."""
    step, given, index = sys.argv[1:]
    steps = {"build": build_index, "apply": apply_changes, "search": search}
    print(json.dumps(steps[step](Path(given), Path(index))))


if __name__ == "__main__":
    main()
