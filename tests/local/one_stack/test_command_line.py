"""`feedward canonicalize` as a person or a script uses it: a process with arguments, pipes and a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from feedward_local.api_client.answers import demo_answers
from feedward_local.command import main
from feedward_local.commands import canonicalize_command
from feedward_local.demo.sites import load_sites
from tests.local.command_line import Done, run_command
from tests.local.stack_process import StackProcess

COMMAND = [sys.executable, "-m", "feedward_local.command", "canonicalize"]
GARDEN = "https://www.garden.example/feed/?utm_source=newsletter"
GARDEN_LINE = f"https://garden.example/feed\tcontent_verified\t{GARDEN}\n"
CLOSED = "https://closed.example/feed"


def run(*arguments: str, text: str = "") -> Done:
    return run_command("canonicalize", *arguments, text=text)


def test_each_url_gets_its_clean_url_reason_and_input_in_order_and_a_failure_is_told_by_the_exit_code() -> None:
    done = run("--demo", GARDEN, CLOSED, "http://bread.example/feed.json", "not a url at all")
    assert done.stdout == (
        GARDEN_LINE
        + f"-\terror:gone\t{CLOSED}\n"
        + "https://bread.example/feed.json\tupgrade_https\thttp://bread.example/feed.json\n"
        + "-\tbad_url\tnot a url at all\n"
    )
    assert done.returncode == 1
    assert done.stderr == ""


def test_when_every_url_is_canonical_the_exit_code_is_0() -> None:
    done = subprocess.run([*COMMAND, "--demo", GARDEN], capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stdout) == (0, GARDEN_LINE)


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_urls_come_from_standard_input_with_blank_lines_and_comments_skipped(arguments: tuple[str, ...]) -> None:
    done = run("--demo", *arguments, text=f"# my feeds\n\n  {GARDEN}  \r\n#{CLOSED}\nhttps://nowhere.example/feed")
    assert done.stdout == GARDEN_LINE + "-\terror:dns_error\thttps://nowhere.example/feed\n"
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("argument", ["", "  ", "# https://garden.example/feed"])
def test_an_argument_is_never_skipped(argument: str) -> None:
    done = run("--demo", argument)
    assert done.returncode == 1
    assert done.stdout.startswith("-\t")


def test_no_input_at_all_is_no_failure() -> None:
    assert (run("--demo", text="\n# nothing\n").returncode, run("--demo", text="").stdout) == (0, "")


def test_json_is_one_object_a_line_with_the_api_s_names() -> None:
    done = run("--demo", "--json", GARDEN, CLOSED, text="")
    good, bad = (json.loads(line) for line in done.stdout.splitlines())
    assert (good["input"], good["url"], good["preset"]) == (GARDEN, "https://garden.example/feed", "aggressive")
    assert good["candidates"]
    assert (bad["url"], bad["outcome"], bad["status"]) == (None, "gone", 410)


def test_explain_tells_each_step_below_the_answer() -> None:
    done = run("--demo", "--explain", GARDEN)
    answer, *steps = done.stdout.splitlines()
    assert answer + "\n" == GARDEN_LINE
    assert len(steps) >= 3
    assert all(step.startswith("  ") for step in steps)
    assert any("fetched https://garden.example/feed" in step for step in steps)


def test_the_whole_sites_file_goes_through_the_command_line() -> None:
    tries = load_sites().tries
    done = run("--demo", "--json", "--timeout", "3", "--parallel", "8", text="\n".join(one.url for one in tries))
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["input"] for result in results] == [one.url for one in tries]
    told = [{name: result.get(name) for name in one.expected} for one, result in zip(tries, results, strict=True)]
    assert told == [dict(one.expected) for one in tries]


@pytest.mark.parametrize(
    ("options", "url", "expected"),
    [
        (("--max-requests", "0"), GARDEN, GARDEN),
        (("--preset", "conservative"), GARDEN, "https://www.garden.example/feed/"),
        (("--preset", "conservative", "--preset", "moderate"), GARDEN, "https://www.garden.example/feed"),
        (("--no-https",), "http://bread.example/feed.json", "http://bread.example/feed.json"),
        (("--no-signature",), "https://www.trains.example/atom.xml", "https://www.trains.example/atom.xml"),
    ],
)
def test_each_option_has_its_effect(options: tuple[str, ...], url: str, expected: str) -> None:
    assert run("--demo", *options, url).stdout.split("\t")[0] == expected


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--max-requests", "many", GARDEN), "--max-requests"),
        (("--max-requests", "-1", GARDEN), "--max-requests"),
        (("--max-requests", "1000", GARDEN), "--max-requests"),
        (("--preset", "wild", GARDEN), "--preset"),
        (("--timeout", "0", GARDEN), "--timeout"),
        (("--timeout", "nan", GARDEN), "--timeout"),
        (("--parallel", "0", GARDEN), "--parallel"),
        (("--register", GARDEN), "--api"),
        (("--check-before-fetch", GARDEN), "--api"),
        (("--api", "127.0.0.1:8080", GARDEN), "--api"),
        (("--api", "http://127.0.0.1:1", "--demo", GARDEN), "--demo"),
        (("--api", "http://127.0.0.1:1", "--timeout", "2", GARDEN), "--timeout"),
        (("--json", "--explain", GARDEN), "--explain"),
        (("-", GARDEN), "-"),
        (("--colour", GARDEN), "--colour"),
    ],
)
def test_wrong_usage_ends_with_2_and_names_the_option(arguments: tuple[str, ...], says: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr.splitlines()[-1]


def test_help_documents_output_and_exit_codes() -> None:
    shown = run("--help").stdout
    assert "exit code:" in shown
    for said in ("--explain", "--json", "standard input", "0 every URL", "1 some", "2 wrong usage"):
        assert said in shown


@pytest.mark.parametrize("address", ["http://", "http://127.0.0.1:port", "http://[", "ftp://127.0.0.1", "127.0.0.1"])
def test_an_invalid_api_address_is_wrong_usage(address: str) -> None:
    done = run("--api", address, GARDEN)
    assert done.returncode == 2
    assert f"argument --api: {address!r}" in done.stderr


@pytest.mark.parametrize(
    ("redirections", "urls", "code", "shown", "said"),
    [
        ("<&-", GARDEN, 0, GARDEN_LINE, ""),
        ("<&-", "", 2, "", "standard input is closed"),
        (">&-", GARDEN, 141, "", ""),
        ("2>&-", GARDEN, 0, GARDEN_LINE, ""),
        (">/dev/full", GARDEN, 74, "", "No space left"),
        ("0>/dev/null", "", 74, "", "Bad file descriptor"),
    ],
)
def test_streams_that_are_closed_or_fail_are_told_without_a_trace(
    redirections: str, urls: str, code: int, shown: str, said: str
) -> None:
    script = f'"$@" {redirections}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, "--demo", *([urls] if urls else [])],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (code, shown)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert bool(done.stderr) == bool(said)


def test_a_list_may_begin_with_a_byte_order_mark_and_hold_bytes_that_are_no_text() -> None:
    text = b"\xef\xbb\xbf" + GARDEN.encode() + b"\r\nhttps://garden.example/caf\xe9\r\n"
    done = subprocess.run([*COMMAND, "--demo"], input=text, capture_output=True, timeout=240, check=False)
    assert done.stdout.decode() == GARDEN_LINE + "-\tproblem:invalid_input\thttps://garden.example/caf\\udce9\n"


def test_without_a_network_the_error_suggests_the_demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(canonicalize_command, "_answers", lambda _options: demo_answers(5.0))
    assert main(["canonicalize", "https://nowhere.example/feed", "https://nowhere.example/rss"]) == 1
    assert "Is there a network? --demo" in capsys.readouterr().err
    assert main(["canonicalize", "https://nowhere.example/feed", GARDEN]) == 1
    assert main(["canonicalize", "--demo", "https://nowhere.example/feed"]) == 1
    assert capsys.readouterr().err == ""


def test_without_its_extra_the_demo_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "trustme", None)
    monkeypatch.delitem(sys.modules, "feedward_local.demo.server", raising=False)
    assert main(["canonicalize", "--demo", GARDEN]) == 1
    assert "trustme is not installed: pip install 'feedward[cli]'" in capsys.readouterr().err


def test_an_unreachable_api_is_reported_once_with_advice() -> None:
    done = run("--api", "http://127.0.0.1:1", GARDEN, CLOSED)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "make run" in done.stderr


def test_control_sequences_of_a_terminal_are_escaped() -> None:
    done = run("--demo", "https://a.example/\x1b[2J\tx", "café\udcff")
    first, second = done.stdout.splitlines()
    assert first.split("\t")[2] == "https://a.example/\\x1b[2J\\tx"
    assert second.count("\t") == 2


def test_a_reader_that_has_enough_ends_it_without_a_trace() -> None:
    many = "\n".join([GARDEN] * 400)
    with subprocess.Popen(
        [*COMMAND, "--demo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(many)
        process.stdin.close()
        assert process.stdout.readline() == GARDEN_LINE
        process.stdout.close()
        assert process.wait(timeout=120) == 141
        assert process.stderr.read() == ""


def test_ctrl_c_ends_it_at_once_and_cleanly_while_it_waits_for_input_and_for_a_server() -> None:
    with subprocess.Popen(
        [*COMMAND, "--demo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{GARDEN}\nhttps://asleep.example/feed\n")
        process.stdin.flush()
        assert process.stdout.readline() == GARDEN_LINE
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 130
        assert process.stdout.read() == "", "it has not waited for the server"
        assert process.stderr.read() == "interrupted\n"
        process.stdin.close()


def test_a_terminal_sees_a_progress_bar_on_stderr_and_a_pipe_gets_clean_lines(tmp_path: Path) -> None:
    (tmp_path / "urls").write_text("\n".join([GARDEN] * 5))
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    with (tmp_path / "urls").open() as urls:
        done = subprocess.run([*COMMAND, "--demo"], stdin=urls, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # a terminal without readers
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    assert done.stdout.decode() == GARDEN_LINE * 5
    assert b"5/5" in shown


@pytest.mark.local_stack
def test_a_running_api_gives_the_same_answers_and_registers(stack: StackProcess) -> None:
    direct = run("--demo", "--explain", "https://relative.example/index.php?feed=atom", CLOSED)
    asked = run("--api", stack.url, "--explain", "https://relative.example/index.php?feed=atom", CLOSED)
    of_the_directory = "none is known"
    assert [line for line in asked.stdout.splitlines() if of_the_directory not in line] == direct.stdout.splitlines()
    assert of_the_directory in asked.stdout
    registered = run("--api", stack.url, "--json", "--register", "https://relative.example/atom.xml")
    assert json.loads(registered.stdout)["feed_id"]
    assert registered.returncode == 0
