"""Failure, the exception that carries an outcome, and the outcome of each library's errors."""

from __future__ import annotations

import http.client
import ssl

import urllib3.exceptions

from feedward.model import Outcome


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
