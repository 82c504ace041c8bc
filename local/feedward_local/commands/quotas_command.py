"""`feedward quotas`: a tenant's remaining quotas, and the limits that the operator sets."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from feedward_local.api_client.api import Api
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.directory_command import EXIT_CODES, Document, add_api, answer, ask, path_of, shown, when

EPILOG = f"""\
{EXIT_CODES}
examples:
  feedward quotas
  feedward quotas acme --set pages_per_day=20000 --set imports_per_day=unlimited
  feedward quotas acme --set pages_per_day=default
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "quotas",
        run,
        says="show your remaining quotas, and a tenant's limits",
        told="Show your remaining quotas. With an operator's key: those of a tenant, and its limits.",
        epilog=EPILOG,
    )
    parser.add_argument("tenant", nargs="?", metavar="TENANT", help="a tenant, or _self; without one your own")
    parser.add_argument("--set", type=_limit, action="append", default=[], metavar="QUOTA=LIMIT",
                        help="change a limit: a number, unlimited, or default; give it several times")  # fmt: skip
    add_api(parser)


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    if options.set and not options.tenant:
        options.parser.error("--set needs the TENANT whose limits should change")
    return answer(options, lambda api: _lines(options, api))


def _lines(options: argparse.Namespace, api: Api) -> Iterator[str]:
    path = path_of("quotas", options.tenant) if options.tenant else "/v1/quotas"
    changes = dict(options.set) or None
    found = ask(api, "PATCH" if changes else "GET", path, changes, has="quotas")
    if options.json:
        yield shown(options, found.document, str)
        return
    yield from map(_line, found.document["quotas"])


def _line(quota: Document) -> str:
    """One quota: its use, and when all of it is free again."""
    if quota["limit"] is None:
        return f"{quota['quota']:<29} unlimited"
    free = f"  free again {when(quota['opens_at'])}" if quota["opens_at"] else ""
    own = "" if quota["is_default"] else "  own limit"
    return f"{quota['quota']:<29} {quota['used']} of {quota['limit']}{own}{free}"


def _limit(text: str) -> tuple[str, int | str | None]:
    """An argument `quota=limit`. The API checks the limit."""
    name, separator, value = text.partition("=")
    if not (name and separator and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not QUOTA=LIMIT")
    if value == "default":
        return name, None
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 14 else value
