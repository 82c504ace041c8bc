"""The tree of errors. The behaviour of a web server is an outcome (model.Outcome), never an error of this tree."""

from __future__ import annotations


class FeedwardError(Exception):
    """Base of all errors that feedward raises on purpose. `code` is its name in API responses."""

    code = "internal_error"


class InvalidInput(FeedwardError):
    """The caller's input is invalid. `field` is the JSON path of the invalid part (`urls[3]`)."""

    code = "invalid_input"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class NotFound(FeedwardError):
    """The requested object does not exist."""

    code = "not_found"


class ScopeMissing(FeedwardError):
    """The caller's key does not allow the action. `scope` is the required scope."""

    code = "scope_missing"

    def __init__(self, scope: str) -> None:
        super().__init__(f"this requires a key with the scope {scope}")
        self.scope = scope


class Conflict(FeedwardError):
    """The write lost a race, after all the retries that the operation allows."""

    code = "conflict"


class WrongState(FeedwardError):
    """The state of the object does not allow the action. A repeated call will not succeed either."""

    code = "wrong_state"


class NotDeployed(FeedwardError):
    """This deployment lacks the function: it neither checks nor collects (Refresh=false)."""

    code = "not_deployed"


class QuotaExceeded(FeedwardError):
    """The tenant has used up a quota. `opens_at` is the epoch second at which the call fits; None if it never will.

    `retry_after_s` is the same in seconds from now.
    """

    code = "quota_exceeded"

    def __init__(
        self, quota: str, *, limit: int, used: int, window: str, opens_at: int | None, retry_after_s: int | None
    ) -> None:
        super().__init__(f"the quota {quota} is {limit}, and {used} are used")
        self.quota, self.limit, self.used = quota, limit, used
        self.window, self.opens_at, self.retry_after_s = window, opens_at, retry_after_s


class TooManyAtOnce(FeedwardError):
    """The tenant has reached its limit of calls in flight, `limit`."""

    code = "too_many_at_once"

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} calls of this kind are in flight already, a quarter of what the deployment takes")
        self.limit = limit


class Throttled(FeedwardError):
    """The service throttled the call and its retries. The same call may succeed later."""

    code = "throttled"


class StoreUnavailable(FeedwardError):
    """The store failed or could not be reached. A write may or may not have been applied."""

    code = "store_unavailable"


class QueueUnavailable(FeedwardError):
    """A queue failed or could not be reached. The message may or may not have been sent."""

    code = "queue_unavailable"


class BusUnavailable(FeedwardError):
    """The event bus failed or could not be reached. The events may or may not have been published."""

    code = "bus_unavailable"


class MemoryBusy(FeedwardError):
    """Other documents use the memory that this one needs. The same work may succeed later."""

    code = "memory_busy"


class DeadlinePassed(FeedwardError):
    """The deadline passed before this part of the work started."""

    code = "deadline"


class WorkerLost(FeedwardError):
    """This message killed its workers repeatedly, so it is not processed any more."""

    code = "worker_lost"


class InvalidSetting(FeedwardError):
    """A setting of the deployment is missing or invalid. `variable` is its environment variable."""

    code = "invalid_setting"

    def __init__(self, variable: str, message: str) -> None:
        super().__init__(f"{variable} {message}")
        self.variable = variable


class SearchUnavailable(FeedwardError):
    """There is no search index, or it cannot be read. The same search may succeed later."""

    code = "search_unavailable"


def is_our_failure(error: Exception) -> bool:
    """Return whether feedward itself failed, so that the charge is refunded (rule QT3).

    A site that fails is a result, and a bad request was never charged.
    """
    ours = (Throttled, Conflict, StoreUnavailable, QueueUnavailable, BusUnavailable, MemoryBusy)
    return isinstance(error, ours) or not isinstance(error, FeedwardError)
