"""A client of a running API for the command line: JSON out, JSON in, and a clear message if there is no answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import urllib3

ANSWERS_WITHIN_S = 45.0
TOO_BUSY = (429, 502, 503, 504)
# The gateway's answers without a problem document, by status.
BARE = {
    401: "the API asks for a key: give --key KEY, or set FEEDWARD_API_KEY",
    403: "the API does not know this key",
    413: "the request is too large",
    429: "there are too many requests at this moment: try again later",
    500: "the API cannot check keys at this moment: try again later",
    503: "the API has no room at this moment: try again later",
}


class ApiUnreachable(Exception):
    """The API did not answer at all, so further URLs are pointless. The message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiAnswer:
    """The API's answer: a document, or a problem from status 400 on. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    document: dict[str, Any]

    @property
    def is_problem(self) -> bool:
        """True if `document` describes a problem with the request."""
        return self.status >= 400

    @property
    def is_too_busy(self) -> bool:
        """True if the API, its gateway or a store had no room for the request: it may be sent again."""
        return self.status in TOO_BUSY


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiFile:
    """A raw answer. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def problem(self) -> dict[str, Any]:
        """The problem with the request, from status 400 on."""
        try:
            document = json.loads(self.body)
        except ValueError:
            document = None
        return _told(self.status, document if isinstance(document, dict) else {})


def _told(status: int, document: dict[str, Any]) -> dict[str, Any]:
    """Return an answer; a bare body of the API's gateway gets a detail, since it gives no advice."""
    if status not in BARE or document.keys() != {"message"}:
        return document
    return {"status": status, "title": document["message"], "detail": BARE[status]}


class Api:
    """A client of one API, for several threads."""

    def __init__(self, address: str, *, connections: int, key: str | None = None) -> None:
        """`address` is the API's address, without `/v1`. `key` is sent only to the API, to no link that it returns."""
        self._address = address.rstrip("/")
        self._authorization = {"Authorization": f"Bearer {key}"} if key else {}
        self._pool = urllib3.PoolManager(maxsize=connections, retries=False, timeout=ANSWERS_WITHIN_S)

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, has: str) -> ApiAnswer:
        """Send one request. A document other than a problem must have the member `has`. Raises ApiUnreachable.

        An answer without content (204) is an empty document.
        """
        # ASCII: the API refuses invalid text, such as half a surrogate pair from a bad byte.
        sent = None if body is None else json.dumps(dict(body)).encode()
        return self._call(method, path, sent, "application/json", has=has)

    def send_file(self, path: str, file: bytes, *, has: str) -> ApiAnswer:
        """Send a file unchanged. Otherwise as `call`."""
        return self._call("POST", path, file, "application/octet-stream", has=has)

    def upload(self, url: str, file: bytes, headers: Mapping[str, str]) -> None:
        """PUT a file to the URL that the API returned for it. Raises ApiUnreachable if it is not accepted."""
        try:
            response = self._pool.request("PUT", url, redirect=False, body=file, headers=headers)
        except urllib3.exceptions.HTTPError as error:
            raise ApiUnreachable(f"the file cannot be uploaded ({error})") from None
        if response.status >= 300:
            raise ApiUnreachable(f"the file was not taken (status {response.status})")

    def _call(self, method: str, path: str, sent: bytes | None, media_type: str, *, has: str) -> ApiAnswer:
        url = self._address + path
        said = self._authorization | ({} if sent is None else {"Content-Type": media_type})
        try:
            response = self._pool.request(method, url, redirect=False, body=sent, headers=said)
        except urllib3.exceptions.HTTPError as error:
            raise ApiUnreachable(f"{url} cannot be reached ({error}). Is `make run` running there?") from None
        headers = {name.lower(): value for name, value in response.headers.items()}
        if response.status == 204:
            return ApiAnswer(status=response.status, headers=headers, document={})
        try:
            document = json.loads(response.data)
        except ValueError:
            document = None
        if not isinstance(document, dict) or (response.status < 400 and has not in document):
            raise ApiUnreachable(f"{url} does not answer as feedward does (status {response.status}).")
        return ApiAnswer(status=response.status, headers=headers, document=_told(response.status, document))

    def fetch(self, path: str) -> ApiFile:
        """GET an answer that may be a file. Raises ApiUnreachable."""
        return self._get(self._address + path, self._authorization)

    def download(self, url: str) -> bytes:
        """GET the file at a link that the API returned. Raises ApiUnreachable if it does not exist."""
        found = self._get(url, {})
        if found.status != 200:
            raise ApiUnreachable(f"the file cannot be fetched (status {found.status})")
        return found.body

    def _get(self, url: str, headers: Mapping[str, str]) -> ApiFile:
        try:
            response = self._pool.request("GET", url, redirect=False, headers=headers)
        except urllib3.exceptions.HTTPError as error:
            raise ApiUnreachable(f"{url} cannot be reached ({error}). Is `make run` running there?") from None
        found = {name.lower(): value for name, value in response.headers.items()}
        return ApiFile(status=response.status, headers=found, body=response.data)

    def close(self) -> None:
        """Close the connections."""
        self._pool.clear()
