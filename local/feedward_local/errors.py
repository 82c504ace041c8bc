"""Errors that stop the local stack, for people: the cause and what to do about it."""

from __future__ import annotations


class LocalStackError(Exception):
    """The local stack cannot continue. The message says what to do; it is shown without a traceback."""
