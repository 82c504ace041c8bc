"""A browser and a demo stack of its own, for the tests of the page. Without a browser they are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from feedward_local.demo.deployment import PHASE_FILE
from tests.local.page.looking import Looking, Tabs
from tests.local.stack_aws import WORK_WITHIN_S, wait_until
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
def tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture(scope="package")
def stack(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackProcess]:
    process = StackProcess(tmp_path_factory.mktemp("page"), "--demo")
    yield process
    process.stop()


@pytest.fixture(scope="package")
def begun(tabs: Tabs, stack: StackProcess) -> StackProcess:
    """The stack, filled as a person fills it: from the starter directory, and with a site that was pasted."""
    with Looking(tabs, stack.url) as looking:
        looking.begin()
    assert looking.complaints == []
    return stack


ARTICLE = "https://tidings.example/2026/tide"


@dataclass(frozen=True)
class Objects:
    """The views of single objects, one of each kind: the item has superseded an older edition."""

    feed: str
    started: str
    run: str
    item: str
    webhook: str

    @property
    def views(self) -> tuple[str, ...]:
        return (self.feed, self.started, self.run, self.item, self.webhook)


@pytest.fixture(scope="package")
def objects(begun: StackProcess) -> Objects:
    """The stack's objects: a checked feed, two editions of an article, a webhook whose test has failed, and others."""
    feed = f"/v1/feeds/{begun.call('GET', '/v1/feeds?domain=orchard.example')[2]['feeds'][0]['id']}"
    begun.call("POST", f"{feed}/check", {})
    webhook = begun.call("POST", "/v1/webhooks", {"url": "https://receiver.example/page/410", "events": ["feed.*"]})[2]
    collected(begun)
    phase = begun.state / "demo" / PHASE_FILE
    phase.write_text("tidings-evening")
    try:
        run = collected(begun)
    finally:
        phase.unlink()
    log = f"/v1/webhooks/{webhook['id']}/deliveries"
    wait_until(lambda: begun.call("GET", log)[2]["attempts"], WORK_WITHIN_S, "the first delivery")
    wait_until(lambda: begun.call("GET", f"{feed}/items")[2]["items"], WORK_WITHIN_S, "the feed's items")
    return Objects(
        feed=feed.removeprefix("/v1"),
        started=f"/imports/{begun.call('GET', '/v1/imports')[2]['imports'][0]['id']}",
        run=f"/runs/{run}",
        item=f"/items/{begun.call('GET', f'/v1/items?run={run}')[2]['items'][0]['id']}",
        webhook=f"/webhooks/{webhook['id']}",
    )


def collected(stack: StackProcess) -> str:
    """Collect the article in a run of its own; return the run's id once it has ended."""
    run = stack.call("POST", "/v1/runs", {"urls": [ARTICLE]})[2]["id"]
    wait_until(lambda: stack.call("GET", f"/v1/runs/{run}")[2]["ended"] == 1, WORK_WITHIN_S, "the end of the run")
    return str(run)


@pytest.fixture
def looking(tabs: Tabs, begun: StackProcess) -> Iterator[Looking]:
    with Looking(tabs, begun.url) as looking:
        yield looking
    assert looking.complaints == []
