"""`feedward lineage`: the chain of an item of a running API; the items of a run, a URL or a content; the runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

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
    path_of,
    shown,
    when,
)
from feedward_local.console import printable

HASH_CHARACTERS = 12
EPILOG = f"""\
output:
  A line for each item: its id, its time, its URI, the start of its content's hash, and its title. Below it,
  in a chain, why it supersedes the next one: the reason, the selected match, and if content and URI matched two
  different items (a conflict), both of them; content wins.
  With --runs a line for each run: its id, its start, its kind and status, pages done, and items.
  With --json one JSON object for each item or run; in a chain {{"item", "edge"}}.

{EXIT_CODES}
examples:
  feedward lineage 01JDR3M5V0XQ8S6Y2K4H7N9PTC
  feedward lineage https://example.com/post --json | jq -r .item.canonical_uri
  feedward lineage --url https://example.com/post
  feedward lineage --outdated --limit 0
  feedward lineage --runs http_snapshot_url_v1_text_v1
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "lineage",
        run,
        says="show what a collected item supersedes, and items of older versions",
        told="The lineage of collected items: the chain of an item, lists of items, and their runs.",
        epilog=EPILOG,
    )
    parser.add_argument("item", nargs="?", metavar="ITEM|URL",
                        help="an item's id, or a URL: its newest item")  # fmt: skip
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--outdated", action="store_true",
                       help="list the items of older versions that were not reprocessed")  # fmt: skip
    which.add_argument("--run", metavar="RUN_ID", dest="run_id", help="list the items of a run")
    which.add_argument("--url", metavar="URL", help="list the items of a URL, newest first")
    which.add_argument("--content", metavar="SHA256", help="list the items of a content, newest first")
    which.add_argument("--runs", nargs="?", const="", metavar="VERSION",
                       help="list the runs of a version (default: the API's own), newest first")  # fmt: skip
    add_reading(parser, "items")


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    if (options.item is None) == (options.runs is None and not _filter(options)):
        options.parser.error("give an item, or one of --outdated, --run, --url, --content and --runs")
    return answer(options, lambda api: _lines(options, api))


def _lines(options: argparse.Namespace, api: Api) -> Iterator[str]:
    if options.runs is not None:
        of_version = {"version": options.runs} if options.runs else {}
        for run in listed(api, "/v1/runs", of_version, member="runs", limit=options.limit):
            yield shown(options, run, _run_line)
        return
    if options.item is None:
        for item in listed(api, "/v1/items", _filter(options), member="items", limit=options.limit):
            yield shown(options, item, item_line)
        return
    for link in chain(api, _id_of(api, options.item), limit=options.limit):
        yield shown(options, link, _link_lines)


def _filter(options: argparse.Namespace) -> dict[str, str]:
    """The requested filter of the list of items; empty without one."""
    named = {"run": options.run_id, "url": options.url, "content_sha256": options.content}
    given = {name: value for name, value in named.items() if value is not None}
    return {"outdated": "true"} if options.outdated else given


def chain(api: Api, item_id: str, *, limit: int) -> Iterator[Document]:
    """Yield the chain of an item, the item first, at most `limit` links (0: all). Raises as `ask` does."""
    left: int | None = limit or None
    wanted: str | None = item_id
    while wanted is not None and left != 0:
        found = ask(api, "GET", path_of("items", wanted, "chain"), has="links").document
        links = found["links"][:left]
        yield from links
        left = None if left is None else left - len(links)
        wanted = links[-1]["edge"]["older"] if found["cut"] else None


def _id_of(api: Api, given: str) -> str:
    """The given id, or that of the current item of a URL's page. Raises Refused."""
    if not set(given) & set(".:/"):
        return given
    for row in listed(api, "/v1/frontier", {"url": given}, member="rows", limit=1):
        if row["item_id"] is not None:
            return str(row["item_id"])
    raise Refused("no item was collected from this URL")


def item_line(item: Document) -> str:
    """An item in one line."""
    made = when(item["created_at_ms"] // 1000)
    told = [item["id"], made, item["canonical_uri"], item["content_sha256"][:HASH_CHARACTERS], item["title"] or "-"]
    return printable("  ".join(told))


def _run_line(run: Document) -> str:
    pages = "?" if run["pages"] is None else run["pages"]
    told = [run["id"], when(run["created_at"]), run["kind"], run["status"], f"{run['ended']}/{pages}"]
    return printable("  ".join([*told, f"{run['counters']['items']} items"]))


def _link_lines(link: Document) -> str:
    return "\n".join([item_line(link["item"]), *_edge_lines(link["edge"])])


def _edge_lines(edge: Document | None) -> Iterator[str]:
    if edge is None:
        return
    metadata = edge["metadata"]
    yield printable(f"  supersedes {edge['older']}  {metadata['reason']}, selected {metadata['selected']}")
    if metadata["conflict_resolved"]:
        by_content, by_uri = metadata["content_sha256_match"], metadata["canonical_uri_match"]
        yield printable(f"  conflict: its content was {by_content}, its URI was {by_uri}")
