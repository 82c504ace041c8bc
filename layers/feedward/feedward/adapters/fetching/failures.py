"""How a fetch fails: one exception with its outcome, and which outcome each library's error means."""

from __future__ import annotations

import http.client
import ssl

import urllib3.exceptions

from feedward.model import Outcome


class Failure(Exception):
    """The fetch ends here. `detail` is for people and never names an address (rule A9)."""

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
    """Translate what sockets, TLS, http.client and urllib3 raise while a request is sent and its answer is read."""
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
    """What urllib3 wrapped: ProtocolError(text, cause). Its own IncompleteRead says all itself."""
    if isinstance(error, urllib3.exceptions.ProtocolError) and not isinstance(error, http.client.IncompleteRead):
        inner = error.args[1] if len(error.args) > 1 else None
        return _cause(inner) if isinstance(inner, BaseException) else error
    return error
