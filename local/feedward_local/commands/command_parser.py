"""The common parts of all commands' parsers."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any


def add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], *, says: str, told: str, epilog: str
) -> argparse.ArgumentParser:
    """Add a command to an argparse sub-parser collection. `says` is its line in the list, `told` starts its own help.

    Its options have `run`, and `parser` for errors.
    """
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=says, description=told, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.set_defaults(run=run, parser=parser)
    return parser


def seconds(text: str) -> float:
    """An argument that is a number of seconds."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0 and up to 3600")
    return found


def whole_number(at_least: int, at_most: int) -> Callable[[str], int]:
    """An argument that is a whole number within limits."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and at_least <= int(text) <= at_most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {at_least} to {at_most}")
        return int(text)

    return read
