"""`feedward canonicalize`: the canonical URL of each feed, computed here or by a running API."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from feedward.api.canonicalize import decode_request
from feedward.urls.presets import PRESETS
from feedward_local.api_client.answers import Answers, ApiAnswers, DirectAnswers, demo_answers
from feedward_local.commands.api_key import key_of
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.url_command import (
    Telling,
    add_pace,
    add_urls,
    answer_urls,
    check_body,
    check_urls,
    json_line,
)
from feedward_local.console import printable

EPILOG = """\
output:
  Without --json one line for each URL, in the order of the input, with three columns and tabs between them: the clean
  URL (- if there is none), the reason, and the given URL. An error has its outcome: error:gone.
  With --explain the account of each step follows, each line after two spaces.
  With --json one JSON object for each URL and line: the API's result, or {"input": ..., "problem": ...}.

exit code:
  0 every URL has a clean URL;  1 some have none, or the API cannot be reached;  2 wrong usage;
  74 input or output failed;  130 interrupted;  141 the output's reader has gone

examples:
  feedward canonicalize https://www.example.com/feed/?utm_source=x
  feedward canonicalize --demo --explain http://www.garden.example/feed/
  feedward canonicalize < urls.txt > clean.tsv
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "canonicalize",
        run,
        says="find the one clean URL of each feed, with the reason",
        told="Find the one clean URL of each feed, with the reason.",
        epilog=EPILOG,
    )
    shown = add_urls(parser, "feed URLs")
    shown.add_argument("--explain", action="store_true", help="show each step and its reason")
    _add_choices(parser)


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--max-requests", type=int, metavar="N", help="fetches after the first (default: 3)")
    parser.add_argument("--preset", action="append", choices=tuple(PRESETS), dest="presets",
                        help="try this preset only; may be given several times")  # fmt: skip
    parser.add_argument("--no-https", action="store_true", help="do not prefer https")
    parser.add_argument("--no-signature", action="store_true", help="the same feed must have equal bytes")
    parser.add_argument("--no-rewrites", action="store_true", help="do not rewrite URLs of known platforms")
    parser.add_argument("--no-probes", action="store_true", help="do not try known platforms' other feed URLs")
    parser.add_argument("--register", action="store_true", help="store the feed in the directory (with --api)")
    parser.add_argument("--check-before-fetch", action="store_true",
                        help="look up the directory before any fetch (with --api)")  # fmt: skip
    add_pace(parser, "seconds for each URL with all its requests (default: 15)")


def run(options: argparse.Namespace) -> int:
    """Answer all URLs; return 0 if each has a clean URL, else 1. Wrong usage ends in argparse's exit with 2."""
    body = request_body(options)
    _check(options, body)
    telling = Telling(
        lines=lambda url, answer: _lines(options, url, answer),
        succeeded=lambda answer: answer.get("url") is not None,
        outcome=lambda answer: answer.get("outcome"),
    )
    return answer_urls(options, body, _answers(options), telling)


def request_body(options: argparse.Namespace) -> dict[str, Any]:
    """The body of POST /v1/canonicalize for these options, without the URL."""
    body: dict[str, Any] = {"candidates": options.json}
    switches = {
        "explain": options.explain,
        "register": options.register,
        "check_before_fetch": options.check_before_fetch,
    }
    body |= {name: True for name, on in switches.items() if on}
    refusals = {"prefer_https": options.no_https, "use_signature": options.no_signature}
    body |= {name: False for name, off in refusals.items() if off}
    body |= {name: [] for name, off in (("rewrites", options.no_rewrites), ("probes", options.no_probes)) if off}
    given = {"max_requests": options.max_requests, "presets": options.presets}
    return body | {name: value for name, value in given.items() if value is not None}


def _check(options: argparse.Namespace, body: Mapping[str, Any]) -> None:
    """End with a message and exit code 2 if the options contradict each other."""
    refuse = options.parser.error
    if options.api is None and (options.register or options.check_before_fetch):
        refuse("--register and --check-before-fetch need a directory: add --api ADDRESS")
    check_urls(options)
    if options.api is not None and options.timeout is not None:
        refuse("argument --timeout: an API has its own time limit")
    check_body(options, body, decode_request)


def _answers(options: argparse.Namespace) -> Answers:
    if options.api is not None:
        return ApiAnswers(options.api, connections=options.parallel, key=key_of(options))
    within_s = 15.0 if options.timeout is None else options.timeout
    return demo_answers(within_s) if options.demo else DirectAnswers(within_s)


def _lines(options: argparse.Namespace, url: str, answer: Mapping[str, Any]) -> Iterator[str]:
    if options.json:
        yield json_line(url, answer)
        return
    yield "\t".join([answer.get("url") or "-", reason_of(answer), printable(url)])
    for step in answer.get("explanation", ()):
        yield f"  {printable(step)}"
    if options.explain and "problem" in answer:
        yield f"  {printable(answer['problem'].get('detail', ''))}"


def reason_of(answer: Mapping[str, Any]) -> str:
    """The result of a URL in one word: the reason, with the outcome if it is `error`, or the problem's code."""
    if "problem" in answer:
        return f"problem:{answer['problem'].get('code', 'unknown')}"
    reason, outcome = str(answer["reason"]), answer.get("outcome")
    return f"{reason}:{outcome}" if reason == "error" and outcome else reason
