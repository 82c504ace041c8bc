"""Starting and stopping: state is kept, no process is left running, and errors name their remedy."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from feedward.access.key import new_key
from feedward_local.deployment.build import Target, build
from feedward_local.deployment.package import FUNCTION, LAYER, read_template, sources
from feedward_local.workspace import ministack_python_version, workspace_of
from tests.local.stack_process import StackProcess, processes_of, serve
from tests.local.two_tenants import TENANTS, TwoTenants

pytestmark = pytest.mark.local_stack
KEY = re.compile(r"fw_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}")


@dataclass(frozen=True, kw_only=True)
class Life:
    """One run of several on the same state: its answers, its output, and its remains."""

    answer: Any
    shown: str
    code: int
    left: list[str]
    refused: list[Any]
    tenants: TwoTenants | None
    secrets: list[Path]


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> list[Life]:
    """Three runs on one state, ended by Ctrl-C twice in a row, by SIGKILL, by SIGTERM. Each registers the same feed.

    The third one enforces keys, as a deployment that ran open and turns them on.
    """
    state = tmp_path_factory.mktemp("lives")
    told = []
    for number, url, auth in (
        (signal.SIGINT, "https://garden.example/feed", "open"),
        (signal.SIGKILL, "https://www.garden.example/feed/", "open"),
        (signal.SIGTERM, "http://garden.example/feed", "keys"),
    ):
        stack = StackProcess(state, "--demo", "--auth", auth)
        refused, tenants = list[Any](), None
        try:
            assert stack.url
            headers = {}
            if auth == "keys":
                key = stack.wait_for(KEY).group()
                headers = {"authorization": f"Bearer {key}"}
                refused = refusals(stack, key)
                tenants = TwoTenants(stack, key).work()
            status, _, answer = stack.call("POST", "/v1/canonicalize", {"url": url, "register": True}, headers)
            assert status == 200, answer
            if number == signal.SIGINT:
                os.killpg(stack.process.pid, number)
                stack.wait_for("saving the state")
        finally:
            code = stack.stop(number)
        secrets = [path for path in state.rglob("*") if auth == "keys" and holds(path, key)]
        life = Life(
            answer=answer, shown=stack.shown, code=code, left=processes_of(state), refused=refused, tenants=tenants,
            secrets=secrets,
        )  # fmt: skip
        told.append(life)
    return told


def refusals(stack: StackProcess, key: str) -> list[tuple[int, str, Any]]:
    """The answers without a key, to an invalid key, to an unknown key of the right form, and to a health check."""
    unknown = new_key().text
    sent: tuple[tuple[str, str | None], ...] = (
        ("/v1/feeds", None),
        ("/v1/feeds", "nonsense"),
        ("/v1/feeds", unknown),
        ("/v1/openapi.json", None),
        ("/v1/health", None),
    )
    answers = [stack.call("GET", path, headers={"authorization": f"Bearer {one}"} if one else {}) for path, one in sent]
    made = stack.call("POST", "/v1/keys", {"name": "reader", "scope": "read"}, {"authorization": f"Bearer {key}"})
    reader = {"authorization": f"Bearer {made[2]['key']}"}
    return [*answers, stack.call("POST", "/v1/subscriptions", {"url": "garden.example"}, reader)]


def holds(path: Path, key: str) -> bool:
    """True if a file of the state contains the key's secret."""
    return path.is_file() and key.rpartition("_")[2].encode() in path.read_bytes()


def test_a_stack_that_ran_open_and_enforces_keys_refuses_insufficient_keys_and_keeps_its_data(
    lives: list[Life],
) -> None:
    *bare, unasked, health, scope = lives[2].refused

    assert [(status, body) for status, _, body in bare] == [
        (401, {"message": "Unauthorized"}),
        (403, {"message": "Forbidden"}),
        (403, {"message": "Forbidden"}),
    ]
    assert (unasked[0], health[0]) == (401, 200)
    assert (scope[0], scope[2]["code"], scope[2]["scope"]) == (403, "scope_missing", "write")
    assert (lives[2].answer["feed_id"], lives[2].answer["created"]) == (lives[0].answer["feed_id"], False)


def test_two_tenants_in_24_threads_see_nothing_of_each_other_and_share_one_feed(lives: list[Life]) -> None:
    tenants = lives[2].tenants

    assert tenants is not None
    assert tenants.failed == []
    assert [tenants.seen_by(tenant) for tenant in TENANTS] == [[], []]
    assert all(f"own-{tenant}-" in "".join(tenants.told[tenant]) for tenant in TENANTS)
    assert tenants.shared == {lives[0].answer["feed_id"]}


def test_the_feed_that_two_tenants_follow_is_checked_once_when_it_is_due(lives: list[Life]) -> None:
    assert lives[2].tenants is not None
    assert lives[2].tenants.checks == 1


def test_the_operators_key_is_shown_once_and_kept_nowhere(lives: list[Life]) -> None:
    assert [len(KEY.findall(life.shown)) for life in lives] == [0, 0, 1]
    assert lives[2].secrets == []


def test_a_registered_feed_is_known_after_a_restart(lives: list[Life]) -> None:
    first, second, _ = (life.answer for life in lives)
    assert (first["url"], first["created"]) == ("https://garden.example/feed", True)
    assert (second["feed_id"], second["created"], second["reason"]) == (first["feed_id"], False, "exists_in_db")


def test_an_unchanged_checkout_is_not_deployed_again(lives: list[Life]) -> None:
    assert "deploying" in lives[0].shown
    assert "deploying" not in lives[1].shown


def test_a_second_ctrl_c_does_not_cut_the_saving_short(lives: list[Life]) -> None:
    assert lives[0].code == 0
    assert "Traceback" not in lives[0].shown


def test_a_clean_stop_leaves_no_process(lives: list[Life]) -> None:
    assert (lives[0].left, lives[2].left) == ([], [])
    assert (lives[0].code, lives[2].code) == (0, 0)


def test_the_remains_of_a_killed_run_are_saved_and_ended_by_the_next(lives: list[Life]) -> None:
    assert lives[1].left != [], "a killed run cannot clean up"
    assert "stopped a MiniStack that a killed run had left behind" in lives[2].shown
    assert lives[2].answer["feed_id"] == lives[0].answer["feed_id"]


@pytest.mark.parametrize(
    ("after", "number"),
    [
        ("building the layer", signal.SIGINT),
        ("deploying", signal.SIGTERM),
        ("warming up", signal.SIGINT),
        ("ready", signal.SIGHUP),  # the terminal was closed
    ],
)
def test_a_signal_at_any_stage_leaves_no_process(tmp_path: Path, after: str, number: int) -> None:
    stack = StackProcess(tmp_path, "--demo")
    stack.wait_for(after)
    assert stack.stop(number) == 0
    assert processes_of(tmp_path) == []
    assert "Traceback" not in stack.shown


def test_signals_are_taken_care_of_before_anything_takes_long() -> None:
    told = "print([name for name in ('botocore', 'samtranslator', 'yaml') if name in sys.modules])"
    slow = f"import sys, feedward_local.serve; {told}"
    done = subprocess.run([sys.executable, "-c", slow], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_ministack_that_cannot_save_or_ends_by_itself_is_told(tmp_path: Path) -> None:
    stack = StackProcess(tmp_path, "--demo")
    assert stack.url
    (tmp_path / "demo" / "aws" / "owner").write_text("another run")
    stack.canonicalize(url="https://garden.example/feed", register=True)
    stack.wait_for("The state cannot be saved")
    os.kill(int((tmp_path / "demo" / "ministack.pid").read_text()), signal.SIGKILL)
    assert stack.process.wait(timeout=120) == 1
    stack.stop()
    assert "MiniStack ended unexpectedly" in stack.shown
    assert "Traceback" not in stack.shown
    assert processes_of(tmp_path) == []


def test_a_taken_port_is_reported_at_once_with_advice(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = serve("--demo", "--port", str(port), "--state", str(tmp_path))
    assert done.returncode == 1
    assert f"Port {port} of 127.0.0.1 cannot be used" in done.stderr
    assert "make demo PORT=" in done.stderr
    assert processes_of(tmp_path) == []


def test_a_build_without_the_demo_contains_none_of_it() -> None:
    workspace = workspace_of("run")
    target = Target(python=workspace.ministack_python, python_version=ministack_python_version(workspace))
    template = read_template(workspace.template)
    for source in [*sources(template, FUNCTION), *sources(template, LAYER)]:
        with zipfile.ZipFile(build(workspace, source, target)) as archive:
            for name in archive.namelist():
                content = archive.read(name)
                assert b"feedward_local.demo" not in content, name
                assert b"FEEDWARD_DEMO" not in content, name
                assert "feedward_local" not in name
