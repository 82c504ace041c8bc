"""Starts runs of a running API for the command line, waits for them, and reads their results."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from feedward.api.lineage import BODY_BYTES_AT_MOST, URLS_AT_MOST
from feedward.errors import InvalidInput
from feedward.services.collect.submit import judge
from feedward_local.api_client.api import Api
from feedward_local.api_client.looks import looks
from feedward_local.commands.directory_command import Document, Refused, ask, ask_again, listed, path_of

# The bytes of a request other than its URLs.
_ROOM_BYTES = 4096
# The reasons of dead pages are read page by page, so only in runs up to this size.
DEAD_LOOKED_FOR_AMONG = 200


@dataclass(slots=True, kw_only=True)
class BegunRun:
    """A run as last read, None without one: then all its URLs are among `refused`, or there is a `problem`.

    `refused` are objects of `input`, `field` and `detail`.
    """

    urls: Sequence[str] = ()
    seen: Document | None = None
    refused: list[Document] = field(default_factory=list)
    problem: Document | None = None

    @property
    def is_over(self) -> bool:
        """True if there is nothing to wait for."""
        return self.seen is None or self.seen["status"] == "done"

    @property
    def all_well(self) -> bool:
        """True if no page was refused or given up so far."""
        counters = self.seen["counters"] if self.seen else {"dead": 1}
        return not (self.refused or self.problem or counters["dead"] or counters["refused"])

    @property
    def pages(self) -> tuple[int, int | None]:
        """How many pages are done, and how many there are, if known."""
        return (self.seen["ended"], self.seen["pages"]) if self.seen else (0, 0)


# --- starting ---------------------------------------------------------------------------------------


def begin(api: Api, urls: Iterable[str], **members: str | None) -> Iterator[BegunRun]:
    """Start a run for each request that the URLs fill. `members` are part of each request. Raises ApiUnreachable."""
    given = {name: value for name, value in members.items() if value is not None}
    for of_request in requests_of(urls):
        yield _begun(api, of_request, {"urls": of_request, **given})


def begin_again(api: Api, run_id: str, **members: str | None) -> BegunRun:
    """Start a run that reprocesses an older run's items. Raises Refused and ApiUnreachable."""
    given = {name: value for name, value in members.items() if value is not None}
    body = {"reprocessing_of_run_id": run_id, **given}
    return BegunRun(seen=ask(api, "POST", "/v1/runs", body, has="status").document)


def look(api: Api, run_id: str) -> BegunRun:
    """Read an existing run. Raises Refused and ApiUnreachable."""
    return BegunRun(seen=ask(api, "GET", path_of("runs", run_id), has="status").document)


def requests_of(
    urls: Iterable[str], *, at_most: int = URLS_AT_MOST, bytes_at_most: int = BODY_BYTES_AT_MOST - _ROOM_BYTES
) -> Iterator[list[str]]:
    """Yield the URLs in parts that fit a request, by number and by length."""
    of_request: list[str] = []
    length = 0
    for url in urls:
        own = len(json.dumps(url)) + 2
        if of_request and (len(of_request) == at_most or length + own > bytes_at_most):
            yield of_request
            of_request, length = [], 0
        of_request.append(url)
        length += own
    if of_request:
        yield of_request


def _begun(api: Api, urls: Sequence[str], body: Document) -> BegunRun:
    try:
        seen = ask(api, "POST", "/v1/runs", body, has="status").document
    except Refused as refused:
        if _place(refused.problem) is None:
            return BegunRun(urls=urls, problem=refused.problem)
        return BegunRun(urls=urls, refused=list(_all_refused(urls, refused.problem)))
    told: list[Document] = [{"input": urls[_place(each) or 0], **each} for each in seen["refused"]]
    return BegunRun(urls=urls, seen={name: seen[name] for name in seen if name != "refused"}, refused=told)


def _place(refusal: Document) -> int | None:
    found = re.fullmatch(r"urls\[(\d+)\]", str(refusal.get("field")))
    return int(found[1]) if found else None


def _all_refused(urls: Sequence[str], problem: Document) -> Iterator[Document]:
    """If no URL of a request can be collected, the refusal names only the first: this finds the problem of each."""
    for place, url in enumerate(urls):
        judged = judge(url, f"urls[{place}]", None)
        detail = judged.message if isinstance(judged, InvalidInput) else problem["detail"]
        yield {"input": url, "field": f"urls[{place}]", "detail": detail}


# --- waiting ----------------------------------------------------------------------------------------


def wait_for(
    api: Api,
    runs: Sequence[BegunRun],
    *,
    within_s: float,
    progress: Callable[[int, int | None, float], None],
    sleep: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> None:
    """Read the runs until all are done, or the time is over; `progress` is called after each read.

    It gets the number of pages done, of all pages (None: not known yet) and the seconds. Raises as `ask` does.
    """
    pauses = looks(within_s, sleep=sleep, monotonic=monotonic)
    while waiting := [run for run in runs if not run.is_over]:
        spent_s = next(pauses, None)
        if spent_s is None:
            return
        for run in waiting:
            assert run.seen is not None
            run.seen = ask_again(api, path_of("runs", run.seen["id"]), run.seen, has="status")
        ended, pages = zip(*(run.pages for run in runs), strict=True)
        progress(sum(ended), None if None in pages else sum(pages), spent_s)


# --- results ----------------------------------------------------------------------------------------


def items_of(api: Api, run: BegunRun) -> Iterator[Document]:
    """Yield the items of a run. Raises as `ask` does."""
    if run.seen is not None:
        yield from listed(api, "/v1/items", {"run": run.seen["id"]}, member="items", limit=0)


def dead_of(api: Api, run: BegunRun) -> Iterator[Document]:
    """Yield the dead rows of a run's pages, if it is small enough to read each. Raises as `ask`."""
    if run.seen is None or not run.seen["counters"]["dead"] or len(run.urls) > DEAD_LOOKED_FOR_AMONG:
        return
    refused = {each["input"] for each in run.refused}
    told: set[Any] = set()
    for url in run.urls:
        for row in [] if url in refused else listed(api, "/v1/frontier", {"url": url}, member="rows", limit=1):
            if row["status"] == "dead" and row["id"] not in told:
                told.add(row["id"])
                yield row
