"""Texts of feeds, sites and people are shown as text: they run nothing and move nothing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.local.page.looking import NARROW, Looking
from tests.local.stack_process import StackProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.local_stack
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "</main></body><h1>gone</h1>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<style>*{display:none}</style>",
    "<base href='https://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<form action=https://evil.example><button>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "//evil.example/x",
    "https://user:secret@evil.example/",
    "http://[::1",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u202egnp.exe",
    "\u2066\u2067mixed\u2069",
    "\u200f\u200f\u200f",
    "שלום וברכה לכולם",
    "مرحبا بالعالم",
    "a\u0300\u0301\u0302\u0303" * 200,
    "\ufdfd" * 50,
    "👩‍👩‍👧‍👦" * 200,
    "x" * 10_000,
    "long words " * 1_000,
    "\u00a0" * 100,
    "\n\n\n\n\n\n",
    "\x00\x07\x1b[31m",
    "",
    " ",
    "null",
)
NEVER = re.compile(r"evil\.example")


def with_text(document: Any, text: str) -> Any:
    """A document with this text in place of each of its own, except ids and enumerated words."""
    match document:
        case dict():
            return {name: each if name in KEPT else with_text(each, text) for name, each in document.items()}
        case list():
            return [with_text(each, text) for each in document]
        case str():
            return text
        case _:
            return document


KEPT = frozenset(
    {"id", "feed_id", "state", "status", "kind", "cursor", "validation_status", "action", "result", "run_id"}
)


class Answers:
    """The API's answers, requested once, with one text in place of all others."""

    def __init__(self) -> None:
        self.text = ""
        self._known: dict[str, tuple[int, Any]] = {}

    def __call__(self, route: Route) -> None:
        asked = f"{route.request.method} {route.request.url}"
        if asked not in self._known:
            fetched = route.fetch()
            self._known[asked] = fetched.status, fetched.json()
        status, document = self._known[asked]
        body = json.dumps(with_text(document, self.text) if status < 300 else document)
        route.fulfill(status=status, content_type="application/json", body=body)


@pytest.fixture(scope="module")
def views(browser: Browser, begun: StackProcess) -> list[str]:
    """The views that show texts from outside."""
    with Looking(browser, begun.url) as looking:
        looking.to_feed("orchard")
        feed = looking.page.url.partition("#")[2]
    return ["/?q=orchard", "/feeds", "/subscriptions", "/imports", "/look?url=orchard.example", feed]


def test_no_text_runs_or_moves_anything(browser: Browser, begun: StackProcess, views: list[str]) -> None:
    found: list[tuple[str, str, str]] = []
    answers = Answers()
    with Looking(browser, begun.url, width=NARROW) as looking:
        looking.page.on("dialog", lambda dialog: found.append(("a dialog", "", dialog.message)))
        looking.page.route("**/v1/**", answers)
        for text in HOSTILE:
            answers.text = text
            for view in views:
                looking.go(view)
                found += [(view, text[:40], fault) for fault in faults(looking)]
    assert found == []
    assert [line for line in looking.complaints if "evil" in line or "Content Security" in line] == []
    assert not any(NEVER.search(asked) for asked in looking.asked if asked.startswith("http"))


def faults(looking: Looking) -> list[str]:
    page = looking.page
    wrong = []
    if looking.scrolls_sideways:
        wrong.append("scrolls sideways")
    if page.locator("h1").count() != 1 or not page.locator("h1").is_visible():
        wrong.append("no heading")
    if page.locator("main script, main iframe, main img, main style, main base, main meta").count():
        wrong.append("an element of the text")
    targets = page.locator("main a").evaluate_all("links => links.map((link) => link.protocol)")
    wrong += [f"leads to {one}" for one in targets if one not in ("http:", "https:")]
    return wrong
