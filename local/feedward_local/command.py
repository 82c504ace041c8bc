"""`feedward`: the command line. One file per command; each works without AWS."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from feedward import __version__

# The commands in the order of the help text, with the modules that add them.
COMMANDS = {
    "canonicalize": "canonicalize",
    "discover": "discover",
    "check": "check",
    "feeds": "feeds",
    "search": "search",
    "subscriptions": "subscriptions",
    "webhooks": "webhooks",
    "collect": "collect",
    "import": "import",
    "seed": "import",
    "export": "export",
    "frontier": "frontier",
    "lineage": "lineage",
    "quotas": "quotas",
    "keys": "keys",
    "tenants": "tenants",
}
SOME_FAILED = 1
INPUT_OR_OUTPUT_FAILED = os.EX_IOERR
INTERRUPTED, READER_GONE = 128 + signal.SIGINT, 128 + signal.SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if sys.stderr is None:  # closed by the caller
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open until the end
    if sys.stdout is None:
        return READER_GONE
    options = _parser(sys.argv[1:2] if arguments is None else arguments[:1]).parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # an unencodable URL must not stop the others
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except ModuleNotFoundError as error:
        package = error.name if error.name in ("boto3", "botocore") else "'feedward[cli]'"
        print(f"feedward: {error.name} is not installed: pip install {package}", file=sys.stderr)
        return SOME_FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        _leave(INTERRUPTED)
    except BrokenPipeError:
        _leave(READER_GONE)
    except OSError as error:
        file = f" for {error.filename}" if isinstance(error.filename, str) else ""
        print(f"feedward: input or output failed{file}: {error.strerror or error}", file=sys.stderr)
        _leave(INPUT_OR_OUTPUT_FAILED)
    return code


def _leave(code: int) -> NoReturn:
    """Exit immediately: threads may be inside fetches for seconds, and output without a reader fails at exit."""
    sys.stderr.flush()
    os._exit(code)


def _parser(first: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command that the first argument names, or of all: each loads only its modules."""
    parser = argparse.ArgumentParser(prog="feedward", description="Keeps feed URLs current.")
    parser.add_argument("--version", action="version", version=f"feedward {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in dict.fromkeys([COMMANDS[each] for each in first if each in COMMANDS] or COMMANDS.values()):
        import_module(f"feedward_local.commands.{module}_command").add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
