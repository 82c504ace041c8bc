"""The common parts of commands that process URLs: options, input, progress, order of the output, and exit code."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any, TextIO
from urllib.parse import urlsplit

from feedward.errors import InvalidInput
from feedward_local.api_client.answers import Answers
from feedward_local.api_client.api import ApiUnreachable
from feedward_local.commands.api_key import add_key
from feedward_local.commands.command_parser import seconds, whole_number
from feedward_local.commands.progress import Bar, beside_bars, progress_bar
from feedward_local.commands.url_input import UrlQueue, answered_in_order, urls_in

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """The output of a command: the lines for a URL, whether it succeeded, and the outcome of its fetch."""

    lines: Callable[[str, Answer], Iterable[str]]
    succeeded: Callable[[Answer], bool]
    outcome: Callable[[Answer], str | None]


# --- options --------------------------------------------------------------------------------------


def add_urls(parser: argparse.ArgumentParser, what: str) -> argparse._MutuallyExclusiveGroup:
    """Add URLs as arguments or on standard input (`what` describes them), and the options for API and output.

    Returns the group of output options, of which one counts.
    """
    parser.add_argument("urls", nargs="*", metavar="URL", help=f"{what}; none, or -: read them from standard input, "
                        "one on each line, blank lines and lines that begin with # skipped")  # fmt: skip
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="one JSON object for each URL")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--api", metavar="ADDRESS", help="ask a running API, such as http://127.0.0.1:8080")
    add_key(parser)
    where.add_argument("--demo", action="store_true", help="fetch from the made-up internet, which needs no network")
    return shown


def add_pace(parser: argparse.ArgumentParser, timeout: str) -> None:
    """Add the time limit and the number of parallel URLs. `timeout` is the help text of the seconds."""
    parser.add_argument("--timeout", type=seconds, metavar="S", help=timeout)
    parser.add_argument("--parallel", type=whole_number(1, 64), default=4, metavar="N",
                        help="URLs processed in parallel (default: 4)")  # fmt: skip


def check_urls(options: argparse.Namespace) -> None:
    """End with a message and exit code 2 if input and address contradict each other."""
    refuse = options.parser.error
    if options.api is not None and not is_address(options.api):
        refuse(f"argument --api: {options.api!r} is not an http(s) address, such as http://127.0.0.1:8080")
    if options.key is not None and options.api is None:
        refuse("--key is for an API: add --api ADDRESS")
    if "-" in options.urls and len(options.urls) > 1:
        refuse("- stands for all URLs: give it alone")
    if _reads_input(options) and sys.stdin is None:
        refuse("standard input is closed: give the URLs as arguments, or redirect it")


def check_body(
    options: argparse.Namespace, body: Mapping[str, Any], decode: Callable[[Mapping[str, Any]], object]
) -> None:
    """End with a message and exit code 2 if the API would refuse the body of these options."""
    try:
        decode({**body, "url": "https://example.com/"})
    except InvalidInput as error:
        options.parser.error(f"argument --{error.field.partition('[')[0].replace('_', '-')}: {error.message}")


def is_address(text: str) -> bool:
    """Whether this can be the address of an http(s) server."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port or of brackets
        return False


def _reads_input(options: argparse.Namespace) -> bool:
    return options.urls in ([], ["-"])


def json_line(url: str, answer: Answer) -> str:
    """An answer, or the problem of a URL, as one line of JSON."""
    return json.dumps(answer if "problem" not in answer else {"input": url, **answer})


# --- answers --------------------------------------------------------------------------------------


def answer_urls(options: argparse.Namespace, body: Mapping[str, Any], answers: Answers, telling: Telling) -> int:
    """Answer all URLs of the input, each as `body` with its `url`. Return 0 if all succeeded, else 1."""
    with ExitStack() as ending:
        ending.enter_context(answers)
        progress = ending.enter_context(_progress(options))
        try:
            return _write_all(options, body, answers, telling, progress)
        except ApiUnreachable as error:
            progress.clear()
            print(f"feedward: {error}", file=sys.stderr)
            return 1


def _progress(options: argparse.Namespace) -> AbstractContextManager[Bar]:
    """A bar on a terminal's stderr if there is more than one URL, else nothing."""
    wanted = sys.stderr.isatty() and (_reads_input(options) or len(options.urls) > 1)
    return progress_bar("URL", total=0, wanted=wanted)


def _write_all(
    options: argparse.Namespace, body: Mapping[str, Any], answers: Answers, telling: Telling, progress: Bar
) -> int:
    def counted(count: int) -> None:
        progress.total = count

    urls = UrlQueue(urls_in(standard_input()) if _reads_input(options) else options.urls, counted)
    failed, seen = False, set[str | None]()
    for url, answer in answered_in_order(urls, lambda url: answers.ask({**body, "url": url}), options.parallel):
        progress.update()
        with beside_bars():
            for line in telling.lines(url, answer):
                print(line, flush=True)
        failed = failed or not telling.succeeded(answer)
        seen.add(telling.outcome(answer))
    if seen == {"dns_error"} and options.api is None and not options.demo:
        progress.clear()
        print("feedward: no name has an address. Is there a network? --demo needs none.", file=sys.stderr)
    return 1 if failed else 0


def standard_input() -> TextIO:
    """Standard input as our own file object: a thread that waits on sys.stdin would delay the interpreter's exit."""
    if sys.stdin.isatty():
        print("reading URLs, one on each line; Ctrl-D ends the list", file=sys.stderr)
    if sys.stdin is sys.__stdin__:
        # Invalid bytes are handled as in arguments: they are refused, not turned into another URL.
        return open(0, encoding="utf-8-sig", errors="surrogateescape", closefd=False)
    return sys.stdin
