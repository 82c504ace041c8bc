"""The MiniStack process: starts on loopback, is polled until it is ready, and saves its state when stopped.

It also saves while it runs (ministack_entry), so that a crash loses only the last seconds.

It gets its own environment: the caller's AWS settings, proxies and Python paths reach neither it nor the functions,
which inherit it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from botocore.config import Config
from botocore.session import Session

from feedward_local.aws.saved_state import prepare_state
from feedward_local.errors import LocalStackError

if TYPE_CHECKING:
    from feedward_local.workspace import Workspace

REGION = "us-east-1"
ACCESS_KEY = "test"  # MiniStack takes any
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TZ")
STATE_DIR = "aws"
ENTRY = Path(__file__).with_name("ministack_entry.py")
START_WITHIN_S = 120.0
SAVE_WITHIN_S = 60.0
NOT_SAVED, NOT_SAVED_STATUS = 3, 507  # its exit code, and its answer while saves fail


class MiniStack:
    """The MiniStack process of one workspace."""

    def __init__(self, workspace: Workspace, variables: Mapping[str, str] | None = None) -> None:
        """Launch it; it is usable once `wait_until_ready` has returned. The functions get `variables` too."""
        self._workspace = workspace
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = workspace.state / "ministack.log"
        owner = f"{workspace.state} {uuid4().hex}"
        prepare_state(workspace.state / STATE_DIR, self.port, owner=owner)
        scratch = workspace.state / "tmp"
        shutil.rmtree(scratch, ignore_errors=True)  # left by the workers of a killed run
        scratch.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        with self.log.open("ab") as log:  # which MiniStack may shorten
            self._process = subprocess.Popen(
                [workspace.ministack_python, "-P", ENTRY, workspace.unpacked, owner],
                cwd=workspace.state,
                env=self._environment(scratch) | dict(variables or {}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches only us, and its workers are one group to end
            )
        try:
            pid_file(workspace).write_text(str(self._process.pid))
            url_file(workspace).write_text(self.url)
        except OSError:  # such as on a full disk: no later run would find it
            end_process_group(self._process.pid, self._process.wait)
            raise

    def _environment(self, scratch: Path) -> dict[str, str]:
        """All variables of it and the functions: persistence on, everything that opens other ports off."""
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        state = self._workspace.state
        return kept | {
            "TMPDIR": str(scratch),
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(self.port),
            "MINISTACK_REGION": REGION,
            "PERSIST_STATE": "1",
            "STATE_DIR": str(state / STATE_DIR),
            "S3_PERSIST": "1",
            "S3_DATA_DIR": str(state / "s3"),
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "POWERTOOLS_TRACE_DISABLED": "true",
        }

    @property
    def running(self) -> bool:
        """False once the process has ended, for any reason."""
        return self._process.poll() is None

    def has_ended(self, within_s: float) -> bool:
        """Whether the process ends within this time: its connections break a moment before."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(within_s)
        return not self.running

    def wait_until_ready(self) -> None:
        """Return once it answers. Raises LocalStackError if it ends or does not answer in time."""
        deadline = time.monotonic() + START_WITHIN_S
        while time.monotonic() < deadline:
            if not self.running:
                raise LocalStackError(f"MiniStack ended while starting. Its last words:\n{self.last_words()}")
            if answers(f"{self.url}/_ministack/ready"):
                return
            time.sleep(0.05)
        raise LocalStackError(f"MiniStack did not answer within {START_WITHIN_S:.0f} s; its log is {self.log}")

    def fails_to_save(self) -> bool:
        """Whether its last save failed, such as on a full disk. False if it does not answer within a second."""
        return status_of(f"{self.url}/_feedward/saves") == NOT_SAVED_STATUS

    def last_words(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-1500:]

    def client(self, service: str) -> Any:
        """A client of this MiniStack only."""
        config = Config(retries={"mode": "standard", "total_max_attempts": 3}, proxies={})
        return own_client(service, self.url, config)

    def stop(self) -> bool:
        """Let it save and exit, and make sure that no worker remains. Returns False if it could not save."""
        ended = end_process_group(self._process.pid, self._process.wait)
        shutil.rmtree(self._workspace.state / "tmp", ignore_errors=True)
        pid_file(self._workspace).unlink(missing_ok=True)
        url_file(self._workspace).unlink(missing_ok=True)
        return ended and self._process.returncode != NOT_SAVED


def pid_file(workspace: Workspace) -> Path:
    """The file with the process id of the workspace's MiniStack while it runs."""
    return workspace.state / "ministack.pid"


def url_file(workspace: Workspace) -> Path:
    """The file with its address while it runs, for access to its tables and queues."""
    return workspace.state / "ministack.url"


def stop_left_over(workspace: Workspace) -> bool:
    """End the MiniStack of a killed run, so that it saves its state. True if there was one."""
    try:
        pid = int(pid_file(workspace).read_text())
    except (FileNotFoundError, ValueError):
        return False
    if not _is_ministack_of(workspace, pid):
        return False

    def wait(timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while _is_ministack_of(workspace, pid):
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("ministack", timeout)
            time.sleep(0.05)

    end_process_group(pid, wait)
    pid_file(workspace).unlink(missing_ok=True)
    return True


def _is_ministack_of(workspace: Workspace, pid: int) -> bool:
    """Whether this living process is that MiniStack: after a restart of the machine its id may be of another one."""
    command = command_of(pid)
    return "ministack" in command and f"{workspace.state} " in command


def end_process_group(pid: int, wait: Any) -> bool:
    """Send SIGTERM to the leader, give it time to save, then send SIGKILL to the rest of its group."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    try:
        wait(timeout=SAVE_WITHIN_S)
        saved = True
    except subprocess.TimeoutExpired:
        saved = False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    if not saved:
        wait(timeout=SAVE_WITHIN_S)
    return saved


def own_client(service: str, endpoint_url: str, config: Config | None = None) -> Any:
    """A client of one of this machine's stacks, which uses no profile, config file or CA bundle of the user."""
    return _own_session().create_client(
        service,
        REGION,
        endpoint_url=endpoint_url,
        config=config,
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=ACCESS_KEY,
    )


@cache
def _own_session() -> Session:
    """The session of all these clients: what botocore reads from its files is most of making one."""
    unread = (None, None, None, None)
    names = ("profile", "config_file", "credentials_file", "ca_bundle")
    return Session(session_vars=dict.fromkeys(names, unread))


def command_of(pid: int) -> str:
    """Return the command line of a living process, else an empty text (a zombie has none)."""
    if Path("/proc/self/cmdline").exists():
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            return ""
    listed = subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.strip()


def free_port() -> int:
    """Return a loopback port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def answers(url: str) -> bool:
    """True if a GET of a loopback URL is answered with 200 within a second."""
    return status_of(url) == 200


def status_of(url: str) -> int | None:
    """Return the status of a GET of a loopback URL, None without an answer within a second. Proxies are not asked."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=1) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return None
