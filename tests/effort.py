"""Limits on processor time that a slow or busy machine stretches."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

_TEXT = "<a href='/x'>some words &amp; more</a>\n" * 6_000
_PIECE = re.compile(r"(\w+)='([^']*)'|&(\w+);")
_CALM_S = 0.01  # the time of the fixed work on a calm machine


def costs_at_most(seconds: float, work: Callable[[], object]) -> bool:
    """Whether a call takes at most so many seconds of a calm machine's processor.

    A longer call is compared with a fixed piece of work, done right after it on the same machine.
    """
    taken = processor_s(work)
    return taken <= seconds or taken <= seconds * processor_s(_fixed_work) / _CALM_S


def processor_s(work: Callable[[], object]) -> float:
    """The processor time of a call on this thread alone."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _fixed_work() -> None:
    _PIECE.sub(lambda found: found[0].upper(), _TEXT)
