"""A canonicalization as JSON (design section 7, spec C9, C10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward.canonical.result import Candidate, CanonicalResult
from feedward.http.canonicalize_request import CanonicalizeRequest


def encode_result(
    result: CanonicalResult, request: CanonicalizeRequest, *, explanation: tuple[str, ...] = ()
) -> dict[str, Any]:
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
        body["explanation"] = list(explanation)
    if request.options.debug:
        body["debug"] = dict(result.debug or {})
    return body


def encode_entry(
    sent: object, *, result: Mapping[str, Any] | None = None, problem: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """One entry of a batch: what was sent, if it was text, and its result or its problem."""
    entry: dict[str, Any] = {"input": sent if isinstance(sent, str) else None}
    return entry | ({"problem": dict(problem)} if problem is not None else {"result": dict(result or {})})


def _failure(result: CanonicalResult) -> dict[str, Any]:
    return {
        "outcome": result.outcome.value if result.outcome else None,
        "status": result.status,
        "retry_after_s": result.retry_after_s,
        "detail": result.detail,
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "url": candidate.url,
        "score": round(candidate.score, 2),
        "source": candidate.source.value,
        "preset": candidate.preset,
        "state": candidate.state.value,
    }
