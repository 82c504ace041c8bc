"""Takes the pictures of docs/pictures on a demo stack of its own: `make pictures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.local.page.conftest import QUIET, browser_path
from tests.local.page.looking import SITE, Looking
from tests.local.stack_process import StackProcess

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
WIDTH = 1000


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
            take_all(browser, stack.url)
        finally:
            stack.stop()


def take_all(browser: Browser, url: str) -> None:
    """Fill the directory, and take a picture of each view."""
    with Looking(browser, url, width=WIDTH) as looking:
        looking.begin()
        looking.go("/?q=orch")
        take(looking, "find")
        looking.look_at(SITE)
        looking.page.locator("summary").first.click()
        take(looking, "candidates")
        looking.to_feed("orchard")
        take(looking, "feed")


def take(looking: Looking, name: str) -> None:
    """Write a picture of the visible page."""
    looking.page.screenshot(path=PICTURES / f"{name}.png")
    print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
