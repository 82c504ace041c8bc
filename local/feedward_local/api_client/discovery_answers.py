"""Sources of answers to POST /v1/discoveries: computed here, here in the made-up internet, or a running API.

All take the request's body and return the API's document, so options and output have the same meaning everywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Self

from feedward.api.discoveries import decode_request
from feedward.api.problems import problem_of
from feedward.api.sites import encode_site
from feedward.discovery.site_update import updated
from feedward.errors import FeedwardError
from feedward.ports import Fetcher
from feedward.services.discover.discover import discover
from feedward.services.discover.limits import JOB_LIMITS
from feedward.services.discover.site_run import Request
from feedward_local.api_client.answers import demo_fetcher, patient_fetcher
from feedward_local.api_client.api import Api, ApiAnswer
from feedward_local.api_client.looks import looks
from feedward_local.console import printable

GOING_ON = frozenset({"pending", "running"})
TELL_EVERY_S = 5.0


class DirectDiscoveries:
    """Discovers on this machine, with the guarded fetch and no directory."""

    def __init__(
        self,
        within_s: float,
        rsshub: str | None,
        fetcher: Fetcher | None = None,
        ending: ExitStack | None = None,
    ) -> None:
        """Each URL gets `within_s` seconds. `rsshub` is tried last, if given. `ending` is closed at the end."""
        self._limits = replace(JOB_LIMITS, answer_s=within_s, request_s=min(JOB_LIMITS.request_s, within_s))
        self._rsshub = rsshub
        self._fetcher: Fetcher = fetcher or patient_fetcher(within_s)
        self._ending = ending or ExitStack()

    def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """See Answers."""
        try:
            return self._discover(body)
        except FeedwardError as error:
            return {"problem": problem_of(error).body}

    def _discover(self, body: Mapping[str, Any]) -> dict[str, Any]:
        decoded = decode_request(body)
        request = Request(url=decoded.url, intent=decoded.intent)
        found = discover(
            request.url,
            fetcher=self._fetcher,
            limits=self._limits,
            intent=request.intent,
            rsshub_base=self._rsshub,
        )
        # Built as the directory does it, for an empty, temporary directory.
        return encode_site(updated(None, found, site_id=request.site_id, now=int(time.time())))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._ending.close()


def demo_discoveries(within_s: float, rsshub: str | None) -> DirectDiscoveries:
    """Discovers on this machine, in the made-up internet, which is started in this process."""
    ending = ExitStack()
    return DirectDiscoveries(within_s, rsshub, demo_fetcher(within_s, ending), ending)


class ApiDiscoveries:
    """Sends requests to a running API, and waits for a search that continues after the answer."""

    def __init__(
        self,
        address: str,
        *,
        connections: int,
        follow_s: float,
        told: Callable[[str], None],
        key: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`address` is the API's, without `/v1`. `told` gets messages about a job, for at most `follow_s` seconds."""
        self._api = Api(address, connections=connections, key=key)
        self._follow_s = follow_s
        self._told = told
        self._sleep, self._monotonic = sleep, monotonic

    def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """See Answers. Raises ApiUnreachable. A job that is not done in time gives the result so far."""
        answer = self._api.call("POST", "/v1/discoveries", body, has="candidates")
        if answer.status == 202 and "location" in answer.headers:
            answer = self._follow(str(body["url"]), answer)
        return {"problem": answer.document} if answer.is_problem else answer.document

    def _follow(self, url: str, first: ApiAnswer) -> ApiAnswer:
        # Only the path counts: the caller's address of the API is used, also with another name or a stage.
        path = "/v1/" + first.headers["location"].partition("/v1/")[2]
        last_told, answer = 0.0, first
        pauses = looks(self._follow_s, sleep=self._sleep, monotonic=self._monotonic)
        self._told(f"{printable(url)}: takes longer, and continues as a job")
        while not answer.is_problem and answer.document.get("status") in GOING_ON:
            spent_s = next(pauses, None)
            if spent_s is None:
                self._told(f"{printable(url)}: not done after {self._follow_s:.0f} s; it continues at {path}")
                break
            if spent_s - last_told >= TELL_EVERY_S:
                last_told = spent_s
                self._told(f"{printable(url)}: still searching, {spent_s:.0f} s")
            again = self._api.call("GET", path, has="candidates")
            answer = answer if again.is_too_busy else again
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._api.close()
