"""Takes the pictures of docs/pictures on a demo stack of its own: `make pictures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.local.page.conftest import QUIET, browser_path
from tests.local.page.looking import SITE, Looking, Tabs
from tests.local.stack_aws import wait_until
from tests.local.stack_process import StackProcess

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
WIDTH = 1000
CHECKED_WITHIN_S = 180


def main() -> None:
    """Take all pictures. Ends with a message if there is no browser."""
    path = browser_path()
    if path is None:
        sys.exit("There is no browser: install chromium, or name one in FEEDWARD_BROWSER.")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        stack = StackProcess(Path(state), "--demo")
        try:
            browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
            take_all(Tabs(browser), stack.url)
        finally:
            stack.stop()


def take_all(tabs: Tabs, url: str) -> None:
    """Fill the directory, and take a picture of each view."""
    with Looking(tabs, url, width=WIDTH) as looking:
        looking.begin()
        check_all(looking)
        looking.go("/?q=orch")
        take(looking, "find")
        looking.look_at(SITE)
        looking.page.locator("summary").first.click()
        take(looking, "candidates")
        looking.to_feed("orchard")
        take(looking, "feed")


def check_all(looking: Looking) -> None:
    """Have all feeds checked, and wait until the start shows their states."""
    ask, feeds = looking.page.request, f"{looking.url}/v1/feeds"
    for feed in ask.get(f"{feeds}?limit=100").json()["feeds"]:
        ask.post(f"{feeds}/{feed['id']}/check")

    def are_checked() -> bool:
        found = ask.get(f"{feeds}?limit=100").json()["feeds"]
        counts = ask.get(f"{looking.url}/v1/stats?parts=directory").json()["directory"]
        if counts is None or not all(feed["last_attempt_at"] for feed in found):
            return False
        waiting = sum(feed["never_fetched"] and feed["state"] == "healthy" for feed in found)
        counted = sum(counts["by_state"].values()) + waiting
        return (counted, counts["never_fetched"]) == (len(found), waiting)

    wait_until(are_checked, CHECKED_WITHIN_S, "all feeds checked and in the index")


def take(looking: Looking, name: str) -> None:
    """Write a picture of the visible page."""
    looking.page.screenshot(path=PICTURES / f"{name}.png")
    print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
