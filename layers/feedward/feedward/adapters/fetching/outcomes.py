"""The outcome of a response, from its status, headers and time alone (rules H1, N9, N10, N16). Pure.

Header maps have lower-case names. `ok` from a head means that the body decides.
"""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Mapping

import urllib3.exceptions

from feedward.adapters.fetching.retry_after import seconds_until
from feedward.model import Outcome, Validators

MAX_VALIDATOR_CHARS = 1024
CLOCK_SKEW_S = 24 * 3600  # a Last-Modified further in the future is ignored

_OUTCOME_OF_STATUS = {
    204: Outcome.EMPTY_BODY,
    205: Outcome.EMPTY_BODY,
    206: Outcome.UNEXPECTED_STATUS,  # no range was requested
    401: Outcome.UNAUTHORIZED,
    403: Outcome.FORBIDDEN,
    404: Outcome.NOT_FOUND,
    408: Outcome.TIMEOUT_STATUS,
    410: Outcome.GONE,
    429: Outcome.RATE_LIMITED,
    451: Outcome.LEGAL,
}
_OUTCOME_OF_CLASS = {
    1: Outcome.UNEXPECTED_STATUS,
    2: Outcome.OK,
    3: Outcome.UNEXPECTED_STATUS,
    4: Outcome.CLIENT_ERROR,
    5: Outcome.SERVER_ERROR,
}
# Headers that mark a response as one of a bot wall, not of the site.
_WALL_HEADERS = {
    "cf-mitigated": re.compile("challenge"),
    "x-amzn-waf-action": re.compile("challenge|captcha"),
    "x-vercel-mitigated": re.compile("challenge|deny"),
    # Served pages have these, too.
    "x-datadome": re.compile("(?:202|503|4..) .*protected"),
    "x-kpsdk-ct": re.compile("^4.. ."),
}
_PRINTABLE = re.compile(r"[\x20-\x7e]+")


class Failure(Exception):
    """Ends a fetch with an outcome. `detail` is for people and never names an address (rule A9)."""

    def __init__(self, outcome: Outcome, detail: str) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail


# First match decides: most of these classes are subclasses of a later one.
_OUTCOMES: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Outcome, str], ...] = (
    ((TimeoutError, urllib3.exceptions.TimeoutError), Outcome.TIMEOUT, "the time for this fetch was used up"),
    ((ssl.SSLError, urllib3.exceptions.SSLError), Outcome.TLS_ERROR, "TLS failed"),
    (http.client.IncompleteRead, Outcome.TRUNCATED, "the body ended before its declared end"),
    (ConnectionError, Outcome.CONNECTION_RESET, "the server ended the connection"),
    (http.client.HTTPException, Outcome.BAD_RESPONSE, "the answer is not valid HTTP"),
    (urllib3.exceptions.HTTPError, Outcome.BAD_RESPONSE, "the answer is not valid HTTP"),
    (OSError, Outcome.CONNECTION_RESET, "the connection broke"),
    (ValueError, Outcome.BAD_RESPONSE, "the answer is not valid HTTP"),
)


def failure_of(error: Exception) -> Failure:
    """Return the failure for an error of sockets, TLS, http.client or urllib3. Raises any other error again."""
    if isinstance(error, Failure):
        return error
    cause = _cause(error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Failure(Outcome.TLS_ERROR, f"the certificate was refused: {cause.verify_message}")
    for kinds, outcome, detail in _OUTCOMES:
        if isinstance(cause, kinds):
            return Failure(outcome, detail)
    raise error


def _cause(error: BaseException) -> BaseException:
    """Return the error that urllib3 wrapped: ProtocolError(text, cause). Its own IncompleteRead needs no unwrapping."""
    if isinstance(error, urllib3.exceptions.ProtocolError) and not isinstance(error, http.client.IncompleteRead):
        inner = error.args[1] if len(error.args) > 1 else None
        return _cause(inner) if isinstance(inner, BaseException) else error
    return error


def outcome_of_head(status: int, headers: Mapping[str, str], *, conditional: bool) -> Outcome:
    """Return the outcome of a head that is not a redirect; `conditional`: validators were sent (rules N9, N10)."""
    if status == 304:
        return Outcome.NOT_MODIFIED if conditional else Outcome.UNEXPECTED_304
    if _is_challenge(status, headers):
        return Outcome.CHALLENGE
    if status in _OUTCOME_OF_STATUS:
        return _OUTCOME_OF_STATUS[status]
    return _OUTCOME_OF_CLASS.get(status // 100, Outcome.BAD_RESPONSE)


def outcome_of_body(body: bytes) -> Outcome:
    """Return `empty_body` for a body of white space only: a failure that keeps the last good state (rule N9)."""
    return Outcome.OK if body.removeprefix(b"\xef\xbb\xbf").strip(b"\0 \t\r\n\f\v") else Outcome.EMPTY_BODY


def validators_of(headers: Mapping[str, str], now: float) -> Validators:
    """Return the validators of a complete 200, verbatim (rule H7), without those that are unsafe to send (rule N16).

    A Last-Modified in the future is left out too: a server that sends one would answer 304 forever.
    """
    last_modified = _sendable(headers.get("last-modified"))
    if last_modified and seconds_until(last_modified, now) > CLOCK_SKEW_S:
        last_modified = None
    return Validators(etag=_sendable(headers.get("etag")), last_modified=last_modified)


def sendable_validators(validators: Validators | None) -> dict[str, str]:
    """Return the conditional request headers, without validators that could raise or inject (rule N16)."""
    stored = validators or Validators()
    pairs = {"If-None-Match": _sendable(stored.etag), "If-Modified-Since": _sendable(stored.last_modified)}
    return {name: value for name, value in pairs.items() if value}


def _is_challenge(status: int, headers: Mapping[str, str]) -> bool:
    """Detect a bot wall by its headers."""
    if _WALL_HEADERS.keys().isdisjoint(headers):
        return False
    return any(mark.search(f"{status} {headers.get(name, '')}") for name, mark in _WALL_HEADERS.items())


def _sendable(value: str | None) -> str | None:
    usable = value and len(value) <= MAX_VALIDATOR_CHARS and value.strip() == value and _PRINTABLE.fullmatch(value)
    return value if usable else None
