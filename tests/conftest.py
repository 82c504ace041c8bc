"""Fixtures that all tests share: MiniStack, and botocore bound to it (or to LocalStack's container, on request)."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import warnings
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any
from urllib.parse import urlsplit

import docker
import pytest
import pytest_localstack
from docker.errors import DockerException
from hypothesis import HealthCheck, settings
from pytest_localstack.session import RunningSession
from xdist.scheduler import LoadScopeScheduling

from tests import compiled_once
from tests.ministack import PYTHON, running_ministack

REGION = "us-east-1"
SERVICES = ("dynamodb", "events", "s3", "sqs", "ssm")

# Tests run on shared and loaded machines: how long one example takes says nothing.
settings.register_profile("feedward", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("feedward")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--localstack",
        action="store_true",
        help="run what needs AWS on pytest-localstack's container (needs docker) instead of MiniStack",
    )
    parser.addoption("--costs", type=int, metavar="N", help="print the N files that take the most processor time")


@pytest.fixture(scope="session")
def ministack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The endpoint URL of this test run's own MiniStack."""
    if not PYTHON.exists():
        pytest.fail("MiniStack is not set up: run `make setup`")
    with running_ministack(tmp_path_factory.mktemp("ministack")) as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def aws_session(request: pytest.FixtureRequest) -> Iterator[RunningSession]:
    """A pytest-localstack session: clients under its `botocore.patch_botocore()` reach MiniStack or LocalStack."""
    if request.config.getoption("--localstack"):
        _need_docker()
        yield request.getfixturevalue("localstack_container")
        return
    address = urlsplit(request.getfixturevalue("ministack"))
    ports = dict.fromkeys(SERVICES, address.port)
    with RunningSession(address.hostname, services=ports, region_name=REGION) as session:
        yield session


localstack_container = pytest_localstack.session_fixture(scope="session", services=list(SERVICES), region_name=REGION)


def _need_docker() -> None:
    if fault := _docker_fault():
        pytest.skip(f"--localstack needs docker, which does not answer: {fault}")


def _docker_fault() -> str:
    """Why docker cannot be used, or nothing. Its client leaks a socket without a daemon; that fails no test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            with contextlib.closing(docker.from_env()) as client:
                client.ping()
        except (DockerException, OSError) as error:
            return str(error)
        finally:
            gc.collect()
    return ""


# --- side by side ---------------------------------------------------------------------------------

LONGEST = "tests/local/test_sweep_under_faults.py"  # minutes, most of which it waits
SHARED_STACKS = ("tests/local/changing_internet", "tests/local/one_stack", "tests/local/page")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """With `-n`, each worker takes a file at a time, or all files that share a stack."""
    config.option.loadscopereorder = False
    return FileByFile(config, log)


class FileByFile(LoadScopeScheduling):  # type: ignore[misc]
    def _split_scope(self, nodeid: str) -> str:
        return next((folder for folder in SHARED_STACKS if nodeid.startswith(folder)), nodeid.partition("::")[0])


# --- costs of the tests ---------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    # Python's 700 looks through the heap of thousands of tests again and again: 5 % of the processor time.
    gc.set_threshold(20_000, 20, 50)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in a shell's background: tests interrupt processes
        signal.signal(signal.SIGINT, signal.default_int_handler)
    compiled_once.register(config)
    if config.getoption("--costs"):
        config.pluginmanager.register(Costs(config), "costs")


def pytest_collection_finish() -> None:
    """Take the tests themselves out of the heap that is searched for garbage: they all live until the end.

    They remain frozen, since Python searches the heap when it ends. Nothing else is frozen later, such as by
    functions that are imported here: can-ada would report the URLs among it as leaked.
    """
    gc.freeze()
    vars(gc)["freeze"] = lambda: None
    atexit.register(gc.disable)  # reports of all tests: one search less of them


class Costs:
    """Sums the processor time of each test file: of its process and of the processes that it ended."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        item.stash[_BEGAN] = _processor_s()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        report = yield
        now = _processor_s()
        report.processor_s, item.stash[_BEGAN] = now - item.stash[_BEGAN], now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += getattr(report, "processor_s", 0)  # none of a worker's crash

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section(f"processor time: {self._seconds.total():.0f} s")
        for file, seconds in self._seconds.most_common(self._config.getoption("--costs")):
            terminalreporter.line(f"{seconds:8.2f} s  {file}")


_BEGAN = pytest.StashKey[float]()


def _processor_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
