"""A canonicalization as JSON (design section 7, spec C9, C10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from feedward.canonical.explain import explain
from feedward.canonical.result import Candidate, CanonicalResult
from feedward.errors import InvalidInput
from feedward.health.outcomes import OUTCOMES
from feedward.http.canonicalize_request import CanonicalizeRequest
from feedward.http.problems import problem_of


def encode_answer(request: CanonicalizeRequest, outcomes: Sequence[CanonicalResult | Exception]) -> dict[str, Any]:
    """The answer to `request`: a result, or the list of results and problems of a batch.

    `outcomes` belong to `request.urls`, in order. Raises the outcome of a single URL that is an error.
    """
    if request.is_batch:
        by_url = iter(outcomes)
        return {
            "results": [
                _encode_entry(entry, request, next(by_url) if isinstance(entry, str) else entry)
                for entry in request.entries
            ]
        }
    (outcome,) = outcomes
    if isinstance(outcome, Exception):
        raise outcome
    return encode_result(outcome, request)


def encode_result(result: CanonicalResult, request: CanonicalizeRequest) -> dict[str, Any]:
    """`result` with what `request` asked to see. Without a URL it has the outcome, status and wait that say why."""
    body: dict[str, Any] = {
        "input": result.input,
        "url": result.url,
        "reason": result.reason.value,
        "source": result.source.value,
        "preset": result.preset,
        "temporary_redirect": result.temporary_redirect,
        "requests": list(result.requests),
        "request_count": result.request_count,
        "aliases": list(result.aliases),
    }
    if result.url is None:
        body |= _failure(result)
    if result.feed_id is not None:
        body["feed_id"] = result.feed_id
    if request.register:
        body["created"] = bool(result.created)
    if request.candidates:
        body["candidates"] = [_candidate(candidate) for candidate in result.candidates]
    if request.explain:
        body["explanation"] = list(explain(result))
    if request.options.debug:
        body["debug"] = dict(result.debug or {})
    return body


def _encode_entry(
    entry: str | InvalidInput, request: CanonicalizeRequest, outcome: CanonicalResult | Exception
) -> dict[str, Any]:
    """One entry of a batch: what was sent, if it can be worked on, and its result or its problem."""
    sent = {"input": entry if isinstance(entry, str) else None}
    if isinstance(outcome, Exception):
        return sent | {"problem": problem_of(outcome).body}
    return sent | {"result": encode_result(outcome, request)}


def _failure(result: CanonicalResult) -> dict[str, Any]:
    consequence = OUTCOMES[result.outcome] if result.outcome else None
    return {
        "outcome": result.outcome.value if result.outcome else None,
        "status": result.status,
        "transient": bool(consequence and consequence.transient),
        "retry_after_s": result.retry_after_s,
        "detail": result.detail or (consequence.says if consequence else ""),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "url": candidate.url,
        "score": round(candidate.score, 2),
        "source": candidate.source.value,
        "preset": candidate.preset,
        "state": candidate.state.value,
    }
