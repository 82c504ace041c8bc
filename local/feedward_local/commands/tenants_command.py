"""`feedward tenants`: lists the tenants of a deployment, and deletes one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any

from feedward.access import SELF
from feedward_local.api_client.by_hand import add_by_hand
from feedward_local.commands.command_parser import add_command
from feedward_local.commands.directory_command import (
    EXIT_CODES,
    Document,
    add_api,
    add_what,
    answer,
    ask,
    path_of,
    shown,
)
from feedward_local.commands.keys_command import by_hand, day
from feedward_local.console import printable

EPILOG = f"""\
what:
  list         all tenants that ever had a key, by name
  delete NAME  revoke its keys, then delete all its data; the shared directory stays

An interrupted deletion continues: by the same command, or by the stack itself every 15 minutes. All is checked
again an hour later. The name is never reused.

{EXIT_CODES}
examples:
  feedward tenants --stack feedward
  feedward tenants delete acme --stack feedward
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "tenants",
        run,
        says="list the tenants of a deployment, and delete one",
        told="The tenants of a deployment, for its operator.",
        epilog=EPILOG,
    )
    add_what(parser, ("delete",), target="NAME", told="delete: the tenant")
    add_by_hand(parser)
    add_api(parser)


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    if (options.what == "delete") != (options.target is not None):
        options.parser.error("delete needs the name of a tenant, and list takes none")
    if options.stack is None and options.local is None:
        return answer(options, lambda api: _lines(options, api))
    return by_hand(options, lambda stack: _lines(options, stack))


def _lines(options: argparse.Namespace, api: Any) -> Iterable[str]:
    if options.what == "delete":
        yield shown(options, _deleted(options.target, api), tenant_line)
        return
    after = ""
    while page := ask(api, "GET", f"/v1/tenants{after}", has="tenants").document["tenants"]:
        yield from (shown(options, each, tenant_line) for each in page)
        after = f"?after={page[-1]['id'] or SELF}"


def _deleted(name: str, api: Any) -> Document:
    """Send the request until all data was deleted once; the stack itself checks again."""
    while True:
        tenant = ask(api, "DELETE", path_of("tenants", name), has="removed").document
        if tenant["deleted_at"] or tenant["looks_again_at"]:
            return tenant
        print(f"deleted {tenant['removed']} items, continuing", file=sys.stderr)


def tenant_line(tenant: Document) -> str:
    """A tenant in one line."""
    told = [tenant["id"] or SELF, f"since {day(tenant['created_at'])}"]
    if tenant["deleted_at"]:
        told.append(f"deleted {day(tenant['deleted_at'])}: {tenant['removed']} items")
    elif tenant["deleting_since"]:
        again = tenant["looks_again_at"]
        told.append(f"{tenant['removed']} items deleted" + (f"; checked again {day(again)}" if again else ""))
    return printable("  ".join(told))
