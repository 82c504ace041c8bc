"""The one tree of errors. What a web server does is an outcome (model.Outcome), never an error of this tree."""

from __future__ import annotations


class FeedwardError(Exception):
    """Root of everything that feedward raises on purpose. `code` is its name on the wire."""

    code = "internal_error"


class InvalidInput(FeedwardError):
    """The caller's input cannot be used. `field` names the part that is wrong, as a JSON path (`urls[3]`)."""

    code = "invalid_input"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class NotFound(FeedwardError):
    """What was asked for is not there."""

    code = "not_found"


class Conflict(FeedwardError):
    """The write lost a race, after all the retries that the operation allows."""

    code = "conflict"


class WrongState(FeedwardError):
    """What was asked for cannot be done to the thing as it is now; the same call will not succeed later either."""

    code = "wrong_state"


class Throttled(FeedwardError):
    """The store asked to slow down and retries did not help; the same call may succeed later."""

    code = "throttled"


class StoreUnavailable(FeedwardError):
    """The store failed or could not be reached; nothing can be said about the write."""

    code = "store_unavailable"


class QueueUnavailable(FeedwardError):
    """A queue failed or could not be reached; nothing can be said about the message."""

    code = "queue_unavailable"


class BusUnavailable(FeedwardError):
    """The event bus failed or could not be reached; nothing can be said about the events."""

    code = "bus_unavailable"


class MemoryBusy(FeedwardError):
    """Other documents take the memory that this one needs; the same work may be done later."""

    code = "memory_busy"


class DeadlinePassed(FeedwardError):
    """The time for the answer was used up before this part was started."""

    code = "deadline"


class WorkerLost(FeedwardError):
    """Workers died of this message again and again, so that it is not worked on any more."""

    code = "worker_lost"


class InvalidSetting(FeedwardError):
    """A setting of the deployment is missing or cannot be used. `variable` is its name in the environment."""

    code = "invalid_setting"

    def __init__(self, variable: str, message: str) -> None:
        super().__init__(f"{variable} {message}")
        self.variable = variable
