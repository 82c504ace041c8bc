"""Error answers of the front as problem+json: its own, and those that it makes of MiniStack's."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

# API Gateway's own answers about keys, which have this form in every deployed API.
BARE: dict[int, dict[str, str]] = {
    HTTPStatus.UNAUTHORIZED: {"message": "Unauthorized"},
    HTTPStatus.FORBIDDEN: {"message": "Forbidden"},
}
PROBLEM = "application/problem+json"

Headers = list[tuple[str, str]]


class Problem(Exception):
    """An answer of the front itself."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail

    def body(self) -> bytes:
        """RFC 9457."""
        kind, title = f"urn:feedward:problem:{self.code}", HTTPStatus(self.status).phrase
        problem = {"type": kind, "title": title, "status": self.status, "code": self.code, "detail": self.detail}
        return json.dumps(problem).encode()

    def last_answer(self) -> bytes:
        """The whole answer to a connection that is closed unread."""
        head = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\ncontent-type: {PROBLEM}\r\n"
        return f"{head}connection: close\r\n\r\n".encode() + self.body()


def as_problem(status: int, headers: Headers, body: bytes, *, asked: str) -> tuple[int, Headers, bytes]:
    """Return an error answer as problem+json: unchanged if it is one, else built from MiniStack's answer.

    The gateway's answers about keys stay as they are. `asked` is the method and path. MiniStack answers 502 with an
    errorType if a function raises or times out; its 404 has a message.
    """
    kind = next((value for name, value in headers if name.lower() == "content-type"), "")
    if kind.partition(";")[0].strip().lower() == PROBLEM:
        return status, headers, body
    if _object(body) == BARE.get(status, ()):
        return status, headers, body
    problem = _problem(status, _object(body), asked)
    kept = [(name, value) for name, value in headers if name.lower() != "content-type"]
    return problem.status, [*kept, ("content-type", PROBLEM)], problem.body()


def _problem(status: int, said: dict[str, Any], asked: str) -> Problem:
    detail = str(said.get("errorMessage") or said.get("message") or HTTPStatus(status).phrase)
    if said.get("errorType") == "Sandbox.Timedout":
        return Problem(504, "timeout", detail)
    if said.get("errorType"):
        return Problem(status, "function_error", detail)
    if status == HTTPStatus.NOT_FOUND:
        return Problem(status, "route_not_found", f"There is no route {asked}; GET /v1/openapi.json lists all routes.")
    code = "internal_error" if status >= 500 else HTTPStatus(status).name.lower()
    return Problem(status, code, detail)


def _object(body: bytes) -> dict[str, Any]:
    try:
        said = json.loads(body)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
