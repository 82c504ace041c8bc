"""Log lines and metrics: one JSON object a line, without secrets (rule X11).

Logger and metrics are made on first use, since both read the environment (POWERTOOLS_*, LOG_LEVEL).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from aws_lambda_powertools import Logger, Metrics, single_metric
from aws_lambda_powertools.metrics import MetricUnit

from feedward.canonical.result import CanonicalResult
from feedward.errors import FeedwardError
from feedward.urls.secrets import redact_url

if TYPE_CHECKING:  # canonicalizations do not load these
    from feedward.discovery.site import Job, StoredSite
    from feedward.health.revival import Revival


@functools.cache
def logger() -> Logger:
    """Return the logger of this process."""
    return Logger()


@functools.cache
def metrics() -> Metrics:
    """Return the collector of metrics of this process."""
    return Metrics()


class Answered(Protocol):
    """The result of one discovery, as it is logged (services.site_run.DiscoveryAnswer)."""

    @property
    def site(self) -> StoredSite | None: ...
    @property
    def job(self) -> Job | None: ...
    @property
    def reused(self) -> bool: ...
    @property
    def undelivered(self) -> Sequence[str]: ...


def logged(handle: Callable[[Any, Any], dict[str, Any]]) -> Callable[[Any, Any], dict[str, Any]]:
    """Return `handle` as a Lambda handler that logs the request's id. The logger is made at the first call."""

    @functools.cache
    def with_context() -> Callable[[Any, Any], dict[str, Any]]:
        decorated: Callable[[Any, Any], dict[str, Any]] = logger().inject_lambda_context(
            handle, correlation_id_path="requestContext.requestId", clear_state=True
        )
        return decorated

    def handler(event: Any, context: Any) -> dict[str, Any]:
        return with_context()(event, context)

    return handler


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


def record_discovery(answer: Answered | None) -> None:
    """Log one line for a site, and emit the metrics of the discovery that found it.

    Discovered: by outcome, `continued` if a job continues. RequestsPerDiscovery, DiscoveryRounds: its cost, unless
    the result was reused.
    """
    if answer is None or answer.site is None:
        return
    for code in answer.undelivered:
        logger().warning("left undelivered", code=code, site_id=answer.site.site.site_id)
    site, job = answer.site.site, answer.job
    _log_discovery(answer.site, job.job_id if job else None, reused=answer.reused)
    goes_on = job is not None and job.goes_on
    count_by("outcome", "Discovered", ["continued" if goes_on else site.outcome.value])
    if not answer.reused:
        observe("RequestsPerDiscovery", [site.requests])
        observe("DiscoveryRounds", [site.rounds])


def _log_discovery(found: StoredSite, job_id: str | None, *, reused: bool) -> None:
    site = found.site
    logger().info(
        "discovered",
        input=redact_url(site.input_url),
        url=redact_url(site.canonical_feed_url) if site.canonical_feed_url else None,
        outcome=site.outcome.value,
        complete=site.complete,
        candidates=len(found.candidates),
        requests=site.requests,
        rounds=site.rounds,
        reused=reused,
        site_id=site.site_id,
        feed_id=site.feed_id,
        job_id=job_id,
    )


def record_foreign(kind: str, its_id: str) -> None:
    """Log a message whose tenant does not own its subject, and emit ForeignMessages, by kind."""
    logger().warning("not of this tenant", kind=kind, id=its_id)
    count_by("kind", "ForeignMessages", [kind])


def record_revival(revival: Revival) -> None:
    """Log one line for a revival, and emit the metric FeedsRevived, by outcome."""
    for code in revival.undelivered:
        logger().warning("left undelivered", code=code, feed_id=revival.feed_id)
    logger().info(
        "revived",
        feed_id=revival.feed_id,
        outcome=revival.outcome.value,
        before=redact_url(revival.before) if revival.before else None,
        url=redact_url(revival.url) if revival.url else None,
        requests=revival.requests,
    )
    count_by("outcome", "FeedsRevived", [revival.outcome.value])


def count_by(dimension: str, name: str, values: Iterable[str], **known: str) -> None:
    """Emit metric `name` once for each distinct value, with its number of occurrences.

    `known` is added to the metric's log line for queries. It is not a dimension, so it may have any value.
    """
    for value, times in Counter(values).items():
        with single_metric(
            name=name,
            unit=MetricUnit.Count,
            value=times,
            namespace=metrics().namespace,
            default_dimensions={"service": str(metrics().service)},
        ) as metric:
            metric.add_dimension(name=dimension, value=value)
            for key, said in known.items():
                metric.add_metadata(key, said)


def observe(name: str, values: Iterable[float]) -> None:
    """Emit metric `name` with each of `values`, for percentiles."""
    for value in values:
        metrics().add_metric(name=name, unit=MetricUnit.Count, value=value)
    if metrics().metric_set:
        metrics().flush_metrics()
