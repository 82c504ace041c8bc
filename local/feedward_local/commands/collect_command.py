"""`feedward collect`: has a running API fetch pages and create their items, and waits for the results."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from feedward_local.api_client.api import Api
from feedward_local.commands.collect_runs import BegunRun, begin, begin_again, dead_of, items_of, look, wait_for
from feedward_local.commands.command_parser import add_command, seconds
from feedward_local.commands.directory_command import add_api, answer
from feedward_local.commands.lineage_command import item_line
from feedward_local.commands.progress import progress_bar
from feedward_local.commands.url_command import standard_input
from feedward_local.commands.url_input import urls_in
from feedward_local.console import printable

WAIT_S = 120.0
TELL_EVERY_S = 5.0
COUNTED = ("items", "superseded", "conflicts", "sightings", "not_modified", "dead")
HEADING = ("run", "status", "pages", *COUNTED, "refused")
EPILOG = """\
output:
  Without --json a table with a line for each run (there is one, unless the URLs exceed one request):
  how many of its pages are done, of how many, and the results:
    items         new content, or known content under a new URL; of these
      superseded  those that replace an older item (`feedward lineage ITEM` shows which)
      conflicts   those whose URL and content were two different items before
    sightings     an item already had this content under this URL; of these
      not_modified  those that the server answered with 304
    dead          given up: deleted, forbidden by robots.txt, or failed too often
    refused       no page can be fetched there, or the body of an older item was deleted
  then the refused and the dead URLs, with reasons, and with --items a line for each new item.
  With --json one JSON object for each run: the API's, with "refused", "dead" and with --items "items".
  The progress is reported on standard error.

exit code:
  0 every page was collected (with --no-wait: is being collected);  1 some were refused or are dead, not all are done
  in time, or the API cannot be reached;  2 wrong usage;
  74 input or output failed;  130 interrupted;  141 the output's reader has gone

examples:
  feedward collect https://example.com/post https://example.com/other --items
  feedward collect --file urls.txt --no-wait
  feedward collect --run 01JDR3M5V0XQ8S6Y2K4H7N9PTC
  feedward collect --reprocess 01JDR3M5V0XQ8S6Y2K4H7N9PTC
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "collect",
        run,
        says="have a running API collect pages: each new content becomes an item with its lineage",
        told="Have a running API fetch pages. New content becomes items, with links to those that they supersede.",
        epilog=EPILOG,
    )
    parser.add_argument("urls", nargs="*", metavar="URL", help="a page; none, or -: read them from standard input, "
                        "one on each line, blank lines and lines that begin with # skipped")  # fmt: skip
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--file", metavar="FILE", type=Path, help="read the URLs from a file, as from standard input")
    what.add_argument("--reprocess", metavar="RUN_ID", help="reprocess the items of this run of another version, "
                      "from their bodies, under the version of the API")  # fmt: skip
    what.add_argument("--run", metavar="RUN_ID", dest="run_id", help="wait for an existing run")
    parser.add_argument(
        "--version", metavar="VERSION", help="the normalization version: that of the API, any other is refused"
    )
    parser.add_argument("--items", action="store_true", help="show the new items")
    parser.add_argument("--timeout", type=seconds, default=WAIT_S, metavar="S",
                        help=f"seconds to wait for the results (default: {WAIT_S:.0f})")  # fmt: skip
    parser.add_argument("--no-wait", action="store_true", help="only begin it")
    add_api(parser)


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if every page was collected, else 1. Wrong usage ends in argparse's exit with 2."""
    _check(options)
    runs: list[BegunRun] = []

    def lines(api: Api) -> Iterator[str]:
        for begun in _begun(options, api):
            runs.append(begun)
            _tell(_beginning(begun))
        if not options.no_wait:
            with _progress(runs) as progress:
                wait_for(api, runs, within_s=options.timeout, progress=progress)
        yield from _documents(options, api, runs) if options.json else _account(options, api, runs)

    failed = answer(options, lines)
    return failed or int(not all(each.all_well and (options.no_wait or each.is_over) for each in runs))


def _check(options: argparse.Namespace) -> None:
    refuse = options.parser.error
    if "-" in options.urls and len(options.urls) > 1:
        refuse("- stands for all URLs: give it alone")
    other = next((name for name in ("file", "reprocess", "run_id") if getattr(options, name) is not None), None)
    if options.urls and other is not None:
        refuse(f"--{other.removesuffix('_id')} replaces URLs")
    if options.run_id is not None and options.version is not None:
        refuse("--version is for a new run")
    if options.urls in ([], ["-"]) and other is None and sys.stdin is None:
        refuse("standard input is closed: give the URLs as arguments, or redirect it")


# --- starting and waiting ---------------------------------------------------------------------------


def _begun(options: argparse.Namespace, api: Api) -> Iterator[BegunRun]:
    if options.run_id is not None:
        yield look(api, options.run_id)
    elif options.reprocess is not None:
        yield begin_again(api, options.reprocess, version=options.version)
    else:
        yield from begin(api, _urls(options), version=options.version)


def _urls(options: argparse.Namespace) -> Iterator[str]:
    if options.file is not None:
        with options.file.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
            yield from urls_in(lines)
    elif options.urls in ([], ["-"]):
        yield from urls_in(standard_input())
    else:
        yield from options.urls


def _beginning(run: BegunRun) -> str:
    if run.seen is None:
        said = (run.problem or {}).get("detail") or "none of its URLs can be collected"
        return printable(f"feedward: no run for {_counted(len(run.urls), 'URL')}: {said}")
    pages = run.seen["pages"]
    told = "its pages are counted as it goes" if pages is None else _counted(pages, "page")
    return f"run {run.seen['id']}: {told}"


@contextmanager
def _progress(runs: Sequence[BegunRun]) -> Iterator[Callable[[int, int | None, float], None]]:
    """A bar on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        yield _Lines().tell
        return
    with progress_bar("page", total=sum(run.pages[1] or 0 for run in runs) or None) as bar:

        def moved(ended: int, pages: int | None, _spent_s: float) -> None:
            bar.total = pages
            bar.update(ended - bar.n)

        yield moved


class _Lines:
    """The progress, at most one line every few seconds."""

    def __init__(self) -> None:
        self._told_s = 0.0

    def tell(self, ended: int, pages: int | None, spent_s: float) -> None:
        if spent_s - self._told_s >= TELL_EVERY_S:
            self._told_s = spent_s
            of = "" if pages is None else f" of {pages}"
            _tell(f"{ended}{of} pages are done, {spent_s:.0f} s")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


# --- results ----------------------------------------------------------------------------------------


def _documents(options: argparse.Namespace, api: Api, runs: Sequence[BegunRun]) -> Iterator[str]:
    for each in runs:
        document = {**(each.seen or {"problem": each.problem}), "refused": each.refused}
        document["dead"] = list(dead_of(api, each))
        if options.items:
            document["items"] = list(items_of(api, each))
        yield json.dumps(document)


def _account(options: argparse.Namespace, api: Api, runs: Sequence[BegunRun]) -> Iterator[str]:
    yield from _table([_row(each) for each in runs if each.seen is not None])
    for each in runs:
        for refused in each.refused:
            yield printable(f"refused  {refused['input']}  {refused['detail']}")
        for row in dead_of(api, each):
            yield printable(f"dead  {row['url']}  {row['last_error']}")
        if options.items:
            yield from map(item_line, items_of(api, each))
        if each.seen is not None and not (each.is_over or options.no_wait):
            _tell(f"feedward: run {each.seen['id']} continues: see its results with --run {each.seen['id']}")


def _row(run: BegunRun) -> tuple[str, ...]:
    assert run.seen is not None
    counters = run.seen["counters"]
    pages = "?" if run.seen["pages"] is None else run.seen["pages"]
    counted = [str(counters[name]) for name in COUNTED]
    refused = str(counters["refused"] + len(run.refused))
    return (run.seen["id"], run.seen["status"], f"{run.seen['ended']}/{pages}", *counted, refused)


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(HEADING, *rows, strict=True)]
    for cells in (HEADING, *rows):
        told = [cell.ljust(width) for cell, width in zip(cells[:2], widths[:2], strict=True)]
        told += [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
        yield "  ".join(told)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
