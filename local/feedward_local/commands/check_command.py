"""`feedward check`: has a running API check feeds now, and waits for the results."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from feedward_local.api_client.api import TOO_BUSY, Api, ApiAnswer
from feedward_local.api_client.looks import looks
from feedward_local.commands.command_parser import add_command, seconds
from feedward_local.commands.directory_command import Document, Refused, add_api, answer, ask, path_of, when
from feedward_local.console import printable

WAIT_S = 60.0
TELL_EVERY_S = 5.0
EPILOG = """\
output:
  Without --json a line for each feed, in the order given: its id, its state, how the check ended, how many items are
  new, when it is checked next, and its URL; then a line for each new item. Feeds that were not checked are reported on
  standard error.
  With --json one JSON object for each: {"input", "outcome", "new_items", "feed"}, or {"input", "problem"}.

exit code:
  0 every feed was checked and answered;  1 some were not, or their check failed, or the API cannot be reached;
  2 wrong usage;  74 output failed;  130 interrupted;  141 the output's reader has gone

examples:
  feedward check 01JDR3M5V0XQ8S6Y2K4H7N9PTC
  feedward check https://example.com/feed --json | jq -r .feed.next_check_at
"""


def add_to(commands: Any) -> None:
    """Add the command and its options to an argparse sub-parser collection."""
    parser = add_command(
        commands,
        "check",
        run,
        says="have feeds of a running API checked now, and show the results",
        told="Have feeds of a running API's directory checked now, and wait for the results.",
        epilog=EPILOG,
    )
    parser.add_argument("feeds", nargs="+", metavar="ID|URL", help="the id of a feed, or one of its URLs")
    parser.add_argument("--timeout", type=seconds, default=WAIT_S, metavar="S",
                        help=f"seconds to wait for the results (default: {WAIT_S:.0f})")  # fmt: skip
    add_api(parser)


def run(options: argparse.Namespace) -> int:
    """Do it; return 0 if every feed was checked and answered, else 1."""
    checks: list[Check] = []

    def lines(api: Api) -> Iterator[str]:
        checks.extend(asked(api, list(dict.fromkeys(options.feeds)), tell=_tell))
        wait_for(api, checks, within_s=options.timeout, tell=_tell)
        for check in checks:
            yield from [json.dumps(check.document)] if options.json else _told(check)

    return answer(options, lines) or int(not all(check.succeeded for check in checks))


@dataclass(slots=True, kw_only=True)
class Check:
    """A feed to be checked: its state before (`before`, `known`), then either `after` or a `problem`."""

    given: str
    before: Document
    known: frozenset[str] = frozenset()
    after: Document | None = None
    new_items: Sequence[Document] = ()
    problem: Document | None = None

    @property
    def is_over(self) -> bool:
        """True if there is nothing to wait for."""
        return self.after is not None or self.problem is not None

    @property
    def succeeded(self) -> bool:
        """True if the feed was checked and answered."""
        return self.after is not None and self.after["last_error"] is None

    @property
    def document(self) -> Document:
        """The result, for programs."""
        if self.after is None:
            return {"input": self.given, "problem": self.problem}
        outcome = self.after["last_outcome"]
        return {"input": self.given, "outcome": outcome, "new_items": list(self.new_items), "feed": self.after}


# --- requests -----------------------------------------------------------------------------------------


def asked(
    api: Api, given: Sequence[str], *, tell: Callable[[str], None], sleep: Callable[[float], None] = time.sleep
) -> list[Check]:
    """Request a check of each feed, and return the checks to wait for. Raises ApiUnreachable."""
    checks: list[Check] = []
    for each in given:
        try:
            check = _asked(api, each, sleep)
            tell(f"requested a check of {printable(check.before['url'])}")
        except Refused as refused:
            check = Check(given=each, before={}, problem=refused.problem)
        checks.append(check)
    return checks


def _asked(api: Api, given: str, sleep: Callable[[float], None]) -> Check:
    found = ask(api, "GET", path_of("feeds", _id_of(api, given)), has="state")
    before = found.document
    path = path_of("feeds", before["id"])
    known = _known(ask(api, "GET", f"{path}/items", has="items").document)
    if before["last_attempt_at"] is not None and before["last_attempt_at"] >= _time_of(found):
        sleep(1.0)  # a second check within one second would look like the first
    ask(api, "POST", f"{path}/check", has="state")
    return Check(given=given, before=before, known=known)


def _id_of(api: Api, given: str) -> str:
    """The given id, or that of the feed with this URL in the directory. Raises Refused."""
    if not set(given) & set(".:/"):
        return given
    body = {"url": given, "check_before_fetch": True, "max_requests": 0, "candidates": False}
    feed_id = ask(api, "POST", "/v1/canonicalize", body, has="reason").document.get("feed_id")
    if not feed_id:
        detail = "the directory has no feed with this URL"
        raise Refused(detail, {"code": "not_found", "detail": detail})
    return str(feed_id)


def _time_of(found: ApiAnswer) -> int:
    """The server's time of its answer, in epoch seconds; ours, if it sends none."""
    try:
        return int(parsedate_to_datetime(found.headers["date"]).timestamp())
    except (KeyError, ValueError):
        return int(time.time())


def _known(items: Document) -> frozenset[str]:
    return frozenset(_name_of(item) for item in items["items"])


def _name_of(item: Document) -> str:
    return json.dumps([item["id"], item["url"], item["title"] if not (item["id"] or item["url"]) else None])


# --- waiting ------------------------------------------------------------------------------------------


def wait_for(
    api: Api,
    checks: Sequence[Check],
    *,
    within_s: float,
    tell: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> None:
    """Read the feeds until each was checked; a feed that was not checked in that time gets a problem."""
    last_told_s = 0.0
    pauses = looks(within_s, sleep=sleep, monotonic=monotonic)
    while waiting := [check for check in checks if not check.is_over]:
        spent_s = next(pauses, None)
        if spent_s is None:
            break
        if spent_s - last_told_s >= TELL_EVERY_S:
            last_told_s = spent_s
            tell(f"waiting for {len(waiting)} of {len(checks)} checks, {spent_s:.0f} s")
        for check in waiting:
            _look(api, check)
    for check in waiting:
        detail = f"it was not checked within {within_s:g} s; the check is still pending"
        check.problem = {"code": "not_checked_yet", "detail": detail}


def _look(api: Api, check: Check) -> None:
    """Read whether the feed was checked since: two of its members show it, also for a check by another caller."""
    try:
        path = path_of("feeds", check.before["id"])
        feed = ask(api, "GET", path, has="state").document
        if feed["last_attempt_at"] != check.before["last_attempt_at"]:
            items = ask(api, "GET", f"{path}/items", has="items").document["items"]
            check.new_items = [item for item in items if _name_of(item) not in check.known]
            check.after = feed
        elif feed["state"] == "paused":
            check.problem = {"code": "paused", "detail": "the feed was paused meanwhile"}
        elif feed["check_every_s"] is None and feed["next_check_at"] != check.before["next_check_at"]:
            detail = f"the check was postponed until {when(feed['next_check_at'])}: its host is in a cooldown"
            check.problem = {"code": "put_off", "detail": detail}
    except Refused as refused:
        if refused.problem.get("status") not in TOO_BUSY:
            check.problem = refused.problem


# --- output -------------------------------------------------------------------------------------------


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _told(check: Check) -> Iterator[str]:
    if check.after is None:
        said = (check.problem or {}).get("detail") or (check.problem or {}).get("title") or "refused"
        print(f"feedward: {printable(check.given)}: {printable(str(said))}", file=sys.stderr)
        return
    feed, number = check.after, len(check.new_items)
    ended = feed["last_error"] or feed["last_outcome"]
    news = f"{number or 'no'} new item{'' if number == 1 else 's'}"
    state = feed["state"] + (", stale" if feed["stale"] else "")
    told = [feed["id"], state, str(ended), news, f"next check {when(feed['next_check_at'])}", feed["url"]]
    yield printable("  ".join(told))
    for item in check.new_items:
        yield printable(f"  {when(item['published_at'])}  {item['title'] or '-'}  {item['url'] or item['id'] or ''}")
