"""Log lines and metrics: one JSON object a line, nothing secret in it (research: X11).

Made on first use, because both read the environment (POWERTOOLS_*, LOG_LEVEL).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from aws_lambda_powertools import Logger, Metrics, single_metric
from aws_lambda_powertools.metrics import MetricUnit

LOGGED_CHARACTERS = 512


@functools.cache
def logger() -> Logger:
    """The one logger of this process."""
    return Logger()


@functools.cache
def metrics() -> Metrics:
    """The one collector of metrics of this process."""
    return Metrics()


def loggable_url(url: str) -> str:
    """`url` as a log line may hold it: without credentials, query and fragment, at most 512 characters."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")._replace(path=url.partition("?")[0])
    host = parts.netloc.rpartition("@")[2]
    shown = f"{parts.scheme}://{host}{parts.path}" if host else parts.path.rpartition("@")[2]
    return shown[:LOGGED_CHARACTERS]


def count_by(name: str, dimension: str, values: Iterable[str]) -> None:
    """Emit metric `name` once for each distinct value of `dimension`, with how often the value occurs."""
    for value, times in Counter(values).items():
        with single_metric(
            name=name,
            unit=MetricUnit.Count,
            value=times,
            namespace=metrics().namespace,
            default_dimensions={"service": str(metrics().service)},
        ) as metric:
            metric.add_dimension(name=dimension, value=value)


def observe(name: str, values: Iterable[float]) -> None:
    """Emit metric `name` with each of `values`, for percentiles."""
    for value in values:
        metrics().add_metric(name=name, unit=MetricUnit.Count, value=value)
    if metrics().metric_set:
        metrics().flush_metrics()


def log_event(message: str, fields: Mapping[str, Any]) -> None:
    """One line for one thing that happened; texts are cut to 512 characters."""
    logger().info(
        message, **{key: value[:LOGGED_CHARACTERS] if isinstance(value, str) else value for key, value in fields.items()}
    )
