"""`feedward feeds`: lists and manages the feeds of a running API's directory."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from feedward.model import FeedState
from feedward_local.api_client.api import Api
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.directory_command import (
    EXIT_CODES,
    Document,
    add_reading,
    add_what,
    answer,
    ask,
    check_what,
    listed,
    members,
    path_of,
    shown,
    when,
)
from feedward_local.console import printable

READ = ("show", "items", "audit")
ACT = ("pause", "resume", "check", "revive", "undo")
COLLECT_ITEMS = "collect-items"
TOPICS = "topics"
WITH_WHY = ("pause", "resume", "undo", COLLECT_ITEMS, TOPICS)
SWITCH = {"on": True, "off": False}
FILTERS = ("state", "domain", "topic", "stale", "never_fetched")
EPILOG = f"""\
what:
  list                 feeds by --state, --domain, --topic, --stale, --fresh or --never-fetched (nothing given: all)
  show ID              a feed, with its health
  items ID             its last items, newest first
  audit ID             its history, newest first
  pause ID, resume ID  stop checking it; check it again
  check ID             check it now (`feedward check` waits for the result)
  revive ID            search for it again
  undo ID              undo its last move
  collect-items ID on  collect the pages that its new items link to; off: stop it
  topics ID            its topics and their states; --approve and --reject decide

{EXIT_CODES}
examples:
  feedward feeds --state unhealthy
  feedward feeds list --domain example.com --json | jq -r .url
  feedward feeds topics 01JDR3M5V0XQ8S6Y2K4H7N9PTC --approve technology --reject cooking
  feedward feeds undo 01JDR3M5V0XQ8S6Y2K4H7N9PTC --why "another blog"
  feedward feeds collect-items 01JDR3M5V0XQ8S6Y2K4H7N9PTC on
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "feeds",
        run,
        says="the feeds of a running API, their health and their history",
        told="The feeds of a running API's directory: list them, show one, act on it.",
        epilog=EPILOG,
    )
    add_what(parser, (*READ, *ACT, COLLECT_ITEMS, TOPICS), target="ID", told="the feed, for all but list")
    parser.add_argument("switch", nargs="?", choices=tuple(SWITCH), metavar="on|off", help="collect-items: which")
    parser.add_argument("--state", choices=tuple(state.value for state in FeedState), help="list: in this state")
    parser.add_argument("--domain", metavar="HOST", help="list: of this host and its subdomains")
    parser.add_argument("--topic", metavar="NAME", help="list: for which this topic is approved")
    for option in ("approve", "reject"):
        parser.add_argument(f"--{option}", action="append", metavar="NAME", help=f"topics: {option} it (repeatable)")
    age = parser.add_mutually_exclusive_group()
    age.add_argument("--stale", action="store_const", const="true", dest="stale", help="list: those that are stale")
    age.add_argument("--fresh", action="store_const", const="false", dest="stale", help="list: those that are not")
    parser.add_argument(
        "--never-fetched", action="store_const", const="true", help="list: those of a seed file without an answer yet"
    )
    parser.add_argument("--why", metavar="TEXT", help=f"{', '.join(WITH_WHY)}: why, for its history")
    parser.add_argument("--entry", metavar="ID", help="undo: the move's entry in the history, if it is not the last")
    add_reading(parser, "feeds or entries of a history")


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    _check(options)
    return answer(options, lambda api: _lines(options, api))


def _check(options: argparse.Namespace) -> None:
    refuse = options.parser.error
    check_what(options, lambda _what: "the ID of a feed")
    if options.what != "list" and any(getattr(options, name) for name in FILTERS):
        refuse("--state, --domain, --topic, --stale, --fresh and --never-fetched are for list")
    if options.why is not None and options.what not in WITH_WHY:
        refuse(f"--why is for {', '.join(WITH_WHY)}")
    if options.entry is not None and options.what != "undo":
        refuse("--entry is for undo")
    if (options.approve or options.reject) and options.what != TOPICS:
        refuse("--approve and --reject are for topics")
    if (options.switch is None) is (options.what == COLLECT_ITEMS):
        refuse("collect-items needs on or off" if options.switch is None else "on and off are for collect-items")


def _lines(options: argparse.Namespace, api: Api) -> Iterator[str]:
    match options.what:
        case "list":
            parameters = {name: getattr(options, name) for name in FILTERS}
            given = {name: value for name, value in parameters.items() if value is not None}
            for feed in listed(api, "/v1/feeds", given, member="feeds", limit=options.limit):
                yield shown(options, feed, feed_line)
        case "items":
            found = ask(api, "GET", path_of("feeds", options.target, "items"), has="items").document
            for item in found["items"]:
                yield shown(options, item, _item_line)
        case "audit":
            path = path_of("feeds", options.target, "audit")
            for entry in listed(api, path, {}, member="entries", limit=options.limit):
                yield shown(options, entry, _entry_line)
        case "show":
            yield from _feed(options, ask(api, "GET", path_of("feeds", options.target), has="state").document)
        case "collect-items":
            body = {"collect_items": SWITCH[options.switch]} | ({"why": options.why} if options.why else {})
            done = ask(api, "PATCH", path_of("feeds", options.target), body, has="state").document
            yield shown(options, done, feed_line)
        case "topics":
            yield from _topics(options, api)
        case action:
            said = {"why": options.why, "entry_id": options.entry}
            body = {name: value for name, value in said.items() if value is not None}
            done = ask(api, "POST", path_of("feeds", options.target, action), body, has="state").document
            yield shown(options, done, feed_line)


def _topics(options: argparse.Namespace, api: Api) -> Iterator[str]:
    """Send the decisions, then show the feed's topics."""
    said = {"approve": options.approve, "reject": options.reject}
    body = {name: value for name, value in said.items() if value}
    if body:
        body |= {"why": options.why} if options.why else {}
        feed = ask(api, "POST", path_of("feeds", options.target, "topics"), body, has="topics").document
    else:
        feed = ask(api, "GET", path_of("feeds", options.target), has="topics").document
    for topic in feed["topics"]:
        yield shown(options, topic, lambda each: printable(f"{each['state']:<10}{each['name']}"))


_FLAGS = {"never fetched": "never_fetched", "stale": "stale", "collects": "collect_items"}
_UNTOLD = "healthy"


def feed_line(feed: Document) -> str:
    """A feed in one line. Before its first answer, a feed is not called healthy."""
    flags = [flag for flag, shows in _FLAGS.items() if feed.get(shows)]
    is_told = not (feed.get("never_fetched") and feed["state"] == _UNTOLD)
    state = ", ".join([feed["state"], *flags] if is_told else flags)
    last = f"  {feed['last_error']}" if feed["last_error"] else ""
    title = f"  {feed['title']}" if feed["title"] else ""
    return printable(f"{feed['id']}  {state:<16}  {feed['url']}{title}{last}")


def _feed(options: argparse.Namespace, feed: Document) -> Iterator[str]:
    if options.json:
        yield json.dumps(feed)
    else:
        yield from members(feed)


def _item_line(item: Document) -> str:
    came = item["published_at"] or item["updated_at"] or item["first_seen_at"]
    return printable(f"{when(came)}  {item['title'] or '-'}  {item['url'] or item['id'] or ''}".rstrip())


def _entry_line(entry: Document) -> str:
    details = entry["details"]
    told = [f"{name}={details[name]}" for name in ("from", "to", "reason", "why", "outcome") if details.get(name)]
    return printable("  ".join([when(entry["at"]), f"{entry['action']:<10}", entry["by"], *told, f"[{entry['id']}]"]))
