"""The API key of a command: from the command line, or from the environment, which other users cannot see.

The checksum reveals a typo here: such a key is neither shown nor sent.
"""

from __future__ import annotations

import argparse
import os
from typing import Final

from feedward.access.key import parse_key

VARIABLE: Final = "FEEDWARD_API_KEY"


def add_key(parser: argparse.ArgumentParser) -> None:
    """Add the option for the API key."""
    parser.add_argument(
        "--key", metavar="KEY", help=f"an API key (default: that in {VARIABLE}, which others cannot see)"
    )


def key_of(options: argparse.Namespace) -> str | None:
    """Return the key, None without one. Ends with exit code 2 if it is not an API key."""
    given, whence = (options.key, "argument --key") if options.key is not None else (os.environ.get(VARIABLE), VARIABLE)
    key = (given or "").strip()
    if given is None or (not key and options.key is None):
        return None
    if parse_key(key) is None:
        options.parser.error(f"{whence}: this is not an API key; one starts with fw_ and has 52 characters")
    return key
