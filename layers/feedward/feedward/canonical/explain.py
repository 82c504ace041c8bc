"""A readable explanation of a canonicalization: each request, its result, and why it was chosen or not."""

from __future__ import annotations

from collections.abc import Callable

from feedward.canonical.result import CanonicalResult, Event, Reason, Step, What
from feedward.canonical.same_feed import Sameness
from feedward.health.outcomes import OUTCOMES
from feedward.model import Outcome

_STEPS = {
    Step.REPAIR: "Input",
    Step.CHECK_BEFORE_FETCH: "Directory, before fetching",
    Step.FIRST_FETCH: "First fetch",
    Step.CHECK_AFTER_FETCH: "Directory",
    Step.SELF: "Self link",
    Step.REWRITE: "Rewritten landing URL",
    Step.PROBE: "Probe",
    Step.BEST: "Best so far",
    Step.VARIANTS: "Cleaner form",
    Step.UPGRADE_HTTPS: "https",
    Step.ANSWER: "Answer",
}

_COMPARED = {
    Sameness.BYTES: "it serves the same document",
    Sameness.SIGNATURE: "it serves the same feed, in other bytes",
    Sameness.DIFFERENT: "it serves something else",
    Sameness.NOT_A_FEED: "it serves something that is not a feed",
}

_REASONS = {
    Reason.RESPONSE_URL: "the URL that answered is the cleanest one proven",
    Reason.REDIRECT_VERIFIED: "a tested URL redirects there and finds the same feed",
    Reason.CONTENT_VERIFIED: "it was tested and serves the same document",
    Reason.SIGNATURE_VERIFIED: "it was tested and serves the same feed, in other bytes",
    Reason.UPGRADE_HTTPS: "the feed is there under https too",
    Reason.EXISTS_IN_DB: "the directory knows this feed",
    Reason.FALLBACK: "the URL that answered; a better one failed its test or was left untested",
    Reason.UNSAFE_URL: "it may not be fetched",
    Reason.BAD_URL: "it is not a usable URL",
    Reason.ERROR: "no feed could be fetched",
}


def explain(result: CanonicalResult) -> list[str]:
    """Return one line for each event, in order; the last line is the result."""
    lines = [f"{_STEPS[event.step]}: {_SENTENCES[event.what](event)}" for event in result.trace[:-1]]
    return [*lines, f"{_STEPS[Step.ANSWER]}: {_answer(result)}"]


def _repaired(event: Event) -> str:
    return f"read {event.why!r} as {event.url}"


def _refused(event: Event) -> str:
    return f"{event.url} is not fetched. {event.why}"


def _asked_exists(event: Event) -> str:
    return f"asked for {event.why}"


def _fetched(event: Event) -> str:
    status = f" with {event.status}" if event.status else ""
    landed = f" after redirects to {event.landed}" if event.landed else ""
    if event.outcome is not Outcome.OK:
        return f"fetched {event.url}: {event.outcome}{status}{landed}{_because(event)}"
    compared = f": {_COMPARED[Sameness(event.why)]}" if event.why else ""
    return f"fetched {event.url}: it answered{status}{landed}{compared}"


def _known_good(event: Event) -> str:
    return f"{event.url} is already proven, no request needed"


def _known_bad(event: Event) -> str:
    return f"{event.url} already failed, it is not asked again"


def _out_of_budget(event: Event) -> str:
    return f"{event.url} is left untested: no requests left"


def _out_of_time(event: Event) -> str:
    return f"{event.url} is left untested: no time left"


def _skipped(event: Event) -> str:
    return f"nothing to fetch{_because(event)}"


def _chosen(event: Event) -> str:
    return f"takes {event.url}"


def _not_chosen(event: Event) -> str:
    return f"does not take {event.url}{_because(event)}"


def _stopped(event: Event) -> str:
    return f"goes no further: {event.url} is {event.why}"


def _answered(event: Event) -> str:
    return f"{event.url or 'no URL'} ({event.why})"


def _because(event: Event) -> str:
    return f": {event.why}" if event.why else ""


_SENTENCES: dict[What, Callable[[Event], str]] = {
    What.REPAIRED: _repaired,
    What.REFUSED: _refused,
    What.ASKED_EXISTS: _asked_exists,
    What.FETCHED: _fetched,
    What.KNOWN_GOOD: _known_good,
    What.KNOWN_BAD: _known_bad,
    What.OUT_OF_BUDGET: _out_of_budget,
    What.OUT_OF_TIME: _out_of_time,
    What.SKIPPED: _skipped,
    What.CHOSEN: _chosen,
    What.NOT_CHOSEN: _not_chosen,
    What.STOPPED: _stopped,
    What.ANSWERED: _answered,
}


def _answer(result: CanonicalResult) -> str:
    why = f"{result.reason}: {_REASONS[result.reason]}"
    if result.url is not None:
        return f"{result.url} ({why})"
    outcome = f", {result.outcome}" if result.outcome else ""
    status = f", status {result.status}" if result.status else ""
    retry = f", try again in {result.retry_after_s} s" if result.retry_after_s is not None else ""
    detail = result.detail or (OUTCOMES[result.outcome].says if result.outcome else "")
    return f"no URL ({why}{outcome}{status}{retry}): {detail}".removesuffix(": ")
