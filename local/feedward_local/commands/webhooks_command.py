"""`feedward webhooks`: sends the events of a running API to receivers: create, test, show deliveries, send again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from feedward_local.api_client.api import Api
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.directory_command import (
    EXIT_CODES,
    Document,
    add_reading,
    answer,
    ask,
    members,
    path_of,
    shown,
    when,
)
from feedward_local.console import printable

WHATS = ("create", "show", "change", "test", "deliveries", "redeliver", "replay", "rotate", "delete")
EPILOG = f"""\
what:
  list                    your webhooks, oldest first
  create URL              send events to an https URL; the secret is shown once
  show ID                 a webhook, its status, and why it is disabled
  change ID               another --url, --event or --tag; --enable or --disable
  test ID                 send a test event, which makes the webhook live if delivered
  deliveries ID           the last attempts, newest first; --failed or --delivered
  redeliver ID DELIVERY   send one delivery again
  replay ID --since TIME  send undelivered events since a time again, in epoch seconds
  rotate ID               a new secret, shown once; the old one signs for another day
  delete ID               stop sending

{EXIT_CODES}
examples:
  feedward webhooks create https://receiver.example/hook --event items.published --event 'feed.*'
  feedward webhooks deliveries 01JDR3M5V0XQ8S6Y2K4H7N9PTE --failed
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "webhooks",
        run,
        says="send the events of a running API to your own URLs",
        told="The receivers of a running API's events: create, test, see the deliveries, send again.",
        epilog=EPILOG,
    )
    parser.add_argument("what", nargs="?", choices=("list", *WHATS), default="list", metavar="WHAT",
                        help="what to do (default: list)")  # fmt: skip
    parser.add_argument("target", nargs="?", metavar="URL|ID", help="create: an https URL; else the ID of a webhook")
    parser.add_argument("delivery", nargs="?", metavar="DELIVERY", help="redeliver: the ID of the delivery")
    parser.add_argument("--event", action="append", metavar="TYPE",
                        help="create, change: a type of events, or 'feed.*'; several times")  # fmt: skip
    parser.add_argument("--tag", action="append", metavar="TAG",
                        help="create, change: only feeds that you follow under this tag; several times")  # fmt: skip
    parser.add_argument("--url", metavar="URL", help="change: the new URL, which is tested before it is live")
    parser.add_argument("--since", type=int, metavar="TIME", help="replay: since when, in epoch seconds")
    switch = parser.add_mutually_exclusive_group()
    switch.add_argument("--enable", action="store_true", help="change: test it, and make it live if that succeeds")
    switch.add_argument("--disable", action="store_true", help="change: send nothing; events are kept for a replay")
    outcome = parser.add_mutually_exclusive_group()
    outcome.add_argument("--failed", action="store_true", help="deliveries: those that failed")
    outcome.add_argument("--delivered", action="store_true", help="deliveries: those that succeeded")
    add_reading(parser, "deliveries")


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    _check(options)
    return answer(options, lambda api: _lines(options, api))


def _check(options: argparse.Namespace) -> None:
    refuse, what = options.parser.error, options.what
    if (options.target is None) != (what == "list"):
        needed = "a URL" if what == "create" else "the ID of a webhook"
        refuse("list takes nothing else" if what == "list" else f"{what} needs {needed}")
    if (options.delivery is not None) != (what == "redeliver"):
        refuse("redeliver needs the ID of a delivery" if what == "redeliver" else "a delivery is for redeliver")
    if (options.since is not None) != (what == "replay"):
        refuse("replay needs --since" if what == "replay" else "--since is for replay")
    if what == "create" and not options.event:
        refuse("create needs --event")
    if what != "change" and (options.url is not None or options.enable or options.disable):
        refuse("--url, --enable and --disable are for change")
    if what not in ("create", "change") and (options.event or options.tag):
        refuse("--event and --tag are for create and change")
    if what != "deliveries" and (options.failed or options.delivered):
        refuse("--failed and --delivered are for deliveries")


def _lines(options: argparse.Namespace, api: Api) -> Iterator[str]:
    what = options.what
    if what == "list":
        for each in ask(api, "GET", "/v1/webhooks", has="webhooks").document["webhooks"]:
            yield shown(options, each, webhook_line)
    elif what == "deliveries":
        yield from _attempts(options, api)
    elif what == "delete":
        ask(api, "DELETE", path_of("webhooks", options.target), has="")
    else:
        found = _done(options, api)
        yield from [json.dumps(found)] if options.json else members(found)


def _done(options: argparse.Namespace, api: Api) -> Document:
    """Do an operation that is answered with one document."""
    method, more, body, has = _request(options)
    path = "/v1/webhooks" if options.what == "create" else path_of("webhooks", options.target, *more)
    return ask(api, method, path, body, has=has).document


def _request(options: argparse.Namespace) -> tuple[str, tuple[str, ...], Document | None, str]:
    """The method, the path below the webhook, the body, and a member of the answer."""
    said = {"events": options.event, "tags": options.tag}
    enabled = True if options.enable else False if options.disable else None
    requests: dict[str, tuple[str, tuple[str, ...], Document | None, str]] = {
        "create": ("POST", (), _given({"url": options.target, **said}), "secret"),
        "show": ("GET", (), None, "status"),
        "change": ("PATCH", (), _given({"url": options.url, **said, "enabled": enabled}), "status"),
        "redeliver": ("POST", ("deliveries", str(options.delivery), "redeliver"), {}, "delivery_id"),
        "replay": ("POST", ("replay",), {"since": options.since}, "status"),
        "rotate": ("POST", ("rotate",), {}, "secret"),
        "test": ("POST", ("test",), {}, "delivery_id"),
    }
    return requests[options.what]


def _attempts(options: argparse.Namespace, api: Api) -> Iterator[str]:
    outcome = "failed" if options.failed else "delivered" if options.delivered else None
    sent = _given({"outcome": outcome, "limit": str(options.limit or 1000)})
    path = path_of("webhooks", options.target, "deliveries")
    for each in ask(api, "GET", f"{path}?{urlencode(sent)}", has="attempts").document["attempts"]:
        yield shown(options, each, attempt_line)


def _given(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}


def webhook_line(webhook: Document) -> str:
    """A webhook in one line."""
    told = [webhook["id"], f"{webhook['status']:<8}", webhook["url"], ",".join(webhook["events"])]
    told += [webhook["disabled_because"]] if webhook["disabled_because"] else []
    told += [f"#{tag}" for tag in webhook["tags"]]
    return printable("  ".join(told))


def attempt_line(attempt: Document) -> str:
    """An attempt in one line."""
    status = str(attempt["status"] or "-")
    told = [when(attempt["at"]), attempt["delivery_id"], attempt["type"], f"{attempt['attempt']}.", status]
    told += [attempt["outcome"], f"{attempt['took_ms']} ms"]
    told += [f"again {when(attempt['next_at'])}"] if attempt["next_at"] else []
    return printable("  ".join(told))
