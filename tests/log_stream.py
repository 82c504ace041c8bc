"""The log of a test, as a stream of its own."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from feedward.observability import log as observability


@contextmanager
def log_stream() -> Iterator[io.StringIO]:
    """Let the logger write to a new stream. The logger outlives a test, but the output that pytest captured does not.

    Its stream is replaced without `setStream`, which flushes the previous one: that may be closed.
    """
    handler = observability.logger().registered_handler
    stream = io.StringIO()
    handler.stream = stream  # type: ignore[attr-defined]
    yield stream
    handler.stream = sys.__stdout__  # type: ignore[attr-defined]
