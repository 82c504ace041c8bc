"""Sources of answers to POST /v1/canonicalize: computed here, here in the made-up internet, or a running API.

All three take the request's body and return the result's, so options have the same meaning everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Protocol, Self

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.settings import FetchSettings
from feedward.api.canonicalize import decode_request, encode_answer
from feedward.api.problems import problem_of
from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward_local.api_client.api import Api


class Answers(Protocol):
    """A source of answers, usable until its context ends."""

    def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result for one URL, or `{"problem": ...}`. Called from several threads."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


class DirectAnswers:
    """Canonicalizes on this machine, with the guarded fetch and no directory."""

    def __init__(self, within_s: float, fetcher: GuardedFetcher | None = None, ending: ExitStack | None = None) -> None:
        """Each URL gets `within_s` seconds. `ending` is closed with the context."""
        self._within_s = within_s
        self._fetcher = fetcher or patient_fetcher(within_s)
        self._ending = ending or ExitStack()

    def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """See Answers."""
        try:
            request = decode_request(body)
            results = [
                canonicalize(
                    url, fetcher=self._fetcher, options=request.options, deadline=Deadline.after(self._within_s)
                )
                for url in request.urls
            ]
            return encode_answer(request, results)
        except FeedwardError as error:
            return {"problem": problem_of(error).body}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._ending.close()


def demo_answers(within_s: float) -> DirectAnswers:
    """Canonicalizes on this machine, in the made-up internet, which is started in this process."""
    ending = ExitStack()
    return DirectAnswers(within_s, demo_fetcher(within_s, ending), ending)


def patient_fetcher(within_s: float, **guard: Any) -> GuardedFetcher:
    """A guarded fetch that waits for a slow site as long as its caller does: `within_s` seconds."""
    return GuardedFetcher(FetchSettings(total_s=within_s, io_s=within_s), **guard)


def demo_fetcher(within_s: float, ending: ExitStack) -> GuardedFetcher:
    """A patient fetch in the made-up internet, which is started now and ends with `ending`."""
    from feedward_local.demo.server import DemoInternet  # noqa: PLC0415 - making a CA takes longer than most commands

    network = ending.enter_context(DemoInternet()).network
    guard = {"resolver": network, "address_policy": network.allows, "tls_context": network.tls_context}
    return patient_fetcher(within_s, **guard)


class ApiAnswers:
    """Asks a running API."""

    def __init__(self, address: str, *, connections: int, key: str | None = None) -> None:
        """`address` is the API's address, without `/v1`."""
        self._api = Api(address, connections=connections, key=key)

    def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """See Answers. Raises ApiUnreachable."""
        answer = self._api.call("POST", "/v1/canonicalize", body, has="reason")
        return {"problem": answer.document} if answer.is_problem else answer.document

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._api.close()
