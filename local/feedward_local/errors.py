"""What can stop the local stack, told to a person: what happened and what to do about it."""

from __future__ import annotations


class LocalStackError(Exception):
    """The local stack cannot go on. The message says what to do; it is shown without a traceback."""
