"""Log lines and metrics: one JSON object a line, without secrets (rule X11).

Logger and metrics are made on first use, since both read the environment (POWERTOOLS_*, LOG_LEVEL).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from aws_lambda_powertools import Logger, Metrics, single_metric
from aws_lambda_powertools.metrics import MetricUnit


@functools.cache
def logger() -> Logger:
    """Return the logger of this process."""
    return Logger()


@functools.cache
def metrics() -> Metrics:
    """Return the collector of metrics of this process."""
    return Metrics()


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


def emit(values: Mapping[str, int]) -> None:
    """Emit metrics that belong together, in one line."""
    for name, value in values.items():
        metrics().add_metric(name=name, unit=MetricUnit.Count, value=value)
    if metrics().metric_set:
        metrics().flush_metrics()


def observe(name: str, values: Iterable[float]) -> None:
    """Emit metric `name` with each of `values`, for percentiles."""
    for value in values:
        metrics().add_metric(name=name, unit=MetricUnit.Count, value=value)
    if metrics().metric_set:
        metrics().flush_metrics()
