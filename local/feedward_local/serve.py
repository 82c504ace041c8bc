"""`make run` and `make demo`: the whole stack on this machine until Ctrl-C, SIGTERM, or the terminal is closed.

Slow imports follow the installation of the signal handlers.
"""

from __future__ import annotations

import signal

if __name__ == "__main__":  # nothing runs yet: Ctrl-C during the imports ends it without a trace
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import errno
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from feedward_local.console import Console
from feedward_local.errors import LocalStackError

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FAULTS_OF_DISKS = frozenset([errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EROFS])
FAULTS_OF_NAMES = frozenset(
    [errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.ENOTEMPTY]
)
FAULTS_OF_MACHINES = frozenset([errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM])


class Stopped(BaseException):
    """A stop signal arrived."""


class StopSignals:
    """Raises Stopped at the first stop signal and ignores later ones: saving must not be interrupted."""

    def __init__(self) -> None:
        self._came, self._held = False, False
        for number in STOPPING:
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # `nohup make run` outlives it
                signal.signal(number, self._stop)

    def _stop(self, _number: int, _frame: object) -> None:
        first, self._came = not self._came, True
        if first and not self._held:
            raise Stopped

    def ignore_all(self) -> None:
        """Ignore them for good: Python resets its own handlers at exit, and a second Ctrl-C would kill it there."""
        for number in STOPPING:
            signal.signal(number, signal.SIG_IGN)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Block interrupts inside: the owner of a process that is being started must learn of it.

        Its end raises Stopped if a signal has ever come: Python drops an exception that is raised in a finalizer.
        """
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._came:
            raise Stopped


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until stopped. Returns 0 after a clean stop, 1 when the stack could not start or broke."""
    signals, started = StopSignals(), time.monotonic()
    try:
        _serve(_parser().parse_args(arguments), signals, started)
    except Stopped:
        return 0
    except LocalStackError as error:
        print(f"\n{error}", file=sys.stderr)
    except OSError as error:
        if (fault := fault_of(error)) is None:
            raise
        print(f"\n{fault}", file=sys.stderr)
    finally:
        signals.ignore_all()
    return 1


def fault_of(error: OSError) -> str | None:
    """Return what a person is told about a fault of the disk, of a file's name, or of the machine; None for others."""
    file = f" {error.filename}" if error.filename else ""
    kept = "What was saved is still there"
    if error.errno in FAULTS_OF_DISKS:
        return f"The stack cannot write{file}: {error.strerror}. {kept}: make room and start again."
    if error.errno in FAULTS_OF_NAMES:
        return f"The stack cannot use{file}: {error.strerror}. {kept}: put it right and start again."
    if error.errno in FAULTS_OF_MACHINES:
        return f"This machine has no room for the stack: {error.strerror}. {kept}: end other programs and start again."
    return None


def _serve(options: argparse.Namespace, signals: StopSignals, started: float) -> NoReturn:
    from feedward_local.stack import LocalStack  # noqa: PLC0415
    from feedward_local.workspace import workspace_of  # noqa: PLC0415

    console = Console()
    stack = LocalStack(
        workspace_of("demo" if options.demo else "run", home=options.state),
        port=options.port,
        demo=options.demo,
        with_keys=options.auth == "keys",
        console=console,
        parameters=dict(options.parameter),
        iam=options.iam,
        uninterrupted=signals.held,
    )
    with stack as url:
        console.line(_welcome(url, demo=options.demo, with_keys=stack.with_keys, seconds=time.monotonic() - started))
        stack.wait()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m feedward_local.serve",
        description="Run the whole feedward stack on this machine, on loopback, until Ctrl-C.",
        epilog="State and logs are in DIR/run or DIR/demo: functions.log has the functions' log lines as written, "
        "ministack.log those of MiniStack. Deleting the folder deletes all data.",
    )
    parser.add_argument("--port", type=_port, default=8080, help="port of 127.0.0.1 to serve at; 0: any free one")
    parser.add_argument("--demo", action="store_true", help="with a small made-up internet in place of the real one")
    parser.add_argument(
        "--auth", choices=("open", "keys"), default="open", help="keys: enforce API keys, as a deployed API does"
    )
    parser.add_argument("--state", type=Path, metavar="DIR", help="keep the state here (default: .feedward)")
    parser.add_argument(
        "--parameter",
        type=_parameter,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of template.yaml, such as Refresh=false; may be repeated",
    )
    parser.add_argument("--iam", action="store_true", help="enforce the functions' roles, as AWS does; slower")
    return parser


def _parameter(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not (name and separator):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port number (0 to 65535)")
    return int(text)


def _welcome(url: str, *, demo: bool, with_keys: bool = False, seconds: float) -> str:
    from feedward_local.demo.sites import load_sites  # noqa: PLC0415
    from feedward_local.seed_files import DEMO_SEED_FILE, SEED_FILE, shown_path  # noqa: PLC0415

    with_key = " -H 'authorization: Bearer '\"$FEEDWARD_API_KEY\"" if with_keys else ""
    feed = load_sites().first_to_try if demo else "https://example.com/feed"
    site = load_sites().finds[0].url if demo else "https://example.com/"
    lines = [
        f"ready after {seconds:.1f} s: {url}  (Ctrl-C stops it and keeps the state)",
        "try, with the key in FEEDWARD_API_KEY:" if with_key else "try:",
        f"  curl -s {url}/v1/canonicalize{with_key} -H 'content-type: application/json' -d '{{\"url\": \"{feed}\"}}'",
        f"  curl -s {url}/v1/discoveries{with_key} -H 'content-type: application/json' -d '{{\"url\": \"{site}\"}}'",
    ]
    seed = shown_path(DEMO_SEED_FILE if demo else SEED_FILE)
    key = ' --key "$FEEDWARD_API_KEY"' if with_keys else ""
    lines.append(f"  .venv/bin/feedward seed {seed} --api {url}{key}   # fills the directory with well-known feeds")
    if demo:
        lines.append("  its sites, with an explanation of each: sites*.toml in local/feedward_local/demo/")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
