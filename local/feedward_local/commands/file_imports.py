"""Starts imports of a running API for the command line, and waits for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from feedward.api.imports import BODY_BYTES_AT_MOST, NAME_CHARS
from feedward_local.api_client.api import Api
from feedward_local.api_client.looks import looks
from feedward_local.commands.directory_command import Document, answered, ask, ask_again, path_of

RESULTS = ("created", "joined", "merged", "pending", "failed", "invalid")


@dataclass(slots=True, kw_only=True)
class SentFile:
    """A sent file, and its import as last read."""

    name: str
    seen: Document

    @property
    def has_results(self) -> bool:
        """True once each entry has a result, or there is nothing to import."""
        return self.seen["status"] in ("done", "failed")

    @property
    def is_over(self) -> bool:
        """True once no search continues either."""
        return self.has_results and not self.seen["results"]["pending"]

    @property
    def all_well(self) -> bool:
        """True if nothing failed or is invalid so far."""
        results = self.seen["results"]
        return self.seen["status"] != "failed" and not (results["failed"] or results["invalid"])


def begin(api: Api, name: str, body: bytes, *, into: str) -> SentFile:
    """Send a file, or upload it if it is long. Raises Refused or ApiUnreachable."""
    told = {"into": into, "name": Path(name).name[:NAME_CHARS] or "-"}
    if len(body) <= BODY_BYTES_AT_MOST:
        answer = answered(api.send_file(f"/v1/imports?{urlencode(told)}", body, has="status"))
        return SentFile(name=name, seen=answer.document)
    announced = ask(api, "POST", "/v1/imports", {**told, "bytes": len(body)}, has="upload").document
    upload = announced["upload"]
    api.upload(upload["url"], body, upload["headers"])
    started = ask(api, "POST", path_of("imports", announced["id"], "start"), has="status")
    return SentFile(name=name, seen=started.document)


def wait_for(
    api: Api,
    sent: Sequence[SentFile],
    *,
    within_s: float,
    moved: Callable[[float], None],
    sleep: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> None:
    """Read the imports until all are done, or for that time; `moved` is called with the seconds so far."""
    began, pauses = monotonic(), looks(within_s, sleep=sleep, monotonic=monotonic)
    while not all(each.is_over for each in sent) and next(pauses, None) is not None:
        for each in sent:
            if not each.is_over:
                each.seen = ask_again(api, path_of("imports", each.seen["id"]), each.seen, has="status")
        moved(monotonic() - began)


def ended_of(sent: Sequence[SentFile]) -> tuple[int, int]:
    """Return how many entries have a result, including pending ones, and how many there are."""
    entries = sum(each.seen["entries"] for each in sent)
    return entries - sum(each.seen["left"] for each in sent), entries
