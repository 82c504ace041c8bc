"""A person at the page: goes to views, uses their controls, and records all complaints of the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from tests.local.stack_aws import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PATIENCE_MS = 60_000
SITE = "orchard.example"
# Without an icon of its own, a document makes the browser ask for /favicon.ico, and complain when it likes.
EMPTY = '<!doctype html><link rel="icon" href="data:,">'
WIDE, NARROW = 1400, 360


class Tabs:
    """The tabs of one browser. To open one takes a second of processor time, so one that was left is used again."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._left: list[Page] = []

    def new(self) -> Page:
        """A tab without any past: no cache, no history, no scripts of its own."""
        page = self._browser.new_context().new_page()
        page.set_default_timeout(PATIENCE_MS)
        return page

    def take(self, url: str) -> Page:
        """A tab that keeps nothing of its last user but the cache, outside of the page."""
        if not self._left:
            return self.new()
        page = self._left.pop()
        empty = f"{url}/empty"
        page.route(empty, lambda route: route.fulfill(body=EMPTY, content_type="text/html"))
        page.goto(empty)
        page.unroute(empty)
        page.evaluate("sessionStorage.clear()")
        page.mouse.move(0, 0)
        return page

    def leave(self, page: Page) -> None:
        """Keep a tab for its next user."""
        page.unroute_all(behavior="ignoreErrors")
        self._left.append(page)


class Looking:
    """A person at a tab, which `is_new` for tests that change it for good: its clock, or what its pages begin with.

    `complaints` are console lines, errors, requests that failed, and answers of 400 and above.
    """

    def __init__(
        self,
        tabs: Tabs,
        url: str,
        *,
        width: int = WIDE,
        scheme: Literal["light", "dark"] = "light",
        motion: Literal["reduce", "no-preference"] = "reduce",
        is_new: bool = False,
    ) -> None:
        self.url, self.page = url, tabs.new() if is_new else tabs.take(url)
        self._tabs, self._is_new = tabs, is_new
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self._listeners: dict[Any, Callable[[Any], None]] = {
            "console": lambda line: self.complaints.append(f"console: {line.text} ({line.location['url']})"),
            "pageerror": lambda error: self.complaints.append(f"error: {error}"),
            "request": lambda request: self.asked.append(request.url.removeprefix(self.url)),
            "requestfailed": lambda request: self._failed(request.url, request.failure),
            "response": lambda answer: self._answered(answer.status, answer.url),
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)

    def _answered(self, status: int, url: str) -> None:
        if status >= 400:
            self.complaints.append(f"{status}: {url}")

    def _failed(self, url: str, why: str | None) -> None:
        if why != "net::ERR_ABORTED":  # a view that was left aborts its requests
            self.complaints.append(f"failed: {url}: {why}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._is_new or error:
            self.page.context.close()
            return
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        self._tabs.leave(self.page)

    # --- going ------------------------------------------------------------------------------------

    def go(self, view: str) -> None:
        """Go to a view by its address, and wait until all its requests are answered."""
        self.page.goto(f"{self.url}/#{view}")
        self.page.locator(f"main[data-view={json.dumps(f'#{view}')}]").wait_for()
        self.settle()

    def settle(self) -> None:
        """Wait until no request is pending."""
        from playwright.sync_api import expect

        expect(self.page.locator("[aria-busy]")).to_have_count(0, timeout=PATIENCE_MS)

    def begin(self) -> None:
        """From an empty directory: take the starter directory, and follow the feed of a pasted site."""
        self.go("/")
        self.heading("The directory is empty", level=2).wait_for()
        self.button("Take it").click()
        self.page.get_by_text("Done.").wait_for()
        self.look_at(SITE)
        self.button("Follow").first.click()
        self.link(re.compile("^Followed")).wait_for()

    def look_at(self, address: str) -> None:
        """Paste an address into the field of the start, and wait for its candidates."""
        self.go("/")
        self.page.get_by_role("searchbox").fill(address)
        self.page.keyboard.press("Enter")
        self.button("Show the steps").wait_for()

    def to_feed(self, words: str) -> None:
        """Search until the index has it, and go to the first result."""
        asked = f"{self.url}/v1/search?q={words}"
        wait_until(lambda: self.page.request.get(asked).json().get("results"), PATIENCE_MS / 1000, "it in the index")
        self.go("/")
        self.page.get_by_role("searchbox").fill(words)
        self.page.get_by_role("list", name="Results").get_by_role("link").first.click()
        self.heading("Checks", level=2).wait_for()
        self.settle()

    # --- seeing -----------------------------------------------------------------------------------

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def link(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("link", name=name, exact=isinstance(name, str))

    def heading(self, name: str | re.Pattern[str], level: int = 1) -> Locator:
        return self.page.get_by_role("heading", name=name, level=level)

    def open_all(self) -> None:
        """Open all collapsed parts."""
        self.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")

    @property
    def scrolls_sideways(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))
