"""The outcome of a response, from its status, headers and time alone (rules H1, N8 to N10, N16). Pure.

Header maps have lower-case names. `ok` from a head means that the body decides.
"""

from __future__ import annotations

import http.client
import math
import re
import ssl
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

import urllib3.exceptions

from feedward.model import Outcome, Validators

MAX_RETRY_AFTER_S = 7 * 24 * 3600
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
# Forms seen in the wild, in addition to plain seconds: 292.05, "120", 120;, 60 seconds, and a value of two servers.
_WAIT = re.compile(
    r"[\"']?(?P<count>[0-9]+(?:\.[0-9]*)?)(?P<unit>\s*[a-z]+)?[\"']?\s*(?:[;,]\s*|(?:,\s*\"?[0-9][0-9.]*\"?\s*)+)?",
    re.ASCII | re.IGNORECASE,
)
# Too many seconds for a wait: a time in seconds or milliseconds since 1970, as in X-RateLimit-Reset.
_EPOCH = re.compile(r"[\"']?(?P<seconds>[1-9][0-9]{9}(?:\.[0-9]{0,9})?)(?P<milliseconds>[0-9]{3})?[\"']?", re.ASCII)
_UNIT_S = {
    **dict.fromkeys(("", "s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86400),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 0.001),
}


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


def retry_after_s(status: int, headers: Mapping[str, str], now: float) -> int | None:
    """Return the whole seconds to wait, at most 7 days (rule N8).

    None unless a 429 or 503 names seconds, perhaps 0, or a future time.
    """
    if status not in (429, 503):
        return None
    value = headers.get("retry-after", "").strip()
    time = _EPOCH.fullmatch(value)
    asked_s = math.ceil(float(time["seconds"]) - now) if time else _asked_seconds(value)
    wait_s = asked_s if asked_s is not None else _seconds_until(value, now) or -1
    return min(wait_s, MAX_RETRY_AFTER_S) if wait_s >= 0 else None


def validators_of(headers: Mapping[str, str], now: float) -> Validators:
    """Return the validators of a complete 200, verbatim (rule H7), without those that are unsafe to send (rule N16).

    A Last-Modified in the future is left out too: a server that sends one would answer 304 forever.
    """
    last_modified = _sendable(headers.get("last-modified"))
    if last_modified and _seconds_until(last_modified, now) > CLOCK_SKEW_S:
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


def _asked_seconds(value: str) -> int | None:
    """Return the seconds that `value` names, rounded up; None if it names none."""
    found = _WAIT.fullmatch(value)
    unit_s = _UNIT_S.get((found["unit"] or "").strip().lower()) if found else None
    if found is None or unit_s is None:
        return None
    return math.ceil(min(float(found["count"][:20]), MAX_RETRY_AFTER_S) * unit_s)


def _seconds_until(http_date: str, now: float) -> int:
    """Return the seconds from `now` to a date in any of the three HTTP formats; 0 for an invalid date."""
    try:
        moment = parsedate_to_datetime(http_date)
        return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now)
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0
