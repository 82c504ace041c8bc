"""A browser and a demo stack of its own, for the tests of the page. Without a browser they are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.local.page.looking import Looking
from tests.local.stack_process import StackProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Only loopback is reached: a browser makes requests of its own otherwise.
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """The path of a browser, None without one. FEEDWARD_BROWSER names another."""
    return os.environ.get("FEEDWARD_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = browser_path()
    if path is None:
        pytest.skip("there is no browser: install chromium, or name one in FEEDWARD_BROWSER")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def stack(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackProcess]:
    process = StackProcess(tmp_path_factory.mktemp("page"), "--demo")
    yield process
    process.stop()


@pytest.fixture(scope="package")
def begun(browser: Browser, stack: StackProcess) -> StackProcess:
    """The stack, filled as a person fills it: from the starter directory, and with a site that was pasted."""
    with Looking(browser, stack.url) as looking:
        looking.begin()
    assert looking.complaints == []
    return stack


@pytest.fixture
def looking(browser: Browser, begun: StackProcess) -> Iterator[Looking]:
    with Looking(browser, begun.url) as looking:
        yield looking
    assert looking.complaints == []
