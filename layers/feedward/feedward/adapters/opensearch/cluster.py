"""Calls to an OpenSearch cluster: one request, its status and its JSON. The only file that knows the client library.

The library is a separate extra (`opensearch`), loaded only with SearchBackend opensearch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from feedward.adapters.aws_calls import Backoff, aws_session
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import FeedwardError, StoreUnavailable, Throttled

TIMEOUT_S: Final = 10.0
"""The longest time of one attempt."""
_TOO_MANY: Final = 429
_SERVER_ERRORS: Final = 500
_NOT_FOUND: Final = 404
_CONFLICT: Final = 409


class ClusterAnswer(NamedTuple):
    """The response of the cluster. `document` is empty for a response without JSON."""

    status: int
    document: Mapping[str, Any]


Transport = Callable[[str, str, str | None, float], ClusterAnswer]
"""Sends a method, a path and a body, within seconds. Raises StoreUnavailable if there is no response."""


class Cluster:
    """A cluster behind a transport. Thread-safe. Raises Throttled, StoreUnavailable, and FeedwardError for the rest."""

    def __init__(self, send: Transport, *, backoff: Backoff | None = None, deadline: Deadline = NO_DEADLINE) -> None:
        self._send = send
        self.backoff = backoff or Backoff(attempts=5, first_s=0.1, longest_s=2.0)
        self._deadline = deadline

    def within(self, deadline: Deadline) -> Cluster:
        """Return the same cluster with a deadline: no attempt starts after it, and none waits beyond it."""
        return Cluster(self._send, backoff=self.backoff, deadline=deadline)

    def ask(self, method: str, path: str, body: object = None) -> Mapping[str, Any]:
        """Return the document of a call that has to succeed."""
        answer = self._ask(method, path, None if body is None else json.dumps(body))
        if answer.status >= 400:
            raise FeedwardError(f"OpenSearch does not take {method} {path}: {_reason(answer.document)}")
        return answer.document

    def find(self, method: str, path: str, body: object = None) -> Mapping[str, Any] | None:
        """Return the document of a call, or None if the named object is missing."""
        answer = self._ask(method, path, None if body is None else json.dumps(body))
        if answer.status == _NOT_FOUND:
            return None
        if answer.status >= 400:
            raise FeedwardError(f"OpenSearch does not take {method} {path}: {_reason(answer.document)}")
        return answer.document

    def bulk(self, lines: Iterable[str]) -> list[Mapping[str, Any]]:
        """Send the writes of a bulk, of some lines each, and return the items of the response, in order."""
        answer = self._ask("POST", "/_bulk", "".join(f"{line}\n" for line in lines))
        if answer.status >= 400:
            raise FeedwardError(f"OpenSearch does not take a bulk: {_reason(answer.document)}")
        return [next(iter(item.values())) for item in answer.document.get("items", ())]

    def _ask(self, method: str, path: str, body: str | None) -> ClusterAnswer:
        failure: FeedwardError = StoreUnavailable("OpenSearch did not answer")
        for _ in self.backoff.tries():
            left_s = self._deadline.left_s()
            if left_s <= 0:
                break
            try:
                answer = self._send(method, path, body, min(left_s, TIMEOUT_S))
            except StoreUnavailable as error:
                failure = error
                continue
            if answer.status == _TOO_MANY:
                failure = Throttled("OpenSearch asked to slow down")
            elif answer.status >= _SERVER_ERRORS:
                failure = StoreUnavailable(f"OpenSearch failed: {answer.status}")
            else:
                return answer
        raise failure


def is_done(item: Mapping[str, Any]) -> bool:
    """Return whether an item of a bulk is stored: it was written, or the index has a newer version (409)."""
    status = int(item.get("status", 0))
    return 200 <= status < 300 or status == _CONFLICT


def may_succeed_later(item: Mapping[str, Any]) -> bool:
    """Return whether an item of a bulk must be sent again."""
    status = int(item.get("status", 0))
    return status == _TOO_MANY or status >= _SERVER_ERRORS


def reason_of(item: Mapping[str, Any]) -> str:
    """Return why an item of a bulk was refused."""
    return _reason(item)


def _reason(document: Mapping[str, Any]) -> str:
    error = document.get("error")
    return str(error.get("reason") if isinstance(error, Mapping) else error or "no reason was given")[:500]


def signed_transport(url: str, *, signs: bool = True) -> Transport:
    """Return a transport to the cluster at `url`, which signs with credentials and region of the environment."""
    from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth, Urllib3HttpConnection  # noqa: PLC0415
    from opensearchpy.exceptions import ConnectionError as NotConnected  # noqa: PLC0415
    from opensearchpy.exceptions import SerializationError, TransportError  # noqa: PLC0415

    auth = None
    if signs:
        session = aws_session()
        auth = Urllib3AWSV4SignerAuth(session.get_credentials(), session.get_config_variable("region"), "es")
    client = OpenSearch(hosts=[url], http_auth=auth, connection_class=Urllib3HttpConnection, max_retries=0)

    def send(method: str, path: str, body: str | None, within_s: float) -> ClusterAnswer:
        headers = {"content-type": "application/x-ndjson" if path == "/_bulk" else "application/json"}
        asked: Any = {"body": body, "headers": headers, "params": {"request_timeout": within_s}}
        try:
            document = client.transport.perform_request(method, path, **asked)
        except (NotConnected, SerializationError) as error:  # a proxy may answer with a page
            raise StoreUnavailable(f"OpenSearch could not be reached: {type(error).__name__}") from error
        except TransportError as error:
            info = error.info if isinstance(error.info, Mapping) else {}
            return ClusterAnswer(int(error.status_code), info)
        return ClusterAnswer(200, document if isinstance(document, Mapping) else {})

    return send
