"""Disables the garbage collector during a cold start. Import this first and call `finish` after all imports.

Modules are never freed, so a collection finds nothing: it takes a tenth of the cold start. Without `finish` each later
full collection would scan them again, during a request.
"""

from __future__ import annotations

import gc

gc.disable()


def finish() -> None:
    """Enable the collector for objects created from now on."""
    gc.freeze()
    gc.enable()
