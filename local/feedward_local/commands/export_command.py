"""`feedward export`: the directory or the subscriptions of a running API as a file: OPML, a seed file or CSV."""

from __future__ import annotations

import argparse
import base64
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from feedward.exports.job import ExportFormat
from feedward.model import FeedState
from feedward_local.api_client.api import Api, ApiFile
from feedward_local.api_client.looks import looks
from feedward_local.commands.api_key import add_key
from feedward_local.commands.command_parser import add_command, seconds
from feedward_local.commands.directory_command import Document, Refused, answer, ask_again
from feedward_local.commands.progress import progress_bar
from feedward_local.commands.url_command import is_address
from feedward_local.console import printable

WAIT_S = 900.0
DEFAULT_API = "http://127.0.0.1:8080"
EPILOG = """\
output:
  The file, on standard output or in --out FILE. If the deployment signs exports, FILE.sig has the signature.

exit code:
  0 done;  1 the API refused or cannot be reached, or the file took too long;  2 wrong usage;  74 output failed

examples:
  feedward export opml --subscriptions --out subscriptions.opml
  feedward export json --topic technology --out seed.json
  feedward export csv --q gardening | head
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "export",
        run,
        says="export the feeds of a running API: OPML, a seed file (JSON) or CSV",
        told="Export the feeds of a running API: the shared directory, filtered if you like, or your own "
        "subscriptions.",
        epilog=EPILOG,
    )
    parser.add_argument("format", choices=tuple(form.value for form in ExportFormat), help="json is a seed file")
    parser.add_argument("--q", metavar="TEXT", help="the feeds that this search finds")
    parser.add_argument("--topic", metavar="NAME", help="feeds for which this topic is approved")
    parser.add_argument("--state", choices=tuple(state.value for state in FeedState), help="feeds in this state")
    own = parser.add_mutually_exclusive_group()
    own.add_argument("--tag", metavar="TAG", help="your subscriptions with this tag, and in its folders")
    own.add_argument("--subscriptions", action="store_const", const="", dest="tag", help="all your subscriptions")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: standard output)")
    parser.add_argument("--timeout", type=seconds, default=WAIT_S, metavar="S",
                        help=f"seconds to wait for a large export (default: {WAIT_S:.0f})")  # fmt: skip
    parser.add_argument("--api", metavar="ADDRESS", default=DEFAULT_API, help=f"a running API (default: {DEFAULT_API})")
    add_key(parser)


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if the file is written, else 1. Wrong usage ends in argparse's exit with 2."""
    if options.tag is not None and (options.q is not None or options.topic or options.state):
        options.parser.error("--q, --topic and --state filter the shared directory, not subscriptions")
    if not is_address(options.api):
        options.parser.error(f"argument --api: {options.api!r} is not an http(s) address, such as {DEFAULT_API}")

    def exported(api: Api) -> Iterator[str]:
        _write(options, _file(options, api))
        yield from ()

    return answer(options, exported)


def _file(options: argparse.Namespace, api: Api) -> ApiFile:
    """Return the file. Waits for a large one."""
    names = ("q", "tag", "topic", "state")
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    found = api.fetch(f"/v1/exports/{options.format}?{urlencode(given)}")
    if found.status == 200:
        _warn(int(found.headers.get("feedward-private-feeds", 0)))
        return found
    if found.status != 202:
        raise Refused(printable(str(found.problem.get("detail") or found.status)), found.problem)
    job = _done(options, api, json.loads(found.body))
    _warn(job["private_feeds"] or 0)
    if job["url"] is None:
        raise Refused("a large export is a file behind a link, which a read-only key does not get")
    return ApiFile(status=200, headers={"feedward-signature": job["signature"] or ""}, body=api.download(job["url"]))


def _done(options: argparse.Namespace, api: Api, job: Document) -> Document:
    pauses = looks(options.timeout)
    with _progress() as moved:
        while job["status"] not in ("done", "failed"):
            if next(pauses, None) is None:
                raise Refused(f"the export is not done yet: {options.api}/v1/exports/jobs/{job['id']} shows it")
            job = ask_again(api, f"/v1/exports/jobs/{job['id']}", job, has="status")
            moved(job["feeds"])
    if job["status"] == "failed":
        raise Refused(printable(str(job["reason"] or "the export failed")))
    return job


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    """A counter on a terminal, no output elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _feeds: None
        return
    with progress_bar("feed") as bar:

        def moved(feeds: int) -> None:
            bar.update(feeds - bar.n)

        yield moved


def _warn(private: int) -> None:
    if private:
        print(f"feedward: {private} of the addresses have a token: do not pass this file on", file=sys.stderr)


def _write(options: argparse.Namespace, file: ApiFile) -> None:
    if options.out is None:
        sys.stdout.buffer.write(file.body)
        return
    options.out.write_bytes(file.body)
    signature = file.headers.get("feedward-signature")
    if signature:
        options.out.with_name(options.out.name + ".sig").write_bytes(base64.b64decode(signature))
