"""Log lines and metrics of canonicalizations (rule X11)."""

from __future__ import annotations

from collections.abc import Sequence

from feedward.canonical.result import CanonicalResult
from feedward.errors import FeedwardError
from feedward.observability.log import count_by, logger, observe
from feedward.urls.secrets import redact_url


def record_canonicalizations(urls: Sequence[str], outcomes: Sequence[CanonicalResult | Exception]) -> None:
    """Log one line for each of `urls`, whose outcomes are in the same order, and emit the metrics of all.

    Canonicalized: results, by reason. NotCanonicalized: errors, by problem code. RequestsPerCanonicalize: the requests
    of each result.
    """
    results: list[CanonicalResult] = []
    codes: list[str] = []
    for url, outcome in zip(urls, outcomes, strict=True):
        if isinstance(outcome, CanonicalResult):
            _log_result(outcome)
            results.append(outcome)
        else:
            codes.append(outcome.code if isinstance(outcome, FeedwardError) else FeedwardError.code)
            logger().warning("not canonicalized", input=redact_url(url), code=codes[-1])
    count_by("reason", "Canonicalized", [result.reason.value for result in results])
    count_by("code", "NotCanonicalized", codes)
    observe("RequestsPerCanonicalize", [len(result.requests) for result in results])


def _log_result(result: CanonicalResult) -> None:
    logger().info(
        "canonicalized",
        input=redact_url(result.input),
        url=redact_url(result.url) if result.url else None,
        reason=result.reason.value,
        outcome=result.outcome.value if result.outcome else None,
        requests=len(result.requests),
        feed_id=result.feed_id,
        feed_created=result.created,
    )
