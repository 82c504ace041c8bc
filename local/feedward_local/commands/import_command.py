"""`feedward import` and `feedward seed`: send files of feeds to a running API, and show the result of each entry."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from feedward_local.api_client.api import Api
from feedward_local.commands.command_parser import add_command, seconds
from feedward_local.commands.directory_command import Document, Refused, add_api, answer, listed
from feedward_local.commands.file_imports import RESULTS, SentFile, begin, ended_of, wait_for
from feedward_local.commands.progress import progress_bar
from feedward_local.console import printable

WAIT_S = 120.0
TELL_EVERY_S = 5.0
HEADING = ("import", "status", "entries", *RESULTS)
OUTPUT = """\
output:
  Without --json a table with a line for each file, then each entry that is invalid or failed: its line in the file, its
  address, and why. How many entries have each result:
    created   {created}
    joined    it existed before, or the file has the same address twice
    merged    the address led to a feed that is followed already
    pending   its feed is being searched; the search continues without this command
    failed    no feed was found
    invalid   the entry cannot be imported
  With --json one JSON object for each file: the API's, with its "problems". The progress is reported on standard error.

exit code:
  0 each entry has been imported or is pending;  1 some failed or are invalid, a file holds no list of feeds, or the API
  cannot be reached;  2 wrong usage;  74 input or output failed;  130 interrupted;  141 the output's reader has gone

examples:
"""
IMPORT_EXAMPLES = """\
  feedward import subscriptions.opml
  feedward import feeds.csv links.md --no-wait
  feedward subscriptions --limit 0 --json
"""
SEED_EXAMPLES = """\
  feedward seed seed/feed-directory.json
  feedward feeds --limit 0
"""


def add_to(commands: Any) -> None:
    """Add both commands and their options to an argparse sub-parser collection."""
    importing = add_command(
        commands,
        "import",
        run,
        says="follow all feeds of a file with a running API: OPML, CSV, a list or a seed file",
        told="Follow all feeds of a file with a running API. Folders become tags; a site is searched for its feed.",
        epilog=OUTPUT.format(created="a new subscription, whose feed is known") + IMPORT_EXAMPLES,
    )
    importing.set_defaults(into="subscriptions")
    seeding = add_command(
        commands,
        "seed",
        run,
        says="put the feeds of a file into the directory of a running API, without a fetch",
        told="Put the feeds of a file into the shared directory of a running API. Nothing is fetched; the first checks "
        "come within an hour. An existing feed is unchanged.",
        epilog=OUTPUT.format(created="a new feed, which has not been fetched") + SEED_EXAMPLES,
    )
    seeding.set_defaults(into="directory")
    for parser in (importing, seeding):
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file of feeds; -: standard input")
        parser.add_argument("--timeout", type=seconds, default=WAIT_S, metavar="S",
                            help=f"seconds to wait for the results (default: {WAIT_S:.0f})")  # fmt: skip
        parser.add_argument("--no-wait", action="store_true", help="only begin it")
        add_api(parser)


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if no entry failed or is invalid, else 1. Wrong usage ends in argparse's exit with 2."""
    if options.files.count("-") > 1 or ("-" in options.files and sys.stdin is None):
        options.parser.error("- is standard input, which can be read only once")
    contents = [(name, _read(name)) for name in options.files]
    sent: list[SentFile] = []

    def lines(api: Api) -> Iterator[str]:
        for name, body in contents:
            sent.append(begin(api, name, body, into=options.into))
        if not options.no_wait:
            with _progress(sent) as moved:
                wait_for(api, sent, within_s=options.timeout, moved=moved)
        yield from _documents(api, sent) if options.json else _account(options, api, sent)

    failed = answer(options, lines)
    return failed or int(not all(each.all_well for each in sent))


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


# --- progress ---------------------------------------------------------------------------------------


@contextmanager
def _progress(sent: Sequence[SentFile]) -> Iterator[Callable[[float], None]]:
    """A bar on a terminal, lines elsewhere."""
    if not sys.stderr.isatty():
        yield _Lines(sent).tell
        return
    with progress_bar("entry") as bar:

        def moved(_spent_s: float) -> None:
            ended, entries = ended_of(sent)
            bar.total = entries or None
            bar.update(ended - bar.n)

        yield moved


class _Lines:
    """The progress, at most one line every few seconds."""

    def __init__(self, sent: Sequence[SentFile]) -> None:
        self._sent, self._told_s = sent, 0.0

    def tell(self, spent_s: float) -> None:
        if spent_s - self._told_s >= TELL_EVERY_S:
            self._told_s = spent_s
            ended, entries = ended_of(self._sent)
            print(f"{ended} of {entries} entries have a result, {spent_s:.0f} s", file=sys.stderr, flush=True)


# --- results ----------------------------------------------------------------------------------------


def _documents(api: Api, sent: Sequence[SentFile]) -> Iterator[str]:
    for each in sent:
        yield json.dumps({**each.seen, "problems": list(_problems(api, each.seen))})


def _account(options: argparse.Namespace, api: Api, sent: Sequence[SentFile]) -> Iterator[str]:
    rows = [HEADING, *(_row(each.seen) for each in sent)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
    for each in sent:
        yield from map(_problem, _problems(api, each.seen))
        beyond = {name: number for name, number in each.seen["beyond"].items() if number}
        for name, number in beyond.items():
            yield f"left out: {number} beyond the limit of {name}"
        if each.seen["status"] == "failed":
            raise Refused(printable(f"{each.name}: {each.seen['reason']}"))
        if not (each.is_over or options.no_wait):
            print(f"feedward: import {each.seen['id']} continues", file=sys.stderr)


def _row(seen: Document) -> tuple[str, ...]:
    results = [str(seen["results"][name]) for name in RESULTS]
    return (seen["id"], seen["status"], str(seen["entries"]), *results)


def _problems(api: Api, seen: Document) -> Iterator[Document]:
    for result in ("invalid", "failed"):
        if seen["results"][result]:
            path = f"/v1/imports/{seen['id']}/entries"
            yield from listed(api, path, {"result": result}, member="entries", limit=0)


def _problem(entry: Document) -> str:
    named = entry["url"] or entry["title"] or "-"
    return printable(f"{entry['result']}  line {entry['line']}  {named}  {entry['reason']}")
