"""`feedward search`: searches the directory of a running API, and rebuilds its index."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any

from feedward.model import FeedState
from feedward_local.api_client.api import Api
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.directory_command import (
    EXIT_CODES,
    Document,
    Refused,
    add_reading,
    answer,
    ask,
    listed,
    shown,
)
from feedward_local.commands.feeds_command import feed_line
from feedward_local.console import printable

REBUILT_WITHIN_S = 900.0
LOOKED_EVERY_S = 2.0
EPILOG = f"""\
words:
  all must occur; the last one may be a prefix. "in quotes" is a phrase, -word must not occur.
  site:HOST, lang:CODE, state:STATE and topic:NAME filter. A pasted URL or domain is looked up as it is.

{EXIT_CODES}
examples:
  feedward search garden
  feedward search 'python -snake' lang:en --parts
  feedward search https://garden.example/
  feedward search --rebuild            after the search bucket was emptied
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "search",
        run,
        says="search the feeds of a running API",
        told="Search the feeds of a running API's directory, best first.",
        epilog=EPILOG,
    )
    parser.add_argument("words", nargs="*", metavar="WORDS", help="the text to search for")
    parser.add_argument("--language", metavar="CODE", help="feeds in this language: pt finds pt-BR")
    parser.add_argument("--state", choices=tuple(state.value for state in FeedState), help="feeds in this state")
    parser.add_argument("--topic", metavar="NAME", help="feeds with this approved topic")
    parser.add_argument("--parts", action="store_true", help="show the parts of each score")
    parser.add_argument("--rebuild", action="store_true", help="rebuild the index from the tables, and wait")
    add_reading(parser, "feeds")


def run(options: argparse.Namespace) -> int:
    """Search; return 0 if the API answered, else 1. Wrong usage ends in argparse's exit with 2."""
    filters = (options.language, options.state, options.topic)
    if options.rebuild and (options.words or any(filters)):
        options.parser.error("--rebuild takes no words and no filters")
    if not options.rebuild and not options.words and not any(filters):
        options.parser.error("give words to search for")
    return answer(options, lambda api: _rebuild(options, api) if options.rebuild else _found(options, api))


def _found(options: argparse.Namespace, api: Api) -> Iterator[str]:
    asked = {"q": " ".join(options.words), "language": options.language, "state": options.state, "topic": options.topic}
    parameters = {name: value for name, value in asked.items() if value}
    if options.parts:
        parameters["parts"] = "true"
    is_first = True
    for result in listed(api, "/v1/search", parameters, member="results", limit=options.limit, tell=_tell):
        is_first = False
        yield shown(options, result, _line)
    if is_first:
        print("nothing was found", file=sys.stderr)


def _tell(page: Document) -> None:
    """Report the notes of a page that a person should know."""
    for word, taken in page.get("corrected", {}).items():
        print(f"searched for {printable(taken)} instead of {printable(word)}", file=sys.stderr)
    if page.get("ignored"):
        print(f"left out: {printable(', '.join(page['ignored']))}", file=sys.stderr)
    if page.get("partial"):
        print("the search was cut short: there may be more", file=sys.stderr)


def _line(result: Document) -> str:
    parts = "".join(f" {name}={value:g}" for name, value in result.get("parts", {}).items() if value)
    return f"{feed_line(result['feed'])}{f'  [{parts.strip()}]' if parts else ''}"


def _rebuild(options: argparse.Namespace, api: Api) -> Iterator[str]:
    """Request a rebuild, and wait until searches use it."""
    asked = ask(api, "POST", "/v1/search/rebuild", {}, has="asked_at").document
    print("the index is being rebuilt", file=sys.stderr)
    ends_at = monotonic() + REBUILT_WITHIN_S
    while monotonic() < ends_at:
        status = _status(api)
        if status is not None and not status["rebuild_wanted"] and status["rebuilt_at"] >= asked["asked_at"]:
            yield json.dumps(status) if options.json else f"{status['documents']} feeds are searchable"
            return
        sleep(LOOKED_EVERY_S)
    raise Refused("the rebuild has not ended: see the log of the index function")


def _status(api: Api) -> Document | None:
    """The status of the searched index; None while there is no index."""
    try:
        return ask(api, "GET", "/v1/search/index", has="rebuild_wanted").document
    except Refused as refused:
        if refused.problem.get("code") == "search_unavailable":
            return None
        raise
