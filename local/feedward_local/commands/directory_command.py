"""The common parts of commands that read and change a running API's directory: options, pages, problems, exit codes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

from feedward_local.api_client.api import Api, ApiAnswer, ApiUnreachable
from feedward_local.commands.api_key import add_key, key_of
from feedward_local.commands.command_parser import whole_number
from feedward_local.commands.url_command import is_address
from feedward_local.console import printable

DEFAULT_API = "http://127.0.0.1:8080"
PAGE_AT_MOST = 100
SHOWN, REFUSED = 0, 1
Document = Mapping[str, Any]
EXIT_CODES = """\
exit code:
  0 done;  1 the API refused, has no such object, or cannot be reached;  2 wrong usage;
  74 output failed;  130 interrupted;  141 the output's reader has gone
"""


class Refused(Exception):
    """The API answered with a problem. The message is its detail, `problem` is the whole document."""

    def __init__(self, message: str, problem: Document | None = None) -> None:
        super().__init__(message)
        self.problem: Document = problem or {"detail": message}


# --- options ------------------------------------------------------------------------------------------


def add_what(parser: argparse.ArgumentParser, whats: Sequence[str], *, target: str, told: str) -> None:
    """Add the operation (default: list) and its target: `target` names it, and `told` is its help."""
    parser.add_argument("what", nargs="?", choices=("list", *whats), default="list", metavar="WHAT",
                        help="what to do (default: list)")  # fmt: skip
    parser.add_argument("target", nargs="?", metavar=target, help=told)


def check_what(options: argparse.Namespace, needed: Callable[[str], str]) -> None:
    """End with exit code 2 if a target is missing (`needed` names it, for each operation), or given in excess."""
    if options.what == "list" and options.target is not None:
        options.parser.error("list takes nothing else")
    if options.what != "list" and options.target is None:
        options.parser.error(f"{options.what} needs {needed(options.what)}")


def add_api(parser: argparse.ArgumentParser) -> None:
    """Add the options for the API's address and the output format."""
    parser.add_argument("--api", metavar="ADDRESS", default=DEFAULT_API, help=f"a running API (default: {DEFAULT_API})")
    add_key(parser)
    parser.add_argument("--json", action="store_true", help="the API's documents, one JSON object a line")


def add_reading(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options for the length of a list, and for the API."""
    parser.add_argument("--limit", type=whole_number(0, 10**9), default=50, metavar="N",
                        help=f"how many {what} at most (default: 50; 0: all)")  # fmt: skip
    add_api(parser)


# --- requests -----------------------------------------------------------------------------------------


def answer(options: argparse.Namespace, lines: Callable[[Api], Iterable[str]]) -> int:
    """Print the lines of the API's answers. Return the exit code."""
    if not is_address(options.api):
        options.parser.error(f"argument --api: {options.api!r} is not an http(s) address, such as {DEFAULT_API}")
    api = Api(options.api, connections=1, key=key_of(options))
    try:
        for line in lines(api):
            print(line, flush=True)
    except (ApiUnreachable, Refused) as error:
        print(f"feedward: {error}", file=sys.stderr)
        return REFUSED
    finally:
        api.close()
    return SHOWN


def ask(api: Api, method: str, path: str, body: Document | None = None, *, has: str) -> ApiAnswer:
    """Send one request. Raises Refused for a problem, and ApiUnreachable."""
    return answered(api.call(method, path, body, has=has))


def answered(found: ApiAnswer) -> ApiAnswer:
    """Return the answer. Raises Refused for a problem."""
    if found.is_problem:
        said = found.document.get("detail") or found.document.get("title") or found.status
        raise Refused(printable(str(said)), found.document)
    return found


def ask_again(api: Api, path: str, seen: Document, *, has: str) -> Document:
    """Read a document again, to see what has changed. If the API is too busy to answer, return the one that was seen.

    Raises as `ask` does.
    """
    found = api.call("GET", path, has=has)
    return seen if found.is_too_busy else answered(found).document


def listed(
    api: Api,
    path: str,
    parameters: Mapping[str, str],
    *,
    member: str,
    limit: int,
    tell: Callable[[Document], None] = lambda _page: None,
) -> Iterator[Document]:
    """Yield the elements of a list, page by page, at most `limit` (0: all). Raises as `ask` does.

    `tell` gets each page before its elements.
    """
    cursor: str | None = ""
    left = limit or None
    while cursor is not None and left != 0:
        size = PAGE_AT_MOST if left is None else min(left, PAGE_AT_MOST)
        sent = {**parameters, "limit": str(size), **({"cursor": cursor} if cursor else {})}
        page = ask(api, "GET", f"{path}?{urlencode(sent)}", has=member).document
        tell(page)
        yield from page[member]
        left = None if left is None else left - len(page[member])
        cursor = page.get("cursor")


def path_of(kind: str, thing_id: str, *more: str) -> str:
    """The path of one object, with its id escaped."""
    return "/".join([f"/v1/{kind}", quote(thing_id, safe=""), *more])


# --- output -------------------------------------------------------------------------------------------


def shown(options: argparse.Namespace, document: Document, line: Callable[[Document], str]) -> str:
    """A document in the requested format."""
    return json.dumps(document) if options.json else line(document)


def members(document: Document) -> Iterator[str]:
    """One line for each non-empty member; times in readable form."""
    width = max(map(len, document))
    for name, value in document.items():
        if value is not None and value not in ([], ""):
            yield f"{name:<{width}}  {_text(name, value)}"


def when(epoch_s: int | None) -> str:
    """A time in readable form, in UTC."""
    if epoch_s is None:
        return "-"
    try:
        return f"{datetime.fromtimestamp(epoch_s, UTC):%Y-%m-%d %H:%M:%S}Z"
    except (OverflowError, ValueError, OSError):
        return str(epoch_s)


def _text(name: str, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and name.endswith(("_at", "_since")):
        return when(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return printable(", ".join(map(str, value)))
    return printable(str(value))
