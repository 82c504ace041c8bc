"""`feedward frontier`: submits URLs to a running API, shows rows, and lists rows that failed for a reason."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from feedward.api.fields import BODY_BYTES_AT_MOST
from feedward.api.frontier import URLS_AT_MOST
from feedward.frontier.decide import REASONS
from feedward.page_cursor import is_ulid
from feedward_local.api_client.api import Api
from feedward_local.commands.collect_runs import requests_of
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.directory_command import (
    EXIT_CODES,
    Document,
    Refused,
    add_reading,
    answer,
    ask,
    listed,
    members,
    path_of,
    shown,
    when,
)
from feedward_local.commands.url_command import standard_input
from feedward_local.commands.url_input import urls_in
from feedward_local.console import printable

ROOM_BYTES = 4096
EPILOG = f"""\
what:
  URL...              have these fetched, and collected into the run of the day; existing ones are reported
  ROW_ID...           show these rows
  --url URL           show the row of a URL, which may be any that it ever had
  --last-error NAME   list the rows whose last fetch failed with this error; the names:
{{names}}

output:
  Without --json a line for each URL: the row's id, its status, whether it is new, and its URL; in a list: id, status,
  attempts, last error, HTTP status, time of the next fetch, and URL; for a single row: all members.

{EXIT_CODES}
examples:
  feedward frontier https://example.com/post https://example.com/other
  feedward frontier --last-error too_many_redirects
  feedward frontier --url https://example.com/post --json | jq -r .final_url
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "frontier",
        run,
        says="submit pages to a running API, and see the result of each",
        told="The frontier of a running API: submit URLs, show a row, list the rows that failed for a reason.",
        epilog=EPILOG.format(names=_names()),
    )
    parser.add_argument("given", nargs="*", metavar="URL|ROW_ID", help="URLs to submit, or ids of rows to show; "
                        "-: read URLs from standard input, one on each line")  # fmt: skip
    find = parser.add_mutually_exclusive_group()
    find.add_argument("--url", metavar="URL", help="show the row of this URL")
    find.add_argument(
        "--last-error", metavar="NAME", choices=sorted(REASONS), help="list the rows that failed with this error"
    )
    add_reading(parser, "rows of a list")


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    _check(options)
    refused: list[str] = []
    return answer(options, lambda api: _lines(options, api, refused)) or int(bool(refused))


def _check(options: argparse.Namespace) -> None:
    refuse = options.parser.error
    if options.given and (options.url is not None or options.last_error is not None):
        refuse("--url and --last-error replace URLs and ids")
    if not options.given and options.url is None and options.last_error is None:
        refuse("give URLs to submit, an id, --url or --last-error")
    if "-" in options.given and len(options.given) > 1:
        refuse("- stands for all URLs: give it alone")
    if options.given == ["-"] and sys.stdin is None:
        refuse("standard input is closed: give the URLs as arguments, or redirect it")
    if len({_is_id(each) for each in options.given}) > 1:
        refuse("URLs are submitted and ids are shown: give only one kind")


def _lines(options: argparse.Namespace, api: Api, refused: list[str]) -> Iterator[str]:
    if options.last_error is not None:
        found = listed(api, "/v1/frontier", {"last_error": options.last_error}, member="rows", limit=options.limit)
        for row in found:
            yield shown(options, row, row_line)
    elif options.url is not None:
        yield from _row(options, _found_by(api, options.url))
    elif _is_id(options.given[0]):
        for row_id in dict.fromkeys(options.given):
            yield from _row(options, ask(api, "GET", path_of("frontier", row_id), has="status").document)
    else:
        urls = urls_in(standard_input()) if options.given == ["-"] else iter(options.given)
        for of_request in requests_of(urls, at_most=URLS_AT_MOST, bytes_at_most=BODY_BYTES_AT_MOST - ROOM_BYTES):
            yield from _submitted(options, api, of_request, refused)


def _found_by(api: Api, url: str) -> Document:
    for row in listed(api, "/v1/frontier", {"url": url}, member="rows", limit=1):
        return row
    raise Refused("no row of the frontier has this URL")


def _submitted(options: argparse.Namespace, api: Api, urls: Sequence[str], refused: list[str]) -> Iterator[str]:
    results = ask(api, "POST", "/v1/frontier", {"urls": urls}, has="results").document["results"]
    for url, result in zip(urls, results, strict=True):
        if result["error"] is not None:
            refused.append(url)
        if options.json:
            yield json.dumps({"input": url, **result})
        elif result["error"] is not None:
            print(f"feedward: {printable(url)}: {printable(result['error']['detail'])}", file=sys.stderr)
        else:
            row, is_new = result["row"], "new" if result["created"] else "known"
            yield printable(f"{row['id']}  {row['status']:<7}  {is_new:<5}  {row['url']}")


def _row(options: argparse.Namespace, row: Document) -> Iterator[str]:
    yield from [json.dumps(row)] if options.json else members(row)


def row_line(row: Document) -> str:
    """A row in one line."""
    told = [row["id"], f"{row['status']:<7}", f"attempts {row['attempts']}", row["last_error"] or "-"]
    told += [str(row["http_status"] or "-"), f"next {when(row['next_fetch_at'])}", row["url"]]
    return printable("  ".join(told))


def _is_id(given: str) -> bool:
    return is_ulid(given)


def _names() -> str:
    lines, line = [], ""
    for name in sorted(REASONS):
        if len(line) + len(name) > 100:
            lines.append(line)
            line = ""
        line = f"{line}, {name}" if line else name
    return "\n".join(f"    {each}" for each in [*lines, line])
