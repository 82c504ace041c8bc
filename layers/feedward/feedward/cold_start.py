"""Keeps the garbage collector out of a function's start: import this first, and call `finish` when all is imported.

What a start loads stays for good, so that collecting finds nothing: it costs a tenth of the start, and later each full
collection would walk over it again, in the middle of somebody's request.
"""

from __future__ import annotations

import gc

gc.disable()


def finish() -> None:
    """Let the collector work again, on what comes from here on."""
    gc.freeze()
    gc.enable()
