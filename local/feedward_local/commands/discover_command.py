"""`feedward discover`: the feeds of any URL, found here or by a running API."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from feedward.api.discoveries import decode_request
from feedward.config import PUBLIC_RSSHUB
from feedward.discovery.candidate import Kind
from feedward.urls.safety import refuse_url
from feedward_local.api_client.answers import Answers
from feedward_local.commands.api_key import key_of
from feedward_local.commands.candidates_table import account
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.progress import beside_bars
from feedward_local.commands.url_command import (
    Telling,
    add_pace,
    add_urls,
    answer_urls,
    check_body,
    check_urls,
    is_address,
    json_line,
)

WAIT_S, FOLLOW_S = 15.0, 120.0
EPILOG = """\
output:
  Without --json for each URL, in the order of the input, a line with the outcome and the chosen feed (found, no_feed,
  refused, unreachable, blocked, bad_url), and a table of the candidates, best first. * marks the chosen feed;
  a line below each describes the feed or the failure, and where it was found.
  With --json one JSON object for each URL and line: the API's document, or {"input": ..., "problem": ...}.

exit code:
  0 every URL has a feed;  1 some have none, or the API cannot be reached;  2 wrong usage;
  74 input or output failed;  130 interrupted;  141 the output's reader has gone

examples:
  feedward discover https://www.example.com/blog/
  feedward discover --demo orchard.example
  feedward discover --json < urls.txt | jq -r .canonical.url
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "discover",
        run,
        says="find the feeds of any URL, and which one to follow",
        told="Find the feeds of any URL (a home page, a post, a profile, a feed), and which one to follow.",
        epilog=EPILOG,
    )
    add_urls(parser, "any pasted text")
    parser.add_argument("--intent", choices=tuple(kind.value for kind in Kind), metavar="KIND",
                        help="the wanted kind of feed, which overrides the URL's: " + ", ".join(Kind))  # fmt: skip
    parser.add_argument(
        "--refresh", action="store_true", help="search again, even if the API knows the site (with --api)"
    )
    rsshub = parser.add_mutually_exclusive_group()
    rsshub.add_argument("--rsshub", metavar="URL", help=f"the RSSHub to try last (default: {PUBLIC_RSSHUB})")
    rsshub.add_argument("--no-rsshub", action="store_true", help="try no RSSHub")
    add_pace(
        parser,
        f"seconds for each URL with all its requests (default: {WAIT_S:.0f}); "
        f"with --api, to wait for a search that continues (default: {FOLLOW_S:.0f})",
    )


def run(options: argparse.Namespace) -> int:
    """Answer all URLs; return 0 if each has a feed, else 1. Wrong usage ends in argparse's exit with 2."""
    body = request_body(options)
    _check(options, body)
    telling = Telling(
        lines=lambda url, answer: _lines(options, url, answer),
        succeeded=lambda answer: answer.get("canonical") is not None,
        outcome=lambda answer: answer.get("page_outcome"),
    )
    return answer_urls(options, body, _answers(options), telling)


def request_body(options: argparse.Namespace) -> dict[str, Any]:
    """The body of POST /v1/discoveries for these options, without the URL."""
    given = {"intent": options.intent, "refresh": options.refresh or None}
    return {name: value for name, value in given.items() if value is not None}


def _check(options: argparse.Namespace, body: Mapping[str, Any]) -> None:
    """End with a message and exit code 2 if the options contradict each other."""
    refuse = options.parser.error
    check_urls(options)
    if options.api is None and options.refresh:
        refuse("--refresh needs a directory: add --api ADDRESS")
    if options.api is not None and (options.rsshub is not None or options.no_rsshub):
        refuse("argument --rsshub: an API has its own setting")
    if options.rsshub is not None and not is_address(options.rsshub):
        refuse(f"argument --rsshub: {options.rsshub!r} is not an http(s) address, such as {PUBLIC_RSSHUB}")
    if options.rsshub is not None and (refused := refuse_url(options.rsshub)):
        refuse(f"argument --rsshub: {refused.detail}")
    check_body(options, body, decode_request)


def _answers(options: argparse.Namespace) -> Answers:
    # Imported here: other commands do not need the engine.
    from feedward_local.api_client.discovery_answers import ApiDiscoveries, DirectDiscoveries, demo_discoveries  # noqa: PLC0415

    if options.api is not None:
        follow_s = FOLLOW_S if options.timeout is None else options.timeout
        key = key_of(options)
        return ApiDiscoveries(options.api, connections=options.parallel, follow_s=follow_s, told=_tell, key=key)
    within_s = WAIT_S if options.timeout is None else options.timeout
    rsshub = None if options.no_rsshub else options.rsshub or PUBLIC_RSSHUB
    return demo_discoveries(within_s, rsshub) if options.demo else DirectDiscoveries(within_s, rsshub)


def _tell(line: str) -> None:
    """Report the progress of a longer search."""
    with beside_bars():
        print(line, file=sys.stderr)


def _lines(options: argparse.Namespace, url: str, answer: Mapping[str, Any]) -> Iterator[str]:
    if options.json:
        yield json_line(url, answer)
        return
    yield from account(url, answer)
