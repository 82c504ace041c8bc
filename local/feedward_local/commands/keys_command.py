"""`feedward keys`: creates, lists, rotates and revokes the keys of a tenant."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

from feedward.access import SELF
from feedward_local.api_client.api import ApiUnreachable
from feedward_local.api_client.by_hand import add_by_hand, stack_of
from feedward_local.commands.command_parser import add_command, whole_number
from feedward_local.commands.directory_command import (
    EXIT_CODES,
    REFUSED,
    SHOWN,
    Document,
    Refused,
    add_api,
    add_what,
    answer,
    ask,
    path_of,
    shown,
)
from feedward_local.console import printable

SCOPES = ("read", "write", "admin", "operator")
DAY_S = 86_400
EPILOG = f"""\
what:
  list          the keys of the tenant, without their secrets
  create [NAME] a new key; it is printed only once
  rotate ID     a second key like it; the old one ends in 24 hours
  revoke ID     revoke it, within the minute of the gateway's cache; with --now immediately

With --stack or --local no key is needed: this creates the first key of a deployment.

{EXIT_CODES}
examples:
  feedward keys create --stack feedward --scope operator
  feedward keys create reader --tenant acme --scope read --days 90
  feedward keys revoke 4fT9xQ2LmB7c --stack feedward --now
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "keys",
        run,
        says="create, list, rotate and revoke API keys",
        told="The keys of a tenant: what they allow, when they were last used, and their end.",
        epilog=EPILOG,
    )
    add_what(parser, ("create", "rotate", "revoke"), target="NAME|ID", told="create: its name; else an ID")
    parser.add_argument("--tenant", metavar="NAME", help="a tenant other than the key's own (operators; --stack)")
    parser.add_argument("--scope", choices=SCOPES, help="create: what the key allows (default: write; the first: all)")
    parser.add_argument("--days", type=whole_number(1, 3650), metavar="N", help="create: its lifetime in days")
    parser.add_argument("--overlap", type=whole_number(0, 168), default=24, metavar="HOURS",
                        help="rotate: hours until the old key ends (default: 24)")  # fmt: skip
    parser.add_argument("--now", action="store_true", help="revoke: clear the gateway's cache of keys")
    add_by_hand(parser)
    add_api(parser)


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if it is done, else 1. Wrong usage ends in argparse's exit with 2."""
    _check(options)
    if options.stack is None and options.local is None:
        return answer(options, lambda api: _lines(options, api))
    return by_hand(options, lambda stack: _lines(options, stack))


def by_hand(options: argparse.Namespace, lines: Any) -> int:
    """Print the lines of the answers of a stack, called with AWS rights. Return the exit code."""
    try:
        for line in lines(stack_of(options)):
            print(line, flush=True)
    except (ApiUnreachable, Refused) as error:
        print(f"feedward: {error}", file=sys.stderr)
        return REFUSED
    return SHOWN


def _check(options: argparse.Namespace) -> None:
    refuse = options.parser.error
    if options.what == "list" and options.target is not None:
        refuse("list takes nothing else")
    if options.what in ("rotate", "revoke") and options.target is None:
        refuse(f"{options.what} needs the ID of a key")
    if options.what != "create" and (options.scope is not None or options.days is not None):
        refuse("--scope and --days are for create")
    if options.now and (options.what != "revoke" or (options.stack is None and options.local is None)):
        refuse("--now is for revoke, with --stack or --local: it needs rights of the AWS account")


def _lines(options: argparse.Namespace, api: Any) -> Iterable[str]:
    match options.what:
        case "list":
            found = ask(api, "GET", f"/v1/keys{_query(options)}", has="keys").document["keys"]
            yield from (shown(options, each, key_line) for each in found)
        case "create":
            yield from _made(options, ask(api, "POST", "/v1/keys", _draft(options), has="key").document)
        case "rotate":
            asked = {"overlap_s": options.overlap * 3600, **_tenant(options)}
            path = path_of("keys", options.target) + "/rotate"
            yield from _made(options, ask(api, "POST", path, asked, has="key").document)
        case _:
            ask(api, "DELETE", path_of("keys", options.target) + _query(options), has="")
            if options.now:
                api.forget_verdicts()


def _draft(options: argparse.Namespace) -> dict[str, Any]:
    is_first = (options.stack is not None or options.local is not None) and options.scope is None
    scope = options.scope or (("admin" if options.tenant else "operator") if is_first else "write")
    ends = {"expires_at": int(time.time()) + options.days * DAY_S} if options.days else {}
    return {"name": options.target or f"{scope} key", "scope": scope, **ends, **_tenant(options)}


def _tenant(options: argparse.Namespace) -> dict[str, str]:
    return {} if options.tenant is None else {"tenant_id": options.tenant}


def _query(options: argparse.Namespace) -> str:
    return f"?{urlencode(_tenant(options))}" if options.tenant is not None else ""


def _made(options: argparse.Namespace, made: Document) -> Iterator[str]:
    """Print only the key to standard output, so that it can be redirected."""
    if options.json:
        yield json.dumps(made)
        return
    print(f"{key_line(made)}\nkeep it: it is shown only once", file=sys.stderr)
    if made["replaces"]:
        print(f"the old key: {key_line(made['replaces'])}", file=sys.stderr)
    yield made["key"]


def key_line(key: Document) -> str:
    """A key in one line."""
    told = [key["id"], f"{key['status']:<7}", f"{key['scope']:<8}", key["tenant_id"] or SELF, key["name"]]
    times = (("ends", "expires_at"), ("revoked", "revoked_at"), ("last used", "last_used_at"))
    told += [f"{says} {day(key[name])}" for says, name in times if key[name]]
    return printable("  ".join(told))


def day(seconds: int) -> str:
    """A time, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
