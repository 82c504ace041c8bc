"""Errors as RFC 9457 problem details: the only place that maps errors to HTTP statuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from feedward.errors import (
    BusUnavailable,
    Conflict,
    DeadlinePassed,
    FeedwardError,
    InvalidInput,
    MemoryBusy,
    NotDeployed,
    NotFound,
    QueueUnavailable,
    QuotaExceeded,
    ScopeMissing,
    SearchUnavailable,
    StoreUnavailable,
    Throttled,
    TooManyAtOnce,
    WrongState,
)

CONTENT_TYPE: Final = "application/problem+json"
RETRY_AFTER_S: Final = 5


class HttpError(FeedwardError):
    """An error that is found before the fields of a request are read."""

    status = 400


class MalformedJson(HttpError):
    """The body is not a JSON document."""

    code = "malformed_json"


class UnsupportedMediaType(HttpError):
    """The Content-Type of the body is not JSON."""

    code = "unsupported_media_type"
    status = 415


class BodyTooLarge(HttpError):
    """The body is larger than the limit of the route."""

    code = "body_too_large"
    status = 413


class Unauthorized(HttpError):
    """The request has no valid key. Only a caller that holds the secret gets a `code` with the reason (rule AK3)."""

    code = "unauthorized"
    status = 401
    challenge = "Bearer"  # the value of WWW-Authenticate (rule AK6)


class KeyExpired(Unauthorized):
    """The end of the key has passed."""

    code = "key_expired"
    challenge = 'Bearer error="invalid_token", error_description="the key has expired"'


class KeyRevoked(Unauthorized):
    """The key was revoked."""

    code = "key_revoked"
    challenge = 'Bearer error="invalid_token", error_description="the key was revoked"'


class RouteNotFound(HttpError):
    """No route has this path."""

    code = "route_not_found"
    status = 404


class Gone(HttpError):
    """The callback does not exist or was deleted: its sender may stop (rule W15)."""

    code = "gone"
    status = 410


class MethodNotAllowed(HttpError):
    """The path has routes, but none with this method. `allow` lists its methods."""

    code = "method_not_allowed"
    status = 405

    def __init__(self, message: str, allow: tuple[str, ...]) -> None:
        super().__init__(message)
        self.allow = allow


class IdempotencyKeyReused(HttpError):
    """The key was sent before with another body. `field` names the header."""

    code = "idempotency_key_reused"
    status = 422
    field = "Idempotency-Key"


class IdempotencyKeyInUse(HttpError):
    """The first request with this key is still in progress."""

    code = "idempotency_key_in_use"
    status = 409


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A problem document with its headers. `body` has no secrets and no stack trace."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str]


TITLES: Final = {
    "invalid_input": "The request has a field that cannot be used",
    "malformed_json": "The body is not a JSON document",
    "unsupported_media_type": "The body has to be application/json",
    "body_too_large": "The body is too large",
    "unauthorized": "The request needs a key",
    "key_expired": "The key has expired",
    "key_revoked": "The key was revoked",
    "scope_missing": "The key does not allow this",
    "route_not_found": "There is no such route",
    "gone": "This address is no longer in use",
    "method_not_allowed": "The route does not have this method",
    "not_found": "The object does not exist",
    "conflict": "Concurrent changes of the same object won",
    "wrong_state": "The state of the object does not allow this",
    "not_deployed": "This deployment neither checks feeds nor collects pages",
    "idempotency_key_reused": "The Idempotency-Key belongs to another request",
    "idempotency_key_in_use": "The first request with this Idempotency-Key is still in progress",
    "quota_exceeded": "The tenant's quota is used up",
    "too_many_at_once": "The tenant has too many calls in flight",
    "throttled": "The store is busy",
    "store_unavailable": "The store cannot be reached",
    "queue_unavailable": "The queue cannot be reached",
    "bus_unavailable": "The event bus cannot be reached",
    "search_unavailable": "The directory cannot be searched now",
    "deadline": "There was no time left to start this",
    "memory_busy": "Other large documents were being read",
    "internal_error": "feedward failed",
}
STATUSES: Final[dict[type[FeedwardError], int]] = {
    InvalidInput: 400,
    ScopeMissing: 403,
    NotFound: 404,
    Conflict: 409,
    WrongState: 409,
    NotDeployed: 409,
    QuotaExceeded: 429,
    TooManyAtOnce: 429,
    Throttled: 503,
    StoreUnavailable: 503,
    QueueUnavailable: 503,
    BusUnavailable: 503,
    SearchUnavailable: 503,
    DeadlinePassed: 503,
    MemoryBusy: 503,
}


def is_expected(error: Exception) -> TypeGuard[FeedwardError]:
    """Return False for a fault of feedward itself, which must be logged with its stack trace."""
    return isinstance(error, HttpError) or type(error) in STATUSES


def problem_of(error: Exception, *, instance: str | None = None) -> Problem:
    """Return `error` as a problem document. An unexpected error reveals only that feedward failed.

    `instance` is the id of this occurrence, by which a person can find it in the logs.
    """
    if is_expected(error):
        code, status, detail = error.code, _status(error), _detail(error)
    else:
        code, status, detail = FeedwardError.code, 500, "The fault is ours and is in the logs. Trying again may help."
    body: dict[str, Any] = {
        "type": f"urn:feedward:problem:{code}",
        "title": TITLES[code],
        "status": status,
        "code": code,
        "detail": detail,
    }
    if isinstance(error, (InvalidInput, IdempotencyKeyReused)):
        body["field"] = error.field
    if isinstance(error, ScopeMissing):
        body["scope"] = error.scope
    if isinstance(error, QuotaExceeded):
        members = ("quota", "limit", "used", "window", "opens_at")
        body |= {name: getattr(error, name) for name in members}
    if isinstance(error, TooManyAtOnce):
        body["limit"] = error.limit
    if instance is not None:
        body["instance"] = instance
    return Problem(status=status, body=body, headers=_headers(error, status))


def _status(error: FeedwardError) -> int:
    return error.status if isinstance(error, HttpError) else STATUSES[type(error)]


def _detail(error: FeedwardError) -> str:
    if isinstance(error, InvalidInput):
        return f"{error.field}: {error.message}" if error.field else error.message
    if isinstance(error, (Throttled, StoreUnavailable, Conflict)):
        return "The work done so far is kept; the same request may be sent again."
    return str(error) or TITLES[error.code]


def _headers(error: Exception, status: int) -> dict[str, str]:
    if isinstance(error, MethodNotAllowed):
        return {"Allow": ", ".join(error.allow)}
    if isinstance(error, Unauthorized):
        return {"WWW-Authenticate": error.challenge}
    if isinstance(error, ScopeMissing):
        return {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{error.scope}"'}
    if isinstance(error, QuotaExceeded):
        return {"Retry-After": str(error.retry_after_s)} if error.retry_after_s is not None else {}
    if isinstance(error, TooManyAtOnce):
        return {"Retry-After": "1"}
    is_to_come_again = status == 503 or isinstance(error, (Conflict, IdempotencyKeyInUse))
    return {"Retry-After": str(RETRY_AFTER_S)} if is_to_come_again else {}
