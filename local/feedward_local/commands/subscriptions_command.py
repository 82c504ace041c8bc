"""`feedward subscriptions`: follows any URL with a running API; waits for its feed, lists and deletes."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from feedward_local.api_client.api import Api
from feedward_local.api_client.looks import looks
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.directory_command import (
    EXIT_CODES,
    Document,
    Refused,
    add_reading,
    add_what,
    answer,
    ask,
    ask_again,
    check_what,
    listed,
    members,
    path_of,
    shown,
)
from feedward_local.console import printable

WAIT_S = 120.0
EPILOG = f"""\
what:
  list        your subscriptions, oldest first
  add URL     follow a URL; with --wait, wait until its feed is found or there is none
  show ID     the state of a subscription
  delete ID   end it; its feed stays in the directory

{EXIT_CODES}
examples:
  feedward subscriptions add example.com --tag news --wait
  feedward subscriptions --json | jq -r .feed_id
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "subscriptions",
        run,
        says="follow any URL with a running API, and list subscriptions",
        told="Subscriptions of a running API: add any URL, show its state, list and delete.",
        epilog=EPILOG,
    )
    add_what(parser, ("add", "show", "delete"), target="URL|ID", told="add: any pasted text; else an ID")
    parser.add_argument("--title", metavar="TEXT", help="add: your name for it")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="add: a tag; give it several times")
    parser.add_argument("--wait", action="store_true",
                        help=f"add: wait until the search is over, for {WAIT_S:.0f} seconds at most")  # fmt: skip
    add_reading(parser, "subscriptions")


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    _check(options)
    return answer(options, lambda api: _lines(options, api))


def _check(options: argparse.Namespace) -> None:
    refuse = options.parser.error
    check_what(options, lambda what: "a URL" if what == "add" else "the ID of a subscription")
    if options.what != "add" and (options.title is not None or options.tag or options.wait):
        refuse("--title, --tag and --wait are for add")


def _lines(options: argparse.Namespace, api: Api) -> Iterator[str]:
    match options.what:
        case "list":
            for each in listed(api, "/v1/subscriptions", {}, member="subscriptions", limit=options.limit):
                yield shown(options, each, subscription_line)
        case "add":
            yield from _added(options, api)
        case "show":
            found = ask(api, "GET", path_of("subscriptions", options.target), has="status").document
            yield from [json.dumps(found)] if options.json else members(found)
        case _:
            ask(api, "DELETE", path_of("subscriptions", options.target), has="")


def _added(options: argparse.Namespace, api: Api) -> Iterator[str]:
    body = {"url": options.target, "title": options.title, "tags": options.tag or None}
    sent = {name: value for name, value in body.items() if value is not None}
    found: Document = ask(api, "POST", "/v1/subscriptions", sent, has="status").document
    if options.wait:
        found = settled(api, found)
    yield shown(options, found, subscription_line)
    if options.wait and found["status"] == "pending":
        raise Refused(f"the search is not done after {WAIT_S:.0f} s")
    if found["status"] == "failed":
        raise Refused(printable(found["reason"] or "there is no feed"))


def settled(
    api: Api,
    subscription: Document,
    *,
    sleep: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> Document:
    """Read a subscription until it is no longer pending, or for two minutes. Raises as `ask` does."""
    found, pauses = subscription, looks(WAIT_S, sleep=sleep, monotonic=monotonic)
    while found["status"] == "pending" and next(pauses, None) is not None:
        found = ask_again(api, path_of("subscriptions", str(found["id"])), found, has="status")
    return found


def subscription_line(subscription: Document) -> str:
    """A subscription in one line."""
    told = [subscription["id"], f"{subscription['status']:<7}", subscription["url"]]
    told += [subscription[name] for name in ("title", "feed_id", "reason") if subscription[name]]
    told += [f"#{tag}" for tag in subscription["tags"]]
    return printable("  ".join(told))
